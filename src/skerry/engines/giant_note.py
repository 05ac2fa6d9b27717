"""The note on a component that holds most of a graph with external ids.

Among pairs of duplicates that is rarely meant: an id that is no id (an empty text, "unknown") joins
everything. So the note names the ids of the component that have the most edges.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from heapq import nlargest
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.graph.csr import Csr
from skerry.graph.edges import Edges
from skerry.ids.id_space import Counted, IdSpace

SHARE = 0.5
"""Share of the vertices above which a component is worth a note."""
SIZE = 100
"""Members below which it is not."""
SAMPLE = 4096
"""Vertices, or edges, that are looked at."""
SHOWN = 3
HUB_SHARE = 0.01
HUB_EDGES = 10
"""An id is shown if it has this share of all edges, and so many."""
ROW = 16
"""Neighbors of a row that are looked at."""
PIECE = 1 << 20
GIANT = "the largest component holds "
"""How the note begins."""


class Giant:
    """A component that holds most of the vertices."""

    def __init__(self, label: int, size: int, share: float) -> None:
        self.label = label
        self.size = size
        self.share = share


def find_giant(labels: npt.NDArray[Any]) -> Giant | None:
    """The component with more than half of the vertices, if there is one and it is not small."""
    n = len(labels)
    if n < SIZE:
        return None
    picks = np.random.default_rng(0).integers(n, size=SAMPLE)
    values, counts = np.unique(labels[picks], return_counts=True)
    label = values[np.argmax(counts)]  # of a component with half of all, except by a rare chance
    if counts.max() < SAMPLE * SHARE * 0.9:
        return None
    pieces = (labels[begin : begin + PIECE] for begin in range(0, n, PIECE))
    size = sum(int(np.count_nonzero(piece == label)) for piece in pieces)
    return Giant(int(label), size, size / n) if size > SHARE * n and size >= SIZE else None


def giant_note(giant: Giant, hubs: Iterable[tuple[Any, float]], edges: int, exact: bool) -> str:
    """The note; ``hubs`` are ids of the component and their edges, the most edges first."""
    shown = [
        f"{id!r} ({round(count):,})"
        for id, count in hubs
        if count >= HUB_EDGES and count >= HUB_SHARE * edges
    ][:SHOWN]
    text = _beginning(giant)
    if not shown:
        return f"{text}no id has {HUB_SHARE:.0%} of the edges or more"
    nouns = "id with the most edges is" if len(shown) == 1 else "ids with the most edges are"
    source = "" if exact else ", estimated from a sample"
    return f"{text}the {nouns} {', '.join(shown)}{source}"


def _beginning(giant: Giant) -> str:
    return f"{GIANT}{giant.share:.0%} of all vertices; "


def note_of_labels(labels: npt.NDArray[Any], ids: IdSpace) -> tuple[str, ...]:
    """The note on labels alone, without hubs, if there is one to be made."""
    giant = None if isinstance(ids, Counted) else find_giant(labels)
    hubs = "the method hubs lists its ids with the most edges"
    return () if giant is None else (f"{_beginning(giant)}{hubs}",)


def note_of_graph(
    graph: Edges | Csr, labels: npt.NDArray[Any], ids: IdSpace | None
) -> tuple[str, ...]:
    """The note on a graph in memory, if there is one to be made."""
    if ids is None or isinstance(ids, Counted):
        return ()
    giant = find_giant(labels)
    if giant is None:
        return ()
    ends, weight = _sampled_ends(graph)
    vertices, counts = np.unique(ends[labels[ends] == giant.label], return_counts=True)
    order = np.argsort(-counts, kind="stable")[: 2 * SHOWN]
    hubs = zip(ids.objects(vertices[order]), (counts[order] * weight).tolist(), strict=True)
    return (giant_note(giant, hubs, graph.num_entries, weight == 1),)


def note_of_rows(
    rows: Mapping[Any, Any] | None, labels: npt.NDArray[Any], ids: IdSpace, edges: int
) -> tuple[str, ...]:
    """The note on rows of neighbors, if there is one to be made.

    A node has the neighbors in its row, and as many as the sampled rows that name it stand for; in
    rows with both directions of every edge these are the same.
    """
    giant = None if rows is None else find_giant(labels)
    if rows is None or giant is None:
        return ()
    nodes = list(rows)
    exact = len(nodes) <= SAMPLE
    if not exact:
        nodes = [nodes[i] for i in np.random.default_rng(0).integers(len(nodes), size=SAMPLE)]
    counts: dict[Any, float] = {}
    for node in nodes:
        row = rows[node]
        weight = len(rows) / len(nodes) * max(1, len(row) / ROW)
        for neighbor in islice(row, ROW):
            counts[neighbor] = counts.get(neighbor, 0) + weight
    for node in nlargest(2 * SHOWN, rows, key=lambda node: len(rows[node])):
        counts[node] = max(counts.get(node, 0), len(rows[node]))
    hubs = [
        (node, counts[node])
        for node in nlargest(2 * SHOWN, counts, key=counts.__getitem__)
        if labels[ids.position(node)] == giant.label
    ]
    return (giant_note(giant, hubs, edges, exact),)


def _sampled_ends(graph: Edges | Csr) -> tuple[npt.NDArray[np.int64], float]:
    """Both ends of some edges, without loops, and the number of edges that one stands for."""
    m = graph.num_entries
    picks = np.arange(m) if m <= SAMPLE else np.random.default_rng(0).integers(m, size=SAMPLE)
    if graph.form == "csr":
        src = np.searchsorted(graph.offsets, picks, side="right") - 1
        dst = np.asarray(graph.neighbors[picks])
    else:
        src, dst = np.asarray(graph.src[picks]), np.asarray(graph.dst[picks])
    proper = src != dst
    ends = np.concatenate([src[proper], dst[proper]]).astype(np.int64)
    return ends, m / max(len(picks), 1)
