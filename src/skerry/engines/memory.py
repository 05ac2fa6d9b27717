"""The engine for graphs in the memory of the host, on its cores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from skerry.algorithms.algorithm import Algorithm
from skerry.algorithms.catalog import algorithm as named
from skerry.algorithms.cpu import backend
from skerry.algorithms.passes import Finish, Hook, HookNth, Init, Stream
from skerry.algorithms.planner import Choice, choose, choose_for_forest, choose_for_size
from skerry.algorithms.prepare import Prepared, prepare
from skerry.engines.engine import GraphSize
from skerry.engines.forest import ForestRun, forest_bytes, record, recorded_forest
from skerry.engines.giant_note import note_of_graph
from skerry.engines.host_edges import host_edges
from skerry.engines.label_input import in_order, read_labels
from skerry.engines.refusal import refusal_together
from skerry.errors import InputError, UnsupportedError
from skerry.graph.csr import Csr
from skerry.graph.edges import Edges, vertex_dtype
from skerry.graph.vertex_ids import CHANGED, NUMBER_FIRST
from skerry.ids.id_space import Positions
from skerry.ids.objects import Objects
from skerry.inputs.host import ARRAY_FACTS, load
from skerry.inputs.sources import HostSource
from skerry.inputs.weights import names_of_kept
from skerry.request import SolveOptions
from skerry.result.components import Components
from skerry.result.estimate import Estimate
from skerry.result.plan import Plan
from skerry.result.verify import Shown, Verification, certify
from skerry.threads import available_threads

WITH_FOREST = frozenset({"device", "threads", "labels", "dtype", "forest", "previous"})
"""Options that can be used together with ``forest=True``."""


class MemoryEngine:
    """Solves host graphs with the algorithms of the catalog."""

    name: ClassVar[str] = "memory"
    source: ClassVar[type] = HostSource
    honors: ClassVar[frozenset[str]] = WITH_FOREST | {"algorithm", "statistics"}

    def refusal(self, source: HostSource | None, options: SolveOptions) -> str | None:
        """Refuses GPUs, and with a forest what chooses another algorithm."""
        del source
        if not options.forest:
            return "" if options.on_gpu else None
        if options.on_gpu:
            return "forest=True is recorded on a CPU: leave out device="
        lost = [f"{name}=" for name in sorted(options.stated - WITH_FOREST)]
        return refusal_together("forest=True", *lost) if lost else None

    def estimate(self, size: GraphSize, options: SolveOptions) -> Estimate:
        """Bytes of labels, conversions and working memory, and of the forest."""
        if options.forest:
            plain, n = options._replace(forest=False), size.num_vertices
            # Rows take what edges take: labels, and a set of the vertices of the largest component.
            run = self.estimate(size._replace(form="edges"), plain).run + forest_bytes(n)
            return replace(self.estimate(size, plain), run=run, conversion=0)
        if options.algorithm == "auto":
            spec = choose_for_size(size.form, "cpu")
        else:
            spec = _spec(options.algorithm)
        spec.check_device("cpu")
        dtype = label_type(options.dtype, size.num_vertices)
        run = bytes_of_run(spec, size.num_vertices, dtype)
        return Estimate(
            str(spec),
            "cpu",
            bytes_of_graph(size.form, size.num_vertices, size.num_entries, size.id_dtype),
            run,
            bytes_of_conversion(spec, size, dtype, run),
        )

    def solve(self, source: HostSource, options: SolveOptions) -> Components:
        """Loads, chooses an algorithm, and runs it."""
        threads = every = options.threads or available_threads()
        automatic = options.algorithm == "auto"  # then the first pass of the kernel checks, too
        graph, notes = load(source, threads, unchecked=automatic)
        if options.forest and graph.form == "csr" and not graph.trusted:
            # Rows of the largest component may not be looked at, so all are checked before.
            graph, notes = load(source, threads)
        n = graph.num_vertices
        dtype = label_type(options.dtype, n)
        if options.forest:
            choice = choose_for_forest(graph, threads)
        elif automatic:
            choice = choose(graph, threads)
        else:
            spec = _spec(options.algorithm)
            spec.check_device("cpu")
            choice = Choice(spec, 1 if spec.serial else threads, "asked for by name")
        spec, threads = choice.algorithm, choice.threads
        recorded = None
        run: backend.CpuRun | ForestRun
        try:
            if options.forest:
                run = recorded = record(graph, threads)
                prepared = Prepared(graph, [], ())
            else:
                prepared = prepare(spec, graph, dtype, threads)
                checking = automatic and not graph.trusted
                run = backend.run(
                    spec, prepared.graph, dtype, threads, options.statistics, checking
                )
        except MemoryError as error:
            more = ", and a forest takes 20 bytes for each or more" if options.forest else ""
            raise MemoryError(
                f"{error}. The graph has {n:,} vertices, the largest id + 1 "
                f"unless given{more}; {NUMBER_FIRST}"
            ) from None
        if run.faulty:
            load(source, every)  # says what is wrong
            raise InputError(CHANGED)
        return Components(
            run.labels if recorded is None else run.labels.astype(dtype, copy=False),
            Positions(n) if source.ids is None else source.ids,
            options.labels,
            lambda: plan_of_run(source, graph, choice, notes, run, prepared),
            source.verify or (lambda labels: certify_host(source, graph, threads, labels)),
            threads,
            options.dtype,
            source.edges or (lambda: host_edges(source, graph)),
            None if recorded is None else recorded_forest(source, graph, recorded),
        )

    def verify(self, source: HostSource, labels: Any, threads: int) -> Verification:
        """Loads the graph, and checks the labels."""
        return verify_host(source, labels, threads)


MEMORY = MemoryEngine()


def verify_host(source: HostSource, labels: Any, threads: int) -> Verification:
    """Checks labels against a graph in the memory of the host."""
    labeled = read_labels(labels, 1, of_objects=isinstance(source.ids, Objects))
    values = in_order(labeled, source.ids)
    if isinstance(values, Verification):
        return values
    options = source.options
    if source.facts is ARRAY_FACTS and options.num_vertices is None:
        # Bare arrays do not say how many vertices there are; the labels do.
        source = replace(source, options=options._replace(num_vertices=len(values)))
    return certify_host(source, load(source, threads)[0], threads, values, labeled.label)


def certify_host(
    source: HostSource,
    graph: Edges | Csr,
    threads: int,
    labels: npt.NDArray[Any],
    label: Callable[[Any], Any] | None = None,
) -> Verification:
    """Checks labels against a graph that was loaded from ``source``; ``label`` is for messages."""
    shown = Shown(None if source.ids is None else source.ids.__getitem__, label)
    return certify(graph, labels, threads, names_of_kept(source), shown)


def _spec(algorithm: str | Algorithm) -> Algorithm:
    return named(algorithm) if isinstance(algorithm, str) else algorithm


def label_type(dtype: np.dtype[Any] | None, num_vertices: int) -> np.dtype[Any]:
    """The unsigned type of the labels that the caller asked for, or the smallest that suffices.

    Kernels write unsigned labels; signed ones are a view of them.
    """
    if dtype is None:
        return vertex_dtype(num_vertices)
    bits = 8 * dtype.itemsize
    if num_vertices >= 2 ** (bits - 1 if dtype.kind == "i" else bits):
        raise InputError(
            f"{num_vertices:,} vertices do not fit into {dtype} labels; "
            f"use {'int64' if dtype.kind == 'i' else 'uint64'}"
        )
    return np.dtype(f"u{dtype.itemsize}")


STREAM_TABLE_BITS = 23  # binary logarithm of the most bits that `stream` keeps: see members.h
STAGE, STAGE_GROUPS = 1 << 27, 4  # entries that are held while rows are built: see build.h


def bytes_of_graph(form: str, n: int, m: int, id_dtype: np.dtype[Any]) -> int:
    """Bytes of a graph of ``n`` vertices and ``m`` edges or stored entries."""
    if form == "csr":
        return 8 * (n + 1) + m * id_dtype.itemsize
    return 2 * m * id_dtype.itemsize


def bytes_of_run(spec: Algorithm, n: int, dtype: np.dtype[Any]) -> int:
    """Bytes of the labels and of the working memory of an algorithm.

    One made of passes takes exactly this; `stream` takes less where no component is large.
    """
    labels = n * dtype.itemsize
    if spec.name == "rows":
        return labels
    if not all(isinstance(step, Init | Hook | HookNth | Finish | Stream) for step in spec.passes):
        raise UnsupportedError(
            f"the memory that {spec.name} takes on a CPU is not known; it is known for rows and "
            "for algorithms made of passes, such as stream, ecl and afforest"
        )
    streams = any(isinstance(step, Stream) for step in spec.passes)
    return labels + (_bytes_of_table(n) if streams else 0)


def _bytes_of_table(n: int) -> int:
    """Bytes of the set that `stream` keeps: a bit for a vertex or, of large graphs, for more."""
    shift = max(0, n.bit_length() - STREAM_TABLE_BITS)
    words = (max(n - 1, 0) >> shift) // 64 + 1
    return 8 << (words - 1).bit_length()  # a power of two: see members.h


def bytes_of_conversion(spec: Algorithm, size: GraphSize, dtype: np.dtype[Any], run: int) -> int:
    """Bytes at the peak, beside those of the run, for the form and width that an algorithm reads.

    What rows need while they are built is free again when the run begins.
    """
    n, m, width = size.num_vertices, size.num_entries, dtype.itemsize
    if size.form == "edges" and spec.reads_rows("cpu"):
        entries = 2 * m
        staged = entries if entries <= STAGE else max(entries // STAGE_GROUPS, STAGE)
        kept = 8 * (n + 1) + entries * width
        return kept + max(staged * (4 + width) - run, 0)
    if size.form == "csr" and (spec.form == "edges" or size.id_dtype.itemsize != width):
        return m * width
    return 0


def plan_of_run(
    source: HostSource,
    graph: Edges | Csr,
    choice: Choice,
    notes: tuple[str, ...],
    run: backend.CpuRun | ForestRun,
    prepared: Prepared,
) -> Plan:
    """How a graph that was loaded from ``source``, with ``notes``, was solved."""
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
        engine=source.engine or MemoryEngine.name,
        input=source.facts,
    )
