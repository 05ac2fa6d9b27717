"""The command ``skerry``. Importing this costs nothing: typer and rich are loaded by `main`."""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Runs the command line; what ``skerry`` and ``python -m skerry`` call."""
    import sys

    try:
        from skerry.cli.app import app

        app(prog_name="skerry")
    except KeyboardInterrupt:
        # Before or after a command's own guard, for instance while modules are being loaded.
        print("skerry: stopped", file=sys.stderr)
        sys.exit(130)
