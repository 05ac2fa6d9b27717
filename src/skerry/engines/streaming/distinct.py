"""The distinct external ids of a source, in ascending order."""

from __future__ import annotations

from contextlib import closing

from skerry.engines.streaming.batches import batches_of
from skerry.engines.streaming.columns import selected_edges
from skerry.engines.streaming.engine import id_names, vertices_of
from skerry.ids.external import External
from skerry.ids.numbering import Numbering
from skerry.inputs.sources import StreamSource


def distinct_ids(source: StreamSource, threads: int) -> External:
    """Reads a source once, for its ids; only edges that the threshold keeps have some."""
    edges, options = source.edges, source.options
    numbering = Numbering()
    with closing(batches_of(edges, threads)) as batches:
        for batch in batches:
            selected = selected_edges(batch, options.selection, edges.name)
            numbering.number(selected.src, threads)
            numbering.number(selected.dst, threads)
    vertices = vertices_of(source).ids
    if vertices is not None:
        numbering.number(vertices, threads)
    ids, _ = numbering.take_in_order(threads)
    return External(ids, id_names(source))
