"""The streaming engine: edges are joined as they are read, and not kept."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from skerry.algorithms.planner import choose_for_batches
from skerry.engines.engine import GraphSize
from skerry.engines.forest import forest_bytes
from skerry.engines.giant_note import find_giant, giant_note
from skerry.engines.label_input import read_labels
from skerry.engines.memory import label_type
from skerry.engines.refusal import refusal_together
from skerry.engines.streaming.batches import agreed_count, batches_of, verifier
from skerry.engines.streaming.join import Joined, JoinRequest, join_batches
from skerry.engines.streaming.reread import edge_reader
from skerry.errors import InputError
from skerry.formats.memory import memory_limited
from skerry.graph.batch_columns import as_integers, selected_edges
from skerry.graph.edge_source import EdgeSource
from skerry.ids.external import External
from skerry.ids.id_space import IdSpace, counted_from
from skerry.ids.numbering import Numbering
from skerry.inputs.sources import StreamSource
from skerry.inputs.vertices import FurtherVertices, further_vertices
from skerry.request import SolveOptions
from skerry.result.components import Components
from skerry.result.estimate import Estimate
from skerry.result.forest import RecordedForest
from skerry.result.plan import Plan
from skerry.result.verify import Shown, Verification
from skerry.threads import resolve_threads

if TYPE_CHECKING:
    from skerry.engines.streaming.checkpoints import Checkpoints
    from skerry.union_find.streamed_forest import StreamedForest


HUBS = 10
"""Ids with the most edges to look at for the note on a component with most of the ids."""


class StreamingEngine:
    """Joins the edges of files, tables and batches; holds the parent array and the ids only."""

    name: ClassVar[str] = "streaming"
    source: ClassVar[type] = StreamSource
    honors: ClassVar[frozenset[str]] = frozenset(
        {"device", "threads", "labels", "dtype", "limit", "progress"}
        | {"forest", "previous", "checkpoint"}
    )

    def refusal(self, source: StreamSource, options: SolveOptions) -> str | None:
        """Refuses external ids on a GPU, and what needs a CPU there."""
        if options.checkpoint is not None:
            reason = checkpoint_refusal(source.edges, options.forest)
            if reason is not None:
                return reason
        if options.on_gpu and source.edges.id_kind == "external":
            return ""  # they are numbered on a CPU
        on_cpu = options.forest or options.checkpoint is not None
        return "" if options.on_gpu and on_cpu else None

    def estimate(self, size: GraphSize, options: SolveOptions) -> Estimate:
        """Bytes of the parent array; external ids take their own size and a table beside it.

        On a GPU, also of a few chunks of edges.
        """
        if options.on_gpu:
            return _estimate_on_device(size, options)
        labels = label_type(options.dtype, size.num_vertices)
        spec, _ = choose_for_batches()
        run = size.num_vertices * labels.itemsize
        run += forest_bytes(size.num_vertices) if options.forest else 0
        return Estimate(str(spec), "cpu", 0, run, 0)

    def solve(self, source: StreamSource, options: SolveOptions) -> Components:
        """Reads the source once."""
        if options.checkpoint is None:
            return self._solve(source, options, None)
        from skerry.engines.streaming.checkpoints import Checkpoints, opened_checkpoints

        with opened_checkpoints(source, options.checkpoint, Checkpoints) as checkpoints:
            return self._solve(source, options, checkpoints)

    def _solve(
        self, source: StreamSource, options: SolveOptions, checkpoints: Checkpoints | None
    ) -> Components:
        edges, read = source.edges, source.options
        threads = resolve_threads(options.threads)
        further = vertices_of(source)
        on_device = _forest_on(options.device) if options.on_gpu else None
        request = JoinRequest(
            edges,
            threads,
            further.ids,
            read.selection,
            read.num_vertices,
            options.progress,
            options.forest,
            checkpoints,
            on_device,
        )
        with memory_limited(options.limit):
            joined = join_batches(request)
        joined = replace(joined, notes=joined.notes + further.notes)
        labels = _of_type(joined.labels, options.dtype)
        where = "cpu" if on_device is None else on_device.name
        ids = id_space(source, joined.ids, len(labels))
        return Components(
            labels,
            ids,
            options.labels,
            partial(_plan, joined, labels.nbytes, threads, source, ids, where),
            verifier(edges, ids, threads, read.selection, further.ids, True),
            threads,
            options.dtype,
            edge_reader(edges, ids, threads, read.selection),
            _forest(joined),
        )

    def verify(self, source: StreamSource, labels: Any, threads: int) -> Verification:
        """Reads the source; twice if its ids are external and not given with the labels."""
        labeled = read_labels(labels, len(source.facts.source) or 1)
        edges, values, ids = source.edges, labeled.values, labeled.ids
        only_used_ids = labeled.of_result
        count = agreed_count(edges, source.options.num_vertices)
        if ids is None and edges.id_kind == "vertices":
            ids = counted_from(edges.first_id, len(values) if count is None else count)
        elif ids is None:
            if not edges.repeatable:
                raise InputError(f"{edges.name} can be read only once: verify the result itself")
            ids, only_used_ids = _distinct_ids(source, threads), True
        if len(values) != len(ids):
            raise InputError(f"the graph has {len(ids):,} vertices, but labels has {len(values):,}")
        vertices = vertices_of(source).ids
        selection, shown = source.options.selection, Shown(label=labeled.label)
        return verifier(edges, ids, threads, selection, vertices, only_used_ids, shown)(values)


STREAMING = StreamingEngine()


def _on_gpus() -> Any:
    # Imported for a GPU only: it brings all GPU code.
    from skerry.engines import device_stream

    return device_stream


def _estimate_on_device(size: GraphSize, options: SolveOptions) -> Estimate:
    spec, _ = choose_for_batches()
    run: int = _on_gpus().bytes_of_stream(size.num_vertices)
    return Estimate(str(spec), options.device, 0, run, 0)


def _forest_on(device: str) -> StreamedForest:
    forest: StreamedForest = _on_gpus().forest_on(device)
    return forest


def checkpoint_refusal(edges: EdgeSource, forest: bool) -> str | None:
    """Why a run cannot have checkpoints, or None if it can."""
    if forest:
        return ""
    if edges.facts.groups:
        return refusal_together("checkpoint=", "groups=")
    if edges.identity is None or edges.open_at is None:
        return (
            f"checkpoint= needs files that can be opened again, and {edges.name} is not: a run on "
            "tables, batches or a pipe cannot be continued by another process"
        )
    return None


def vertices_of(source: StreamSource) -> FurtherVertices:
    """The further vertices, if there are any; vertex numbers count from 0."""
    further = further_vertices(source)
    first = source.edges.first_id
    if further.ids is None or source.edges.id_kind == "external" or not first:
        return further
    ids = as_integers(further.ids, "vertices")
    # As 64-bit integers, so that an id below the first becomes negative, which is refused.
    return further if ids is None else further._replace(ids=ids.astype(np.int64) - first)


def id_space(source: StreamSource, ids: Any, count: int) -> IdSpace:
    """The ids of ``count`` vertices of a source; ``ids`` are None for vertex numbers."""
    if ids is None:
        return counted_from(source.edges.first_id, count)
    return External(ids, id_names(source))


def id_names(source: StreamSource) -> tuple[str, ...]:
    """Names of the columns of ids in tables: those of the sources, where they are several."""
    columns = source.facts.source
    return columns if len(columns) > 1 else ("id",)


def _distinct_ids(source: StreamSource, threads: int) -> External:
    """Reads a source once, for its ids; only edges that the threshold keeps have some."""
    edges, options = source.edges, source.options
    numbering = Numbering()
    with closing(batches_of(edges, threads)) as batches:
        for batch in batches:
            selected = selected_edges(batch, options.selection, edges.name)
            numbering.number(selected.src, threads)
            numbering.number(selected.dst, threads)
    vertices = vertices_of(source).ids
    if vertices is not None:
        numbering.number(vertices, threads)
    ids, _ = numbering.take_in_order(threads)
    return External(ids, id_names(source))


def _forest(joined: Joined) -> RecordedForest | None:
    edges, n = joined.forest, len(joined.labels)
    return None if edges is None else RecordedForest(lambda: edges, n)


def _of_type(labels: npt.NDArray[Any], dtype: np.dtype[Any] | None) -> npt.NDArray[Any]:
    return labels if dtype is None else labels.astype(label_type(dtype, len(labels)), copy=False)


def _giant_notes(joined: Joined, ids: IdSpace) -> tuple[str, ...]:
    """The note on a component with most of the ids, if there is one to be made."""
    giant = None if joined.sample is None else find_giant(joined.labels)
    if joined.sample is None or giant is None:
        return ()
    hubs = [
        (id, count)
        for id, count in joined.sample.degrees().most_common(HUBS)
        if joined.labels[ids.position(id)] == giant.label
    ]
    return (giant_note(giant, hubs, joined.edges, joined.sample.is_exact),)


def _plan(
    joined: Joined, label_bytes: int, threads: int, source: StreamSource, ids: IdSpace, device: str
) -> Plan:
    spec, reason = choose_for_batches()
    return Plan(
        algorithm=str(spec),
        device=device,
        threads=threads,
        reason=reason,
        form="batches",
        vertices=len(joined.labels),
        edges=joined.edges,
        passes=joined.times,
        notes=(*joined.notes, *_giant_notes(joined, ids)),
        bytes=max(joined.bytes, label_bytes),
        engine=StreamingEngine.name,
        input=source.facts,
    )
