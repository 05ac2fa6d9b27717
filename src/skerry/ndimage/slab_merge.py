"""Which components of the slabs of an image are one: their border planes, joined.

A slab shows its first and its last plane. Neighbors in the last plane of one slab and the first of
the next give pairs of labels, and these are the edges of a small graph.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from skerry.algorithms.cpu.grid import label_into
from skerry.api import connected_components
from skerry.errors import InputError
from skerry.graph.grid import label_type
from skerry.graph.grid_pairs import STEPS, same_values
from skerry.graph.grid_rule import Rule

Array = npt.NDArray[Any]


class Plane(NamedTuple):
    """The first or the last plane of a slab, without the axis of slabs."""

    pixels: Array
    """Not looked at if values make no difference."""
    labels: Array
    """From 1 on in each slab."""
    base: int = 0
    """Components of the slabs before."""


class Border(NamedTuple):
    """What a slab shows to those beside it."""

    components: int
    first: Plane
    last: Plane


class Merged(NamedTuple):
    """The components of the whole image, by the labels of its slabs counted on."""

    bases: npt.NDArray[np.int64]
    """Components of the slabs before each slab, and of all slabs."""
    labels: npt.NDArray[np.int64]
    """Labels, ascending, whose component has a smaller one, too."""
    smallest: npt.NDArray[np.int64]
    """The smallest label of each one's component."""

    @property
    def components(self) -> int:
        """The number of components."""
        return int(self.bases[-1]) - len(self.labels)

    def relabel(self, slab: int, labels: Array, dtype: Any) -> Array:
        """The final labels of a slab."""
        first, end = self.bases[slab] + 1, self.bases[slab + 1] + 1
        final = np.arange(first, end, dtype=np.int64)
        inside = slice(*np.searchsorted(self.labels, [first, end]))
        final[self.labels[inside] - first] = self.smallest[inside]
        final -= np.searchsorted(self.labels, final)
        table = np.zeros(len(final) + 1, dtype)
        table[1:] = final
        del final
        return np.asarray(table[labels])


def label_slab(pixels: Array, rule: Rule, threads: int | None) -> tuple[Array, int]:
    """Labels of a slab from 1 on, and their number; its first axis is not periodic."""
    labels = np.empty(pixels.shape, label_type(pixels.size))
    rule = rule._replace(wrap=rule.wrap & ~1)
    return labels, int(label_into(pixels, 0, rule, labels, threads)[0])


def border_of(pixels: Array, labels: Array, count: int, rule: Rule) -> Border:
    """The border of a slab; a copy, so that the slab can be forgotten."""
    planes = [labels[at].copy() for at in (0, -1)]
    values = planes if rule.values == "binary" else [pixels[at].copy() for at in (0, -1)]
    return Border(count, *map(Plane, values, planes))


class Merger:
    """Takes the borders of slabs one by one, and keeps no plane but two."""

    def __init__(self, rule: Rule) -> None:
        self._rule = rule
        self._bases = [0]
        self._pairs = [np.zeros((2, 0), np.int64)]
        self._first: Plane | None = None
        self._last: Plane | None = None

    def add(self, border: Border) -> None:
        """Joins the next slab to the one before."""
        first, last = (plane._replace(base=self._bases[-1]) for plane in border[1:])
        if self._last is not None:
            self._pairs.append(self._touching(first, self._last))
        self._first, self._last = self._first or first, last
        self._bases.append(self._bases[-1] + border.components)

    def copy(self) -> Merger:
        """Another one, to which other slabs can be added."""
        same = Merger(self._rule)
        same._bases, same._pairs = [*self._bases], [*self._pairs]
        same._first, same._last = self._first, self._last
        return same

    def merged(self) -> Merged:
        """The components, after the last slab."""
        pairs = self._pairs
        if self._rule.wrap & 1 and self._first is not None and self._last is not None:
            pairs = [*pairs, self._touching(self._first, self._last)]
        borders, ends = np.unique(np.concatenate(pairs, axis=1), return_inverse=True)
        u, v = ends.reshape(2, -1)
        smallest = connected_components((u, v), num_vertices=len(borders)).labels
        joined = smallest != np.arange(len(borders))
        return Merged(np.array(self._bases), borders[joined], borders[smallest[joined]])

    def _touching(self, plane: Plane, before: Plane) -> npt.NDArray[np.int64]:
        """Labels of a plane and of the one before it that are joined, in two rows."""
        lengths = [int(each.labels.max(initial=0)).bit_length() for each in (before, plane)]
        if sum(lengths) > 64:
            raise InputError("depth: slabs have more than 2^32 components; pass a smaller depth")
        bits = np.uint64(lengths[0])
        pairs = np.zeros(0, np.uint64)  # two labels in one number: it is sorted faster
        for own, other in self._neighbors():
            a, b = plane.labels[own], before.labels[other]
            joined = (a != 0) & (b != 0)
            joined &= same_values(plane.pixels[own], before.pixels[other], self._rule)
            keys = a[joined].astype(np.uint64) << bits | b[joined].astype(np.uint64)
            pairs = np.union1d(pairs, keys)
        second = pairs & ((np.uint64(1) << bits) - np.uint64(1))
        ends = ((pairs >> bits, plane.base), (second, before.base))
        return np.stack([labels.astype(np.int64) + base for labels, base in ends])

    def _neighbors(self) -> Iterator[tuple[tuple[slice, ...], tuple[slice, ...]]]:
        """Slices of a plane, and of the one before it, that are neighbors pixel for pixel."""
        for steps in itertools.product((-1, 0, 1), repeat=self._rule.structure.ndim - 1):
            if self._rule.structure[(0, *(step + 1 for step in steps))]:
                ways = [
                    STEPS[step][: 1 + (self._rule.wrap >> axis & 1)]
                    for axis, step in enumerate(steps, 1)
                ]
                for pairs in itertools.product(*ways):
                    yield tuple(own for own, _ in pairs), tuple(other for _, other in pairs)
