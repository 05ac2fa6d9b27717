"""The spilling engine: a limit of memory is kept by going to disk."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

from skerry.algorithms.planner import choose_for_batches
from skerry.engines.engine import GraphSize
from skerry.engines.previous import join_previous, with_previous
from skerry.engines.refusal import refusal_together
from skerry.engines.spilling.checkpoints import SpillCheckpoints
from skerry.engines.spilling.join import Spilled, SpillRequest, spill_batches
from skerry.engines.spilling.room import PIECES_OF_ANSWER, PassReport, Room
from skerry.engines.streaming.batches import agreed_count, verifier
from skerry.engines.streaming.checkpoints import opened_checkpoints
from skerry.engines.streaming.engine import (
    STREAMING,
    checkpoint_refusal,
    id_space,
    vertices_of,
)
from skerry.engines.streaming.reread import edge_reader
from skerry.formats.spill_file import SpillFolder
from skerry.graph.edge_source import EdgeSource
from skerry.inputs.sources import StreamSource
from skerry.request import SolveOptions
from skerry.result.components import Components
from skerry.result.estimate import Estimate
from skerry.result.plan import PassTime, PhaseTimer, Plan
from skerry.result.spilled import SpilledComponents, StoredLabels
from skerry.result.verify import Verification
from skerry.threads import resolve_threads

DISK_OF_EDGE = {"external": 26, "vertices": 16}
"""Bytes on disk for each edge, at the least: ids, routes and numbers; or edges, read and left."""


class SpillingEngine:
    """Joins the edges of files, tables and batches with a part of the graph in memory."""

    name: ClassVar[str] = "spilling"
    source: ClassVar[type] = StreamSource
    honors: ClassVar[frozenset[str]] = frozenset(
        {"device", "threads", "dtype", "limit", "progress", "previous", "spill", "checkpoint"}
    )

    def refusal(self, source: StreamSource, options: SolveOptions) -> str | None:
        """Refuses GPUs, and groups, whose keys are held in memory."""
        if options.spill is None:
            return ""
        if source.edges.facts.groups:
            return refusal_together("spill=", "groups=")
        if options.checkpoint is not None:
            reason = checkpoint_refusal(source.edges, False)
            if reason is not None:
                return reason
        return "" if options.on_gpu else None

    def estimate(self, _size: GraphSize, options: SolveOptions) -> Estimate:
        """As much as the limit: what does not fit goes to disk."""
        spec, _ = choose_for_batches()
        return Estimate(str(spec), "cpu", 0, options.limit or 0, 0)

    def solve(self, source: StreamSource, options: SolveOptions) -> Components:
        """Reads the source once; in memory alone where that is sure to suffice."""
        assert options.spill is not None and options.limit is not None
        room = Room(options.limit)
        edges = with_previous(source, options.previous)
        count = agreed_count(edges, source.options.num_vertices)
        further = vertices_of(source)
        if further.ids is None and room.holds(edges, count):
            held = options._replace(spill=None, previous=None)
            result = STREAMING.solve(source, held)
            return result if options.previous is None else join_previous(result, source, options)
        room.check(edges)
        if options.checkpoint is None:
            return self._spilled(source, edges, count, room, options, None)
        with opened_checkpoints(source, options.checkpoint, SpillCheckpoints) as checkpoints:
            return self._spilled(source, edges, count, room, options, checkpoints)

    def _spilled(
        self,
        source: StreamSource,
        edges: EdgeSource,
        count: int | None,
        room: Room,
        options: SolveOptions,
        checkpoints: SpillCheckpoints | None,
    ) -> Components:
        assert options.spill is not None
        folder, further = SpillFolder(options.spill.folder), vertices_of(source)
        if edges.num_edges is not None:
            folder.require(edges.num_edges * DISK_OF_EDGE[edges.id_kind])
        threads, timer = resolve_threads(options.threads), PhaseTimer()
        spilled = spill_batches(
            SpillRequest(
                edges,
                folder,
                room,
                threads,
                PassReport(timer, options.spill.report),
                further.ids,
                source.options.selection,
                count,
                options.dtype,
                options.progress,
                checkpoints,
            )
        )
        notes = () if checkpoints is None else checkpoints.notes
        spilled = spilled._replace(notes=spilled.notes + further.notes + notes)
        return _result(source, edges, spilled, options, threads, timer.times, room, folder)

    def verify(self, source: StreamSource, labels: Any, threads: int) -> Verification:
        """As the streaming engine, which keeps no edges."""
        return STREAMING.verify(source, labels, threads)


SPILLING = SpillingEngine()


def _result(
    source: StreamSource,
    every: EdgeSource,
    spilled: Spilled,
    options: SolveOptions,
    threads: int,
    times: tuple[PassTime, ...],
    room: Room,
    folder: SpillFolder,
) -> SpilledComponents:
    edges, selection = source.edges, source.options.selection
    mapped = None if spilled.ids is None else spilled.ids.mapped()
    ids = id_space(source, mapped, spilled.labels.size)
    stored = StoredLabels(
        spilled.labels,
        spilled.ids,
        spilled.components,
        folder,
        lambda width: room.block(width, spilled.labels.size, PIECES_OF_ANSWER),
    )
    return SpilledComponents(
        stored,
        ids=ids,
        kind=options.labels,
        plan=partial(_plan, spilled, threads, times, source, options.limit or 0, folder.written),
        verify=verifier(every, ids, threads, selection, vertices_of(source).ids, True),
        threads=threads,
        dtype=options.dtype,
        edges=edge_reader(edges, ids, threads, selection),
    )


def _plan(
    spilled: Spilled,
    threads: int,
    times: tuple[PassTime, ...],
    source: StreamSource,
    limit: int,
    written: int,
) -> Plan:
    spec, _ = choose_for_batches()
    notes = (
        f"spilled: {written:,} bytes were written to disk; parents in {spilled.blocks} "
        + ("block" if spilled.blocks == 1 else "blocks"),
    )
    return Plan(
        algorithm=str(spec),
        device="cpu",
        threads=threads,
        reason="vertices may not fit below the limit, so they are in temporary files, which are "
        "gone with the result unless it is written",
        form="batches",
        vertices=spilled.labels.size,
        edges=spilled.edges,
        passes=times,
        notes=(*spilled.notes, *notes),
        bytes=limit,
        engine=SpillingEngine.name,
        input=source.facts,
    )
