"""Graphs of several families: beside each other, in a chain, a giant with dust."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from skerry import Edges
from skerry_bench.corpus.shapes.pairs import edges_of, joined


def _union(parts: Sequence[Edges], rng: np.random.Generator) -> Edges:
    """Beside each other, ids one after the other."""
    del rng
    return joined(parts)


def _chain(parts: Sequence[Edges], rng: np.random.Generator) -> Edges:
    """As a union, and the last vertex of each joined to the first of the next."""
    del rng
    starts = np.cumsum([part.num_vertices for part in parts])[:-1]
    both = joined(parts)
    return edges_of(both.num_vertices, (both.src, both.dst), (starts - 1, starts))


def _interleaved(parts: Sequence[Edges], rng: np.random.Generator) -> Edges:
    """Beside each other, ids mixed; those of each part keep their order."""
    both = joined(parts)
    owner = np.repeat(np.arange(len(parts)), [part.num_vertices for part in parts])
    names = np.argsort(rng.permutation(owner), kind="stable")
    return edges_of(both.num_vertices, (names[both.src], names[both.dst]))


MIXTURES: dict[str, Callable[[Sequence[Edges], np.random.Generator], Edges]] = {
    "union": _union,
    "chain": _chain,
    "interleaved": _interleaved,
}
