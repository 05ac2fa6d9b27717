"""Runs the parts of a graph at the same time, and joins what they have found.

Each part copies, joins and returns beside the others. The labels of all rows, each from its own
part, are one forest already, since no label is larger than its vertex. Only the borders remain to
be united in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from itertools import pairwise
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.engines.parts.part import HALVING, Border, Part
from skerry.graph.csr import Csr
from skerry.result.plan import PassTime, PhaseTimer

SECONDS = 0.1  # until a Ctrl-C is looked for
FIRST = 32  # one of how many entries is joined to measure rates


class PartsRun(NamedTuple):
    """How the parts have run."""

    rows: list[list[range]]
    """The rows of each, in order; the first range is what its rate was measured by, if it was."""
    rates: list[float]
    """Entries a second of each; empty if not measured."""
    sent: list[int]
    """Bytes of border labels that each has sent."""
    times: tuple[PassTime, ...]


@contextmanager
def _threads_of(parts: Sequence[Part]) -> Iterator[Callable[..., list[Any]]]:
    """Calls a function for every part at the same time; its results, or the first error.

    All threads have ended, and parts hold nothing, when this is left in whatever way.
    """
    pool = ThreadPoolExecutor(len(parts))

    def each(call: Callable[..., Any], *arguments: Sequence[Any]) -> list[Any]:
        futures = [pool.submit(call, *values) for values in zip(parts, *arguments, strict=True)]
        waiting: set[Future[Any]] = set(futures)
        while waiting:  # a Ctrl-C just before a wait would be seen after it only
            done, waiting = wait(waiting, SECONDS, FIRST_EXCEPTION)
            for future in done:
                future.result()
        return [future.result() for future in futures]

    try:
        yield each
    except BaseException:
        for part in parts:
            part.stop()
        raise
    finally:
        try:
            pool.shutdown()
        finally:  # another Ctrl-C
            for part in parts:
                part.close()


def cut(offsets: npt.NDArray[np.uint64], rows: range, weights: Sequence[float]) -> list[range]:
    """Consecutive ranges of rows, whose numbers of entries are as the weights."""
    first, last = int(offsets[rows.start]), int(offsets[rows.stop])
    fractions = np.cumsum(weights)[:-1] / np.sum(weights)
    targets = (first + (last - first) * fractions).astype(np.uint64)
    inner = rows.start + offsets[rows.start : rows.stop + 1].searchsorted(targets)
    bounds = [rows.start, *inner.tolist(), rows.stop]
    return [range(*pair) for pair in pairwise(bounds)]


def run_parts(
    parts: Sequence[Part], graph: Csr, labels: npt.NDArray[Any], threads: int, *, measured: bool
) -> PartsRun:
    """Writes the labels of all vertices.

    Parameters
    ----------
    parts
        Where rows are joined.
    graph
        The rows.
    labels
        Where the labels are written.
    threads
        Of this process.
    measured
        Whether parts get as many entries as their rates allow, not as many as others.
    """

    def rate(part: Part, rows: range) -> float:
        begin = perf_counter()
        part.join(rows)
        entries = int(offsets[rows.stop]) - int(offsets[rows.start])
        return (entries + 1) / (perf_counter() - begin)

    def join_to_end(part: Part, others: range, own: Sequence[range]) -> Border:
        part.join(others)
        return part.finish(own, labels)

    phases = PhaseTimer()
    offsets, every = graph.offsets, range(graph.num_vertices)
    firsts, rates = [range(0)] * len(parts), [1.0] * len(parts)
    with _threads_of(parts) as each:
        with phases.phase("start parts"):
            each(lambda part: part.start())
        if measured:
            with phases.phase("measure rates"):
                firsts = cut(offsets, cut(offsets, every, (1, FIRST - 1))[0], rates)
                rates = each(rate, firsts)
            every = range(firsts[-1].stop, every.stop)
        with phases.phase("join rows of parts"):
            others = cut(offsets, every, rates)
            rows = [[*filter(len, pair)] or [range(0)] for pair in zip(firsts, others, strict=True)]
            borders = each(join_to_end, others, rows)
    with phases.phase("join borders"):
        for border in borders:
            vertices, roots = border
            _native.hook_edges(vertices, roots, labels, HALVING, threads, False)
    with phases.phase("finish"):
        _native.flatten(labels, threads)
    sent = [border.nbytes for border in borders]
    return PartsRun(rows, rates if measured else [], sent, phases.times)
