"""GML, GEXF, Pajek and adjacency lists, read into memory by networkx.

These formats are for small graphs. Ids are the nodes of networkx: integers if all are, else text.
Every node is also read as a loop, so that nodes without an edge are in the result.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from math import inf
from typing import Any

import numpy as np

from skerry.errors import InputError, UnsupportedError
from skerry.formats.options import ReadOptions
from skerry.formats.source import SourceFile
from skerry.graph.edge_source import Batch, EdgeSource, InputFacts
from skerry.optional import require_arrow

__all__ = ["read_adjlist", "read_gexf", "read_gml", "read_pajek"]


def read_gml(file: SourceFile, options: ReadOptions) -> EdgeSource:
    """GML; the id of a node is its label, or its id where it has none."""
    return _source(file, options, "gml")


def read_gexf(file: SourceFile, options: ReadOptions) -> EdgeSource:
    """GEXF."""
    return _source(file, options, "gexf")


def read_pajek(file: SourceFile, options: ReadOptions) -> EdgeSource:
    """Pajek."""
    return _source(file, options, "pajek")


def read_adjlist(file: SourceFile, options: ReadOptions) -> EdgeSource:
    """Lines of a vertex and its neighbors."""
    return _source(file, options, "adjlist")


def _source(file: SourceFile, options: ReadOptions, format_name: str) -> EdgeSource:
    options.refuse_columns(file.name, format_name)
    try:
        import networkx
    except ImportError:
        raise UnsupportedError(
            f"{file.name}: reading {format_name} files needs networkx: pip install networkx"
        ) from None

    def batches(_: int) -> Iterator[Batch]:
        graph = _parsed(file, format_name, networkx)
        nodes = list(graph.nodes)
        edges = [(u, v) for u, v in graph.edges(data=False)]
        src, dst = ([*nodes, *(edge[end] for edge in edges)] for end in (0, 1))
        weights = _weights(file, options, graph, len(nodes))
        if all(type(node) is int and abs(node) < 2**63 for node in nodes):
            sources, targets = (np.array(end, np.int64) for end in (src, dst))
        else:
            pa = require_arrow(f"{file.name}: reading text ids")
            sources, targets = (pa.array(map(str, end), pa.string()) for end in (src, dst))
        yield Batch(sources, targets, weights, "", file.size or 0)

    facts = InputFacts(weight=None if options.weight is None else str(options.weight))
    return EdgeSource(file.name, "external", batches, num_bytes=file.size, facts=facts)


def _parsed(file: SourceFile, format_name: str, networkx: Any) -> Any:
    with file.open() as stream, io.BufferedReader(stream) as buffered:
        text = buffered.read()
    read = getattr(networkx, f"read_{format_name}")
    try:
        try:
            graph = read(io.BytesIO(text))
        except networkx.NetworkXError:
            if format_name != "gml":
                raise
            graph = read(io.BytesIO(text), label="id")
        if format_name == "pajek" and not graph:
            raise InputError("there are no vertices in it")
        return graph
    except Exception as error:  # networkx raises many kinds for bad contents
        raise InputError(
            f"{file.name}: networkx cannot read this as {format_name}: {error}"
        ) from None


def _weights(file: SourceFile, options: ReadOptions, graph: Any, nodes: int) -> Any:
    if options.weight is None:
        return None
    weights = [data.get(options.weight) for _, _, data in graph.edges(data=True)]
    try:
        return np.array([*([inf] * nodes), *map(float, weights)])
    except (TypeError, ValueError):
        raise InputError(
            f"{file.name}: not every edge has a number as its weight {options.weight}"
        ) from None
