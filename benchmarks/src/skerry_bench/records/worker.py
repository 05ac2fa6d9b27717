"""A process that holds one build of skerry and one graph, and times its paths on request.

It runs with builds older than this file, too: it imports little, and nothing that they lack.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from time import perf_counter
from typing import Any
from zlib import crc32

import numpy as np

import skerry
from skerry import Csr
from skerry.graph.build import _built
from skerry_bench import gpu_device
from skerry_bench.child import answer_requests
from skerry_bench.corpus.rotation import burst
from skerry_bench.sampler import Clock, TimeLimitError, time_limit

CPU_SHARES = {"largest": "largest tree", "joining": "joining degree"}
"""What the sample of "rows" has shown: columns of a record, and names in the plan's statistics."""

GPU_SHARES = ("trees",)
"""What decides on a GPU, which keeps it to itself: counted on the host."""

OVER_ENTRIES, OVER_DEGREE, OVER_VERTICES = 3 << 18, 4.5, 1 << 20
"""Graphs that a GPU links over larger neighbors: few entries, or long rows and few vertices."""


def split_column(column: str) -> tuple[str, int | None]:
    """The path and the threads of a column: ``PATH@16`` has sixteen, ``PATH`` is of a GPU."""
    path, _, threads = column.partition("@")
    return path, int(threads) if threads else None


@cache
def parsed(path: str) -> Any:
    """An algorithm with its choices, parsed once: else that takes as long as a small graph."""
    return path if path == "auto" else skerry.algorithm(path)


class Worker:
    """Answers requests: ``{"do": name, ...}``."""

    def __init__(self, device: str) -> None:
        self._gpu: Any = None
        if device == "cuda":
            self._gpu = gpu_device.this_gpu()
            self._clock = Clock("queued", self._gpu.runtime, self._gpu.keep_busy)
        self._rows: Csr | None = None
        self._graph: Any = None

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """What a request returns."""
        requests: dict[str, Callable[..., dict[str, Any]]] = {
            "start": self.start,
            "load": self.load,
            "turn": self.turn,
        }
        return requests[request.pop("do")](**request)

    def start(self, columns: Sequence[str]) -> dict[str, Any]:
        """Raises an error if this build does not have one of the paths."""
        for column in columns:
            parsed(split_column(column)[0])
        return {"machine": self._gpu.description.name if self._gpu else ""}

    def load(
        self, files: Sequence[str], columns: Sequence[str], limit: float, share_threads: list[int]
    ) -> dict[str, Any]:
        """Reads a graph; calls each path once, for at most so many seconds."""
        self._rows = self._graph = None  # its memory is free for the next
        offsets, neighbors = (np.load(file) for file in files)
        self._rows = self._graph = rows = _built(offsets, neighbors, symmetric=True)
        if self._gpu:
            self._gpu.release()
            on_device = map(self._gpu.runtime.upload, (offsets.astype(np.uint32), neighbors))
            self._graph = skerry.Csr(next(on_device), next(on_device), symmetric=True)
        seconds, checksums = {}, {}
        with time_limit(None if self._gpu else limit), suppress(TimeLimitError):
            self._time(columns[0])  # the first call on a graph faults its pages in
        for column in columns:
            try:
                with time_limit(None if self._gpu else limit):
                    labels, seconds[column] = self._time(column)
            except TimeLimitError:
                continue
            labels = self._gpu.runtime.read(labels) if self._gpu else labels
            checksums[column] = crc32(labels.astype(np.uint32).tobytes())
            del labels
        return {
            "vertices": rows.num_vertices,
            "entries": rows.num_entries,
            "shares": self._sampled(share_threads),
            "seconds": seconds,
            "checksums": checksums,
        }

    def turn(self, columns: Sequence[str]) -> dict[str, Any]:
        """A sample of each path, in this order; the first call of all warms up."""
        self._time(columns[0])
        if self._gpu:
            return {column: self._seconds(column) for column in columns}
        return {column: burst(partial(self._seconds, column)) for column in columns}

    def _seconds(self, column: str) -> float:
        return self._time(column)[1]

    def _time(self, column: str) -> tuple[Any, float]:
        path, threads = split_column(column)
        graph, algorithm = self._graph, parsed(path)
        if self._gpu:
            answer: Any
            answer, seconds = self._clock.time(
                lambda: skerry.connected_components(graph, algorithm=algorithm)
            )
            return answer.labels, seconds
        begin = perf_counter()
        labels = skerry.connected_components(graph, algorithm=algorithm, threads=threads).labels
        return labels, perf_counter() - begin

    def _sampled(self, share_threads: Sequence[int]) -> dict[str, float]:
        """What decides between the paths of this graph, by the names of a record's columns."""
        if self._gpu and share_threads:
            assert self._rows is not None
            return {"trees": trees_of_first_links(self._rows)}
        sampled: dict[str, float] = {}
        for threads in share_threads:
            plan = skerry.connected_components(
                self._graph, algorithm="rows[seconds=leave]", threads=threads, statistics=True
            ).plan
            # Where two samples are taken, the second one decides.
            measured = plan.statistics.measured if plan.statistics else ()
            last = {name.removesuffix(", sample 2"): value for name, value in measured}
            sampled |= {f"{n}@{threads}": last[m] for n, m in CPU_SHARES.items() if m in last}
        return sampled


def trees_of_first_links(rows: Csr) -> float:
    """Trees that the first links of a GPU make (own/links.h), as a share of vertices with entries.

    For sorted rows: their first entry is their smallest.
    """
    n, entries = rows.num_vertices, rows.num_entries
    begins = rows.offsets.astype(np.int64)
    filled = np.flatnonzero(np.diff(begins))
    first = rows.neighbors[begins[filled]].astype(np.int64)
    roots = first >= filled
    over = entries <= OVER_ENTRIES or (entries >= OVER_DEGREE * n and n <= OVER_VERTICES)
    if over and len(filled):
        beyond = first[roots]  # has entries, too: those that lead back
        roots[roots] = rows.neighbors[begins[beyond]] >= filled[roots]
    return float(np.count_nonzero(roots) / max(len(filled), 1))


def main(device: str) -> None:
    """Answers requests until the input ends."""
    answer_requests(lambda: Worker(device).answer)
