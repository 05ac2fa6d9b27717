"""The command ``skerry``. Importing this costs nothing: typer and rich are loaded by `main`."""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Runs the command line, for ``skerry`` and ``python -m skerry``."""
    import sys

    try:
        from skerry.cli.app import app

        sys.exit(app(prog_name="skerry", standalone_mode=False) or 0)
    except KeyboardInterrupt:
        # Before or after a command's own guard, for instance while modules are being loaded.
        print("skerry: stopped", file=sys.stderr)
        sys.exit(130)
    except Exception as error:
        # A wrong option is one line, like all errors, and not a box. The class is not tested,
        # since some versions of typer use their own copy of click.
        if not hasattr(error, "format_message"):
            raise
        context = getattr(error, "ctx", None)
        hint = "" if context is None else f"; see {context.command_path} --help"
        if message := " ".join(error.format_message().split()).rstrip("."):
            print(f"skerry: {message}{hint}", file=sys.stderr)
        sys.exit(getattr(error, "exit_code", 2))
