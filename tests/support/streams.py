"""Streams of edges for tests of files: made of arrays, and back."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from skerry.formats.open import open_edges
from skerry.formats.options import ReadOptions
from skerry.graph.edge_source import Batch, EdgeSource
from skerry.io import read_edges
from skerry.keywords import EdgeKeywords


def stream_of(src, dst, *, n=None, weight=None, id_kind="vertices", rows=3, repeatable=True):
    """A stream that gives the columns in batches of ``rows`` edges."""

    def batches(_):
        for begin in range(0, len(src[0] if isinstance(src, tuple) else src), rows):
            part = slice(begin, begin + rows)
            ends = (
                tuple(c[part] for c in e) if isinstance(e, tuple) else e[part] for e in (src, dst)
            )
            yield Batch(*ends, None if weight is None else weight[part], f"edges from {begin}")

    counted = len(src) if id_kind == "vertices" else None
    return EdgeSource(
        "a test", id_kind, batches, num_vertices=n, num_edges=counted, repeatable=repeatable
    )


def values(ids):
    """Ids as a list of Python objects; those of several columns as tuples."""
    if isinstance(ids, tuple):
        return list(zip(*(values(column) for column in ids), strict=True))
    return ids.to_pylist() if isinstance(ids, pa.Array) else np.asarray(ids).tolist()


def edges_in(stream, threads=2):
    """All edges of a stream, as pairs of Python objects in order."""
    return [
        pair
        for batch in stream.open(threads)
        for pair in zip(values(batch.src), values(batch.dst), strict=True)
    ]


def weights_in(stream, threads=2):
    return [float(w) for batch in stream.open(threads) for w in batch.weight]


OF_TEXT = {"format", "delimiter", "header", "ids_as_text"}
"""Options that `skerry.io.read_edges` has and `skerry.connected_components` has not."""


def opened(graph, options):
    """What to solve and with which options: edges that are opened where an option needs it."""
    if not OF_TEXT & options.keys():
        return graph, options
    reads = OF_TEXT | EdgeKeywords.__optional_keys__
    edges = read_edges(graph, **{name: options[name] for name in options.keys() & reads})
    return edges, {name: options[name] for name in options.keys() - reads}


def read(path, format=None, **options):
    """The stream of a file."""
    return open_edges(str(path), ReadOptions(**options), format)


def undirected(pairs):
    """The edges as a set without directions and loops."""
    return {frozenset(pair) for pair in pairs if pair[0] != pair[1]}


def vertices_of(stream):
    """The vertices of a stream: all that it promises, or all that occur."""
    pairs = edges_in(stream)
    occur = {end for pair in pairs for end in pair}
    if stream.id_kind == "external":
        return occur
    n = stream.num_vertices
    return set(range(max(occur, default=-1) + 1 if n is None else n))
