"""The edges of a host graph, read again: for questions about edges that come after the answer."""

from __future__ import annotations

from collections.abc import Iterator

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
    names = names_of_kept(source)
    if names is not None:
        weights = weights_of(source, graph)
        assert weights is not None  # by which edges were left out
        src, dst = graph.arrays()
        yield EdgeBatch(src, dst, 0, len(weights), names())
        return
    swapped = graph.form == "csr" and rows_are_targets(source.graph)
    first = 0
    for src, dst in graph.batches(ENTRIES):
        if swapped:
            src, dst = dst, src
        yield EdgeBatch(src, dst, first, len(src))
        first += len(src)
