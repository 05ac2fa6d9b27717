"""The parameters of generators: from text or a value to the value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import index
from typing import Any, Literal

__all__ = ["READERS", "Kind", "number"]

Kind = Literal["int", "float", "bool", "sizes"]

MAX_COMPONENTS = 10**8
"""Sizes are listed one by one: more would fill the memory."""


def integer(value: Any) -> int:
    """An integer: 1000, 1_000, 1e6, 2^20 or 2**20."""
    if isinstance(value, bool):
        raise TypeError(value)
    if not isinstance(value, str):
        return index(value)
    base, power, exponent = value.replace("**", "^").partition("^")
    if power:
        raised = int(exponent)
        if not 0 <= raised <= 64 or abs(int(base)) > 2**16:
            raise ValueError(value)
        return int(int(base) ** raised)
    if "e" not in value.lower() and "." not in value:
        return int(value)
    number = float(value)
    if number != int(number) or abs(number) > 2**53:
        raise ValueError(value)
    return int(number)


def number(value: Any) -> float:
    """A number: 0.5, 1e-3 or 17/24."""
    if isinstance(value, bool):
        raise TypeError(value)
    if not isinstance(value, str):
        return float(value)
    above, slash, below = value.partition("/")
    if slash and not float(below):
        raise ValueError(value)
    return float(above) / float(below) if slash else float(above)


def switch(value: Any) -> bool:
    """True or false."""
    if isinstance(value, bool):
        return value
    return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[
        str(value).lower()
    ]


def sizes(value: Any) -> list[int]:
    """Sizes of components: a list, or text such as 1000+20x5."""
    if not isinstance(value, str):
        return [integer(size) for size in value]
    listed: list[int] = []
    for part in value.split("+"):
        count, times, size = part.partition("x")
        if times and not 0 <= integer(count) <= MAX_COMPONENTS:
            raise ValueError(value)
        listed += [integer(size)] * integer(count) if times else [integer(part)]
    return listed


def _switch(value: Any) -> bool:
    try:
        return switch(value)
    except KeyError:
        raise ValueError(value) from None


READERS: Mapping[Kind, Callable[[Any], Any]] = {
    "int": integer,
    "float": number,
    "bool": _switch,
    "sizes": sizes,
}
"""From text or a value to the value; a TypeError or ValueError if it is of another kind."""
