"""Recognises the input by what it is made of; heavy packages are never imported for it."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from skerry.errors import InputError
from skerry.graph.csr import Csr
from skerry.graph.edges import Edges
from skerry.inputs.arrays import Adapted, csr_from_arrays, edges_from_arrays

__all__ = ["adapt"]


def adapt(graph: Any, num_vertices: int | None, symmetric: bool | None, threads: int) -> Adapted:
    """The graph as `Edges` or `Csr`.

    A pair is ``(src, dst)``; a list is a list of edges; an array of two rows is ``(src, dst)`` and
    one of two columns has an edge in each row. A 2 x 2 array could be either: its rows are taken
    as edges, with a warning.
    """
    if isinstance(graph, Edges):
        return edges_from_arrays(
            graph.src, graph.dst, _agree(num_vertices, graph.num_vertices), threads
        )
    if isinstance(graph, Csr):
        _agree(num_vertices, graph.num_vertices)
        known = graph.symmetric if symmetric is None else symmetric
        return csr_from_arrays(
            graph.offsets, graph.neighbours, graph.num_vertices, known, graph.sorted_rows, threads
        )
    if isinstance(graph, tuple) and len(graph) == 2:
        return edges_from_arrays(graph[0], graph[1], num_vertices, threads)
    if _is_scipy_sparse(graph):
        return _from_scipy(graph, num_vertices, symmetric, threads)
    if isinstance(graph, np.ndarray | list):
        return _from_table(np.asarray(graph), num_vertices, threads)
    raise InputError(
        f"cannot read a graph from {type(graph).__module__}.{type(graph).__qualname__}: pass "
        "(src, dst) arrays, an (m, 2) or (2, m) array, a list of pairs, a scipy sparse matrix, "
        "skerry.Edges or skerry.Csr"
    )


def _agree(given: int | None, own: int) -> int:
    if given is not None and given != own:
        raise InputError(f"num_vertices={given:,}, but the graph itself says {own:,}")
    return own


def _from_table(table: Any, num_vertices: int | None, threads: int) -> Adapted:
    if table.size == 0 and table.ndim <= 2:
        empty = np.empty(0, np.int64)
        return edges_from_arrays(empty, empty, num_vertices, threads)
    if table.ndim != 2 or 2 not in table.shape:
        raise InputError(
            f"an array of edges has shape (m, 2) or (2, m), got {table.shape}; "
            "a dense adjacency matrix goes through scipy.sparse.csr_array(matrix)"
        )
    if table.shape == (2, 2):
        warnings.warn(
            "a 2 x 2 array could hold two edges in its rows or sources above targets; its rows "
            "are taken as edges. Pass (a[:, 0], a[:, 1]) or (a[0], a[1]) to say which",
            stacklevel=4,
        )
    if table.shape[1] == 2:
        return edges_from_arrays(table[:, 0], table[:, 1], num_vertices, threads)
    return edges_from_arrays(table[0], table[1], num_vertices, threads)


def _is_scipy_sparse(graph: Any) -> bool:
    return type(graph).__module__.startswith("scipy.sparse") and hasattr(graph, "tocoo")


def _from_scipy(
    matrix: Any, num_vertices: int | None, symmetric: bool | None, threads: int
) -> Adapted:
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InputError(f"an adjacency matrix is square, got shape {matrix.shape}")
    n = _agree(num_vertices, int(matrix.shape[0]))
    if matrix.format in ("csr", "csc"):
        # The columns of a CSC are the rows of the transpose, which has the same components.
        return csr_from_arrays(matrix.indptr, matrix.indices, n, symmetric, None, threads)
    notes: tuple[str, ...] = ()
    if matrix.format != "coo":
        notes = (f"converted from scipy's {matrix.format.upper()} to COO",)
        matrix = matrix.tocoo()
    adapted = edges_from_arrays(matrix.row, matrix.col, n, threads)
    return Adapted(adapted.graph, notes + adapted.notes)
