"""Errors as people want them: one line on standard error and an exit code, no traceback.

Every kind of error has an exit code of its own, see `CODES`. Whatever is not an error that skerry
raises on purpose, nor comes from outside (files, memory, signals), is a bug in skerry: it says so,
and shows its traceback with ``-v``.
"""

from __future__ import annotations

import errno
import re
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from skerry.cli.interrupts import reliable_interrupts
from skerry.cli.run_log import current_log
from skerry.cli.terminal import discard_output, print_error
from skerry.cli.verbose import is_verbose
from skerry.cli.wording import as_options
from skerry.errors import (
    ArgumentError,
    OutputError,
    SkerryError,
    TargetError,
    UnsupportedError,
)

WRONG = 1
"""The answer is no: labels did not pass their verification, or no path joins two vertices."""
USAGE = 2
"""The command cannot be run as it was typed; click uses the same code for bad options."""
INPUT = 3
"""An input cannot be read: it is missing, damaged, or not what the options say."""
OUTPUT = 4
"""The output cannot be written."""
MEMORY = 5
"""There is not enough memory, or not enough under ``--limit-memory``."""
BUG = 70
"""An error in skerry itself; EX_SOFTWARE of sysexits.h."""
HUNG_UP = 129
"""128 + SIGHUP."""
STOPPED = 130
"""Ctrl-C: 128 + SIGINT, as shells expect."""
UNREAD = 141
"""The reader of the output has gone: 128 + SIGPIPE."""
TERMINATED = 143
"""128 + SIGTERM."""

LINE_END = r"\s*\n\s*"
"""Messages of other libraries may have several lines."""
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)

CODES = {
    0: "done",
    WRONG: "the answer is no: labels are wrong (`skerry verify`, `--verify`), or no path joins two "
    "vertices (`skerry why`)",
    USAGE: "the command cannot be run as it was typed: an option, or a choice that is not possible",
    INPUT: "an input cannot be read: it is missing, damaged, or not what the options say",
    OUTPUT: "the output cannot be written: a full disk, a folder that is not there",
    MEMORY: "not enough memory, or not enough under `--limit-memory`",
    BUG: "an error in skerry itself: please report it, with what `skerry -v ...` prints",
    HUNG_UP: "ended by SIGHUP: the terminal was closed; nothing incomplete is left",
    STOPPED: "stopped by Ctrl-C; nothing incomplete is left",
    UNREAD: "no program reads the output any more (`... -o - \\| head`)",
    TERMINATED: "ended by SIGTERM; nothing incomplete is left",
}
"""All exit codes and their meanings, as docs/options.md lists them."""


CODES_OF_ERRORS: tuple[tuple[type[BaseException], int], ...] = (
    (KeyboardInterrupt, STOPPED),
    (BrokenPipeError, UNREAD),
    (ArgumentError, USAGE),
    (UnsupportedError, USAGE),
    (OutputError, OUTPUT),
    (TargetError, OUTPUT),
    (MemoryError, MEMORY),
    (SkerryError, INPUT),
    (OSError, INPUT),
    (BaseException, BUG),
)
"""Kinds of errors and their exit codes; the first that fits counts."""


class UsageError(ArgumentError):
    """A command that cannot be run as it was typed."""


def say(message: str) -> None:
    """Prints a line about the run on standard error, with arguments as options of the command."""
    text = re.sub(LINE_END, " ", as_options(message))
    log = current_log()
    if log is not None:
        warning = text.removeprefix("warning: ")
        log.write("note" if warning == text else "warning", message=warning)
        return
    print_error(f"skerry: {text}")


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
    except BrokenPipeError as error:
        discard_output()
        raise _ending(error) from None
    except (SkerryError, OSError) as error:
        raise _ending(error, _message(error)) from None
    except MemoryError as error:
        reason = f": {error}" if str(error) else ""
        raise _ending(error, f"not enough memory{reason}") from None
    except KeyboardInterrupt as error:
        raise _ending(error, "stopped") from None
    except SystemExit as error:  # a signal: see interrupts.py
        _ending(error)
        raise
    except Exception as error:
        if hasattr(error, "exit_code"):  # of click, some versions of which are typer's own
            _ending(error)
            raise
        raise _ending(error, _bug_message(error)) from None


def _ending(error: BaseException, message: str | None = None) -> typer.Exit:
    """Says why the command ends, if there is something to say, and returns its exit code."""
    stated = error.code if isinstance(error, SystemExit) else getattr(error, "exit_code", None)
    code = stated if isinstance(stated, int) else exit_code(error)
    log = current_log()
    if log is not None:
        log.exit_code = code
        if message is not None:
            log.error(" ".join(as_options(message).split()), code)
    elif message is not None:
        say(message)
    return typer.Exit(code)


def say_bug(error: BaseException) -> None:
    """Says that an error is skerry's own fault, and with ``-v`` where it happened."""
    say(_bug_message(error))


def _bug_message(error: BaseException) -> str:
    if is_verbose():
        trace = "".join(traceback.format_exception(error))
        log = current_log()
        if log is not None:
            log.write("note", message=trace)
        else:
            for line in trace.splitlines():
                print_error(line)
    what = " ".join(f"{type(error).__name__}: {error}".split())
    return (
        f"this is a bug in skerry: {what[:300]}. Please report it with the command and what it "
        "prints with -v (skerry -v ...)"
    )


def exit_code(error: BaseException) -> int:
    """The exit code of an error."""
    if isinstance(error, OSError) and error.errno in NO_ROOM:
        return OUTPUT
    return next(code for kind, code in CODES_OF_ERRORS if isinstance(error, kind))


def _message(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return str(error)
