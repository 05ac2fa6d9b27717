"""Formats the values of tables and charts, the same in HTML and Markdown."""

from __future__ import annotations

from math import floor, log10
from typing import TypeAlias

Value: TypeAlias = float | int | str | None


def format_value(value: Value) -> str:
    """A measured number with three significant digits, a count as it is, or the text itself.

    >>> format_value(1234.5), format_value(0.01234), format_value(None), format_value(1234)
    ('1,230', '0.0123', '', '1,234')
    """
    if value is None:
        return ""
    if isinstance(value, float):
        return significant(value)
    return f"{value:,}" if isinstance(value, int) else value


def significant(value: float, digits: int = 3) -> str:
    """A number with this many significant digits, never with an exponent.

    >>> significant(0.98765, 2), significant(15.14, 2), significant(27849.0), significant(2.0)
    ('0.99', '15', '27,800', '2')
    """
    if value == 0:
        return "0"
    places = digits - 1 - floor(log10(abs(value)))
    text = f"{round(value, places):,.{max(0, places)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
