"""Rows of Python objects, ``{node: its neighbors}``: networkx graphs and plain mappings.

Nodes are any hashable objects and come back as the caller's own. Integers, text and tuples of those
are ids in ascending order; others, or a mixture, stay in the order in which the graph has them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from itertools import chain
from typing import Any

import numpy as np

from skerry.errors import InputError
from skerry.formats.columns import USUAL_NAMES
from skerry.graph.edge_source import InputFacts
from skerry.graph.edges import Edges
from skerry.graph.unchanged import AGAIN
from skerry.ids.nodes import order_nodes
from skerry.ids.objects import Objects
from skerry.inputs.arrays import agree
from skerry.inputs.sources import AdjacencySource, HostSource, InputKind
from skerry.inputs.weights import numbers_of
from skerry.request import InputOptions

NETWORKX_FACTS, MAPPING_FACTS = InputFacts("networkx"), InputFacts("mapping")
JOINABLE = (dict, list, tuple, set, frozenset)
"""Types of rows that native code reads."""


def _open_networkx(graph: Any, options: InputOptions) -> AdjacencySource:
    # Rows are read without networkx where they are dicts: those of views are made on the way.
    rows = graph._adj if type(graph._adj) is dict and options.threshold is None else None
    return AdjacencySource(graph, rows, order_nodes(list(graph)), options, NETWORKX_FACTS)


def in_graph_order(graph: Any) -> AdjacencySource:
    """A networkx graph whose nodes stay in its order, as its own functions return them."""
    rows = graph._adj if type(graph._adj) is dict else None
    return AdjacencySource(graph, rows, Objects(list(graph)), InputOptions(), NETWORKX_FACTS)


def _open_mapping(graph: dict[Any, Any], options: InputOptions) -> AdjacencySource:
    rows = {node: _row(node, neighbors) for node, neighbors in graph.items()}
    try:
        nodes = list(dict.fromkeys(chain(rows, chain.from_iterable(rows.values()))))
    except TypeError as error:
        raise InputError(f"a node of this mapping cannot be one: {error}") from None
    _refuse_table(rows, len(nodes))
    return AdjacencySource(rows, rows, order_nodes(nodes), options, MAPPING_FACTS)


def _refuse_table(rows: dict[Any, Collection[Any]], num_nodes: int) -> None:
    """Raises for columns of a table in a dict: no neighbor is a key, and the keys name ends."""
    names = [node.lower() if isinstance(node, str) else "" for node in rows]
    pairs = [pair for pair in USUAL_NAMES if set(pair) <= set(names)]
    if not pairs or num_nodes == len(rows) or len(set(map(len, rows.values()))) > 1:
        return
    if not set(chain.from_iterable(rows.values())) & set(rows):
        raise InputError(
            f"a dict is read as {{node: its neighbors}}, but {' and '.join(pairs[0])} look like "
            "columns of a table: pass pyarrow.table(...) of it, or (src, dst)"
        )


def _row(node: Any, neighbors: Any) -> Collection[Any]:
    if isinstance(neighbors, JOINABLE):
        return neighbors
    if not isinstance(neighbors, str | bytes):
        with suppress(TypeError):
            return list(neighbors.tolist() if hasattr(neighbors, "tolist") else neighbors)
    raise InputError(
        f"the neighbors of {node!r} are {neighbors!r}: a mapping is read as {{node: a list or set "
        "of its neighbors}"
    )


def as_edges(source: AdjacencySource) -> HostSource:
    """All edges as arrays, for what cannot read Python objects."""
    agree(source.options.num_vertices, len(source.ids))
    position, options = source.ids.position_of, source.options
    pairs, weights = _pairs(source)
    try:
        ends = np.fromiter(map(position.__getitem__, chain.from_iterable(pairs)), np.int64)
    except KeyError as error:
        raise InputError(AGAIN.format(f"{error.args[0]!r} is a new node")) from None
    src, dst = ends.reshape(-1, 2).T
    return HostSource(
        Edges(src, dst, len(source.ids)),
        InputOptions(weight=weights, threshold=options.threshold, keep=options.keep),
        source.facts,
        source.ids,
        (f"converted from a {source.facts.format} graph",),
    )


def _pairs(source: AdjacencySource) -> tuple[Iterator[tuple[Any, Any]], Any]:
    """The ends of all edges, and their weights where they are of use."""
    options = source.options
    if source.facts is MAPPING_FACTS:
        return ((node, other) for node, row in source.graph.items() for other in row), None
    if options.threshold is None and options.weight is None:
        return iter(source.graph.edges()), None
    rows = list(source.graph.edges(data=options.weight or "weight"))
    weights = numbers_of([row[-1] for row in rows], lambda i: f"edge {rows[i][:2]!r}")
    return (row[:2] for row in rows), weights


NETWORKX = InputKind(
    "networkx graphs",
    _open_networkx,
    ("external",),
)
MAPPING = InputKind(
    "mappings of neighbors",
    _open_mapping,
    ("external",),
)
