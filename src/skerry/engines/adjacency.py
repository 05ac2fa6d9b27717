"""The adjacency engine: joins rows of Python objects as it reads them.

Reading the objects takes nearly all the time, so no arrays are made of them: native code joins each
row with the one before, and stops when everything is connected. What needs arrays (an algorithm by
name, counts, a GPU, a threshold) gets them, and another engine solves these.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from time import perf_counter
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.algorithms.planner import choose_for_adjacency
from skerry.engines.arrays import engine_for_arrays
from skerry.engines.engine import GraphSize
from skerry.engines.giant_note import note_of_rows
from skerry.engines.host_edges import host_edges
from skerry.engines.memory import MEMORY, label_type, verify_host
from skerry.graph.edges import vertex_dtype
from skerry.inputs.adjacency import as_edges
from skerry.inputs.arrays import agree
from skerry.inputs.host import load
from skerry.inputs.sources import AdjacencySource
from skerry.request import SolveOptions
from skerry.result.components import Components
from skerry.result.estimate import Estimate
from skerry.result.forest import EdgeBatch
from skerry.result.plan import PassTime, Plan
from skerry.result.verify import Verification


class AdjacencyEngine:
    """Solves networkx graphs and mappings of neighbors."""

    name: ClassVar[str] = "adjacency"
    source: ClassVar[type] = AdjacencySource
    honors: ClassVar[frozenset[str]] = MEMORY.honors - {"previous"}

    def refusal(self, source: AdjacencySource, options: SolveOptions) -> str | None:
        """Takes all sources; with a forest, what the engine that records it takes."""
        del source
        return MEMORY.refusal(None, options) if options.forest else None

    def estimate(self, size: GraphSize, options: SolveOptions) -> Estimate:
        """As the engine that solves the edges as arrays, which takes more."""
        return engine_for_arrays(options).estimate(size._replace(form="edges"), options)

    def solve(self, source: AdjacencySource, options: SolveOptions) -> Components:
        """Joins the rows, or makes arrays of them."""
        joins = options.algorithm == "auto" and not (options.on_gpu or options.statistics)
        joins &= not options.forest
        count = agree(source.options.num_vertices, len(source.ids))
        if joins and source.rows is not None and vertex_dtype(count).itemsize == 4:
            begin = perf_counter()
            labels = np.empty(count, np.uint32)
            if _native.join_adjacency(source.rows, source.ids.nodes, labels):
                labels = labels.astype(label_type(options.dtype, count), copy=False)
                return Components(
                    labels,
                    source.ids,
                    options.labels,
                    partial(_plan, source, labels, perf_counter() - begin),
                    lambda labels: self.verify(source, labels, 1),
                    1,
                    options.dtype,
                    partial(_edges, source),
                )
        return engine_for_arrays(options).solve(as_edges(source), options)

    def verify(self, source: AdjacencySource, labels: Any, threads: int) -> Verification:
        """Makes arrays of the rows, and checks the labels."""
        return verify_host(as_edges(source), labels, threads)


ADJACENCY = AdjacencyEngine()


def _edges(source: AdjacencySource) -> Iterator[EdgeBatch]:
    host = as_edges(source)
    return host_edges(host, load(host, 1)[0])


def _plan(source: AdjacencySource, labels: npt.NDArray[Any], seconds: float) -> Plan:
    spec, reason = choose_for_adjacency()
    graph: Any = source.graph
    own = isinstance(graph, dict)
    edges: int = sum(map(len, graph.values())) if own else graph.number_of_edges()
    return Plan(
        algorithm=str(spec),
        device="cpu",
        threads=1,
        reason=reason,
        form="adjacency",
        vertices=len(source.ids),
        edges=edges,
        passes=(PassTime("join rows", seconds),),
        notes=note_of_rows(source.rows, labels, source.ids, edges),
        bytes=labels.nbytes,
        engine=AdjacencyEngine.name,
        input=source.facts,
    )
