"""``connected_components`` of `scipy.sparse.csgraph`: its signature, its answers, our speed.

>>> import numpy as np
>>> from skerry.csgraph import connected_components
>>> graph = np.array([[0, 1, 0], [0, 0, 0], [0, 0, 0]])
>>> connected_components(graph, directed=False)
(2, array([0, 0, 1], dtype=int32))

Unlike `skerry.connected_components`, this follows scipy where the two differ. A dense array is an
adjacency matrix, labels are ``int32`` numbers of components that the caller may change, and zeros
inside the blocks of a BSR matrix are edges.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Literal, overload

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.api import connected_components as solve
from skerry.errors import InputError, UnsupportedError
from skerry.graph.build import transpose
from skerry.graph.strong import strong_components
from skerry.inputs.matrices import load_matrix
from skerry.threads import resolve_threads

__all__ = ["connected_components"]

READ_IN_PLACE = ("csr", "csc", "coo")
"""Formats that `skerry.connected_components` reads as scipy does, without a conversion."""


@overload
def connected_components(
    csgraph: Any,
    directed: bool = True,
    connection: str = "weak",
    return_labels: Literal[True] = True,
) -> tuple[int, npt.NDArray[np.int32]]: ...
@overload
def connected_components(
    csgraph: Any, directed: bool = True, connection: str = "weak", *, return_labels: Literal[False]
) -> int: ...
@overload
def connected_components(
    csgraph: Any, directed: bool, connection: str, return_labels: Literal[False]
) -> int: ...
@overload
def connected_components(
    csgraph: Any, directed: bool = True, connection: str = "weak", return_labels: bool = True
) -> int | tuple[int, npt.NDArray[np.int32]]: ...
def connected_components(
    csgraph: Any, directed: bool = True, connection: str = "weak", return_labels: bool = True
) -> Any:
    """Finds the connected components of a graph, as scipy's function of this name does.

    Parameters
    ----------
    csgraph
        The adjacency matrix, N x N: a sparse matrix or array of scipy or of pydata, a dense array
        (0, NaN and infinity mean that there is no edge), a masked array. Or a cupyx sparse matrix
        or a two-dimensional CuPy array. Every stored entry of a sparse matrix is an edge, whatever
        its value.
    directed
        Whether the graph is directed. Without effect unless ``connection`` is ``"strong"``.
    connection
        ``"weak"`` or ``"strong"``. Strong components of matrices on a GPU are cupyx' own work
        (which needs pylibcugraph): the call is handed over as it is.
    return_labels
        Whether to return the labels too.

    Returns
    -------
    n_components : int
        The number of components.
    labels : numpy.ndarray or cupy.ndarray
        The number of the component of each vertex, ``int32``; ``int64`` from 2^31 vertices on,
        which scipy cannot number. In order of first appearance; strong ones in a reverse
        topological order: an edge leads to the same or to a smaller number. Only with
        ``return_labels``.

    Raises
    ------
    ValueError
        If ``connection`` is neither, or the matrix is not square. Indices out of range and offsets
        that are not ascending, which scipy does not check, are an `InputError`, which is one too.

    Examples
    --------
    >>> import scipy.sparse, skerry.csgraph
    >>> matrix = scipy.sparse.coo_array(([1, 1], ([0, 3], [1, 2])), shape=(5, 5))
    >>> skerry.csgraph.connected_components(matrix)
    (3, array([0, 0, 1, 1, 2], dtype=int32))
    >>> skerry.csgraph.connected_components(matrix, return_labels=False)
    3
    """
    kind = connection.lower()
    if kind not in ("weak", "strong"):
        raise InputError(f"connection must be 'weak' or 'strong', got {connection!r}")
    package = _package_of(type(csgraph))  # type: ignore[arg-type]  # classes are hashable
    if directed and kind == "strong":
        if package == "cupy":
            theirs = _csgraph_of_cupyx()
            return theirs.connected_components(csgraph, directed, connection, return_labels)
        count, numbers = _strong(_as_matrix(csgraph, package))
        return (count, _signed(numbers)) if return_labels else count
    if package == "cupy":
        return _on_gpu(csgraph, return_labels)
    result = solve(_as_matrix(csgraph, package))
    if not return_labels:
        return result.count
    smallest = result.labels
    numbers = np.empty_like(smallest)  # the labels of a result are read-only
    count = _native.make_dense(smallest, numbers, resolve_threads(None))
    return count, _signed(numbers)


def _strong(matrix: Any) -> tuple[int, npt.NDArray[Any]]:
    threads = resolve_threads(None)
    if matrix.format == "coo":
        load_matrix(matrix, None, None, threads)  # scipy's conversion does not check the indices
        matrix = matrix.tocsr()
    by_rows = matrix.format == "csr"
    graph: Any = load_matrix(matrix, None, None, threads, unchecked=by_rows)[0]
    try:
        return strong_components(graph if by_rows else transpose(graph))
    except InputError:
        load_matrix(matrix, None, None, threads)  # says what is wrong
        raise


def _as_matrix(graph: Any, package: str | None) -> Any:
    """A sparse matrix that is read as scipy reads this graph."""
    if package == "scipy":
        return graph if graph.format in READ_IN_PLACE else graph.tocsr()
    if package == "sparse":
        return graph.to_scipy_sparse(accept_fv=[0, np.inf, np.nan]).tocsr()
    scipy = _csgraph_of_scipy()
    if isinstance(graph, np.ma.MaskedArray):
        return scipy.csgraph_from_masked(graph)
    return scipy.csgraph_from_dense(graph, null_value=0, nan_null=True, infinity_null=True)


def _on_gpu(graph: Any, return_labels: bool) -> Any:
    if not hasattr(graph, "tocoo"):
        from cupyx.scipy import sparse

        graph = sparse.csr_matrix(graph)
    result = solve(graph, labels="dense")
    return (result.count, _signed(result.labels)) if return_labels else result.count


def _signed(numbers: Any) -> Any:
    """Numbers of components in scipy's type, or the next that can hold them: a view if it can."""
    if numbers.itemsize == 4 and len(numbers) > np.iinfo(np.int32).max:
        return numbers.astype(np.int64)
    return numbers.view(f"i{numbers.itemsize}")


@cache
def _package_of(kind: type) -> str | None:
    """Whose matrices are of this type: "scipy", "sparse" (pydata's), "cupy" or None."""
    modules = [base.__module__ for base in kind.__mro__]
    if any(module.startswith("scipy.sparse") for module in modules):
        return "scipy"
    if hasattr(kind, "to_scipy_sparse"):
        return "sparse"
    return "cupy" if any(module.split(".")[0] in ("cupy", "cupyx") for module in modules) else None


def _csgraph_of_scipy() -> Any:
    try:
        from scipy.sparse import csgraph
    except ImportError:
        raise UnsupportedError("dense matrices need scipy: pip install 'skerry[scipy]'") from None
    return csgraph


def _csgraph_of_cupyx() -> Any:
    from cupyx.scipy.sparse import csgraph

    return csgraph
