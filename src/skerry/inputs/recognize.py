"""Recognizes what the caller passed, once, by what it is made of.

The order of the tests is from the most common input to the rarest. No package is imported to
recognize its objects.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Any

import numpy as np

from skerry.errors import InputError, UnsupportedError
from skerry.graph.csr import Csr
from skerry.graph.edge_source import EdgeSource
from skerry.graph.edges import Edges
from skerry.graph.grid import Grid
from skerry.graph.vertex_ids import is_array
from skerry.inputs.device import (
    DEVICE_ARRAYS,
    DEVICE_CSR,
    device_of,
    has_rows,
)
from skerry.inputs.grid import GRID
from skerry.inputs.host import ARRAYS, CSR, EDGES, MATRIX, is_matrix, is_pairs
from skerry.inputs.sources import InputKind, Source
from skerry.request import InputOptions


def recognize(graph: Any, options: InputOptions) -> Source:
    """Makes a source of any object that holds a graph.

    Raises
    ------
    InputError
        If it is no graph.
    UnsupportedError
        If an option is given that means nothing for this kind of input.
    """
    device = device_of(graph)
    if device is None:
        kind = _kind_on_host(graph)
    else:
        kind = DEVICE_CSR if has_rows(graph) else DEVICE_ARRAYS
        graph = graph, device
    stated = options.stated
    if not stated <= kind.accepts:
        others = ", ".join(f"{name}=" for name in sorted(kind.accepts))
        own = "; weight=None takes the weights that read_edges was given"
        raise UnsupportedError(
            f"{_listed(stated - kind.accepts)} not supported for {kind.name}; supported: {others}"
            + (own if "weight" in stated and isinstance(graph, EdgeSource) else "")
        )
    if options.ids != "auto" and options.ids not in kind.id_kinds:
        raise UnsupportedError(
            f'ids="{options.ids}" is not supported for {kind.name}, whose ids are '
            + ("vertex numbers" if kind.id_kinds == ("vertices",) else "external ids")
        )
    return kind.open(graph, options)


def _listed(names: frozenset[str]) -> str:
    verb = "is" if len(names) == 1 else "are"
    return f"{', '.join(f'{name}=' for name in sorted(names))} {verb}"


def _kind_on_host(graph: Any) -> InputKind:
    if type(graph) is tuple and len(graph) == 2 and type(graph[0]) is type(graph[1]) is np.ndarray:
        return ARRAYS
    if isinstance(graph, Csr):
        return CSR
    if isinstance(graph, Edges):
        return EDGES
    if isinstance(graph, Grid):
        return GRID
    if is_matrix(graph):
        return MATRIX
    if is_pairs(graph) and not _has_fields(graph):
        return ARRAYS
    library = _library_of(type(graph))  # type: ignore[arg-type]  # classes are hashable
    return _other_kind(graph) if library is None else _kind_of_library(library)


@cache
def _library_of(kind: type) -> str | None:
    """``"networkx"`` or ``"igraph"``, by the modules of a graph's types; None for others."""
    modules = {base.__module__.partition(".")[0] for base in kind.__mro__}
    if "networkx" in modules and hasattr(kind, "adj"):
        return "networkx"
    if "igraph" in modules and hasattr(kind, "get_edgelist"):
        return "igraph"
    return None


@cache
def _kind_of_library(library: str) -> InputKind:
    if library == "networkx":
        from skerry.inputs.adjacency import NETWORKX

        return NETWORKX
    from skerry.inputs.igraph import IGRAPH

    return IGRAPH


def _has_fields(graph: Any) -> bool:
    """Whether this is a structured array, which is a table."""
    return isinstance(graph, np.ndarray) and graph.dtype.names is not None


def _other_kind(graph: Any) -> InputKind:
    """Kinds whose modules are imported when such an input comes, not by ``import skerry``."""
    from skerry.inputs.adjacency import MAPPING
    from skerry.inputs.batches import BATCHES, is_iterable_of_batches
    from skerry.inputs.edge_sources import EDGE_SOURCE, FILES
    from skerry.inputs.tables import TABLE, is_table

    if isinstance(graph, EdgeSource):
        return EDGE_SOURCE
    if isinstance(graph, str | os.PathLike) or _is_paths(graph):
        return FILES
    if is_table(graph):
        return TABLE
    if isinstance(graph, dict):
        return MAPPING
    if is_iterable_of_batches(graph):
        return BATCHES
    if isinstance(graph, list) or is_array(graph) or (type(graph) is tuple and len(graph) == 2):
        return ARRAYS
    raise InputError(
        f"cannot read a graph from {type(graph).__module__}.{type(graph).__qualname__}. Pass "
        "(src, dst) arrays, an (m, 2) or (2, m) array, a list of pairs, a table, a path, a scipy "
        "sparse matrix, or a networkx or igraph graph. Or a dict of neighbors, an iterable of "
        "pairs or of batches, skerry.Edges, skerry.Csr or skerry.Grid"
    )


def _is_paths(graph: Any) -> bool:
    """Whether this is a list of paths; a list of edges holds no text at its top level."""
    return (
        isinstance(graph, list | tuple)
        and len(graph) > 0
        and all(isinstance(item, str | os.PathLike) for item in graph)
    )
