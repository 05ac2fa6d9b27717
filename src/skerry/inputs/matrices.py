"""Matrices and arrays of scipy.sparse: every stored entry is an edge."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.graph.csr import Csr
from skerry.inputs.arrays import Loaded, agree, edges_from_arrays, rows_from_arrays


def load_matrix(
    matrix: Any,
    num_vertices: int | None,
    symmetric: bool | None,
    threads: int,
    unchecked: bool = False,
) -> Loaded:
    """A sparse matrix as `Csr`, or as `Edges` where it has no rows."""
    _check_square(matrix)
    n = agree(num_vertices, int(matrix.shape[0]))
    if matrix.format in ("csr", "csc"):
        # The columns of a CSC are the rows of the transpose, which has the same components;
        # who names edges asks `rows_are_targets`.
        offsets, neighbors, own = rows_from_arrays(
            matrix.indptr, matrix.indices, n, threads, unchecked=unchecked
        )
        return Csr(offsets, neighbors, symmetric), own
    notes: tuple[str, ...] = ()
    if matrix.format == "coo":
        row, column = matrix.row, matrix.col
    else:
        row, column, _ = entries_of(matrix)
        notes = (f"converted from scipy's {matrix.format.upper()} to COO",)
    graph, own = edges_from_arrays(row, column, n, threads, ("row", "col"), unchecked=unchecked)
    return graph, notes + own


def rows_are_targets(matrix: Any) -> bool:
    """Whether the rows that `load_matrix` gives are the targets of edges: those of a CSC."""
    return getattr(matrix, "format", None) == "csc"


def entries_of(matrix: Any) -> tuple[Any, Any, Any]:
    """Rows, columns and values of the stored entries of a square matrix of any format."""
    _check_square(matrix)
    if matrix.format == "lil":
        # scipy's own conversion writes outside of its arrays where rows and data disagree.
        lengths = [len(columns) for columns in matrix.rows]
        columns = [column for columns in matrix.rows for column in columns]
        values = [value for values in matrix.data for value in values]
        return np.repeat(np.arange(len(lengths)), lengths), columns, values
    if matrix.format == "bsr":
        _check_blocks(matrix)
    try:
        entries = matrix.tocoo()
    except ValueError as error:
        raise InputError(f"scipy cannot read this {matrix.format.upper()}: {error}") from None
    row, column, values = entries.row, entries.col, entries.data
    if matrix.format == "bsr":
        # The blocks are dense: a zero in them says that there is no entry.
        stored = values != 0
        return row[stored], column[stored], values[stored]
    return row, column, values


def _check_blocks(matrix: Any) -> None:
    """Raises for blocks outside of a BSR: times the size of a block, scipy's indices may wrap."""
    height, width = matrix.blocksize
    if not height or not width or len(matrix.indptr) != matrix.shape[0] // height + 1:
        raise InputError("scipy cannot read this BSR: its blocks do not fit its shape")
    columns = np.asarray(matrix.indices)
    if len(columns) and not 0 <= columns.min() <= columns.max() < matrix.shape[1] // width:
        raise InputError(
            f"scipy cannot read this BSR: it has {matrix.shape[1] // width:,} blocks in a row, and "
            f"the indices are {columns.min()}..{columns.max()}"
        )


def stored_values(matrix: Any) -> npt.NDArray[Any]:
    """The values of the entries that `load_matrix` reads, in their order."""
    plain = matrix.format in ("csr", "csc", "coo")
    return np.asarray(matrix.data if plain else entries_of(matrix)[2])


def _check_square(matrix: Any) -> None:
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InputError(f"an adjacency matrix is square, got shape {matrix.shape}")
