"""Standard output and standard error: all that a command prints goes through here.

Ids and names come from outside, and may hold what a terminal obeys. So text is escaped where it is
printed, and no caller has to think of it: lines of text by `print_line`, JSON by `print_json`,
tables by `skerry.cli.safe_console`. `tests/project/test_printing.py` finds other ways to print.

A terminal may also have a status line (`skerry.cli.progress`), which is drawn again and again:
whatever is printed removes it first, and the next drawing brings it back. It needs no escapes: a
carriage return, the text, blanks over what was longer before.
"""

from __future__ import annotations

import codecs
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import isfinite, isnan
from threading import RLock
from typing import Any, TextIO

from skerry.errors import OutputError
from skerry.printable import printable, printable_lines

_status_lock = RLock()
_status_columns = 0
"""What the status line takes now."""


def show_status(line: str, columns: int) -> None:
    """Draws the status line, which takes so many columns, in place of the one before."""
    global _status_columns
    with _status_lock:
        # The cursor goes back to where the terminal may write ^C: that is overwritten later.
        sys.stderr.write(f"\r{line}{' ' * (_status_columns - columns)}\r")
        sys.stderr.flush()
        _status_columns = columns


def clear_status() -> None:
    """Removes the status line, if there is one."""
    global _status_columns
    with _status_lock:
        if _status_columns:
            blanks, _status_columns = " " * _status_columns, 0
            with suppress(OSError):
                sys.stderr.write(f"\r{blanks}\r")
                sys.stderr.flush()


def print_line(text: str = "") -> None:
    """Prints a line on standard output."""
    with standard_output():
        print(printable(text), flush=True)


def print_error(text: str) -> None:
    """Prints a line on standard error; where that is gone, the exit code must do."""
    with suppress(OSError), _status_lock:
        clear_status()
        # In one piece: a signal may end the command between two.
        sys.stderr.write(f"{printable(text)}\n")
        sys.stderr.flush()


def print_json(value: Any) -> None:
    """Prints a value as a line of JSON, on standard output."""
    with standard_output():
        print(as_json(value), flush=True)


def as_json(value: Any) -> str:
    """A value as a line of JSON, in ASCII, so that a terminal obeys nothing in it.

    JSON has no infinite numbers: they are the strings ``"Infinity"``, ``"-Infinity"``, ``"NaN"``.
    NumPy's numbers are numbers. What has no type in JSON, such as a date, is a string.
    """
    line = json.dumps(_finite(value), default=_plain, allow_nan=False)
    return line.replace("\x7f", "\\u007f")  # the one control character that JSON leaves


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else str(value)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    if isinstance(value, float) and not isfinite(value):
        return "NaN" if isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


class TerminalWriter:
    """Text that is data, written to a terminal: the lines stay, other control characters do not."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("backslashreplace")

    def write(self, data: memoryview) -> None:
        """Writes bytes of UTF-8, which may end within a character."""
        fields = self._decoder.decode(data).split("\t")
        sys.stdout.write("\t".join(map(printable_lines, fields)))


def open_closed_streams() -> None:
    """Opens the standard streams that the caller has closed (``>&-``).

    Otherwise the next file would get their number, and what is printed would go into it. Reading
    the input and writing the output fail, as they should; messages go nowhere.
    """
    modes = {
        "stdin": ("r", os.O_WRONLY),
        "stdout": ("w", os.O_RDONLY),
        "stderr": ("w", os.O_WRONLY),
    }
    for name, (mode, flags) in modes.items():
        if getattr(sys, name) is None:  # `os.open` takes the first number that is free: this one
            number = os.open(os.devnull, flags)
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # names of files may be no UTF-8
            stream.reconfigure(errors="backslashreplace")


@contextmanager
def standard_output() -> Iterator[None]:
    """What goes wrong there inside the block is an `OutputError`, unless the reader has gone."""
    try:
        if sys.stdout.isatty():
            with _status_lock:
                clear_status()
                yield
        else:
            yield
    except BrokenPipeError:
        raise
    except OSError as error:
        discard_output()
        raise OutputError(error.errno, error.strerror, "standard output") from None


def discard_output() -> None:
    """Forgets what is still in the buffer of standard output, which takes no more."""
    _discard(sys.stdout)


def discard_unwritten_errors() -> None:
    """The same of standard error, if it takes no more: Python would end with 120 for it."""
    try:
        sys.stderr.flush()
    except (OSError, ValueError):
        _discard(sys.stderr)


def _discard(stream: TextIO) -> None:
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
