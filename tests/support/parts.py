"""Graphs in parts: rows to divide, and what borders need, by other means."""

from __future__ import annotations

import numpy as np

import skerry
from support.oracle import scipy_labels


def rows_of(graph, symmetric):
    """A graph as rows with 32-bit ids; symmetric ones say so."""
    matrix = graph.symmetric if symmetric else graph.csr
    offsets, neighbors = matrix.indptr.astype(np.uint64), matrix.indices.astype(np.uint32)
    return skerry.Csr(offsets, neighbors, symmetric or None)


def needed_bytes(csr, rows):
    """What the borders of parts with these rows need, by scipy: the oracle of the exchange."""
    total, n = 0, csr.num_vertices
    sources = np.repeat(np.arange(n), csr.degrees().astype(np.int64))
    for own in rows:
        mine = np.isin(sources, np.concatenate([np.arange(r.start, r.stop) for r in own]))
        if csr.symmetric:
            mine &= csr.neighbors < sources
        labels = scipy_labels(n, sources[mine], csr.neighbors[mine].astype(np.int64))
        outside = np.ones(n, bool)
        for each in own:
            outside[each.start : each.stop] = False
        total += 8 * int(np.count_nonzero(outside & (labels != np.arange(n))))
    return total
