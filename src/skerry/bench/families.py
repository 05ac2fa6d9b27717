"""The ten families: solve time of named algorithms from a symmetric CSR in memory."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import skerry
from skerry.bench.external import run_external, write_graph
from skerry.bench.record import Record
from skerry.bench.timing import Timing, repeat
from skerry.graph.build import csr_from_edges
from skerry.graph.csr import Csr
from skerry.graph.generators import FAMILIES

__all__ = ["run"]


def run(
    record: Record,
    *,
    families: Sequence[str],
    algorithms: Sequence[str],
    external: Sequence[str],
    threads: int,
    times: int,
    scale: float,
) -> None:
    """Measures every algorithm, and every external command, on every family."""
    for name in families:
        graph = csr_from_edges(FAMILIES[name](scale))
        answer = skerry.connected_components(graph, threads=threads)
        checked = answer.verify()
        if not checked:
            raise RuntimeError(f"{name}: {checked.message}")
        for algorithm in algorithms:
            _measure(record, name, graph, answer, algorithm, threads, times)
        if external:
            _compare(record, name, graph, answer.count, external)
    record.table("what", "family", "ms")


def _measure(
    record: Record,
    family: str,
    graph: Csr,
    answer: skerry.Components,
    algorithm: str,
    threads: int,
    times: int,
) -> None:
    result, timing = repeat(
        lambda: skerry.connected_components(graph, algorithm=algorithm, threads=threads),
        times,
        milliseconds=lambda found: found.plan.seconds * 1e3,
    )
    if not np.array_equal(result.labels, answer.labels):
        raise RuntimeError(f"{algorithm} gave a wrong answer on {family}")
    record.add(
        family=family,
        what=f"skerry {algorithm}",
        ms=timing.median,
        spread=timing.spread,
        ran=result.plan.algorithm,
        threads=result.plan.threads,
        vertices=graph.num_vertices,
        entries=graph.num_entries,
        samples=timing.samples,
    )


def _compare(record: Record, family: str, graph: Csr, count: int, external: Sequence[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder) / family
        write_graph(graph, base)
        for command in external:
            for found in run_external(command, base):
                if found.get("components") not in (None, count):
                    raise RuntimeError(f"{found['peer']} gave a wrong count on {family}")
                timing = Timing(tuple(found["ms"]))
                record.add(
                    family=family,
                    what=found["peer"],
                    ms=timing.median,
                    spread=timing.spread,
                    samples=timing.samples,
                )
