"""From a source of edges to labels on disk: partition, number, join, label."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple, Protocol
from zlib import crc32

import numpy as np
import numpy.typing as npt

from skerry.engines.memory import label_type
from skerry.engines.spilling.blocks import BlockedForest, EdgePieces
from skerry.engines.spilling.checkpoints import DAMAGED, Due, SpillCheckpoints, SpillSink
from skerry.engines.spilling.integer_type import IdType
from skerry.engines.spilling.merge import merge_runs
from skerry.engines.spilling.number import number_ids
from skerry.engines.spilling.partition import Partitioner
from skerry.engines.spilling.room import BYTES_OF_JOINED, PassReport, Room
from skerry.engines.spilling.runs import Run, RunWriter
from skerry.engines.streaming.batches import agreed_count, batches_of, dropped_note
from skerry.engines.streaming.checkpoint_folder import SPILLED
from skerry.engines.streaming.joined_sets import Counts
from skerry.engines.streaming.vertex_ids import checked_vertices
from skerry.errors import InputError
from skerry.formats.memory import give_back_memory, memory_limited
from skerry.formats.spill_columns import StoredIds
from skerry.formats.spill_file import SpillFile, SpillFolder
from skerry.graph.batch_columns import as_integers, check_ends, location, selected_edges
from skerry.graph.edge_source import EdgeSource, IdColumn, length
from skerry.graph.threshold import Threshold
from skerry.request import Progress

READ = "read edges"
MERGE = "merge ids"


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
    checkpoints: SpillCheckpoints | None = None
    """Where to go on from, and what keeps the files of this run for the next."""

    @property
    def kept(self) -> str | None:
        """The folder of files that outlive the process."""
        return None if self.checkpoints is None else self.checkpoints.folder


class Spilled(NamedTuple):
    """What the edges were joined to, on disk."""

    labels: SpillFile
    ids: SpillFile | StoredIds | None
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


class _Sink(SpillSink, Protocol):
    """Where edges are written to."""

    def add(self, src: IdColumn, dst: IdColumn, name: str) -> None: ...


def _read(request: SpillRequest, sink: _Sink) -> Counts:
    """The pass over the source: everything in it goes to the sink."""
    source, counts, checkpoints = request.source, Counts(), request.checkpoints
    timer, threads, position = request.report.timer, request.threads, None
    if checkpoints is not None:
        position = checkpoints.restore_spilled(sink, counts, timer)
    with (
        request.report.begin(READ),
        memory_limited(request.room.limit, spilling=True),
        closing(batches_of(source, threads, None, position)) as batches,
    ):
        for batch in batches:
            counts.bytes += batch.consumed
            counts.dropped += batch.dropped
            selected = selected_edges(batch, request.threshold, source.name)
            name = location(source.name, batch)
            check_ends(selected, source.name)
            if checkpoints is not None:
                selected = checkpoints.unseen(selected, threads)
            sink.add(selected.src, selected.dst, name)
            counts.edges += 0 if batch.only_vertices else length(selected.src)
            if request.progress is not None:
                request.progress(counts.edges, counts.bytes)
            if checkpoints is not None:
                checkpoints.write_spilled(sink, counts, batch.next_offset, timer)
            del batch, selected
        if checkpoints is not None:
            checkpoints.end()
        if request.vertices is not None:
            sink.add(request.vertices, request.vertices, "vertices")
    give_back_memory()
    return counts


class _IntegerSink:
    """Sends ids that are integers to the partition."""

    def __init__(self, request: SpillRequest) -> None:
        edges = request.source.num_edges
        if edges is not None and request.vertices is not None:
            edges += length(request.vertices)
        self._threads = request.threads
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
                raise InputError(f"{name}: these ids are of another kind than those before")
            self.type.note(ids, self._threads)
            ends.append(ids)
        self.partitioner.add(ends[0], ends[-1])


class _ExternalSink:
    """Joins ids in runs; without a checkpoint, integers are partitioned, which is faster."""

    def __init__(self, request: SpillRequest) -> None:
        self._request = request
        self.integers: _IntegerSink | None = None
        self.runs: RunWriter | None = None

    def add(self, src: IdColumn, dst: IdColumn, name: str) -> None:
        """Takes edges."""
        if not length(src):
            return
        if self.runs is None and self.integers is None:
            ids = None if self._request.checkpoints is not None else as_integers(src, name)
            if ids is not None:
                self.integers = _IntegerSink(self._request)
        if self.integers is not None:
            self.integers.add(src, dst, name)
        else:
            self.writer().add(src, dst, name)

    def writer(self) -> RunWriter:
        """The runs, which begin now if they have not yet."""
        if self.runs is None:
            request = self._request
            self.runs = RunWriter(request.folder, request.room, request.threads, request.kept)
        return self.runs

    def is_due(self) -> bool:
        """Whether a checkpoint would be of use now."""
        return self.writer().is_due()

    def saved(self) -> dict[str, Any]:
        """What a checkpoint says, of files that are safe on the disk."""
        return self.writer().saved()

    def restore(self, described: dict[str, Any]) -> None:
        """Goes on from what a checkpoint says."""
        self.writer().restore(described)


def _spill_external(request: SpillRequest) -> Spilled:
    sink = _ExternalSink(request)
    counts = _read(request, sink)
    if sink.integers is None:
        return _join_runs(request, sink.writer().finish(), counts)
    partition = sink.integers.partitioner.finish()
    folder, room, threads, report = request[1:5]
    dtype = sink.integers.type.result()
    edge_ids = number_ids(partition, dtype, folder, room, threads, report)
    n, largest = edge_ids.ids.size, max((chunk.edges for chunk in partition.chunks), default=0)
    total = sum(chunk.edges for chunk in partition.chunks)
    kind = label_type(request.dtype, n)
    labels, count, blocks = _join(
        request, n, kind, _of_type(edge_ids.edges(), kind), total, largest
    )
    notes = (
        f"external ids: spilled to {partition.buckets} buckets, {n:,} distinct",
        *dropped_note(counts.dropped),
    )
    return Spilled(labels, edge_ids.ids, count, counts.edges, blocks, notes)


def _join_runs(request: SpillRequest, runs: list[Run], counts: Counts) -> Spilled:
    folder, room, threads, report = request[1:5]
    with report.begin(MERGE):
        merged = merge_runs(runs, folder, room, threads, report)
    n, piece = merged.ids.size, room.chunk()
    kind = label_type(request.dtype, n)
    total = sum(file.size for file in merged.ranks)
    held = merged.largest * merged.ranks[0].dtype.itemsize
    edges = _of_type(merged.edges(piece), kind)
    labels, count, blocks = _join(request, n, kind, edges, total, piece, held)
    number = f"{len(runs):,} {'run' if len(runs) == 1 else 'runs'}"
    notes = (f"external ids: joined in {number}, {n:,} distinct", *dropped_note(counts.dropped))
    return Spilled(labels, merged.ids, count, counts.edges, blocks, notes)


def _of_type(edges: EdgePieces, kind: np.dtype[Any]) -> EdgePieces:
    return ((src.astype(kind, copy=False), dst.astype(kind, copy=False)) for src, dst in edges)


class _VertexSink:
    """Writes edges between vertex numbers."""

    def __init__(self, request: SpillRequest, n: int | None) -> None:
        self._n, self._first = n, request.source.first_id
        self._threads = request.threads
        self.highest = -1
        wide = n is None or label_type(request.dtype, n).itemsize == 8
        path = None if request.kept is None else str(Path(request.kept, f"{SPILLED}edges"))
        self.file = request.folder.file(np.uint64 if wide else np.uint32, path)
        self._checksum = 0
        self._due = Due()
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
            self._checksum = crc32(pairs.data, self._checksum)

    def is_due(self) -> bool:
        """Whether a checkpoint would be of use now."""
        return self._due.passed

    def saved(self) -> dict[str, Any]:
        """What a checkpoint says, of files that are safe on the disk."""
        self.file.sync()
        self._due = Due()
        return {"edges": [self.file.size, self.highest, self._checksum]}

    def restore(self, described: dict[str, Any]) -> None:
        """Goes on from what a checkpoint says."""
        try:
            size, self.highest, self._checksum = map(int, described["edges"])
        except (KeyError, TypeError, ValueError):
            raise InputError(DAMAGED) from None
        is_complete = self.file.reopened().size >= size
        if is_complete:
            self.file.cut(size)
        if not is_complete or self.file.checksum() != self._checksum:
            raise InputError(DAMAGED)


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
    held: int = 0,
) -> tuple[SpillFile, int, int]:
    """Joins edges that come in arrays of at most ``largest``, beside so many bytes in memory."""
    room = request.room
    block = room.block(kind.itemsize, n, largest * BYTES_OF_JOINED + held)
    forest = BlockedForest(
        n, kind, block, largest or 1, request.folder, request.threads, request.report
    )
    labels, count = forest.join(edges, total)
    return labels, count, forest.blocks
