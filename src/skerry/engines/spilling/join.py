"""From a source of edges to labels on disk: partition, number, join, label."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.engines.memory import label_type
from skerry.engines.spilling.blocks import BlockedForest, EdgePieces
from skerry.engines.spilling.number import number_ids
from skerry.engines.spilling.partition import Partitioner
from skerry.engines.spilling.room import PassReport, Room
from skerry.engines.streaming.batches import agreed_count, batches_of, dropped_note
from skerry.engines.streaming.joined_sets import Counts
from skerry.engines.streaming.vertex_ids import checked_vertices
from skerry.errors import InputError, UnsupportedError
from skerry.formats.memory import memory_limited
from skerry.formats.spill_file import SpillFile, SpillFolder
from skerry.graph.batch_columns import as_integers, check_ends, location, selected_edges
from skerry.graph.edge_source import EdgeSource, IdColumn, length
from skerry.graph.threshold import Threshold
from skerry.optional import arrow_if_installed
from skerry.request import Progress

READ = "read edges"


INT64, UINT64 = np.dtype(np.int64), np.dtype(np.uint64)


class IdType:
    """The type that holds all ids so far."""

    def __init__(self) -> None:
        self._type: np.dtype[Any] | None = None
        self._negative = False
        self._high = False

    def note(self, ids: npt.NDArray[Any], threads: int) -> None:
        """Takes the type of some ids into account."""
        dtype, known = ids.dtype.newbyteorder("="), self._type
        if known is None or known == dtype:
            self._type = dtype
        elif UINT64 not in (known, dtype) or known.kind == dtype.kind:
            self._type = np.promote_types(known, dtype)
        else:  # no integer type holds all values of both
            self._type = UINT64 if known == UINT64 else INT64
        if len(ids) and (dtype.kind == "i" or dtype == UINT64):
            low, high = _native.bounds(ids, threads if len(ids) > 1 << 16 else 1)
            self._negative |= low < 0
            self._high |= high >= 1 << 63

    def result(self) -> np.dtype[Any]:
        """The type; ids are 64-bit patterns, of which negative and large ones are the same."""
        if self._negative and self._high:
            raise InputError(
                "negative ids and ids of 2^63 or more in one graph: no integer type holds both; "
                "make them strings"
            )
        if self._high:
            return UINT64
        if self._negative and self._type == UINT64:
            return INT64
        return self._type or INT64


class SpillRequest(NamedTuple):
    """What is to be joined, and how."""

    source: EdgeSource
    folder: SpillFolder
    room: Room
    threads: int
    report: PassReport
    vertices: IdColumn | None = None
    """Ids that are in the graph whether or not they have an edge."""
    threshold: Threshold | None = None
    num_vertices: int | None = None
    dtype: np.dtype[Any] | None = None
    """Type of the labels; None: the smallest that suffices."""
    progress: Progress | None = None


class Spilled(NamedTuple):
    """What the edges were joined to, on disk."""

    labels: SpillFile
    ids: SpillFile | None
    """The distinct ids, ascending; None for vertex numbers."""
    components: int
    """Number of components."""
    edges: int
    blocks: int
    """How often a part of the parent array was in memory."""
    notes: tuple[str, ...]


def spill_batches(request: SpillRequest) -> Spilled:
    """Joins all edges of a source."""
    agreed = agreed_count(request.source, request.num_vertices)
    if request.source.id_kind == "external":
        return _spill_external(request)
    return _spill_vertices(request, agreed)


class _Sink(Protocol):
    """Where edges are written to."""

    def add(self, src: IdColumn, dst: IdColumn, name: str) -> None: ...


def _read(request: SpillRequest, sink: _Sink) -> Counts:
    """The pass over the source: everything in it goes to the sink."""
    source, counts = request.source, Counts()
    with (
        request.report.begin(READ),
        memory_limited(request.room.limit),
        closing(batches_of(source, request.threads)) as batches,
    ):
        for batch in batches:
            counts.bytes += batch.consumed
            counts.dropped += batch.dropped
            selected = selected_edges(batch, request.threshold, source.name)
            name = location(source.name, batch)
            check_ends(selected, source.name)
            sink.add(selected.src, selected.dst, name)
            counts.edges += 0 if batch.only_vertices else length(selected.src)
            if request.progress is not None:
                request.progress(counts.edges, counts.bytes)
            del batch, selected
        if request.vertices is not None:
            sink.add(request.vertices, request.vertices, "vertices")
    if (arrow := arrow_if_installed()) is not None:
        arrow.default_memory_pool().release_unused()
    return counts


class _ExternalSink:
    """Sends ids to the partition."""

    def __init__(self, request: SpillRequest) -> None:
        edges = request.source.num_edges
        if edges is not None and request.vertices is not None:
            edges += length(request.vertices)
        self._request = request
        room = request.room
        self.partitioner = Partitioner(
            request.folder, room.chunk(), room.bits(edges), request.threads
        )
        self.type = IdType()

    def add(self, src: IdColumn, dst: IdColumn, name: str) -> None:
        """Takes edges."""
        ends = []
        for column in (src,) if dst is src else (src, dst):
            ids = as_integers(column, name)
            if ids is None:
                raise UnsupportedError(
                    f"{name}: spill= is for ids that are integers; without it, all other ids are "
                    "held in memory"
                )
            self.type.note(ids, self._request.threads)
            ends.append(ids)
        self.partitioner.add(ends[0], ends[-1])


def _spill_external(request: SpillRequest) -> Spilled:
    sink = _ExternalSink(request)
    counts = _read(request, sink)
    partition = sink.partitioner.finish()
    folder, room, threads, report = request[1:5]
    dtype = sink.type.result()
    edge_ids = number_ids(partition, dtype, folder, room, threads, report)
    n, largest = edge_ids.ids.size, max((chunk.edges for chunk in partition.chunks), default=0)
    total = sum(chunk.edges for chunk in partition.chunks)
    kind = label_type(request.dtype, n)
    edges = (
        (src.astype(kind, copy=False), dst.astype(kind, copy=False))
        for src, dst in edge_ids.edges()
    )
    labels, count, blocks = _join(request, n, kind, edges, total, largest)
    notes = (
        f"external ids: spilled to {partition.buckets} buckets, {n:,} distinct",
        *dropped_note(counts.dropped),
    )
    return Spilled(labels, edge_ids.ids, count, counts.edges, blocks, notes)


class _VertexSink:
    """Writes edges between vertex numbers."""

    def __init__(self, request: SpillRequest, n: int | None) -> None:
        self._n, self._first = n, request.source.first_id
        self._threads = request.threads
        self.highest = -1
        wide = n is None or label_type(request.dtype, n).itemsize == 8
        self.file = request.folder.file(np.uint64 if wide else np.uint32)
        self._piece = request.room.chunk()
        self._pairs = np.empty((self._piece, 2), self.file.dtype)

    def add(self, src: IdColumn, dst: IdColumn, name: str) -> None:
        """Takes edges."""
        ends = []
        for column in (src, dst):
            ids, highest = checked_vertices(column, name, self._n, self._first, self._threads)
            self.highest = max(self.highest, highest)
            ends.append(ids)
        for begin in range(0, len(ends[0]), self._piece):
            parts = [end[begin : begin + self._piece] for end in ends]
            pairs = self._pairs[: len(parts[0])]
            for row, part in zip(pairs.T, parts, strict=True):
                np.copyto(row, part, casting="unsafe")  # known to fit
            self.file.append(pairs.reshape(-1))


def _spill_vertices(request: SpillRequest, n: int | None) -> Spilled:
    sink = _VertexSink(request, n)
    counts = _read(request, sink)
    size = sink.highest + 1 if n is None else n
    kind = label_type(request.dtype, size)
    piece = request.room.chunk()

    def edges() -> Iterator[tuple[npt.NDArray[Any], npt.NDArray[Any]]]:
        for _, pairs in sink.file.pieces(2 * piece):
            narrow = pairs.astype(kind, copy=False)
            yield narrow[0::2], narrow[1::2]
        sink.file.close()

    labels, count, blocks = _join(request, size, kind, edges(), sink.file.size // 2, piece)
    return Spilled(labels, None, count, counts.edges, blocks, dropped_note(counts.dropped))


def _join(
    request: SpillRequest,
    n: int,
    kind: np.dtype[Any],
    edges: EdgePieces,
    total: int,
    largest: int,
) -> tuple[SpillFile, int, int]:
    """Joins edges that come in arrays of at most ``largest``."""
    room = request.room
    block = room.block(kind.itemsize, largest)
    forest = BlockedForest(
        n, kind, block, largest or 1, request.folder, request.threads, request.report
    )
    labels, count = forest.join(edges, total)
    return labels, count, forest.blocks
