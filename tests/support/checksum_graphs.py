"""Thirty seeded graphs and the forms they are given in, for checksums of labels.

The checksums of tests/project/label_checksums.json hold for every device, algorithm and number of
threads, and for every later version: nothing here may change what a graph or a form is. So random
numbers come from a generator of our own (splitmix64), not from a library that may improve its own.
"""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Iterator

import numpy as np

import skerry

SIZES = (10, 300, 5000)
FORMS = ("int32", "uint32", "int64", "strided", "csr", "list", "external", "text")
MASK = (1 << 64) - 1


def draws(seed: int, count: int, below: int) -> np.ndarray:
    """Random integers of 0..below-1: the first ones of the stream of a seed."""
    with np.errstate(over="ignore"):
        step = np.uint64(0x9E3779B97F4A7C15)
        state = np.uint64(seed) * step + (np.arange(1, count + 1, dtype=np.uint64) * step)
        state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        state ^= state >> np.uint64(31)
    return (state % np.uint64(below)).astype(np.int64)


def _path(n, seed):
    order = np.argsort(draws(seed, n, MASK), kind="stable")  # a path in random order
    return order[:-1], order[1:]


def _cycles(n, _seed):
    size = 7
    vertex = np.arange(n - n % size)
    return vertex, vertex - vertex % size + (vertex + 1) % size


def _stars(n, _seed):
    vertex = np.arange(n)
    return vertex, vertex // 10 * 10


def _grid(n, _seed):
    side = int(n**0.5)
    vertex = np.arange(side * side)
    right, down = vertex[vertex % side < side - 1], vertex[: side * (side - 1)]
    return np.r_[right, down], np.r_[right + 1, down + side]


def _sparse(n, seed):
    return draws(seed, n // 2, n), draws(seed + 1000, n // 2, n)


def _dense(n, seed):
    return draws(seed, 8 * n, n), draws(seed + 1000, 8 * n, n)


def _planted(n, seed):
    group = draws(seed, 2 * n, 1 + n // 20)
    size = n // (1 + n // 20)
    ends = (draws(seed + k, 2 * n, size) for k in (1000, 2000))
    return tuple(group * size + end for end in ends)


def _loops(n, seed):
    source = draws(seed, n // 3, n)
    return np.r_[source, source], np.r_[source, source[::-1]]  # loops, and repeats of edges


def _tree(n, seed):
    vertex = np.arange(1, n - n // 5)
    return vertex, (draws(seed, len(vertex), MASK) % vertex)


def _backwards(n, seed):
    vertex = np.arange(n - 1)
    keep = draws(seed, n - 1, 50) > 0
    return n - 1 - vertex[keep], n - 2 - vertex[keep]


FAMILIES = {
    function.__name__.strip("_"): function
    for function in (
        *(_path, _cycles, _stars, _grid, _sparse, _dense, _planted, _loops, _tree, _backwards),
    )
}


def graphs() -> Iterator[tuple[str, int, np.ndarray, np.ndarray]]:
    """Name, number of vertices, sources and targets of each graph."""
    for seed, (name, family) in enumerate(FAMILIES.items()):
        for size in SIZES:
            source, target = family(size, 100 * seed + size)
            yield f"{name}-{size}", size, source.astype(np.int64), target.astype(np.int64)


def text_ids(vertices: np.ndarray) -> list[str]:
    """The name of a vertex in the form ``text``: its order is not that of numbers."""
    return [f"v{vertex * 7919 % 10007:x}" for vertex in vertices.tolist()]


def integer_ids(vertices: np.ndarray) -> np.ndarray:
    """The number of a vertex in the form ``external``: its order is not that of vertices."""
    return vertices * 7919 % 10007 * 1_000_003 + 10**12


def works(form: str) -> bool:
    """Whether a form can be read here: text ids need pyarrow."""
    return form != "text" or importlib.util.find_spec("pyarrow") is not None


def solve(form: str, n: int, source: np.ndarray, target: np.ndarray, **options: object):
    """The components of a graph that is given in a form."""
    if form == "external":
        graph = (integer_ids(source), integer_ids(target))
        return skerry.connected_components(graph, ids="external", **options)
    if form == "text":
        graph = (np.array(text_ids(source)), np.array(text_ids(target)))
        return skerry.connected_components(graph, ids="external", **options)
    if form == "csr":
        return skerry.connected_components(_csr(n, source, target), **options)
    if form == "list":
        graph = list(zip(source.tolist(), target.tolist(), strict=True))
    elif form == "strided":
        pairs = np.stack([source, target], axis=1)
        graph = (pairs[:, 0], pairs[:, 1])
    else:
        graph = (source.astype(form), target.astype(form))
    return skerry.connected_components(graph, num_vertices=n, **options)


def _csr(n, source, target):
    rows, neighbors = np.r_[source, target], np.r_[target, source]
    order = np.lexsort((neighbors, rows))
    offsets = np.searchsorted(rows[order], np.arange(n + 1))
    return skerry.Csr(offsets, neighbors[order])


def expected(form: str, n: int, source: np.ndarray, target: np.ndarray) -> np.ndarray:
    """The labels that a form has, by scipy."""
    from support.oracle import scipy_labels, smallest_members

    labels = scipy_labels(n, source, target)
    if form not in ("external", "text"):
        return labels
    vertices = np.unique(np.r_[source, target])
    ids = text_ids(vertices) if form == "text" else integer_ids(vertices)
    return smallest_members(labels[vertices[np.argsort(ids)]])


def key(form: str) -> str:
    """The entry of a form: all that number vertices have the same labels."""
    return form if form in ("external", "text") else "vertices"


def checksum(labels: object) -> str:
    """Of the labels as 64-bit integers, lowest byte first."""
    return hashlib.sha256(np.ascontiguousarray(np.asarray(labels), "<u8").tobytes()).hexdigest()
