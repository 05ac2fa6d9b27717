"""``previous=``: what an earlier answer joined is joined in this one too.

The edges are solved alone, by whatever engine; then the earlier sets are joined with theirs. So a
day costs what its edges cost, and a pass over the earlier ids. Only what may go to disk takes the
earlier answer as a further batch: every id and the smallest of its component.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.engines.engine import Engine
from skerry.engines.giant_note import GIANT, note_of_labels
from skerry.engines.memory import label_type
from skerry.engines.streaming.batches import agreed_count, verifier
from skerry.engines.streaming.engine import vertices_of
from skerry.engines.streaming.recorder import Recorder
from skerry.engines.streaming.reread import edge_reader
from skerry.errors import InputError, UnsupportedError
from skerry.formats.memory import memory_limited, reserve
from skerry.graph.edge_source import Batch, EdgeSource, ReadPosition, closed_after
from skerry.graph.edges import Edges, vertex_dtype
from skerry.graph.threshold import Threshold
from skerry.ids.external import External
from skerry.ids.id_space import IdSpace, counted_from
from skerry.ids.merging import merge_ids
from skerry.inputs.host import ARRAY_FACTS
from skerry.inputs.sources import HostSource, Source, StreamSource
from skerry.request import SolveOptions
from skerry.result.components import Components
from skerry.result.forest import ReadEdges, RecordedForest
from skerry.result.identities import Identities
from skerry.result.links import ForestEdges
from skerry.result.names import check_names
from skerry.result.plan import PassTime, Plan
from skerry.result.previous import Previous, fitting
from skerry.result.verify import Verification, certify
from skerry.union_find.forest import PIECE, Forest


def with_previous(source: StreamSource, previous: Previous | None) -> EdgeSource:
    """The edges of a stream and, after them, those of an earlier answer, if there is one."""
    edges = source.edges
    if previous is None:
        return edges
    external = edges.id_kind == "external"
    previous = fitting(previous, external, edges.first_id)
    threshold = source.options.selection

    def followed(batches: Iterator[Batch]) -> Iterator[Batch]:
        with closed_after(batches):
            yield from batches
        yield from _batches_of(previous, threshold)

    def open_at(threads: int, position: ReadPosition) -> Iterator[Batch]:
        assert edges.open_at is not None
        return followed(edges.open_at(threads, position))

    return replace(
        edges,
        open=lambda threads: followed(edges.open(threads)),
        open_at=None if edges.open_at is None else open_at,
        num_edges=None,
    )


def _batches_of(previous: Previous, threshold: Threshold | None) -> Iterator[Batch]:
    src, dst = previous.edges()
    every = np.arange(len(previous.labels))
    for ends, only_vertices in (((src, dst), False), ((every, every), True)):
        for begin in range(0, len(ends[0]), PIECE):
            sources, targets = (positions[begin : begin + PIECE] for positions in ends)
            # The weight that is just enough: a threshold leaves none of them out.
            weight = None if threshold is None else np.full(len(sources), threshold.value)
            if previous.ids is not None:
                sources, targets = map(previous.ids.column, (sources, targets))
            yield Batch(sources, targets, weight, "previous", only_vertices=only_vertices)


class _Places(NamedTuple):
    """The vertices of a result and of an earlier answer as vertices of both together."""

    ids: IdSpace
    of_previous: npt.NDArray[np.int64] | None
    """The new position of each; None: the old ones."""
    of_result: npt.NDArray[np.int64] | None


def solve_after(engine: Engine, source: Source, options: SolveOptions) -> Components:
    """The result of edges and an earlier answer, with the names of that answer.

    With ``spill=``, names are left out: they take memory for all vertices.
    """
    assert options.previous is not None
    if options.spill is not None:
        return engine.solve(source, options)
    check_names(options.previous.names)  # before the work is done
    result = engine.solve(source, options._replace(previous=None))
    return join_previous(result, source, options)


def join_previous(result: Components, source: Source, options: SolveOptions) -> Components:
    """The result of a graph, joined with an earlier one, whose names it has."""
    begin = perf_counter()
    named = options.previous
    assert named is not None
    with memory_limited(options.limit):
        previous, places = _placed(result, source, named)
        n = len(places.ids)
        reserve(2 * 8 * n, f"joining {n:,} vertices with those of the earlier answer")
        labels, forest = _joined(result, previous, places, label_type(options.dtype, n))
    seconds = perf_counter() - begin
    edges = result._edges
    verify: Callable[[Any], Verification]
    if isinstance(source, HostSource):
        assert edges is not None  # of a result that was just made
        verify = partial(_verify, edges, previous)
    else:
        assert isinstance(source, StreamSource)
        threads, selection = result._threads, source.options.selection
        edges = edge_reader(source.edges, places.ids, threads, selection)
        vertices = vertices_of(source).ids
        every = with_previous(source, previous)
        verify = verifier(every, places.ids, threads, selection, vertices, True)
    joined = Components(
        labels,
        places.ids,
        options.labels,
        partial(_plan, result, previous, labels, places.ids, seconds),
        verify,
        result._threads,
        options.dtype,
        edges,
        forest,
    )
    return joined._called(Identities(joined, named, places.of_previous))


def _placed(result: Components, source: Source, previous: Previous) -> tuple[Previous, _Places]:
    """Finds the earlier vertices among those of the result; raises if they do not belong there."""
    if isinstance(source, HostSource):
        if source.ids is not None:
            raise UnsupportedError(
                "previous= is for vertex numbers, and for tables, files and batches"
            )
        previous = fitting(previous, False)
        grows = source.facts is ARRAY_FACTS and source.options.num_vertices is None
        return previous, _counted(result, previous, 0, grows)
    assert isinstance(source, StreamSource)
    edges = source.edges
    external = edges.id_kind == "external"
    previous = fitting(previous, external, edges.first_id)
    if not external:
        grows = agreed_count(edges, source.options.num_vertices) is None
        return previous, _counted(result, previous, edges.first_id, grows)
    assert previous.ids is not None
    reserve(16 * (len(previous.labels) + result.num_vertices), "finding ids of the earlier answer")
    try:
        merged = merge_ids(previous.ids.columns, result.ids, result._threads)
    except InputError as error:
        raise InputError(f"previous: {error}") from None
    ids = External(merged.columns, result._ids.names)
    return previous, _Places(ids, merged.of_first, merged.of_second)


def _counted(result: Components, previous: Previous, first: int, grows: bool) -> _Places:
    known, n = len(previous.labels), result.num_vertices
    if known > n and not grows:
        raise InputError(f"previous: it has {known:,} vertices, but the graph has only {n:,}")
    return _Places(counted_from(first, max(known, n)), None, None)


def _joined(
    result: Components, previous: Previous, places: _Places, dtype: np.dtype[Any]
) -> tuple[npt.NDArray[Any], RecordedForest | None]:
    """The labels of both together and, where the result has a forest, one of both."""
    n = len(places.ids)
    if result._forest is not None:
        return _recorded(result, result._forest.edges, previous, places, dtype)
    parent = np.arange(n, dtype=dtype)
    if places.of_previous is None:
        parent[: len(previous.labels)] = previous.labels
    else:
        parent[places.of_previous] = places.of_previous[previous.labels]
    forest = Forest(0, result._threads, dtype)
    forest.adopt(parent)
    own = result._smallest
    members = np.flatnonzero(own != np.arange(len(own), dtype=own.dtype))
    for begin in range(0, len(members), PIECE):
        src = members[begin : begin + PIECE]
        dst = own[src].astype(np.int64)
        if places.of_result is not None:
            src, dst = places.of_result[src], places.of_result[dst]
        forest.join(src, dst, forest.team(len(src)))
    return forest.release(), None


def _recorded(
    result: Components,
    edges: ForestEdges,
    previous: Previous,
    places: _Places,
    dtype: np.dtype[Any],
) -> tuple[npt.NDArray[Any], RecordedForest]:
    """As `_joined`, with a forest: the links of the earlier answer, whose rows are -1, come first.

    So a row is recorded only where it joined what the earlier answer had not.
    """
    n, weighted = len(places.ids), edges.weight is not None
    earlier = previous.edges()
    if places.of_previous is not None:
        earlier = places.of_previous[earlier[0]], places.of_previous[earlier[1]]
    recorder = Recorder(result._threads)
    recorder.grow(n)
    count = len(earlier[0])
    nothing = np.full(count, np.nan) if weighted else None
    recorder.begin(0, np.full(count, -1), nothing)
    recorder.join(*earlier, result._threads)
    ends = edges.source.astype(np.int64), edges.target.astype(np.int64)
    if places.of_result is not None:
        ends = places.of_result[ends[0]], places.of_result[ends[1]]
    recorder.begin(0, edges.row, edges.weight)
    recorder.join(*ends, result._threads)
    labels = recorder.release().astype(dtype, copy=False)
    kept = recorder.edges
    return labels, RecordedForest(lambda: kept, n)


def _plan(
    result: Components, previous: Previous, labels: npt.NDArray[Any], ids: IdSpace, seconds: float
) -> Plan:
    """The plan of the edges alone, and what the earlier answer took."""
    plan = result.plan
    notes = [note for note in plan.notes if not note.startswith(GIANT)]
    before = _native.count_components(previous.labels, 1)
    notes.append(f"previous: {len(previous.labels):,} vertices in {before:,} components")
    return replace(
        plan,
        vertices=len(labels),
        passes=(*plan.passes, PassTime("join previous", seconds)),
        notes=(*notes, *note_of_labels(labels, ids)),
        bytes=plan.bytes + labels.nbytes,
    )


def _verify(edges: ReadEdges, previous: Previous, labels: npt.NDArray[Any]) -> Verification:
    """Checks labels against a graph and an earlier answer, whose edges come after the graph's."""
    batches = list(edges())
    src, dst = previous.edges()
    kind = vertex_dtype(len(labels))
    both = Edges(
        np.concatenate([*(batch.src for batch in batches), src]).astype(kind),
        np.concatenate([*(batch.dst for batch in batches), dst]).astype(kind),
        len(labels),
    )
    return certify(both, labels)
