"""Errors as people want them: one line on standard error and an exit code, no traceback.

A bug in skerry itself still shows its traceback: only errors that skerry raises on purpose, or that
come from outside (files, memory, Ctrl-C), become a line here.
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from skerry.cli.interrupts import reliable_interrupts
from skerry.errors import SkerryError

__all__ = ["OPTIONS", "STOPPED", "UNUSABLE", "WRONG", "as_options", "plain_errors", "say"]

WRONG = 1
"""The labels did not pass their verification."""
UNUSABLE = 2
"""The input, an option or a file cannot be used; click uses the same code for bad options."""
STOPPED = 130
"""Ctrl-C: 128 + SIGINT, as shells expect."""
UNREAD = 141
"""The reader of the output has gone: 128 + SIGPIPE."""

OPTIONS = {
    "source": "--source",
    "target": "--target",
    "weight": "--weight",
    "threshold": "--threshold",
    "keep": "--keep",
    "vertices": "--vertices",
    "num_vertices": "--num-vertices",
    "ids": "--ids",
    "format": "--format",
    "delimiter": "--delimiter",
    "header": "--header",
    "ids_as_text": "--ids-as-text",
    "on_null": "--on-null",
    "external_ids": "--external-ids",
    "labels": "--labels",
    "min_size": "--min-size",
    "drop_singletons": "--drop-singletons",
    "algorithm": "--algorithm",
    "device": "--device",
    "threads": "--threads",
    "limit": "--limit-memory",
}
"""Arguments of the library, and the options of the command that set them."""

VALUE = r"""(?:"[^"\s]*"|'[^'\s]*'|\([^()=]*\)|\d[\d.,]*(?<=\d)|True\b|False\b)"""
ARGUMENT = re.compile(
    rf"(?<![\w.?&-])(?P<name>{'|'.join(OPTIONS)})="
    rf"(?:(?P<values>{VALUE}(?: or {VALUE})*)|(?![\w\"'(]))"
)


def say(message: str) -> None:
    """Prints a line about the run on standard error."""
    typer.echo(f"skerry: {' '.join(message.split())}", err=True)


def as_options(message: str) -> str:
    """Replaces arguments of Python that a message mentions by options of the command line.

    >>> as_options('use format="csv" or num_vertices=7, not source= and target=')
    'use --format csv or --num-vertices 7, not --source and --target'
    >>> as_options('header=False, ids_as_text=True, source=("a", "b") and limit=')
    '--no-header, --ids-as-text, --source a,b and --limit-memory'
    """
    return ARGUMENT.sub(_as_option, message)


def _as_option(match: re.Match[str]) -> str:
    option, values = OPTIONS[match["name"]], match["values"]
    if values is None or values == "True":
        return option
    if values == "False":
        return "--no-header" if option == "--header" else match[0]
    words = (_as_word(value) for value in values.split(" or "))
    return f"{option} {' or '.join(words)}"


def _as_word(value: str) -> str:
    """A value as it is typed in a shell."""
    if value.startswith("("):
        return ",".join(part.strip(" \"'") for part in value[1:-1].split(",") if part.strip())
    return value.strip("\"'")


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turns expected errors inside the block into a line and an exit code, warnings into lines."""
    try:
        with reliable_interrupts(), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            try:
                yield
            finally:
                for warning in caught:
                    say(f"warning: {as_options(str(warning.message))}")
    except SkerryError as error:
        say(as_options(_message(error)))
        raise typer.Exit(UNUSABLE) from None
    except BrokenPipeError:
        # The reader of our output has gone, as `head` does. What is still in the buffer is
        # discarded, so that Python does not complain when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(UNREAD) from None
    except OSError as error:
        say(_message(error))
        raise typer.Exit(UNUSABLE) from None
    except MemoryError as error:
        say(f"not enough memory: {error}" if str(error) else "not enough memory")
        raise typer.Exit(UNUSABLE) from None
    except KeyboardInterrupt:
        say("stopped")
        raise typer.Exit(STOPPED) from None


def _message(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return str(error)
