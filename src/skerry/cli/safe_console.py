"""A console of rich that shows text from outside as text: no escapes, no markup, no emoji."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from skerry.cli.terminal import standard_output
from skerry.printable import printable


class SafeConsole(Console):
    """Prints strings, `Text`, tables and groups of them, after control characters are escaped.

    A string is one line (which may be wrapped), and so is a `Text`; several lines are a `Group`.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, highlight=False, emoji=False, **options)

    def print(self, *objects: Any, **options: Any) -> None:
        """Prints them."""
        with suppress(OSError) if self.stderr else standard_output():
            super().print(*map(_safe, objects), **options)


def _safe(shown: Any) -> Any:
    if isinstance(shown, str):
        return printable(shown)
    if isinstance(shown, Text):
        line = printable(shown.plain)
        return shown if line == shown.plain else shown.blank_copy(line)
    if isinstance(shown, Group):
        return Group(*map(_safe, shown.renderables))
    if isinstance(shown, Table):
        for column in shown.columns:
            column.header = _safe(column.header)
            column._cells[:] = map(_safe, column._cells)
        return shown
    raise TypeError(f"a {type(shown).__name__} cannot be checked for control characters")
