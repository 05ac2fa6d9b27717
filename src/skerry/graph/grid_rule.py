"""The arguments that say which pixels are neighbors and which of them are joined, validated."""

from __future__ import annotations

from functools import lru_cache
from operator import index
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from skerry.errors import ArgumentError, InputError
from skerry.graph.vertex_ids import as_array

MAX_AXES = 32
VALUES = ("binary", "equal", "within")
"""How pixels are joined, in the order of the kernel's numbers: all foreground pixels, equal ones,
or those that differ by at most ``delta``."""


class Rule(NamedTuple):
    """Which pixels of an image are joined."""

    structure: npt.NDArray[np.uint8]
    """3 flags along each axis of an image; symmetric."""
    wrap: int
    """A bit for each periodic axis of an image."""
    values: str
    """One of `VALUES`."""
    background: Any
    """The value that is no object; None: there is none."""
    delta: Any


def make_rule(
    ndim: int,
    batch_axes: int,
    structure: Any,
    connectivity: Any,
    wrap: Any,
    values: Any,
    background: Any,
    delta: Any,
) -> Rule:
    """The rule for images of ``ndim`` axes that follow ``batch_axes`` others."""
    if not isinstance(values, str) or values not in VALUES[:2]:
        raise ArgumentError(f"values must be 'binary' or 'equal', got {values!r}")
    if delta is not None:
        if values == "equal":
            raise ArgumentError("delta and values='equal' cannot be used together")
        if isinstance(delta, bool) or not np.isreal(delta) or not delta >= 0:
            raise ArgumentError(f"delta must be a number that is not negative, got {delta!r}")
        values = "within"
    return Rule(
        _structure(ndim, structure, connectivity),
        _wrap(ndim, batch_axes, wrap),
        values,
        background,
        delta,
    )


def check_batch_axes(batch_axes: Any, ndim: int) -> int:
    """The number of leading axes that count images."""
    try:
        count = index(batch_axes)
    except TypeError:
        count = -1
    if isinstance(batch_axes, bool) or not 0 <= count <= ndim:
        raise ArgumentError(f"batch_axes must be an integer in 0..{ndim}, got {batch_axes!r}")
    if ndim - count > MAX_AXES:
        raise InputError(f"input: an image has at most {MAX_AXES} axes, got {ndim - count}")
    return count


def _structure(ndim: int, structure: Any, connectivity: Any) -> npt.NDArray[np.uint8]:
    if structure is None:
        return _ball(ndim, connectivity)
    if connectivity is not None:
        raise ArgumentError("structure and connectivity cannot be used together: pass one of them")
    flags = as_array(structure, "structure", bool)
    if flags.shape != (3,) * ndim:
        wanted = " x ".join(["3"] * ndim)
        raise ArgumentError(
            f"structure must have the shape {wanted} for images of {ndim} axes, got {flags.shape}"
        )
    if not np.array_equal(flags, flags[(slice(None, None, -1),) * ndim]):
        raise ArgumentError(
            "structure must be symmetric: a neighbor in one direction must be one in the opposite, "
            "too. Use structure | structure[::-1, ..., ::-1]"
        )
    return np.ascontiguousarray(flags).view(np.uint8)


def _ball(ndim: int, connectivity: Any) -> npt.NDArray[np.uint8]:
    """The neighbors that differ along at most ``connectivity`` axes; None: one."""
    try:
        reach = 1 if connectivity is None else index(connectivity)
    except TypeError:
        reach = 0
    if isinstance(connectivity, bool) or not (1 <= reach <= ndim or connectivity is None):
        raise ArgumentError(f"connectivity must be an integer in 1..{ndim}, got {connectivity!r}")
    return _within_steps(ndim, reach)


@lru_cache(maxsize=64)
def _within_steps(ndim: int, reach: int) -> npt.NDArray[np.uint8]:
    steps = np.zeros((1,) * ndim, np.intp)
    for axis in range(ndim):
        steps = steps + np.abs(np.arange(-1, 2)).reshape((-1,) + (1,) * (ndim - 1 - axis))
    flags = np.asarray(steps <= reach, np.uint8)
    flags.flags.writeable = False  # the same array for all callers
    return flags


def _wrap(ndim: int, batch_axes: int, wrap: Any) -> int:
    bits = 0
    for axis in () if wrap is None else np.atleast_1d(as_array(wrap, "wrap")).tolist():
        total = ndim + batch_axes
        if isinstance(axis, bool) or not isinstance(axis, int) or not -total <= axis < total:
            raise ArgumentError(
                f"wrap must be axes of the input, integers in {-total}..{total - 1}, got {wrap!r}"
            )
        own = axis % total - batch_axes
        if own < 0:
            raise ArgumentError(f"wrap: axis {axis} counts images (batch_axes={batch_axes})")
        bits |= 1 << own
    return bits
