"""Recognizes the input by what it is made of; heavy packages are never imported for it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from skerry.errors import InputError
from skerry.graph.csr import Csr
from skerry.graph.edges import Edges
from skerry.inputs.arrays import (
    Adapted,
    agree,
    csr_from_arrays,
    edges_from_arrays,
    warn_of_two_by_two,
)
from skerry.inputs.ids import check_integers, is_array, read_array
from skerry.inputs.names import NotVerticesError, is_names

__all__ = ["adapt", "is_whole"]

SCALARS = (int, float, str, bytes, np.generic)


def adapt(
    graph: Any,
    num_vertices: int | None,
    symmetric: bool | None,
    threads: int,
    dense: bool = False,
) -> Adapted:
    """The graph as `Edges` or `Csr`.

    A pair is ``(src, dst)``; a list is a list of edges; an array of two rows is ``(src, dst)`` and
    one of two columns has an edge in each row. A 2 x 2 array could be either: its rows are taken
    as edges, with a warning; a list of two tuples is a list of edges without one. Ids of bare
    arrays that may be names are a `NotVerticesError`; ``dense`` says that wide gaps are meant.
    """
    if isinstance(graph, Edges):
        return edges_from_arrays(
            graph.src, graph.dst, agree(num_vertices, graph.num_vertices), threads
        )
    if isinstance(graph, Csr):
        known = graph.symmetric if symmetric is None else symmetric
        if graph.trusted:
            agree(num_vertices, graph.num_vertices)
            return Adapted(replace(graph, symmetric=known), ())
        adapted = csr_from_arrays(
            graph.offsets,
            graph.neighbors,
            None,
            known,
            graph.sorted_rows,
            threads,
            ("offsets", "neighbors"),
        )
        agree(num_vertices, adapted.graph.num_vertices)
        return adapted
    if isinstance(graph, tuple) and len(graph) == 2:
        return edges_from_arrays(graph[0], graph[1], num_vertices, threads, dense=dense)
    if _is_scipy_sparse(graph):
        return _from_scipy(graph, num_vertices, symmetric, threads)
    if isinstance(graph, np.ndarray | list):
        pairs = isinstance(graph, list) and all(isinstance(row, tuple) for row in graph[:2])
        table = read_array(graph, "edges")
        if is_names(table) and isinstance(graph, list) and num_vertices is None and not dense:
            _refuse_names(graph, table)
        return _from_table(table, pairs, num_vertices, threads, dense)
    if is_array(graph):
        return _from_table(read_array(graph, "edges"), False, num_vertices, threads, dense)
    raise InputError(
        f"cannot read a graph from {type(graph).__module__}.{type(graph).__qualname__}: pass "
        "(src, dst) arrays, an (m, 2) or (2, m) array, a list of pairs, a table, a path, a scipy "
        "sparse matrix, a networkx or igraph graph, an iterable of batches, skerry.Edges or "
        "skerry.Csr"
    )


def _refuse_names(rows: list[Any], table: Any) -> None:
    """Raises for edges between names, with the names as they were before NumPy read them."""
    if table.ndim == 2 and table.shape[1] == 2:
        src, dst = ([row[end] for row in rows] for end in (0, 1))
        raise NotVerticesError(f"edges must hold integers, got {table.dtype}", src, dst)


def _from_table(
    table: Any, pairs: bool, num_vertices: int | None, threads: int, dense: bool
) -> Adapted:
    if table.shape in ((0,), (0, 2), (2, 0)):
        empty = np.empty(0, np.int64)
        return edges_from_arrays(empty, empty, num_vertices, threads)
    if table.ndim != 2 or 2 not in table.shape:
        raise InputError(
            f"an array of edges has shape (m, 2) or (2, m), got {table.shape}; "
            "a dense adjacency matrix goes through scipy.sparse.csr_array(matrix)"
        )
    if table.shape == (2, 2) and not pairs:
        warn_of_two_by_two()
    columns = (table[:, 0], table[:, 1]) if table.shape[1] == 2 else (table[0], table[1])
    if dense or num_vertices is not None or not is_names(table):
        check_integers(table, "edges")
    return edges_from_arrays(*columns, num_vertices, threads, dense=dense)


def _is_scipy_sparse(graph: Any) -> bool:
    return hasattr(graph, "tocoo") and any(
        base.__module__.startswith("scipy.sparse") for base in type(graph).__mro__
    )


def _from_scipy(
    matrix: Any, num_vertices: int | None, symmetric: bool | None, threads: int
) -> Adapted:
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InputError(f"an adjacency matrix is square, got shape {matrix.shape}")
    n = agree(num_vertices, int(matrix.shape[0]))
    if matrix.format in ("csr", "csc"):
        # The columns of a CSC are the rows of the transpose, which has the same components.
        return csr_from_arrays(matrix.indptr, matrix.indices, n, symmetric, None, threads)
    notes: tuple[str, ...] = ()
    row, column = (matrix.row, matrix.col) if matrix.format == "coo" else _listed(matrix)
    if matrix.format != "coo":
        notes = (f"converted from scipy's {matrix.format.upper()} to COO",)
    adapted = edges_from_arrays(row, column, n, threads, ("row", "col"))
    return Adapted(adapted.graph, notes + adapted.notes)


def _listed(matrix: Any) -> tuple[Any, Any]:
    """The entries of a sparse matrix that is neither CSR, CSC nor COO."""
    if matrix.format == "lil":
        # scipy's own conversion writes outside of its arrays where rows and data disagree.
        lengths = [len(columns) for columns in matrix.rows]
        columns = [column for columns in matrix.rows for column in columns]
        return np.repeat(np.arange(len(lengths)), lengths), columns
    try:
        entries = matrix.tocoo()
    except ValueError as error:
        raise InputError(f"scipy cannot read this {matrix.format.upper()}: {error}") from None
    if matrix.format == "bsr":
        # The blocks are dense: a zero in them says that there is no entry.
        stored = entries.data != 0
        return entries.row[stored], entries.col[stored]
    return entries.row, entries.col


def is_whole(graph: Any) -> bool:
    """Whether this lies in memory whole for sure, told at a glance: most calls end here."""
    if isinstance(graph, tuple) and len(graph) == 2:
        return all(isinstance(end, np.ndarray | list) for end in graph)
    if isinstance(graph, list):
        first = graph[0] if graph else ()
        return isinstance(first, tuple | list) and all(isinstance(one, SCALARS) for one in first)
    return isinstance(graph, Edges | Csr | np.ndarray) or hasattr(graph, "tocoo")
