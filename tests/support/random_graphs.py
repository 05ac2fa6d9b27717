"""Random graphs by every algorithm, form, width of labels, number of threads and device.

Labels must be the oracle's, bit by bit: one seed, one graph.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import skerry
from skerry.errors import UnsupportedError
from support.graphs import SIDES, Graph, graph_of
from support.specs import names_on

FORMS = ("edges", "csr", "csc", "symmetric")
BATCH = 97


@cache
def devices() -> tuple[str, ...]:
    """What can run here."""
    try:
        import cupy

        return ("cpu", "cuda") if cupy.cuda.runtime.getDeviceCount() else ("cpu",)
    except Exception:  # no CuPy, or no driver
        return ("cpu",)


def draw_graph(seed: int) -> Graph:
    """A graph of up to a few thousand vertices, of one of several shapes, renumbered or not."""
    draw = np.random.default_rng(seed)
    n = int(2 ** draw.uniform(0, 12))
    m = int(n * 2 ** draw.uniform(-2, 4))
    shape = draw.integers(6)
    if shape == 0:
        pairs = draw.integers(0, n, (m, 2))
    elif shape == 1:  # long paths
        pairs = np.column_stack((np.arange(n - 1), np.arange(1, n)))[draw.random(n - 1) < 0.95]
    elif shape == 2:  # hubs
        pairs = np.column_stack((draw.integers(0, n, m), draw.integers(0, min(n, 3), m)))
    elif shape == 3:  # low distances
        u = draw.integers(0, n, m)
        pairs = np.column_stack((u, np.minimum(u + draw.integers(0, 5, m), n - 1)))
    elif shape == 4:  # degrees of a power law
        pairs = (n * draw.power(0.3, (m, 2))).astype(np.int64)
    else:  # a giant beside small ones
        inside, outside = (draw.integers(0, k, (m, 2)) for k in (-(-n // 3), n))
        pairs = np.where(draw.random((m, 1)) < 0.4, inside, outside)
    if draw.random() < 0.5:
        pairs = draw.permutation(n)[pairs]
    graph = graph_of(f"seed {seed}", n, pairs, large=True)
    side = draw.choice([None, *SIDES])
    return graph if side is None else SIDES[side](graph)


def ways(graph: Graph, draw: random.Random) -> list[tuple[str, Any, dict[str, Any]]]:
    """Every algorithm, each on a form, a device and with options that are drawn."""
    found = []
    for device in devices():
        for spec in names_on(device):
            form = draw.choice(FORMS)
            options: dict[str, Any] = {"algorithm": spec, "device": device}
            if device == "cpu":
                options |= {"threads": draw.choice([1, 2, 3, 8])}
            if draw.random() < 0.2:
                options |= {"dtype": "uint64"}
            found.append((form, getattr(graph, form), options))
    batches = [
        (graph.src[i : i + BATCH], graph.dst[i : i + BATCH])
        for i in range(0, len(graph.src), BATCH)
    ]
    n = graph.n
    found.append(("batches", batches, {"num_vertices": n, "ids": "vertices"}))
    found.append(("edges", graph.edges, {"forest": True}))
    return found


def run(seed: int, _: Path) -> Counter[str]:
    """Solves one graph in all ways; counts them.

    Raises
    ------
    AssertionError
        If labels differ from the oracle's.
    """
    graph = draw_graph(seed)
    counts: Counter[str] = Counter()
    for form, given, options in ways(graph, random.Random(seed)):
        try:
            result = skerry.connected_components(given, **options)
        except UnsupportedError:
            counts["refused"] += 1
            continue
        same = np.array_equal(result.labels, graph.labels)
        assert same, f"{form}, {options}: wrong labels of {graph.n} vertices"
        assert result.count == graph.count, f"{form}, {options}: wrong count"
        counts["right"] += 1
    sets = skerry.UnionFind(graph.n)
    for part in np.array_split(np.arange(len(graph.src)), 5):
        sets.union(graph.src[part], graph.dst[part])
    assert np.array_equal(sets.labels, graph.labels), "UnionFind: wrong labels"
    return counts + Counter(right=1)
