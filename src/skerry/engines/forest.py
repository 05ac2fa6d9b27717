"""The forest engine: joins the edges of host graphs and records those that joined two trees.

See kernels/cpu/own/spanning_forest.h. Labels are the same as without it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from skerry import _native
from skerry.algorithms.planner import choose_for_forest
from skerry.engines.engine import GraphSize
from skerry.engines.host_edges import host_edges
from skerry.engines.host_plan import plan_of_run
from skerry.engines.memory import MEMORY, certify_host, label_type, verify_host
from skerry.engines.refusal import refusal_together
from skerry.errors import InputError
from skerry.graph.csr import Csr
from skerry.graph.edges import Edges, vertex_dtype
from skerry.graph.vertex_ids import CHANGED, NUMBER_FIRST
from skerry.ids.id_space import Positions
from skerry.inputs.host import load
from skerry.inputs.matrices import rows_are_targets
from skerry.inputs.sources import HostSource
from skerry.inputs.weights import names_of_kept, weights_of
from skerry.request import SolveOptions
from skerry.result.components import Components
from skerry.result.estimate import Estimate
from skerry.result.forest import RecordedForest, record_width, recorded_edges
from skerry.result.plan import PassTime
from skerry.result.verify import Verification
from skerry.threads import resolve_threads


class ForestEngine:
    """Solves host graphs on the cores, and records a spanning forest."""

    name: ClassVar[str] = "forest"
    source: ClassVar[type] = HostSource
    honors: ClassVar[frozenset[str]] = frozenset({"device", "threads", "labels", "dtype", "forest"})

    def refusal(self, source: HostSource | None, options: SolveOptions) -> str | None:
        """Refuses GPUs, what chooses another algorithm, and to record what was not asked for."""
        del source
        if not options.forest:
            return ""
        if options.on_gpu:
            return "forest=True is recorded on a CPU: leave out device="
        lost = [f"{name}=" for name in sorted(options.stated - self.honors)]
        return refusal_together("forest=True", *lost) if lost else None

    def estimate(self, size: GraphSize, options: SolveOptions) -> Estimate:
        """Bytes of the labels and of the forest."""
        plain = options._replace(forest=False)
        # Rows take what edges take: labels, and a set of the vertices of the largest component.
        run = MEMORY.estimate(size._replace(form="edges"), plain).run
        graph = MEMORY.estimate(size, plain)
        return replace(graph, run=run + forest_bytes(size.num_vertices), conversion=0)

    def solve(self, source: HostSource, options: SolveOptions) -> Components:
        """Loads, joins, and keeps what was recorded."""
        threads = resolve_threads(options.threads)
        graph, notes = load(source, threads, unchecked=True)
        if graph.form == "csr" and not graph.trusted:
            # Rows of the largest component may not be looked at, so all are checked before.
            graph, notes = load(source, threads)
        choice = choose_for_forest(graph, threads)
        dtype = label_type(options.dtype, graph.num_vertices)
        try:
            run = _join(graph, choice.threads)
        except MemoryError as error:
            raise MemoryError(
                f"{error}. The graph has {graph.num_vertices:,} vertices, the largest id + 1 "
                f"unless given, and a forest takes 20 bytes for each or more; {NUMBER_FIRST}"
            ) from None
        if run.faulty:
            load(source, threads)  # says what is wrong
            raise InputError(CHANGED)
        return Components(
            run.labels.astype(dtype, copy=False),
            Positions(graph.num_vertices) if source.ids is None else source.ids,
            options.labels,
            partial(plan_of_run, self.name, source, graph, choice, notes, run),
            source.verify or partial(certify_host, source, graph, choice.threads),
            choice.threads,
            options.dtype,
            source.edges or partial(host_edges, source, graph),
            _forest(source, graph, run),
        )

    def verify(self, source: HostSource, labels: Any, threads: int) -> Verification:
        """Loads the graph, and checks the labels."""
        return verify_host(source, labels, threads)


FOREST = ForestEngine()


def forest_bytes(num_vertices: int, weighted: bool = False) -> int:
    """Bytes of the records of a forest."""
    return 8 * num_vertices * record_width(vertex_dtype(num_vertices).itemsize, weighted)


class _Run(NamedTuple):
    """What a run leaves; see `HostRun`."""

    labels: npt.NDArray[Any]
    words: npt.NDArray[np.uint64]
    """What was recorded."""
    passes: tuple[PassTime, ...]
    bytes: int
    faulty: bool
    statistics: None = None


def _join(graph: Edges | Csr, threads: int) -> _Run:
    begin = perf_counter()
    n = graph.num_vertices
    kind = graph.neighbors.dtype if graph.form == "csr" else vertex_dtype(n)
    parent = np.empty(n, kind)
    _native.init_own(parent, threads)
    words = np.empty(n * record_width(kind.itemsize, False), np.uint64)
    begun = perf_counter()
    if graph.form == "csr":
        symmetric = bool(graph.symmetric)
        _, phases, scratch, faulty = _native.record_rows(
            graph.offsets, graph.neighbors, symmetric, parent, words, threads
        )
    else:
        _, phases, scratch, faulty = _native.record_edges(
            graph.src, graph.dst, 0, None, None, parent, words, threads
        )
    ended = perf_counter()
    if not faulty:
        _native.finish(parent, _native.FINISH["ordered"], threads, False)
    passes = [("init own", begun - begin), *phases, ("finish ordered", perf_counter() - ended)]
    size = parent.nbytes + words.nbytes + scratch
    return _Run(parent, words, tuple(PassTime(*phase) for phase in passes), size, faulty)


def _forest(source: HostSource, graph: Edges | Csr, run: _Run) -> RecordedForest:
    """The recorded edges; rows and weights of the input are looked up while it is as it was."""
    n, make = len(run.labels), partial(recorded_edges, run.words, run.labels)
    names, weights = names_of_kept(source), weights_of(source, graph)
    swapped = graph.form == "csr" and rows_are_targets(source.graph)
    if names is None and weights is None and not swapped:
        return RecordedForest(make, n)
    edges = make()
    row = edges.row if names is None else names()[edges.row]
    if swapped:
        edges = edges._replace(source=edges.target, target=edges.source)
    edges = edges._replace(row=row, weight=None if weights is None else weights[row])
    return RecordedForest(lambda: edges, n)
