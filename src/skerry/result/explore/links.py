"""The edges that the page draws: a spanning forest for every result, samples, and links."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.errors import InputError, UnsupportedError
from skerry.result.answer import Answer
from skerry.result.explained import bridges_among, read_edges
from skerry.result.forest import (
    CHANGED_SINCE,
    EdgeBatch,
    RecordedForest,
    record_width,
    recorded_edges,
)
from skerry.result.links import Bridges

Integers = npt.NDArray[np.int64]


class PageLinks(NamedTuple):
    """Links between vertices of the page: each pair of vertices once, and no loops."""

    source: Integers
    """Positions among the vertices of the page, below ``target``."""
    target: Integers
    row: Integers
    """Where the first edge of the pair stands in the input."""
    weight: npt.NDArray[Any] | None
    """Its weight; None if no weights were read."""
    splits: Integers
    """Of a bridge, the vertices on its smaller side; 0: no bridge, or not known."""
    in_forest: npt.NDArray[np.bool_]
    edges: Integers
    """Of each component that is counted the edges of the input, repeats and loops included."""
    bridges: Integers
    """Of each of these components the bridges."""


def spanning_forest(answer: Answer) -> tuple[RecordedForest | None, str]:
    """The forest, recorded now if the result has none; or None, and why there is none."""
    if answer._forest is not None:
        return answer._forest, ""
    try:
        return _recorded_now(answer), ""
    except UnsupportedError as error:
        return None, str(error)


def _recorded_now(answer: Answer) -> RecordedForest:
    threads = max(answer._threads, 1)
    parent = np.empty_like(answer._smallest)
    _native.init_own(parent, threads)
    words = np.empty(len(parent) * record_width(parent.itemsize, False), np.uint64)
    for batch in read_edges(answer, "explore()"):
        names = None if batch.rows is None else (batch.rows + batch.first).astype(np.uint64)
        report = _native.record_edges(
            batch.src, batch.dst, batch.first, names, None, parent, words, threads
        )
        if report[3]:
            raise InputError(CHANGED_SINCE)
    _native.finish(parent, _native.FINISH["ordered"], threads, False)
    edges = recorded_edges(words, parent)
    return RecordedForest(lambda: edges, len(parent))


class Neighborhoods:
    """Samples of components that are too large to be drawn: vertices close to a start."""

    def __init__(self, forest: RecordedForest) -> None:
        self._forest = forest
        self._up = forest._rooted.up
        self._children = np.argsort(self._up, kind="stable")
        self._begins = np.searchsorted(
            self._up[self._children], np.arange(len(self._up) + 1, dtype=self._up.dtype)
        )

    def hub(self, members: Integers) -> int:
        """The member with the most edges in the forest."""
        return int(members[np.argmax(np.diff(self._begins)[members])])

    def sample(self, starts: list[int], limit: int) -> Integers:
        """The paths between the starts, then the vertices closest to these: a connected part."""
        order = dict.fromkeys(starts[:1])
        for start in starts[1:]:
            path = self._forest.path(starts[0], start)
            order.update(dict.fromkeys(map(int, path.target)))
        queue = list(order)
        for vertex in queue:  # which grows meanwhile
            if len(order) >= limit:
                break
            children = self._children[self._begins[vertex] : self._begins[vertex + 1]][: limit + 1]
            for near in (int(self._up[vertex]), *children.tolist()):
                if near not in order and len(order) < limit:
                    order[near] = None
                    queue.append(near)
        return np.array(list(order)[:limit], np.int64)


class LinkCollector:
    """The links between some vertices, collected while the edges are read."""

    def __init__(self, answer: Answer, vertices: Integers, numbers: Integers) -> None:
        """``numbers`` of components: which of them to count edges of, from 0; -1 for none."""
        n = answer.num_vertices
        self._outside = len(vertices)
        self._position = np.full(n, self._outside, np.int64)
        self._position[vertices] = np.arange(len(vertices))
        self._number_of = numbers[answer._dense[0]]
        self._components = int(numbers.max(initial=-1)) + 1
        self.edges = np.zeros(self._components, np.int64)
        """Edges of each component that is counted, repeats and loops included."""
        self._keys = np.empty(0, np.int64)
        self._row = np.empty(0, np.int64)
        self._weight: npt.NDArray[Any] | None = None

    def collect(self, batches: Iterable[EdgeBatch]) -> Iterator[EdgeBatch]:
        """Passes the batches on, after their links were collected."""
        for batch in batches:
            try:
                keys, inside = self._keys_of(batch.src, batch.dst)
                self.edges += self._count(batch.src)
            except IndexError:
                raise InputError(CHANGED_SINCE) from None
            rows = inside if batch.rows is None else batch.rows[inside]
            weight, before = batch.weight, self._weight
            if weight is not None or before is not None:  # a batch without weights counts as 0
                weight = np.zeros(len(inside)) if weight is None else weight[inside]
                before = np.zeros(len(self._keys), weight.dtype) if before is None else before
                weight = np.append(before, weight)
            self._keys, first = np.unique(np.append(self._keys, keys), return_index=True)
            self._row = np.append(self._row, rows + batch.first)[first]
            self._weight = None if weight is None else weight[first]
            yield batch

    def _keys_of(self, src: npt.NDArray[Any], dst: npt.NDArray[Any]) -> tuple[Integers, Integers]:
        """A number for the pair of ends of each edge that is drawn, and which edges these are."""
        ends = self._position[src], self._position[dst]
        low, high = np.minimum(*ends), np.maximum(*ends)
        inside = np.flatnonzero((high < self._outside) & (low != high))
        return low[inside] * self._outside + high[inside], inside

    def _count(self, vertices: npt.NDArray[Any]) -> Integers:
        """How many of the vertices are in each component that is counted."""
        numbers = self._number_of[vertices]
        return np.bincount(numbers[numbers >= 0], minlength=self._components)

    def links(self, forest: RecordedForest, bridges: Bridges | None) -> PageLinks:
        """What was collected, with the bridges among it."""
        source, target = np.divmod(self._keys, max(self._outside, 1))
        tree = self._keys_of(forest.edges.source, forest.edges.target)[0]
        splits = np.zeros(len(self._keys), np.int64)
        cut = np.zeros(self._components, np.int64)
        if bridges is not None:
            keys, inside = self._keys_of(bridges._edges.source, bridges._edges.target)
            if not np.isin(keys, self._keys).all():
                raise InputError(CHANGED_SINCE)
            sides = np.minimum(bridges.source_size, bridges.target_size)[inside]
            splits[np.searchsorted(self._keys, keys)] = sides
            cut = self._count(bridges._edges.source)
        in_forest = np.isin(self._keys, tree)
        return PageLinks(
            source, target, self._row, self._weight, splits, in_forest, self.edges, cut
        )


def page_links(
    answer: Answer, forest: RecordedForest, vertices: Integers, numbers: Integers
) -> tuple[PageLinks, str]:
    """The links between ``vertices``; then why they are those of the forest only, if they are.

    ``numbers`` is as for `LinkCollector`.
    """
    collector = LinkCollector(answer, vertices, numbers)
    try:
        batches = collector.collect(read_edges(answer, "explore()"))
        return collector.links(forest, bridges_among(answer, forest, batches)), ""
    except UnsupportedError as error:
        tree = forest.edges
        batch = EdgeBatch(tree.source, tree.target, 0, len(tree.row), tree.row, tree.weight)
        deque(collector.collect([batch]), maxlen=0)
        return collector.links(forest, None), str(error)
