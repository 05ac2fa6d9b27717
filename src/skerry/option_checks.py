"""What the values of options must be: each check takes a name and a value, and returns the value.

Raises `skerry.errors.ArgumentError` if a value is not of its type or out of its range.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import index
from typing import Any

import numpy as np

from skerry.errors import ArgumentError
from skerry.graph.vertex_ids import MAX_VERTICES

NUMBER = (int, float, np.number)
BOOLEAN = (bool, np.bool_)
UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


def unchecked(name: str, value: Any) -> Any:
    """A value that is checked where it is used."""
    del name
    return value


def one_of(*choices: str) -> Callable[[str, Any], Any]:
    """The check of an option that is one of some words."""
    quoted = [f'"{choice}"' for choice in choices]
    listed = f"{', '.join(quoted[:-1])} or {quoted[-1]}"

    def check(name: str, value: Any) -> Any:
        if not isinstance(value, str) or value not in choices:
            raise ArgumentError(f"{name} must be {listed}, got {value!r}")
        return value

    return check


def boolean(name: str, value: Any, others: str = " or False") -> bool:
    """True or False."""
    if not isinstance(value, BOOLEAN):
        raise ArgumentError(f"{name} must be True{others}, got {value!r}")
    return bool(value)


def boolean_or_none(name: str, value: Any) -> bool:
    """True or False, of an option whose default is None."""
    return boolean(name, value, ", False or None")


def text(name: str, value: Any) -> Any:
    """Text."""
    if not isinstance(value, str):
        raise ArgumentError(f"{name} must be text, got {value!r}")
    return value


def integer(name: str, value: Any) -> Any:
    """An integer."""
    try:
        if isinstance(value, bool):
            raise TypeError
        index(value)
    except TypeError:
        raise ArgumentError(f"{name} must be an integer, got {value!r}") from None
    return value


def vertex_count(name: str, value: Any) -> Any:
    """A number of vertices."""
    if not 0 <= index(integer(name, value)) <= MAX_VERTICES:
        raise ArgumentError(f"{name} must be in 0..2**59, got {value}")
    return value


def number(name: str, value: Any) -> Any:
    """A number; not NaN."""
    if isinstance(value, bool) or not isinstance(value, NUMBER) or value != value:
        raise ArgumentError(f"{name} must be a number, got {value!r}")
    return value


def columns(name: str, value: Any) -> Any:
    """A column, or a tuple of several."""
    del name
    return tuple(value) if isinstance(value, list) else value


def group_columns(name: str, value: Any) -> Any:
    """A column of keys, or a tuple of several, or True."""
    value = columns(name, value)
    if value is False or not isinstance(value, str | int | tuple):
        raise ArgumentError(
            f"{name} must be a column of keys, several as a tuple, or True, got {value!r}"
        )
    return value


def byte_count(name: str, value: Any) -> int | None:
    """A number of bytes, written as in the shell: 4G, 500M, 1.5GiB, 1000000; None: not stated.

    Raises
    ------
    ArgumentError
        If it is neither, or below 1.
    """
    if value is None:
        return None
    if not isinstance(value, str):
        if index(integer(name, value)) >= 1:
            return index(value)
    else:
        match = re.fullmatch(r"(\d+(?:\.\d*)?)\s*([KMGT]?)(?:i?B)?", value.strip(), re.IGNORECASE)
        size = float(match[1]) * UNITS[match[2].upper()] if match else 0.0
        if 1 <= size < 2**63:
            return int(size)
    raise ArgumentError(
        f"{name} must be a number of bytes, 1 or more, or a size such as 4G or 500M, got {value!r}"
    )


def folder(name: str, value: Any) -> str:
    """The path of a folder."""
    path = value if isinstance(value, str) else getattr(value, "__fspath__", lambda: None)()
    if not isinstance(path, str) or not path:
        raise ArgumentError(f"{name} must be the path of a folder, got {value!r}")
    return path
