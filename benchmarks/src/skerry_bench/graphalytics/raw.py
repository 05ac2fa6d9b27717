"""LDBC's graphs as they are generated, with loops, repeats and vertices without an edge.

They have the components of the cleaned graphs, and one for each vertex without an edge. An edge
list is all that is made, in the memory of the device if one is measured: graph500-30 has 17 billion
edges, 137 GB, and its rows fit nowhere.

Nothing is copied to the host, so an answer is checked where it is: the ends of each edge have equal
labels, each label is the smallest vertex that has it, and as many vertices have an edge as LDBC
publishes. Labels that join too much would pass; those of cleaned graphs are verified in full.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from hashlib import blake2b
from typing import Any

import numpy as np

import skerry
from skerry.cuda.runtime import Runtime
from skerry.generators import make
from skerry.generators.device import make as make_on_device
from skerry_bench.graphalytics.graphs import PUBLISHED, graph_name, graph_recipe
from skerry_bench.implementation import Answer
from skerry_bench.workload import Workload, WrongAnswerError

PART = 1 << 26
"""Edges or labels that are checked at a time."""


class RawWorkload(Workload):
    """The generated edges of a scale."""

    def __init__(self, scale: int, threads: int, runtime: Runtime | None = None) -> None:
        recipe = graph_recipe(scale)
        super().__init__(
            f"{graph_name(scale)}-raw",
            lambda: make(recipe, threads),
            threads,
            runtime,
            lambda device: make_on_device(device, recipe),
        )
        self.scale = scale

    @property
    def num_entries(self) -> int:
        """Two for each edge; there are no rows."""
        return 2 * self.num_edges

    @cached_property
    def checksum(self) -> str:
        """Of the recipe, which determines the edges."""
        return blake2b(repr(graph_recipe(self.scale)).encode(), digest_size=16).hexdigest()

    @cached_property
    def _checked(self) -> tuple[int, int]:
        """The number of components and the digest of labels that passed the checks."""
        edges = self._any_edges
        device = "cpu" if self.runtime is None else "cuda"
        options: dict[str, Any] = {"device": device, "num_vertices": edges.num_vertices}
        labels = skerry.connected_components((edges.src, edges.dst), **options).labels
        self._check_edges(labels)
        return self._count(labels), self._digest(labels)

    @property
    def components(self) -> int:
        """Number of components, vertices without an edge included."""
        return self._checked[0]

    def check(self, answer: Answer) -> str:
        """Compares labels with those that passed the checks."""
        if not isinstance(answer, skerry.Components):
            return super().check(answer)
        if self._digest(answer.labels) != self._checked[1]:
            raise WrongAnswerError(f"its labels are not the components of {self.name}")
        return "count"

    @property
    def _xp(self) -> Any:
        return np if self.runtime is None else self.runtime.xp

    def _check_edges(self, labels: Any) -> None:
        """Raises if an edge joins different labels, or the graph is not the published one."""
        xp, edges = self._xp, self._any_edges
        used = xp.zeros(edges.num_vertices, bool)
        for begin, end in _parts(edges.num_edges):
            src, dst = edges.src[begin:end], edges.dst[begin:end]
            if not bool((labels[src] == labels[dst]).all()):
                raise WrongAnswerError(f"an edge of {self.name} joins different labels")
            proper = src != dst
            used[src[proper]] = True
            used[dst[proper]] = True
        known, count = PUBLISHED.get(self.scale), int(used.sum())
        if known is not None and count != known.vertices:
            raise WrongAnswerError(
                f"{count:,} vertices of {self.name} have an edge; LDBC publishes {known.vertices:,}"
            )

    def _count(self, labels: Any) -> int:
        """How many labels there are; raises if one is not the smallest vertex that has it."""
        count = 0
        for begin, end in _parts(len(labels)):
            vertices = self._xp.arange(begin, end, dtype=labels.dtype)
            part = labels[begin:end]
            if not bool(((part <= vertices) & (labels[part] == part)).all()):
                raise WrongAnswerError(f"a label of {self.name} is not the smallest vertex with it")
            count += int((part == vertices).sum())
        return count

    def _digest(self, labels: Any) -> int:
        """A number that other labels have by chance only."""
        total = 0
        for begin, end in _parts(len(labels)):
            odd = self._xp.arange(2 * begin + 1, 2 * end, 2, dtype=np.uint64)
            odd *= np.uint64(0x9E3779B97F4A7C15)
            total += int((odd * labels[begin:end]).sum(dtype=np.uint64))
        return total % 2**64


def _parts(count: int) -> Iterator[tuple[int, int]]:
    for begin in range(0, count, PART):
        yield begin, min(begin + PART, count)
