"""Graphs in the memory of the host: arrays, lists of pairs, matrices, `skerry.Edges`, `skerry.Csr`.

Integers are vertex numbers. Arrays of text, bytes, dates or objects hold external ids: the type
decides, never the values.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np

from skerry.errors import InputError
from skerry.graph.csr import Csr
from skerry.graph.edge_source import InputFacts
from skerry.graph.edges import Edges
from skerry.graph.vertex_ids import check_integers, is_array, read_array
from skerry.inputs.arrays import (
    Loaded,
    agree,
    edges_from_arrays,
    pair_of,
    rows_from_arrays,
    warn_of_two_by_two,
)
from skerry.inputs.id_columns import external_source, holds_integers, is_arrow, is_text
from skerry.inputs.matrices import load_matrix
from skerry.inputs.sources import HostSource, InputKind, StreamSource
from skerry.inputs.weights import count_with_vertices, selected
from skerry.request import InputOptions

SCALARS = (int, float, str, bytes, np.generic)
ARRAY_FACTS = InputFacts("arrays")


def is_pairs(graph: Any) -> bool:
    """Whether this is a pair of host arrays or lists, an array, or a list of edges."""
    if isinstance(graph, tuple) and len(graph) == 2:
        return all(isinstance(end, np.ndarray | list) for end in graph)
    if isinstance(graph, list):
        first = graph[0] if graph else ()
        return isinstance(first, tuple | list) and all(isinstance(end, SCALARS) for end in first)
    return isinstance(graph, np.ndarray)


def is_matrix(graph: Any) -> bool:
    """Whether this is a matrix or array of scipy.sparse."""
    return _is_matrix_type(type(graph))  # type: ignore[arg-type]  # classes are hashable


@cache
def _is_matrix_type(kind: type) -> bool:
    return hasattr(kind, "tocoo") and any(
        base.__module__.startswith("scipy.sparse") for base in kind.__mro__
    )


def _open_arrays(graph: Any, options: InputOptions) -> HostSource | StreamSource:
    if options.groups is not None:
        # Late: tables of keys are not needed by `import skerry`.
        from skerry.inputs.groups import groups_of_arrays

        return StreamSource(groups_of_arrays(graph, options.groups, options.ids), options)
    if options.ids == "external" or (options.ids == "auto" and _holds_text(graph)):
        src, dst = _columns(graph)
        return StreamSource(external_source(src, dst, options.weight), options)
    return HostSource(graph, options, ARRAY_FACTS)


def _columns(graph: Any) -> tuple[Any, Any]:
    """Both ends, as objects where NumPy would turn what stands beside text into text."""
    if isinstance(graph, list) and graph and not isinstance(graph[0], np.ndarray):
        table = read_array(graph, "edges")
        if table.ndim == 2 and table.shape[1] == 2:
            src, dst = ([row[end] for row in graph] for end in (0, 1))
            return src, dst
    return pair_of(graph, "edges")


def _holds_text(graph: Any) -> bool:
    """Whether the ids are of a type that can only be external."""
    if type(graph) is np.ndarray:
        return is_text(graph)
    if isinstance(graph, tuple) and len(graph) == 2:
        return _is_text_column(graph[0], "src") or _is_text_column(graph[1], "dst")
    return is_text(read_array(graph, "edges"))


def _is_text_column(values: Any, name: str) -> bool:
    if type(values) is np.ndarray:
        return is_text(values)
    if is_arrow(values):
        return not holds_integers(values, name)
    return is_text(read_array(values, name))


ARRAYS = InputKind(
    "arrays",
    _open_arrays,
    ("vertices", "external"),
)
EDGES = InputKind(
    "skerry.Edges",
    partial(HostSource, facts=InputFacts("edges")),
    ("vertices",),
)
CSR = InputKind(
    "skerry.Csr",
    partial(HostSource, facts=InputFacts("csr")),
    ("vertices",),
)
MATRIX = InputKind(
    "sparse matrices",
    partial(HostSource, facts=InputFacts("sparse matrix")),
    ("vertices",),
)


def has_columns(graph: Any) -> bool:
    """Whether a host graph is a list of edges, rather than rows."""
    return getattr(graph, "form", "edges") == "edges" and not is_matrix(graph)


def load(source: HostSource, threads: int, unchecked: bool = False) -> Loaded:
    """Validates a host graph and brings it into one of our forms, without a copy where possible.

    A pair is ``(src, dst)``; a list is a list of edges; an array of two rows is ``(src, dst)`` and
    one of two columns has an edge in each row. A 2 x 2 array could be either: its rows are taken
    as edges, with a warning; a list of two tuples is a list of edges without one.

    ``unchecked`` leaves what takes a pass over the arrays to a kernel that reads them: where it
    reports a fault, loading again without this says which.
    """
    graph, options = source.graph, source.options
    n = options.num_vertices
    if options.threshold is not None or options.vertices is not None:
        graph = selected(graph, options.weight, options.selection)
        if options.vertices is not None:
            n = count_with_vertices(graph, options.vertices, n)
    gaps = options.ids == "vertices"
    if isinstance(graph, Edges):
        n = agree(n, graph.num_vertices)
        return edges_from_arrays(graph.src, graph.dst, n, threads, unchecked=unchecked)
    if isinstance(graph, Csr):
        return _load_csr(graph, n, options.symmetric, threads, unchecked)
    if isinstance(graph, tuple) and len(graph) == 2:
        return edges_from_arrays(
            graph[0], graph[1], n, threads, allow_gaps=gaps, unchecked=unchecked
        )
    if is_matrix(graph):
        return load_matrix(graph, n, options.symmetric, threads, unchecked)
    pairs = isinstance(graph, list) and all(isinstance(edge, tuple) for edge in graph[:2])
    if isinstance(graph, np.ndarray | list) or is_array(graph):
        return _load_table(read_array(graph, "edges"), pairs, n, threads, gaps, unchecked)
    raise InputError(f"{type(graph).__qualname__} is not a graph of arrays")


def _load_csr(
    graph: Csr, n: int | None, symmetric: bool | None, threads: int, unchecked: bool
) -> Loaded:
    known = graph.symmetric if symmetric is None else symmetric
    if graph.trusted:
        agree(n, graph.num_vertices)
        if known is graph.symmetric:
            return graph, ()
        trusted = replace(graph, symmetric=known)
        object.__setattr__(trusted, "checked", True)  # replace() leaves it out
        return trusted, ()
    offsets, neighbors, notes = rows_from_arrays(
        graph.offsets, graph.neighbors, None, threads, ("offsets", "neighbors"), unchecked
    )
    agree(n, len(offsets) - 1)
    if offsets is graph.offsets and neighbors is graph.neighbors and known is graph.symmetric:
        return graph, notes
    return Csr(offsets, neighbors, known, graph.sorted_rows), notes


def _load_table(
    table: Any, pairs: bool, n: int | None, threads: int, gaps: bool, unchecked: bool
) -> Loaded:
    if table.shape in ((0,), (0, 2), (2, 0)):
        empty = np.empty(0, np.int64)
        return edges_from_arrays(empty, empty, n, threads)
    if table.ndim != 2 or 2 not in table.shape:
        raise InputError(
            f"an array of edges has shape (m, 2) or (2, m), got {table.shape}; "
            "a dense adjacency matrix goes through scipy.sparse.csr_array(matrix)"
        )
    if table.shape == (2, 2) and not pairs:
        warn_of_two_by_two()
    check_integers(table, "edges")
    columns = (table[:, 0], table[:, 1]) if table.shape[1] == 2 else (table[0], table[1])
    return edges_from_arrays(*columns, n, threads, allow_gaps=gaps, unchecked=unchecked)
