"""Errors as a person wants them: one line on stderr and an exit code, no traceback.

A bug in skerry itself still shows its traceback: only errors that are raised on purpose, or that
come from the outside (files, memory, Ctrl-C), are made plain here.
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from skerry.cli.interrupts import sure_interrupts
from skerry.errors import SkerryError

__all__ = ["STOPPED", "UNUSABLE", "WRONG", "as_options", "plain_errors", "say"]

WRONG = 1
"""The answer did not pass its verification."""
UNUSABLE = 2
"""The input, an option or a file cannot be used; what click uses for bad options too."""
STOPPED = 130
"""Ctrl-C: 128 + SIGINT, as shells expect."""
UNREAD = 141
"""Nobody reads what is written: 128 + SIGPIPE."""


ARGUMENTS = (
    "source|target|weight|threshold|vertices|num_vertices|ids|labels|format|delimiter|header|"
    "names|device|algorithm|threads"
)


def say(message: str) -> None:
    """Prints a line about the run on stderr."""
    typer.echo(f"skerry: {' '.join(message.split())}", err=True)


def as_options(message: str) -> str:
    """Arguments of Python that a message speaks of, as options of the command line.

    >>> as_options('say format="csv" or num_vertices=7, not source= and target=')
    'say --format csv or --num-vertices 7, not --source and --target'
    """

    def option(found: re.Match[str]) -> str:
        value = found[2].strip('"')
        return f"--{found[1].replace('_', '-')}" + (f" {value}" if value else "")

    return re.sub(rf'(?<![\w-])({ARGUMENTS})=("[\w.]*"|\d[\d,]*(?=\D)|)(?![\w"])', option, message)


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turns expected errors inside the block into a line and an exit code, warnings into lines."""
    try:
        with sure_interrupts(), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            try:
                yield
            finally:
                for warning in caught:
                    say(f"warning: {warning.message}")
    except SkerryError as error:
        say(as_options(_told(error)))
        raise typer.Exit(UNUSABLE) from None
    except BrokenPipeError:
        # The reader of our output has gone, as `head` does. What is still to be flushed goes
        # nowhere, so that Python does not complain at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(UNREAD) from None
    except OSError as error:
        say(_told(error))
        raise typer.Exit(UNUSABLE) from None
    except MemoryError as error:
        say(f"not enough memory: {error}" if str(error) else "not enough memory")
        raise typer.Exit(UNUSABLE) from None
    except KeyboardInterrupt:
        say("stopped")
        raise typer.Exit(STOPPED) from None


def _told(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return str(error)
