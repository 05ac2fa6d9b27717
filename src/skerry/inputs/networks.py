"""Graphs of networkx and igraph: recognized by their types' modules, never imported for it.

networkx's nodes are any hashable objects. Integers, text, dates and tuples of those come back as
ids in their own order; others, or a mixture, in the order in which the graph has them. igraph's
vertices are numbers already; their attribute ``name`` is what ``ids="external"`` asks for.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.graph.edge_source import InputFacts
from skerry.graph.edges import Edges
from skerry.graph.threshold import Threshold
from skerry.ids.external import External
from skerry.ids.id_space import IdSpace
from skerry.ids.objects import Objects
from skerry.inputs.sources import HostSource, input_kind
from skerry.request import InputOptions

__all__ = ["IGRAPH", "NETWORKX", "library_of"]


def library_of(graph: Any) -> str | None:
    """``"networkx"`` or ``"igraph"``, by the modules of an object's types; None for others."""
    modules = {base.__module__.partition(".")[0] for base in type(graph).__mro__}
    if "networkx" in modules and hasattr(graph, "adj"):
        return "networkx"
    if "igraph" in modules and hasattr(graph, "get_edgelist"):
        return "igraph"
    return None


def _open_networkx(graph: Any, options: InputOptions) -> HostSource:
    weight, threshold = options.weight, options.selection
    nodes = list(graph)
    position = {node: number for number, node in enumerate(nodes)}
    if threshold is None:
        ends = np.fromiter(
            (position[node] for edge in graph.edges() for node in edge), np.int64
        ).reshape(-1, 2)
    else:
        rows = list(graph.edges(data=weight or "weight"))
        kept = _kept([row[-1] for row in rows], threshold, lambda i: f"edge {rows[i][:2]!r}")
        numbers = chain.from_iterable((position[rows[i][0]], position[rows[i][1]]) for i in kept)
        ends = np.fromiter(numbers, np.int64).reshape(-1, 2)
    ids, rank = _ids_of(nodes)
    if rank is not None:
        ends = rank[ends]
    return _host_graph(ends, len(nodes), ids, options, "networkx")


def _open_igraph(graph: Any, options: InputOptions) -> HostSource:
    weight, threshold = options.weight, options.selection
    ends = np.array(graph.get_edgelist(), np.int64).reshape(-1, 2)
    if threshold is not None:
        if (weight or "weight") not in graph.es.attributes():
            raise InputError(f"the edges of this graph have no attribute {weight or 'weight'!r}")
        ends = ends[_kept(graph.es[weight or "weight"], threshold, lambda i: f"edge {i}")]
    ids, rank = None, None
    if options.ids == "external":
        if "name" not in graph.vs.attributes():
            raise InputError('ids="external" needs the vertex attribute "name", and there is none')
        names = list(graph.vs["name"])
        if len(set(names)) != len(names):
            raise InputError('ids="external": several vertices of this graph have the same name')
        ids, rank = _ids_of(names)
    if rank is not None:
        ends = rank[ends]
    return _host_graph(ends, graph.vcount(), ids, options, "igraph")


def _host_graph(
    ends: npt.NDArray[np.int64],
    num_vertices: int,
    ids: IdSpace | None,
    options: InputOptions,
    library: str,
) -> HostSource:
    """The edges with what remains of the options: weights were used, the number is checked."""
    return HostSource(
        Edges(ends[:, 0], ends[:, 1], num_vertices),
        InputOptions(num_vertices=options.num_vertices),
        InputFacts(library),
        ids,
        (f"converted from {library}",),
    )


def _kept(weights: list[Any], threshold: Threshold, name_of: Any) -> list[int]:
    """Positions of the weights on the side of the threshold that is kept."""
    kept = []
    for position, value in enumerate(weights):
        if not isinstance(value, int | float | np.number) or value != value:
            raise InputError(f"{name_of(position)} has the weight {value!r}, which is not a number")
        if threshold.keeps(value):
            kept.append(position)
    return kept


def _ids_of(nodes: list[Any]) -> tuple[IdSpace, npt.NDArray[np.int64] | None]:
    """Nodes as ids, and the rank of each; None where they stay as they come."""
    kinds = {type(node) for node in nodes}
    if not nodes:
        return External(np.empty(0, np.int64)), None
    if len(kinds) == 1 and kinds <= {int, str, bytes}:
        columns: list[list[Any]] = [nodes]
    elif kinds == {tuple} and _is_composite(nodes):
        columns = [list(part) for part in zip(*nodes, strict=True)]
    else:
        return Objects(nodes), None
    order = sorted(range(len(nodes)), key=nodes.__getitem__)
    rank = np.empty(len(nodes), np.int64)
    rank[order] = np.arange(len(nodes))
    try:
        parts = tuple(_column([column[i] for i in order]) for column in columns)
    except OverflowError:  # integers beyond 64 bits
        return Objects(nodes), None
    except ModuleNotFoundError:  # text without pyarrow: in the same order
        return Objects([nodes[i] for i in order]), rank
    if len(columns) == 1:
        return External(parts[0]), rank
    return External(parts, tuple(f"id_{i}" for i in range(len(parts)))), rank


def _column(values: list[Any]) -> Any:
    """Values of one type as a column of ids: NumPy's for integers, else Arrow's."""
    if isinstance(values[0], int):
        return np.array(values, np.int64)
    import pyarrow as pa

    return pa.array(values)


def _is_composite(nodes: list[Any]) -> bool:
    shape = tuple(type(part) for part in nodes[0])
    return (
        len(shape) > 1
        and set(shape) <= {int, str, bytes}
        and all(tuple(type(part) for part in node) == shape for node in nodes)
    )


NETWORKX = input_kind(
    "networkx graphs",
    _open_networkx,
    frozenset({"weight", "threshold", "keep", "num_vertices", "ids"}),
    ("external",),
)
IGRAPH = input_kind(
    "igraph graphs",
    _open_igraph,
    frozenset({"weight", "threshold", "keep", "num_vertices", "ids"}),
    ("vertices", "external"),
)
