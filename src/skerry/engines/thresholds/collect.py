"""From any source with weights to a spanning forest in their order, in one pass over its edges."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from skerry.engines.streaming.batches import agreed_count, batches_of, dropped_note
from skerry.engines.streaming.engine import id_names, vertices_of
from skerry.engines.streaming.vertex_ids import checked_vertices
from skerry.engines.thresholds.ordered_forest import Forest, OrderedForest
from skerry.errors import InputError
from skerry.graph.batch_columns import (
    check_ends,
    checked_weights,
    endless_loops,
    location,
    select,
)
from skerry.graph.edge_source import IdColumn
from skerry.graph.vertex_ids import as_ids
from skerry.ids.external import External
from skerry.ids.id_space import IdSpace, counted_from
from skerry.ids.lookup import take
from skerry.ids.numbering import Numbering, Numbers
from skerry.inputs.arrays import SPARSE_FROM, SPARSE_TIMES, agree, sparse_message
from skerry.inputs.sources import HostSource, StreamSource
from skerry.inputs.weights import weighted_columns
from skerry.request import Progress
from skerry.result.plan import PassTime, PhaseTimer

PIECE = 1 << 22  # edges of arrays that are taken at a time


class Keys(NamedTuple):
    """Which edges are used, and in which order they join."""

    of: Callable[[npt.NDArray[Any]], tuple[npt.NDArray[Any], npt.NDArray[np.bool_] | None]]
    """The key of each weight, smaller ones join first; and which weights are used, None: all."""
    levels: int = 0
    """Where keys are levels, their number: then edges, and vertices without any, are noted by
    level."""
    keeps_loops: bool = False
    """Whether loops of infinite weight stand for vertices: where weights are kept below a bound."""


class _Edges(NamedTuple):
    """Some edges between vertex numbers, or numbers of external ids."""

    src: npt.NDArray[Any]
    dst: npt.NDArray[Any]
    keys: npt.NDArray[Any]
    highest: int
    """The largest of ``src`` and ``dst``, or -1."""
    counted: bool = True
    """Whether these are edges, and not loops that name vertices."""


@dataclass(frozen=True, slots=True, eq=False)
class Collected:
    """A spanning forest, and the vertices that it spans."""

    forest: Forest
    """Its ends are positions in ``ids``."""
    ids: Any
    """The distinct external ids, ascending; None for vertex numbers."""
    stated: int | None
    """The number of vertices, where it does not depend on the edges that are used."""
    size: int
    """Vertices that occur: positions are below it."""
    loops: npt.NDArray[Any]
    """Vertices of loops, and those of ``vertices=``: with ``loop_keys``, their smallest keys."""
    loop_keys: npt.NDArray[Any]
    edges: npt.NDArray[np.int64]
    """For each level, the number of edges that pass it."""
    num_edges: int
    """All edges that are used."""
    notes: tuple[str, ...]
    times: tuple[PassTime, ...]
    bytes: int

    def id_space(
        self, source: HostSource | StreamSource, vertices: npt.NDArray[Any] | int
    ) -> IdSpace:
        """The ids of the first so many vertices, or of those at these positions."""
        if isinstance(source, HostSource) and source.ids is not None:
            return source.ids
        if self.ids is None:
            first = source.edges.first_id if isinstance(source, StreamSource) else 0
            return counted_from(first, vertices if isinstance(vertices, int) else len(vertices))
        assert isinstance(source, StreamSource)
        columns = self.ids
        if not isinstance(vertices, int):
            composite = isinstance(columns, tuple)
            parts = tuple(take(part, vertices) for part in (columns if composite else (columns,)))
            columns = parts if composite else parts[0]
        return External(columns, id_names(source))


def collect(
    source: HostSource | StreamSource,
    keys: Keys,
    threads: int,
    progress: Progress | None = None,
) -> Collected:
    """Reads a source once; see `Keys` for which edges are used, and in which order they join."""
    if isinstance(source, HostSource):
        return _Collector(source, keys, threads, progress).host(source)
    return _Collector(source, keys, threads, progress).stream(source)


class _Collector:
    """One pass over a source."""

    def __init__(self, source: Any, keys: Keys, threads: int, progress: Progress | None) -> None:
        self._keys, self._threads, self._progress = keys, threads, progress
        self._timer = PhaseTimer()
        self._source = source
        self._forest = OrderedForest()
        self._loops = np.empty(0, np.uint32)
        self._levels = np.zeros(keys.levels, np.int64)
        self._edges = self._bytes_read = self._dropped = 0

    def host(self, source: HostSource) -> Collected:
        """The edges of arrays, some at a time."""
        options = source.options
        src, dst, weights, n = weighted_columns(source.graph, options.weight)
        n = options.num_vertices if n is None else agree(options.num_vertices, n)
        for begin in range(0, len(src), PIECE):
            piece = slice(begin, begin + PIECE)
            with self._timer.phase("order edges"):
                keys, mask = self._keyed(weights[piece], None)
                ends = [end[piece] if mask is None else end[piece][mask] for end in (src, dst)]
                edges = self._vertices(ends[0], ends[1], keys, ("src", "dst"), n)
            if n is None and options.ids != "vertices":
                _check_gaps(edges.highest, len(src))
            self._add(edges)
        if options.vertices is not None:
            self._further(as_ids(options.vertices, "vertices"), n)
        return self._finish(None, None, n, source.notes)

    def stream(self, source: StreamSource) -> Collected:
        """The edges of batches."""
        edges = source.edges
        n = agreed_count(edges, source.options.num_vertices)
        numbering = Numbering() if edges.id_kind == "external" else None
        for batch in self._batches(source, numbering, n):
            self._add(batch)
            if self._progress is not None:
                self._progress(self._edges, self._bytes_read)
        further = vertices_of(source)
        if numbering is None:
            self._further(further.ids, n)
            return self._finish(None, None, n, further.notes)
        if further.ids is not None:
            self._name_vertices(numbering.number(further.ids, self._threads))
        with self._timer.phase("sort ids"):
            ids, order = numbering.take_in_order(self._threads)
        return self._finish(ids, order, None, further.notes)

    def _batches(
        self, source: StreamSource, numbering: Numbering | None, n: int | None
    ) -> Iterator[_Edges]:
        edges = source.edges
        with closing(batches_of(edges, self._threads, self._timer)) as batches:
            for batch in batches:
                name = location(edges.name, batch)
                check_ends(batch, edges.name)
                with self._timer.phase("order edges"):
                    weights = checked_weights(batch, edges.name)
                    loops = endless_loops(batch, weights) if self._keys.keeps_loops else None
                    keys, mask = self._keyed(weights, loops)
                    src, dst = batch.src, batch.dst
                    if mask is not None:
                        src, dst = select(src, mask), select(dst, mask)
                    if numbering is None:
                        some = self._vertices(src, dst, keys, (name, name), n, edges.first_id)
                    else:
                        some = self._renumber(src, dst, keys, numbering, name)
                self._bytes_read += batch.consumed
                self._dropped += batch.dropped
                yield some._replace(counted=not batch.only_vertices)

    def _keyed(
        self, weights: npt.NDArray[Any], always: npt.NDArray[np.bool_] | None
    ) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_] | None]:
        """The keys of the edges to use, and which these are; None: all."""
        keys, mask = self._keys.of(weights)
        if always is not None and always.any():
            keys[always] = 0 if self._keys.levels else -np.inf
            mask = None if mask is None else mask | always
        return (keys, None) if mask is None or mask.all() else (keys[mask], mask)

    def _vertices(
        self,
        src: IdColumn,
        dst: IdColumn,
        keys: npt.NDArray[Any],
        names: tuple[str, str],
        n: int | None,
        first: int = 0,
    ) -> _Edges:
        (sources, high), (targets, other) = (
            checked_vertices(column, name, n, first, self._threads)
            for column, name in zip((src, dst), names, strict=True)
        )
        return _Edges(sources, targets, keys, max(high, other))

    def _renumber(
        self, src: IdColumn, dst: IdColumn, keys: npt.NDArray[Any], numbering: Numbering, name: str
    ) -> _Edges:
        try:
            sources, targets = (numbering.number(end, self._threads) for end in (src, dst))
        except InputError as error:
            raise InputError(f"{name}: {error}") from None
        return _Edges(sources, targets, keys, numbering.size - 1)

    def _add(self, edges: _Edges) -> None:
        src, dst, keys, highest, counted = edges
        with self._timer.phase("join edges"):
            if counted:
                self._edges += len(src)
                if len(self._levels):
                    self._levels += np.bincount(keys, minlength=len(self._levels))
            loops = src == dst
            if loops.any():
                self._name_vertices(src[loops], keys[loops])
                src, dst, keys = src[~loops], dst[~loops], keys[~loops]
            self._forest.add(src, dst, keys, highest)

    def _further(self, vertices: Any, n: int | None) -> None:
        """Vertex numbers that are in the graph whether or not they have an edge."""
        if vertices is not None:
            first = self._source.edges.first_id if isinstance(self._source, StreamSource) else 0
            ids, _ = checked_vertices(vertices, "vertices", n, first, self._threads)
            self._name_vertices(ids)

    def _name_vertices(
        self, vertices: npt.NDArray[Any], keys: npt.NDArray[Any] | None = None
    ) -> None:
        """Notes vertices that have a loop, or are named beside the edges, by their best key."""
        if not len(vertices):
            return
        self._forest.num_vertices = max(self._forest.num_vertices, int(vertices.max()) + 1)
        if not self._keys.levels:
            return  # every vertex that occurs is in the graph
        known, absent = len(self._loops), self._keys.levels
        if known < self._forest.num_vertices:
            longer = np.full(self._forest.num_vertices, absent, np.uint32)
            longer[:known] = self._loops
            self._loops = longer
        np.minimum.at(self._loops, vertices, np.uint32(0) if keys is None else keys)

    def _finish(
        self,
        ids: Any,
        order: Numbers | None,
        n: int | None,
        notes: tuple[str, ...],
    ) -> Collected:
        size = self._forest.num_vertices if n is None else n
        self._forest.num_vertices = size
        with self._timer.phase("join edges"):
            forest = self._forest.take()
        loops = np.flatnonzero(self._loops < self._keys.levels)
        loop_keys = self._loops[loops]
        if order is not None:
            size = len(order)
            rank = np.empty(size, forest.src.dtype)
            rank[order] = np.arange(size, dtype=rank.dtype)
            forest = Forest(rank[forest.src], rank[forest.dst], forest.keys)
            loops = rank[loops]
        held = sum(column.nbytes for column in forest) + 4 * size
        return Collected(
            forest,
            ids,
            n,
            size,
            loops,
            loop_keys,
            np.cumsum(self._levels),
            self._edges,
            (*notes, *dropped_note(self._dropped)),
            self._timer.times,
            held,
        )


def _check_gaps(highest: int, edges: int) -> None:
    """Raises where ids leave most vertices without an edge, as for one threshold."""
    if highest >= max(SPARSE_FROM, SPARSE_TIMES * edges):
        raise InputError(sparse_message(highest, edges))
