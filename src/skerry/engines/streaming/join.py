"""From a source of edges to labels: reads its batches, selects edges by weight, and joins them.

Readers of files decode the next batches in threads of their own (see formats/prefetch.py); here
each batch is joined as it comes and dropped.
"""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from skerry.engines.streaming.batches import agreed_count, batches_of, dropped_note
from skerry.engines.streaming.external_ids import ExternalJoiner
from skerry.engines.streaming.joined_sets import Counts
from skerry.engines.streaming.recorder import Recorder
from skerry.engines.streaming.vertex_ids import VertexJoiner
from skerry.errors import InputError
from skerry.formats.memory import reserve
from skerry.graph.batch_columns import (
    check_ends,
    checked_weights,
    kept_mask,
    location,
    masked,
    rows_of,
)
from skerry.graph.edge_source import Batch, EdgeSource, IdColumn, length, row_count
from skerry.graph.threshold import Threshold
from skerry.ids.lookup import take
from skerry.request import Progress
from skerry.result.links import ForestEdges
from skerry.result.plan import PassTime, PhaseTimer

if TYPE_CHECKING:
    from skerry.engines.streaming.checkpoints import Checkpoints
    from skerry.union_find.streamed_forest import StreamedForest


class JoinRequest(NamedTuple):
    """What is to be joined, and how."""

    source: EdgeSource
    """Read once, from its beginning to its end."""
    threads: int
    """How many threads may be used."""
    vertices: IdColumn | None = None
    """Ids that are in the graph whether or not they have an edge."""
    threshold: Threshold | None = None
    """Which edges to use by their weights; None: all."""
    num_vertices: int | None = None
    """For vertex numbers: how many there are."""
    progress: Progress | None = None
    """Called after each batch."""
    forest: bool = False
    """Whether to record a spanning forest."""
    checkpoints: Checkpoints | None = None
    """Where to go on from, and to write what was joined now and then; not with ``forest``."""
    on_device: StreamedForest | None = None
    """An empty forest that vertex numbers are joined in; not with the two options above."""


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """What the edges of a source were joined to."""

    labels: npt.NDArray[Any]
    """For every vertex, the smallest in its component; vertices are positions in ``ids``."""
    ids: Any
    """The distinct ids in ascending order: NumPy for integers, else Arrow, or a tuple of those;
    None for vertex numbers."""
    edges: int
    """Number of edges joined; those that the threshold leaves out are not counted."""
    bytes: int
    """Memory of the parent array and of the table of ids at the end."""
    notes: tuple[str, ...]
    times: tuple[PassTime, ...]
    sample: EdgeSample | None = None
    """Some of the edges, where ids are external."""
    forest: ForestEdges | None = None
    """A spanning forest, where it was asked for."""


class RecordedRows:
    """Counts rows over all batches, in the order in which they come."""

    def __init__(self, threads: int) -> None:
        self.recorder = Recorder(threads)
        self._next = 0
        self._has_weights: bool | None = None

    def begin(self, batch: Batch, mask: npt.NDArray[np.bool_] | None, name: str) -> None:
        """The edges of this batch that the mask keeps are joined next."""
        if batch.only_vertices:
            self.recorder.begin_loops()
            return
        weights = None
        if batch.weight is not None:
            weights = checked_weights(batch, name)
            weights = weights if mask is None else weights[mask]
        if length(batch.src):
            if self._has_weights is None:
                self._has_weights = weights is not None
            if self._has_weights != (weights is not None):
                raise InputError(
                    f"{location(name, batch)}: some edges have weights and others have none"
                )
        self.recorder.begin(self._next, rows_of(batch, mask), weights)
        self._next += row_count(batch)

    def end(self) -> None:
        """What is joined now are no edges."""
        self.recorder.begin_loops()


def join_batches(request: JoinRequest) -> Joined:
    """Joins all edges of a source.

    Raises
    ------
    MemoryError
        Before more than the limit of `memory_limited` would be allocated.
    InputError
        If the edges are not what the source says.
    """
    source, threads, checkpoints = request.source, request.threads, request.checkpoints
    timer, counts, position = PhaseTimer(), Counts(), None
    count = agreed_count(source, request.num_vertices)
    joiner: VertexJoiner | ExternalJoiner
    rows = RecordedRows(threads) if request.forest else None
    recorder = None if rows is None else rows.recorder
    if source.id_kind == "vertices":
        forest = recorder or request.on_device
        joiner = VertexJoiner(count, source.first_id, threads, timer, forest)
    else:
        joiner = ExternalJoiner(threads, timer, recorder)
    # Of groups, the ids that stand for one have edges that are in no input.
    sampled = source.id_kind == "external" and not source.facts.groups
    sample = EdgeSample() if sampled else None
    if checkpoints is not None:
        position = checkpoints.restore(joiner, counts, timer)
    if source.decoded:
        joiner.threads = max(1, threads // 2)
    with closing(batches_of(source, threads, timer, position)) as batches:
        for batch in batches:
            _join_batch(request, batch, joiner, counts, rows, sample)
            if request.progress is not None:
                request.progress(counts.edges, counts.bytes)
            if checkpoints is not None:
                checkpoints.write_if_due(joiner, counts, batch.next_offset, timer)
    if checkpoints is not None:
        checkpoints.end()
    joiner.threads = threads
    if rows is not None:
        rows.end()
    if request.vertices is not None:  # after the edges, whose type of ids the answer has
        joiner.add_ids(request.vertices, "vertices")
    notes: tuple[str, ...] = ()
    if isinstance(joiner, ExternalJoiner):
        method = "numbered" if joiner.uses_table else "few gaps among them: used as numbers"
        notes = (f"external ids: {method}",)
    notes += dropped_note(counts.dropped)
    if checkpoints is not None:
        notes += checkpoints.notes
        sample = None if checkpoints.continued else sample  # of the edges since
    size = joiner.nbytes
    ids, labels = joiner.finish()
    size = max(size, labels.nbytes)
    kept = None if recorder is None else recorder.edges
    return Joined(labels, ids, counts.edges, size, notes, timer.times, sample, kept)


def _join_batch(
    request: JoinRequest,
    batch: Batch,
    joiner: VertexJoiner | ExternalJoiner,
    counts: Counts,
    rows: RecordedRows | None,
    sample: EdgeSample | None,
) -> None:
    """Selects, checks, records and joins the edges of a batch."""
    name = request.source.name
    counts.bytes += batch.consumed
    counts.dropped += batch.dropped
    reserve(0, f"{name}: its batches")
    mask = kept_mask(batch, request.threshold, name)
    selected = batch if mask is None else masked(batch, mask)
    check_ends(selected, name)
    if request.checkpoints is not None:
        selected = request.checkpoints.unseen(selected, joiner.threads)
    if rows is not None:
        rows.begin(batch, mask, name)
    joiner.add(selected.src, selected.dst, location(name, batch))
    if not batch.only_vertices:
        count = length(selected.src)
        counts.edges += count
        if sample is not None:
            sample.add(selected.src, selected.dst, count)


SAMPLE_SIZE = 2048
"""Edges that are all kept if they come at once; then about so many for every doubling."""
SAMPLE_ROWS = 64
"""Edges, of the first ones, to wait for before a batch is looked at: a look has its price."""


class EdgeSample:
    """Edges of a stream, each with the number of edges that it stands for."""

    def __init__(self) -> None:
        self.edges = 0
        """Edges of the stream."""
        self.is_exact = True
        """Whether all edges were kept."""
        self._parts: list[tuple[IdColumn, IdColumn, float]] = []
        self._looked = 0
        self._next = SAMPLE_ROWS

    @cached_property
    def _random(self) -> np.random.Generator:
        return np.random.default_rng(0)  # the same notes every time

    def add(self, src: IdColumn, dst: IdColumn, count: int) -> None:
        """Takes note of the next edges of the stream."""
        self.edges += count
        if self.edges >= self._next:
            self._look(src, dst, count)

    def _look(self, src: IdColumn, dst: IdColumn, count: int) -> None:
        """Keeps edges of this batch, which stand for those since the last look."""
        passed = self.edges - self._looked
        rows = min(count, max(1, passed * SAMPLE_SIZE // max(self.edges, SAMPLE_SIZE)))
        positions = np.arange(rows)
        if rows < count:  # one of every so many
            chance = self._random.random(rows)
            positions = ((positions + chance) * (count / rows)).astype(np.int64)
        self._parts.append((take(src, positions), take(dst, positions), passed / rows))
        self.is_exact &= rows == passed
        self._looked = self.edges
        self._next = self.edges + max(SAMPLE_ROWS, self.edges * SAMPLE_ROWS // SAMPLE_SIZE)

    def degrees(self) -> Counter[Any]:
        """The number of edges of each id that was seen; loops do not count."""
        counts: Counter[Any] = Counter()
        for src, dst, weight in self._parts:
            for u, v in zip(_values(src), _values(dst), strict=True):
                if u != v:
                    counts[u] += weight  # type: ignore[assignment]
                    counts[v] += weight  # type: ignore[assignment]
        return counts


def _values(column: IdColumn) -> list[Any]:
    if isinstance(column, tuple):
        return list(zip(*map(_values, column), strict=True))
    return list(column.tolist() if isinstance(column, np.ndarray) else column.to_pylist())
