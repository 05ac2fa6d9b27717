"""A plugin of pytest: a library's functions are skerry's, and their calls are counted.

SKERRY_SWAP names the module of skerry, such as ``splink``.
"""

from __future__ import annotations

import functools
import importlib
import os
from typing import Any

calls = 0


def pytest_configure() -> None:
    """Before the tests import the library."""
    swap = importlib.import_module(f"skerry.{os.environ['SKERRY_SWAP']}").use()
    swap.stop()
    for path, replacement in swap.replacements.items():
        if isinstance(replacement, type):
            replacement.__init__ = _counted(replacement.__init__)  # type: ignore[misc]
        else:
            swap.replacements[path] = _counted(replacement)
    swap.start()


def _counted(function: Any) -> Any:
    @functools.wraps(function)
    def count(*args: Any, **options: Any) -> Any:
        global calls
        calls += 1
        return function(*args, **options)

    return count


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Prints the number."""
    terminalreporter.write_line(f"{calls} calls answered by skerry")
