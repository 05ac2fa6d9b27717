"""Numbers that the user chose, made fit for a kernel: senseless ones do no harm."""

from __future__ import annotations

from math import isnan

__all__ = ["whole"]


def whole(value: float, least: int = 0, most: int = 2**62) -> int:
    """A number as a whole one between two bounds; what is no number is the least."""
    if isnan(value):
        return least
    return int(min(max(value, least), most))
