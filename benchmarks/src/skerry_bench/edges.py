"""From ``(src, dst)`` arrays to labels, the whole path, beside what Python offers."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import skerry
from skerry.graph.build import csr_from_edges
from skerry_bench.implementation import Answer
from skerry_bench.isolated import HostGraph
from skerry_bench.isolation import Isolation
from skerry_bench.memory import peak_bytes
from skerry_bench.peers import peers_named
from skerry_bench.record import Record
from skerry_bench.samples import Pace
from skerry_bench.timing import Timing, repeat

__all__ = ["run"]

Ids = npt.NDArray[Any]
BUDGET = 600.0
"""Seconds for all samples of a peer: nobody is given up on here."""


def run(
    record: Record,
    *,
    vertices: int,
    edges: int,
    dtype: str,
    threads: int,
    times: int,
    peers: Sequence[str],
) -> None:
    """Measures skerry and the peers that are installed on one random graph."""
    adapters = peers_named(peers)
    pairs = _random_pairs(vertices, edges, dtype)
    ours, timing = repeat(
        lambda: skerry.connected_components(pairs, num_vertices=vertices, threads=threads), times
    )
    _add(record, "skerry", dtype, timing)
    whole = skerry.Edges(*pairs, vertices)
    graph = HostGraph("random", lambda: whole, lambda: csr_from_edges(whole, threads))
    with Isolation(Pace(min(times, 3), BUDGET)) as isolation:
        for peer in adapters:
            missing = peer.available()
            if missing is not None:
                record.add(what=peer.name, missing=missing)
                continue
            found = isolation.of(peer).end_to_end(graph, threads)
            assert isinstance(found, Answer) and found.seconds
            if not np.array_equal(found.labels, ours.labels):
                raise RuntimeError(f"{peer.name} gave a wrong answer")
            timing = Timing(tuple(1e3 * sample for sample in found.seconds))
            _add(record, peer.name, dtype, timing, extra_bytes=found.peak_bytes)
    extra = extra_bytes(vertices, edges, dtype, threads)
    record.add(what="skerry", ids=dtype, extra_bytes=extra, per_vertex=extra / vertices)
    record.table("what", "ids", "ms")


def _add(record: Record, what: str, ids: str, timing: Timing, **more: Any) -> None:
    told = {"ms": timing.median, "spread": timing.spread, "samples": timing.samples}
    record.add(what=what, ids=ids, **told, **more)


def _random_pairs(vertices: int, edges: int, dtype: str) -> tuple[Ids, Ids]:
    random = np.random.default_rng(1)
    src = random.integers(0, vertices, edges, dtype)
    return src, random.integers(0, vertices, edges, dtype)


def extra_bytes(vertices: int, edges: int, dtype: str, threads: int) -> int:
    """Peak resident memory of a call beyond the process and its input, in a fresh interpreter."""
    code = (
        "from skerry_bench import edges as e; "
        f"print(e.growth_of_call({vertices}, {edges}, {dtype!r}, {threads}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return int(done.stdout)


def growth_of_call(vertices: int, edges: int, dtype: str, threads: int) -> int:
    """How much the peak of this process grows by one call."""
    src, dst = _random_pairs(vertices, edges, dtype)
    # A first call on a little of it starts the threads and loads what is loaded lazily.
    skerry.connected_components((src[:100_000] % 1000, dst[:100_000] % 1000), threads=threads)
    Path("/proc/self/clear_refs").write_text("5")  # forgets the peak so far
    before = peak_bytes()
    result = skerry.connected_components((src, dst), num_vertices=vertices, threads=threads)
    after = peak_bytes()
    del result
    return after - before
