"""The components at several thresholds, from one pass over the edges.

Each edge is given the strictest threshold that it passes, its level. A spanning forest in the order
of levels holds the components at every threshold: those of its first edges. It also has, for every
vertex, an edge of the strictest level that the vertex has one of, so it says which vertices there
are at a threshold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.engines.memory import verify_host
from skerry.engines.streaming.batches import verifier
from skerry.engines.streaming.engine import vertices_of
from skerry.engines.thresholds.collect import Collected, Keys, collect
from skerry.engines.thresholds.linkage import host_or_stream, merges_of
from skerry.errors import UnsupportedError
from skerry.graph.edge_source import Batch
from skerry.graph.edges import vertex_dtype
from skerry.graph.threshold import Keep, Threshold
from skerry.inputs.sources import HostSource, Source, StreamSource
from skerry.request import Progress
from skerry.result.components import Components
from skerry.result.plan import Plan
from skerry.result.threshold_sweep import Row, ThresholdSweep
from skerry.result.verify import Verification
from skerry.threads import resolve_threads


def sweep(
    source: Source,
    thresholds: list[float],
    threads: int | None = None,
    progress: Progress | None = None,
) -> ThresholdSweep:
    """Reads a source once; its options have one of the thresholds, the loosest."""
    read, team = host_or_stream(source, "a sweep over thresholds"), resolve_threads(threads)
    levels = Levels(thresholds, read.options.keep or "above")

    def key(weights: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_] | None]:
        keys = levels.of(weights)
        return keys, keys < len(levels)

    keys = Keys(key, len(levels), levels.keep == "below")
    solved = _Solved(read, levels, collect(read, keys, team, progress), team)
    rows = solved.rows()
    by_threshold = {threshold: rows[level] for level, threshold in enumerate(levels.thresholds)}
    return ThresholdSweep(
        tuple(thresholds), [by_threshold[threshold] for threshold in thresholds], solved.components
    )


def _no_edges(threads: int) -> Iterator[Batch]:
    """Replaces what read the edges, in a pickle."""
    raise NotImplementedError


def _is_unpickled(source: HostSource | StreamSource) -> bool:
    if isinstance(source, HostSource):
        return source.graph is None
    return source.edges.open is _no_edges


@dataclass(frozen=True, slots=True, eq=False)
class _Solved:
    """All thresholds of a source."""

    source: HostSource | StreamSource
    levels: Levels
    collected: Collected
    threads: int

    def __reduce__(self) -> Any:
        """A pickle holds the forest, not the graph: its components cannot be verified."""
        source = self.source
        if isinstance(source, HostSource):
            source = replace(source, graph=None, verify=None, edges=None)
        else:
            edges = replace(source.edges, open=_no_edges, open_at=None, identity=None)
            source = replace(source, edges=edges)
        return _Solved, (source, self.levels, self.collected, self.threads)

    def rows(self) -> list[Row]:
        """What there is at each level, from the strictest on."""
        forest = self.collected.forest
        sizes = merges_of(forest, self.collected.size)[2]
        counts = self._vertex_counts()
        rows = []
        largest = 1
        begin = 0
        for level, end in enumerate(self._ends()):
            largest = max(largest, int(sizes[begin:end].max(initial=1)))
            begin = end
            vertices = int(counts[level])
            rows.append(
                Row(
                    int(self.collected.edges[level]),
                    vertices,
                    vertices - end,
                    min(largest, vertices),
                )
            )
        return rows

    def _ends(self) -> list[int]:
        """For each level, how many edges of the forest pass it."""
        keys = self.collected.forest.keys
        ends: list[int] = np.searchsorted(keys, np.arange(len(self.levels)), "right").tolist()
        return ends

    def _first_levels(self) -> npt.NDArray[Any]:
        """For each vertex the strictest level at which it has an edge, or is named."""
        collected = self.collected
        src, dst, keys = collected.forest
        first = np.full(collected.size, len(self.levels), np.uint32)
        first[collected.loops] = collected.loop_keys
        for ends in (src, dst):
            # Keys ascend, and of several values for one vertex the last is stored.
            own = np.full(collected.size, len(self.levels), np.uint32)
            own[ends[::-1]] = keys[::-1]
            np.minimum(first, own, out=first)
        return first

    def _vertex_counts(self) -> npt.NDArray[np.int64]:
        """For each level, how many vertices there are."""
        number, stated = len(self.levels), self.collected.stated
        if stated is not None:
            return np.full(number, stated)
        first = self._first_levels()
        if self.collected.ids is not None:
            return np.cumsum(np.bincount(first, minlength=number + 1)[:number])
        highest = np.zeros(number + 1, np.int64)  # the largest vertex of a level, plus one
        np.maximum.at(highest, first, np.arange(1, len(first) + 1))
        return np.maximum.accumulate(highest[:number])

    def components(self, threshold: float) -> Components:
        """The components at a threshold."""
        level = self.levels.thresholds.index(threshold)
        end, collected = self._ends()[level], self.collected
        forest = collected.forest
        src, dst = forest.src[:end], forest.dst[:end]
        vertices: npt.NDArray[Any] | int = int(self._vertex_counts()[level])
        if collected.ids is not None and vertices != collected.size:
            vertices = np.flatnonzero(self._first_levels() <= level)
            rank = np.empty(collected.size, src.dtype)
            rank[vertices] = np.arange(len(vertices), dtype=src.dtype)
            src, dst = rank[src], rank[dst]
        source = self._source_at(threshold)
        return components_of_forest(
            source, collected, (src, dst), vertices, int(collected.edges[level]), self.threads
        )

    def _source_at(self, threshold: float) -> HostSource | StreamSource:
        options = self.source.options._replace(threshold=threshold)
        return replace(self.source, options=options)


def components_of_forest(
    source: HostSource | StreamSource,
    collected: Collected,
    ends: tuple[npt.NDArray[Any], npt.NDArray[Any]],
    vertices: npt.NDArray[Any] | int,
    edges: int,
    threads: int,
    notes: tuple[str, ...] = (),
    checked: bool = True,
) -> Components:
    """The components that edges of a forest make of vertices: the first, or those of positions.

    ``source`` has the threshold at which these are its components, where they are: ``checked``.
    """
    count = vertices if isinstance(vertices, int) else len(vertices)
    labels = labels_of(ends, count, threads)
    ids = collected.id_space(source, vertices)
    plan = Plan(
        algorithm="kruskal",
        device="cpu",
        threads=threads,
        reason="a spanning forest in the order of the weights, for all thresholds",
        form="edges" if isinstance(source, HostSource) else "batches",
        vertices=count,
        edges=edges,
        passes=collected.times,
        notes=(*collected.notes, *notes),
        bytes=collected.bytes + labels.nbytes,
        engine="thresholds",
        input=source.facts,
    )
    check: Callable[[npt.NDArray[Any]], Verification] | None
    if _is_unpickled(source):
        check = None
    elif not checked:
        check = _refuse_check
    elif isinstance(source, HostSource):
        check = partial(verify_host, source, threads=threads)
    else:
        further = vertices_of(source).ids
        check = verifier(source.edges, ids, threads, source.options.selection, further, True)
    return Components(labels, ids, "min", lambda: plan, check, threads)


def labels_of(
    ends: tuple[npt.NDArray[Any], npt.NDArray[Any]], count: int, threads: int
) -> npt.NDArray[Any]:
    """The smallest vertex that these edges connect each of so many vertices with."""
    dtype = vertex_dtype(count)
    labels = np.arange(count, dtype=dtype)
    src, dst = (end.astype(dtype, copy=False) for end in ends)
    if len(src):
        _native.stream_edges(src, dst, labels, threads, False, False)
        _native.finish(labels, _native.FINISH["ordered"], threads, False)
    return labels


def _refuse_check(labels: npt.NDArray[Any]) -> Verification:
    raise UnsupportedError(
        f"these {len(labels):,} labels are of components with thresholds of their own: there is no "
        "graph to check them against"
    )


FEW = 16  # so many comparisons of an array take no longer than a binary search in it


class Levels:
    """Distinct thresholds from the strictest, level 0, to the loosest.

    >>> Levels([0.5, 0.9, 0.5], "above").of(np.array([0.7, 0.95, 0.1, 0.9])).tolist()
    [1, 0, 2, 0]
    """

    def __init__(self, thresholds: Sequence[float], keep: Keep) -> None:
        self.thresholds = sorted(set(thresholds), reverse=keep == "above")
        self._tests = [Threshold(threshold, keep) for threshold in self.thresholds]
        self.keep = keep
        self._dtype = np.dtype(np.uint16 if len(self.thresholds) < 2**16 - 1 else np.uint32)
        self._searched = None
        if len(self.thresholds) > FEW and all(isinstance(each, float) for each in thresholds):
            self._searched = np.array(sorted(self.thresholds), np.float64)

    def __len__(self) -> int:
        return len(self.thresholds)

    def of(self, weights: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The strictest level that each weight passes; the number of levels where it passes none.

        Weights are compared as `Threshold` does it, so in the same precision.
        """
        if self._searched is not None and weights.dtype == np.float64:
            if self.keep == "below":
                return np.searchsorted(self._searched, weights, "left").astype(self._dtype)
            passed = np.searchsorted(self._searched, weights, "right")
            return (len(self) - passed).astype(self._dtype)
        levels = np.full(len(weights), len(self), self._dtype)
        for test in self._tests:
            levels -= test.keeps(weights)
        return levels
