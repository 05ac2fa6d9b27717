"""The command ``skerry``. Importing this costs nothing: typer and rich are loaded by `main`."""

from __future__ import annotations

import gc
import sys

from skerry.cli.terminal import (
    discard_output,
    discard_unwritten_errors,
    open_closed_streams,
    print_error,
)

OBJECTS = 100_000
"""New objects until cycles of them are looked for: importing makes very many, and none to free."""


def main() -> None:
    """Runs the command line, for ``skerry`` and ``python -m skerry``."""
    gc.set_threshold(OBJECTS)
    open_closed_streams()
    code: object
    try:
        code = _run()
        sys.stdout.flush()
    except BrokenPipeError:
        code = 141
    except OSError as error:  # a full disk, where standard output was redirected to
        print_error(f"skerry: standard output: {error.strerror}")
        code = 4
    except SystemExit as ending:
        # rich ends with 1 where the reader of its output has gone.
        code = 141 if isinstance(ending.__context__, BrokenPipeError) else ending.code
    except KeyboardInterrupt:
        # Before or after a command's own guard, for instance while modules are being loaded.
        print_error("skerry: stopped")
        code = 130
    if code in (4, 141):
        discard_output()
    discard_unwritten_errors()
    sys.exit(code)


def _run() -> int:
    from skerry.cli.interrupts import end_on_termination

    end_on_termination()
    from skerry.cli.app import app

    try:
        return app(prog_name="skerry", standalone_mode=False) or 0
    except (OSError, KeyboardInterrupt):
        raise
    except Exception as error:
        # A wrong option is one line, like all errors, and not a box. The class is not tested,
        # since some versions of typer use their own copy of click.
        if not hasattr(error, "format_message"):
            from skerry.cli.errors import BUG, say_bug

            say_bug(error)
            return BUG
        context = getattr(error, "ctx", None)
        hint = "" if context is None else f"; see {context.command_path} --help"
        if message := " ".join(error.format_message().split()).rstrip("."):
            print_error(f"skerry: {message}{hint}")
        return int(getattr(error, "exit_code", 2))
