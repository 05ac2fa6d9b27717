"""Functions that answer for edges between vertex numbers: other calls, sets that grow, round trips.

One row each: of sources, targets and the number of vertices, the label of each vertex.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import scipy.sparse as sp

import skerry
import skerry.io
from skerry.formats.registry import FORMATS
from skerry.formats.writers.write import write_graph
from skerry.integer_sets import IntegerSets
from support.streams import stream_of


class Front(NamedTuple):
    """A way to ask."""

    name: str
    labels: Callable[[Any, Any, int, Path], Any]
    """The last argument is a folder that it may write into."""
    package: str = ""


def _matrix(src: Any, dst: Any, n: int) -> Any:
    return sp.coo_array((np.ones(len(src)), (src, dst)), shape=(n, n)).tocsr()


def _scipy(src: Any, dst: Any, n: int, _: Path) -> Any:
    return skerry.csgraph.connected_components(_matrix(src, dst, n), directed=False)[1]


def _patched(src: Any, dst: Any, n: int, _: Path) -> Any:
    from scipy.sparse import csgraph

    with skerry.patch_scipy():
        return csgraph.connected_components(_matrix(src, dst, n), directed=True, connection="weak")[
            1
        ]


def _networkx(src: Any, dst: Any, n: int, _: Path) -> Any:
    networkx = importlib.import_module("networkx")
    graph = networkx.Graph(zip(src.tolist(), dst.tolist(), strict=True))
    graph.add_nodes_from(range(n))
    return _numbered(networkx.connected_components(graph, backend="skerry"), n)


def _numbered(groups: Any, n: int) -> Any:
    labels = np.full(n, -1)
    for number, group in enumerate(groups):
        labels[list(group)] = number
    return labels


def _frame(src: Any, dst: Any, n: int, _: Path) -> Any:
    """Two columns that rows share: each row is an edge, and a vertex has a row of its own."""
    every = np.arange(n)
    table = pa.table({"a": np.append(src, every), "b": np.append(dst, every)})
    found = skerry.assign_components(table, "a", "b")
    return np.asarray(found["component"])[len(src) :]


def _sets(change: Callable[[Any, Any, Any], Any], **options: Any) -> Callable[..., Any]:
    def labels(src: Any, dst: Any, n: int, _: Path) -> Any:
        sets = skerry.UnionFind(n, **options)
        return (change(sets, src, dst) or sets).labels

    return labels


def _one_by_one(sets: Any, src: Any, dst: Any) -> None:
    for edge in zip(src.tolist(), dst.tolist(), strict=True):
        sets.union(*edge)


def _halves(sets: Any, src: Any, dst: Any) -> None:
    other, half = skerry.UnionFind(len(sets)), len(src) // 2
    sets.union(src[:half], dst[:half])
    other.union(src[half:], dst[half:])
    sets.merge(other)


def _loaded(src: Any, dst: Any, n: int, folder: Path) -> Any:
    sets, half = skerry.UnionFind(n), len(src) // 2
    sets.union(src[:half], dst[:half])
    sets.save(folder / "sets")
    again = skerry.UnionFind.load(folder / "sets")
    again.union(src[half:], dst[half:])
    return again.labels


def _texts(src: Any, dst: Any, n: int, _: Path) -> Any:
    sets = skerry.UnionFind(ids="external")
    for end in (range(n), src, dst):
        for v in end:
            sets.add(f"v{v:03}")
    sets.union(*(pa.array([f"v{v:03}" for v in end], pa.string()) for end in (src, dst)))
    return sets.labels


def _window(src: Any, dst: Any, n: int, _: Path) -> Any:
    """A batch that leaves the window, and those that stay."""
    window = skerry.SlidingWindow(3, num_vertices=n)
    window.push(np.arange(n - 1), np.arange(1, n))
    for part in np.array_split(np.arange(len(src)), 3):
        window.push(src[part], dst[part])
    return window.labels


def _earlier(src: Any, dst: Any, n: int, _: Path) -> Any:
    half = len(src) // 2
    first = skerry.connected_components((src[:half], dst[:half]), num_vertices=n)
    return skerry.connected_components((src[half:], dst[half:]), previous=first).labels


def _sweep(src: Any, dst: Any, n: int, _: Path) -> Any:
    """The lowest of two thresholds: all edges."""
    weight = np.linspace(0.2, 0.9, len(src))
    sweep = skerry.threshold_sweep((src, dst), weight, [0.1, 0.5], num_vertices=n)
    return sweep[0.1].labels


def _linkage(src: Any, dst: Any, n: int, _: Path) -> Any:
    distance = np.linspace(0.2, 0.9, len(src))
    matrix = skerry.single_linkage((src, dst), distance, num_vertices=n).matrix
    return importlib.import_module("scipy.cluster.hierarchy").fcluster(matrix, 1.0, "distance")


def _buckets(src: Any, dst: Any, n: int, _: Path) -> Any:
    rows = [[u, v] for u, v in zip(src.tolist(), dst.tolist(), strict=True)]
    rows += [[v] for v in range(n)]
    return skerry.connected_components(rows, groups=True).labels


def _integers(src: Any, dst: Any, n: int, _: Path) -> Any:
    sets = IntegerSets()
    _one_by_one(sets, src, dst)
    return [sets.find(v) for v in range(n)]


def _round_trip(name: str, suffix: str) -> Callable[..., Any]:
    def labels(src: Any, dst: Any, n: int, folder: Path) -> Any:
        loops = np.arange(n)  # formats of external ids have no other vertices
        ends = (np.append(src, loops), np.append(dst, loops))
        path = folder / f"written{suffix}"
        write_graph(stream_of(*ends), path, name)
        return skerry.connected_components(skerry.io.read_edges(path, format=name)).labels

    return labels


FRONTS = (
    Front("scipy's call", _scipy),
    Front("scipy patched", _patched),
    Front("networkx", _networkx, "networkx"),
    Front("a column of components", _frame),
    Front("UnionFind", _sets(lambda sets, *ends: sets.union(*ends) and None)),
    Front("UnionFind by edges", _sets(_one_by_one)),
    Front("UnionFind, recorded", _sets(_one_by_one, forest=True)),
    Front("UnionFind merged", _sets(_halves)),
    Front("UnionFind loaded", _loaded),
    Front("UnionFind of texts", _texts),
    Front("window", _window),
    Front("previous", _earlier),
    Front("sweep", _sweep),
    Front("linkage", _linkage),
    Front("groups", _buckets),
    Front("integer sets", _integers),
    *(
        Front(f"written {f.name}", _round_trip(f.name, f.suffixes[0]))
        for f in FORMATS
        if f.write_graph is not None
    ),
)
"""Of edges between vertex numbers."""
