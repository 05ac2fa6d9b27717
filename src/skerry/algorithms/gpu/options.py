"""Numbers that the user chose, converted to what a kernel takes."""

from __future__ import annotations

from math import isnan


def bounded_int(value: float, minimum: int = 0, maximum: int = 2**62) -> int:
    """A number as an integer between two bounds; NaN becomes the minimum."""
    if isnan(value):
        return minimum
    return int(min(max(value, minimum), maximum))
