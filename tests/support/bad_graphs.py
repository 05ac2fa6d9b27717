"""Graphs that cannot be what they claim to be, as a device may hold them, and what is said."""

from __future__ import annotations

import numpy as np

import skerry
from support.graphs import small_graphs

GRAPH = next(graph for graph in small_graphs() if graph.name == "nearly connected")
N = GRAPH.n
LAST = len(GRAPH.src) - 1

EDGES = {
    "source too large": ("src", 5, N, f"src[5] is {N}, but the graph has {N} vertices"),
    "negative source": ("src", LAST, -1, f"src[{LAST}] is -1, but"),
    "target too large": ("dst", 0, N, f"dst[0] is {N}, but"),
    "target far too large": ("dst", 77, 2**31 - 1, "dst[77] is 2147483647, but"),
    "most negative target": ("dst", 450, -(2**31), "dst[450] is -2147483648, but"),
}
"""A column, the place that is set, to what, and what an error says."""

ROWS = {
    "neighbor too large": ("indices", 700, N, f"indices[700] is {N}, but the graph has {N}"),
    "neighbor far too large": ("indices", 3, 2**31 - 1, "indices[3] is 2147483647, but"),
    "negative neighbor": ("indices", 100, -1, "indices[100] is -1, but"),
    "most negative neighbor": ("indices", LAST, -(2**31), f"indices[{LAST}] is -2147483648, but"),
    "falling offset": ("indptr", 100, 2, "indptr falls from {before} to 2 at row 99"),
    "negative offset": ("indptr", 50, -5, "indptr[50] is -5; it must not be negative"),
    "last offset too large": ("indptr", N, 10**6, "indptr[300] is 1,000,000, but indices has"),
    "all offsets too large": ("indptr", slice(None), 10**6, ""),
    "first offset too large": ("indptr", 0, 1, "indptr[0] is 1; it must be 0"),
    "negative first offset": ("indptr", 0, -7, "indptr[0] is -7; it must be 0"),
    "empty first row": ("indptr", slice(0, 2), 2, "indptr[0] is 2; it must be 0"),
    "offset too large": ("indptr", 150, 10**6, ""),
}
"""The same of rows; ``before`` is what row 99 begins at.

Two rows share an offset: of one that is too large, either may be named. Of all of them, the first
may also be said not to be 0.
"""


def bad_edges(case, dtype=np.int64):
    """An edge list with an end out of range, and what an error must say."""
    column, place, value, message = EDGES[case]
    columns = {"src": GRAPH.src.astype(dtype), "dst": GRAPH.dst.astype(dtype)}
    columns[column][place] = value
    return skerry.Edges(columns["src"], columns["dst"], N), message


def bad_rows(case, dtype=np.int64, form="csr"):
    """Rows with an offset or a neighbor out of range, and what an error must say."""
    array, place, value, message = ROWS[case]
    matrix = getattr(GRAPH, form)
    arrays = {"indptr": matrix.indptr.astype(dtype), "indices": matrix.indices.astype(dtype)}
    arrays[array][place] = value
    message = message.format(before=matrix.indptr[99])
    known = True if form == "symmetric" else None
    return skerry.Csr(arrays["indptr"], arrays["indices"], known), message


def as_a_builder_says(message):
    """A message as a builder of rows words it: it has other names for the two arrays."""
    return message.replace("indptr", "offsets").replace("indices", "neighbors")
