"""A plugin of pytest: prints how many calls of networkx skerry's backend answered."""

from __future__ import annotations

from typing import Any

import _skerry_networkx
from skerry.networkx import backend

calls = 0


def _counted(function: Any) -> Any:
    def call(*args: Any, **kwargs: Any) -> Any:
        global calls
        calls += 1
        return function(*args, **kwargs)

    return call


def pytest_configure() -> None:
    """Counts from here on."""
    for name in _skerry_networkx.FUNCTIONS:
        setattr(backend, name, _counted(getattr(backend, name)))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Prints the number."""
    terminalreporter.write_line(f"{calls} calls answered by skerry")
