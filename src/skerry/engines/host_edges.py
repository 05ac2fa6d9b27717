"""The edges of a host graph, read again: for questions about edges that come after the answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy.typing as npt

from skerry.graph.csr import Csr
from skerry.graph.edges import Edges
from skerry.graph.unchanged import check_unchanged
from skerry.inputs.matrices import rows_are_targets
from skerry.inputs.sources import HostSource
from skerry.inputs.weights import names_of_kept, weights_of
from skerry.result.forest import EdgeBatch

ENTRIES = 1 << 20  # at a time: Ctrl-C is noticed between them, and rows of a CSR are written out


def host_edges(source: HostSource, graph: Edges | Csr) -> Iterator[EdgeBatch]:
    """All edges of a graph that was loaded from ``source``."""
    check_unchanged(graph, 1)
    names, weights = names_of_kept(source), weights_of(source, graph)
    if names is not None:
        assert weights is not None  # by which edges were left out
        src, dst = graph.arrays()
        rows = names()
        yield EdgeBatch(src, dst, 0, len(weights), rows, weights[rows])
        return
    swapped = graph.form == "csr" and rows_are_targets(source.graph)
    first = 0
    for src, dst in graph.batches(ENTRIES):
        if swapped:
            src, dst = dst, src
        end = first + len(src)
        yield EdgeBatch(src, dst, first, len(src), None, _part(weights, first, end))
        first = end


def _part(weights: npt.NDArray[Any] | None, begin: int, end: int) -> npt.NDArray[Any] | None:
    return None if weights is None else weights[begin:end]
