"""The command ``skerry``. Importing this costs nothing: typer and rich are loaded by `main`."""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Runs the command line; what ``skerry`` and ``python -m skerry`` call."""
    import sys

    try:
        from skerry.cli.app import app

        sys.exit(app(prog_name="skerry", standalone_mode=False) or 0)
    except KeyboardInterrupt:
        # Before or after a command's own guard, for instance while modules are being loaded.
        print("skerry: stopped", file=sys.stderr)
        sys.exit(130)
    except Exception as error:
        # A wrong option: in a line as all errors, rather than in a box. By what it can do, since
        # typer has brought its own copy of click in some versions, and none in others.
        if not hasattr(error, "format_message"):
            raise
        context = getattr(error, "ctx", None)
        hint = "" if context is None else f"; see {context.command_path} --help"
        if message := " ".join(error.format_message().split()).rstrip("."):
            print(f"skerry: {message}{hint}", file=sys.stderr)
        sys.exit(getattr(error, "exit_code", 2))
