"""Graphs of igraph, whose vertices are numbers.

Their attribute ``name`` is what ``ids="external"`` asks for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from skerry.errors import InputError
from skerry.graph.edge_source import InputFacts
from skerry.graph.edges import Edges
from skerry.ids.nodes import order_nodes
from skerry.ids.objects import Objects
from skerry.inputs.sources import HostSource, InputKind
from skerry.inputs.weights import numbers_of
from skerry.request import InputOptions

IGRAPH_FACTS = InputFacts("igraph")


def _open_igraph(graph: Any, options: InputOptions) -> HostSource:
    ends = np.array(graph.get_edgelist(), np.int64).reshape(-1, 2)
    weights = None
    if options.threshold is not None or options.weight is not None:
        weight = options.weight or "weight"
        if weight not in graph.es.attributes():
            raise InputError(f"the edges of this graph have no attribute {weight!r}")
        weights = numbers_of(graph.es[weight], lambda i: f"edge {i}")
    ids = _names_of(graph) if options.ids == "external" else None
    if ids is not None:
        names = graph.vs["name"]
        ends = np.array([ids.position_of[name] for name in names], np.int64)[ends]
    return HostSource(
        Edges(ends[:, 0], ends[:, 1], graph.vcount()),
        InputOptions(
            weight=weights,
            threshold=options.threshold,
            keep=options.keep,
            num_vertices=options.num_vertices,
        ),
        IGRAPH_FACTS,
        ids,
        ("converted from igraph",),
    )


def _names_of(graph: Any) -> Objects:
    if "name" not in graph.vs.attributes():
        raise InputError('ids="external" needs the vertex attribute "name", and there is none')
    names = list(graph.vs["name"])
    if len(set(names)) != len(names):
        raise InputError('ids="external": several vertices of this graph have the same name')
    return order_nodes(names)


IGRAPH = InputKind(
    "igraph graphs",
    _open_igraph,
    ("vertices", "external"),
)
