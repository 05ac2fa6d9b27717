"""The plan of a run on a graph in the memory of the host."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

import numpy.typing as npt

from skerry.algorithms.planner import Choice
from skerry.algorithms.prepare import Prepared
from skerry.engines.giant_note import note_of_graph
from skerry.graph.csr import Csr
from skerry.graph.edges import Edges
from skerry.inputs.sources import HostSource
from skerry.result.plan import PassTime, Plan, Statistics


class HostRun(Protocol):
    """What a plan says of a run."""

    @property
    def labels(self) -> npt.NDArray[Any]:
        """The label of every vertex."""

    @property
    def passes(self) -> Iterable[PassTime]:
        """What ran, and how long it took."""

    @property
    def statistics(self) -> Statistics | None:
        """What was counted."""

    @property
    def bytes(self) -> int:
        """Memory that it took beside the graph."""


def plan_of_run(
    engine: str,
    source: HostSource,
    graph: Edges | Csr,
    choice: Choice,
    notes: tuple[str, ...],
    run: HostRun,
    prepared: Prepared | None = None,
) -> Plan:
    """How a graph that was loaded from ``source``, with ``notes``, was solved."""
    prepared = prepared or Prepared(graph, [], ())
    return Plan(
        algorithm=str(choice.algorithm),
        device="cpu",
        threads=choice.threads,
        reason=choice.reason,
        form=graph.form,
        vertices=graph.num_vertices,
        edges=graph.num_entries,
        passes=(*source.passes, *prepared.passes, *run.passes),
        notes=(
            *source.notes,
            *notes,
            *prepared.notes,
            *note_of_graph(graph, run.labels, source.ids),
        ),
        statistics=run.statistics,
        bytes=prepared.bytes + run.bytes,
        least_bytes=graph.nbytes + run.labels.nbytes,
        engine=source.engine or engine,
        input=source.facts,
    )
