"""``forest=True``: joins the edges of host graphs and records those that joined two trees.

See kernels/cpu/own/spanning_forest.h. Labels are the same as without it.
"""

from __future__ import annotations

from functools import partial
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.graph.csr import Csr
from skerry.graph.edges import Edges, vertex_dtype
from skerry.inputs.matrices import rows_are_targets
from skerry.inputs.sources import HostSource
from skerry.inputs.weights import names_of_kept, weights_of
from skerry.result.forest import RecordedForest, record_width, recorded_edges
from skerry.result.plan import PassTime


def forest_bytes(num_vertices: int, weighted: bool = False) -> int:
    """Bytes of the records of a forest."""
    return 8 * num_vertices * record_width(vertex_dtype(num_vertices).itemsize, weighted)


class ForestRun(NamedTuple):
    """What a run leaves."""

    labels: npt.NDArray[Any]
    words: npt.NDArray[np.uint64]
    """What was recorded."""
    passes: tuple[PassTime, ...]
    bytes: int
    faulty: bool
    statistics: None = None


def record(graph: Edges | Csr, threads: int) -> ForestRun:
    """Joins all edges, and records those that joined two trees."""
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
    return ForestRun(parent, words, tuple(PassTime(*phase) for phase in passes), size, faulty)


def recorded_forest(source: HostSource, graph: Edges | Csr, run: ForestRun) -> RecordedForest:
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
