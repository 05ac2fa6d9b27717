"""The form of a graph that an algorithm reads: rows, or one direction of each edge as either."""

from __future__ import annotations

import numpy as np

import skerry
from skerry import Csr
from skerry.graph.graph import GraphForm

ON_LOWER_ROWS = ("thread-per-vertex", "warp-per-row", "block-per-row")
"""Algorithms for rows whose author's programs read one direction of each edge."""


def form_of(algorithm: str, device: str) -> GraphForm:
    """What it is measured on, so that no conversion is in its time."""
    if algorithm == "auto" or skerry.algorithm(algorithm).form == "either":
        return "csr"
    return "csr" if skerry.algorithm(algorithm).reads_rows(device) else "edges"


def one_direction(rows: Csr) -> skerry.Edges:
    """The entries below the diagonal of a symmetric CSR."""
    neighbors = rows.neighbors[: rows.num_entries]
    offsets = rows.offsets.astype(np.int64)
    lengths = offsets[1:] - offsets[:-1]
    source = np.repeat(np.arange(rows.num_vertices, dtype=neighbors.dtype), lengths)
    lower = neighbors < source
    return skerry.Edges(source[lower], neighbors[lower], rows.num_vertices)


def lower_rows(rows: Csr) -> Csr:
    """The same entries as rows."""
    edges = one_direction(rows)
    lengths = np.bincount(edges.src, minlength=rows.num_vertices)
    offsets = np.zeros(rows.num_vertices + 1, np.uint64)
    np.cumsum(lengths, out=offsets[1:])
    return skerry.Csr(offsets, edges.dst)
