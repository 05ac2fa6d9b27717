"""Pairs of neighboring pixels, as slices of an image."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.graph.grid_rule import Rule

Array = npt.NDArray[Any]
Slices = tuple[slice, ...]
ALL = slice(None)
STEPS = {
    -1: ((slice(1, None), slice(None, -1)), (slice(None, 1), slice(-1, None))),
    0: ((ALL, ALL),),
    1: ((slice(None, -1), slice(1, None)), (slice(-1, None), slice(None, 1))),
}
"""From a step along an axis to the pixels and their neighbors: inside, and around the end."""


def each_direction(rule: Rule) -> Iterator[tuple[Slices, Slices]]:
    """Two views of an image, pixel for pixel neighbors; each pair of neighbors comes once."""
    flags = rule.structure.reshape(-1)
    for index in np.flatnonzero(flags[: len(flags) // 2]):
        steps = [int(step) - 1 for step in np.unravel_index(index, rule.structure.shape)]
        ways = [STEPS[step][: 1 + (rule.wrap >> axis & 1)] for axis, step in enumerate(steps)]
        for pairs in itertools.product(*ways):
            yield tuple(own for own, _ in pairs), tuple(other for _, other in pairs)


def same_values(a: Array, b: Array, rule: Rule) -> Array:
    """Where pixels of the foreground are joined if they are neighbors."""
    if rule.values == "binary":
        return np.ones(a.shape, bool)
    if rule.values == "equal":
        return np.asarray(a == b)
    if a.dtype.kind == "f":
        return np.asarray(np.abs(a - b) <= rule.delta)
    unsigned = np.dtype(f"u{a.itemsize}")  # the difference of two signed numbers may need it
    difference = np.maximum(a, b).astype(unsigned) - np.minimum(a, b).astype(unsigned)
    return np.asarray(difference <= rule.delta)
