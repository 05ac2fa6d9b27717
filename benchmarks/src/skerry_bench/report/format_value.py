"""Formats the values of tables, the same in HTML and Markdown."""

from __future__ import annotations

from typing import TypeAlias

__all__ = ["Value", "format_value"]

Value: TypeAlias = float | int | str | None


def format_value(value: Value) -> str:
    """A number with four significant digits, or the text itself.

    >>> format_value(1234.5), format_value(0.01234), format_value(None), format_value(7)
    ('1,234', '0.01234', '', '7')
    """
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) else value
