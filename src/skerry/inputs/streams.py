"""Recognizes what is read as a stream of edges: tables, files, networks, batches.

What is not found here is a graph that lies in memory whole (see adapt.py).
"""

from __future__ import annotations

import os
from typing import Any

from skerry.formats.options import ReadOptions
from skerry.graph.edge_source import EdgeSource, IdKind
from skerry.inputs.adapt import is_whole
from skerry.inputs.batches import batches_stream, is_iterable_of_batches
from skerry.inputs.tables import is_table, table_stream

__all__ = ["stream_of"]


def stream_of(
    graph: Any, options: ReadOptions, format: str | None, id_kind: IdKind | None
) -> EdgeSource | None:
    """The edges of ``graph`` as a stream, or None where it is none."""
    if is_whole(graph):
        return None
    if isinstance(graph, EdgeSource):
        return graph
    if isinstance(graph, str | os.PathLike) or _is_paths(graph):
        from skerry.formats.open import open_edges

        return open_edges(graph, options, format)
    if is_table(graph):
        return table_stream(graph, options)
    if is_iterable_of_batches(graph):
        return batches_stream(graph, options, id_kind)
    return None


def _is_paths(graph: Any) -> bool:
    """Whether this is a list of paths; one of edges holds no text."""
    return (
        isinstance(graph, list | tuple)
        and len(graph) > 0
        and all(isinstance(one, str | os.PathLike) for one in graph)
    )
