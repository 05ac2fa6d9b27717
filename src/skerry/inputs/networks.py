"""Graphs of networkx and igraph: recognized by their types' modules, never imported for it.

networkx's nodes are any hashable objects. Integers, text, dates and tuples of those come back as
ids in their own order; others, or a mixture, in the order in which the graph has them. igraph's
vertices are numbers already; their attribute ``name`` is what ``ids="external"`` asks for.
"""

from __future__ import annotations

from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.graph.edges import Edges
from skerry.ids.object_ids import ObjectIds
from skerry.ids.sorted_ids import SortedIds

__all__ = ["Network", "network_of"]


class Network(NamedTuple):
    """Edges between the ranks of ids, or between plain vertices where there are none."""

    edges: Edges
    ids: SortedIds | ObjectIds | None
    note: str


def network_of(
    graph: Any, weight: str | int | None, threshold: float | None, by_name: bool
) -> Network | None:
    """A networkx or igraph graph as edges; None for anything else."""
    home = {base.__module__.partition(".")[0] for base in type(graph).__mro__}
    if "networkx" in home and hasattr(graph, "adj"):
        return _from_networkx(graph, weight, threshold)
    if "igraph" in home and hasattr(graph, "get_edgelist"):
        return _from_igraph(graph, weight, threshold, by_name)
    return None


def _from_networkx(graph: Any, weight: str | int | None, threshold: float | None) -> Network:
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
    note = "converted from networkx"
    return Network(Edges(ends[:, 0], ends[:, 1], len(nodes)), ids, note)


def _from_igraph(
    graph: Any, weight: str | int | None, threshold: float | None, by_name: bool
) -> Network:
    ends = np.array(graph.get_edgelist(), np.int64).reshape(-1, 2)
    if threshold is not None:
        if (weight or "weight") not in graph.es.attributes():
            raise InputError(f"the edges of this graph have no attribute {weight or 'weight'!r}")
        ends = ends[_kept(graph.es[weight or "weight"], threshold, lambda i: f"edge {i}")]
    ids, rank = None, None
    if by_name:
        if "name" not in graph.vs.attributes():
            raise InputError('ids="external" needs the vertex attribute "name", and there is none')
        names = list(graph.vs["name"])
        if len(set(names)) != len(names):
            raise InputError('ids="external": several vertices of this graph have the same name')
        ids, rank = _ids_of(names)
    if rank is not None:
        ends = rank[ends]
    edges = Edges(ends[:, 0], ends[:, 1], graph.vcount())
    return Network(edges, ids, "converted from igraph")


def _kept(weights: list[Any], threshold: float, told: Any) -> list[int]:
    """The places of the weights at or above the threshold."""
    kept = []
    for place, value in enumerate(weights):
        if not isinstance(value, int | float | np.number) or value != value:
            raise InputError(f"{told(place)} has the weight {value!r}, which is no number")
        if value >= threshold:
            kept.append(place)
    return kept


def _ids_of(nodes: list[Any]) -> tuple[SortedIds | ObjectIds, npt.NDArray[np.int64] | None]:
    """Nodes as ids, and the rank of each; None where they stay as they come."""
    import pyarrow as pa

    kinds = {type(node) for node in nodes}
    if not nodes:
        return SortedIds(pa.array([], pa.int64())), None
    if len(kinds) == 1 and kinds <= {int, str, bytes}:
        columns: list[list[Any]] = [nodes]
    elif kinds == {tuple} and _is_composite(nodes):
        columns = [list(part) for part in zip(*nodes, strict=True)]
    else:
        return ObjectIds(nodes), None
    order = sorted(range(len(nodes)), key=nodes.__getitem__)
    try:
        parts = tuple(pa.array([column[i] for i in order]) for column in columns)
    except (pa.ArrowException, OverflowError):  # integers beyond 64 bits
        return ObjectIds(nodes), None
    rank = np.empty(len(nodes), np.int64)
    rank[order] = np.arange(len(nodes))
    if len(columns) == 1:
        return SortedIds(parts[0]), rank
    return SortedIds(parts, tuple(f"id_{i}" for i in range(len(parts)))), rank


def _is_composite(nodes: list[Any]) -> bool:
    shape = tuple(type(part) for part in nodes[0])
    return (
        len(shape) > 1
        and set(shape) <= {int, str, bytes}
        and all(tuple(type(part) for part in node) == shape for node in nodes)
    )
