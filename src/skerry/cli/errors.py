"""Errors as a person wants them: one line on stderr and an exit code, no traceback.

A bug in skerry itself still shows its traceback: only errors that are raised on purpose, or that
come from the outside (files, memory, Ctrl-C), are made plain here.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from skerry.errors import SkerryError

__all__ = ["STOPPED", "UNUSABLE", "WRONG", "plain_errors", "say"]

WRONG = 1
"""The answer did not pass its verification."""
UNUSABLE = 2
"""The input, an option or a file cannot be used; what click uses for bad options too."""
STOPPED = 130
"""Ctrl-C: 128 + SIGINT, as shells expect."""


def say(message: str) -> None:
    """Prints a line about the run on stderr."""
    typer.echo(f"skerry: {' '.join(message.split())}", err=True)


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turns expected errors inside the block into a line and an exit code, warnings into lines."""
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            try:
                yield
            finally:
                for warning in caught:
                    say(f"warning: {warning.message}")
    except SkerryError as error:
        say(str(error))
        raise typer.Exit(UNUSABLE) from None
    except BrokenPipeError:
        raise  # the reader of our output has gone; click ends quietly
    except OSError as error:
        say(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        raise typer.Exit(UNUSABLE) from None
    except MemoryError as error:
        say(f"not enough memory: {error}" if str(error) else "not enough memory")
        raise typer.Exit(UNUSABLE) from None
    except KeyboardInterrupt:
        say("stopped")
        raise typer.Exit(STOPPED) from None
