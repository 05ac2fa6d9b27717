"""The same call again and again on a GPU: an answer that depends on timing is wrong now and then.

Graphs are connected shapes in random order, some of them several times: their labels are known
without an oracle, and walks in them are long. Labels are compared on the device, so runs follow
each other without a pause.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache

import numpy as np
import scipy.sparse as sp

import skerry

SHAPES = ("path", "ring", "tree", "grid")
SIZES = tuple(1 << bits for bits in range(10, 21))
PARTS = (1, 3)
"""Components of a graph: copies of its shape."""
ORDERS = 4
"""Random orders of each shape up to 2^17 vertices; larger ones have one, as they take seconds."""
FORMS = {
    "edges": "edges",
    "wide edges": "edges",
    "host edges": "edges",
    "rows": "csr",
    "promised rows": "csr",
}
"""Forms of a graph, with the form that an algorithm must read."""
SLOW = 0.02  # seconds of a run from which on larger graphs are left out


@cache
def shape(name, size):
    """The ends of the edges of a connected graph of this many vertices, numbered in its order."""
    v = np.arange(size)
    if name == "path":
        return v[1:], v[:-1]
    if name == "ring":
        return v, np.roll(v, 1)
    if name == "tree":
        return v[1:], (v[1:] - 1) // 2
    width = int(size**0.5)
    right, down = v[(v % width != 0) & (v != 0)], v[width:]
    return np.append(right, down), np.append(right - 1, down - width)


@cache
def ordered(name, size, parts, seed):
    """Sources, targets and labels of copies of a shape in a random order, on the device."""
    import cupy as cp

    source, target = shape(name, size // parts)
    first = np.arange(parts)[:, None] * (size // parts)
    order = np.random.default_rng(seed).permutation(parts * (size // parts))
    labels = np.repeat(order.reshape(parts, -1).min(axis=1), size // parts)
    right = np.empty_like(labels)
    right[order] = labels
    ends = (cp.asarray(order[(first + one).ravel()], np.int32) for one in (source, target))
    return *ends, cp.asarray(right, np.uint32)


def in_form(form, source, target, n):
    """The edges as a caller hands them over."""
    import cupy as cp

    if form == "wide edges":
        return skerry.Edges(source.astype(np.int64), target.astype(np.int64), n)
    if form == "host edges":
        return skerry.Edges(cp.asnumpy(source), cp.asnumpy(target), n)
    return skerry.Edges(source, target, n)


@cache
def rows_of(name, size, parts, seed):
    """The rows of a shape in a random order: every edge in both directions."""
    import cupy as cp

    source, target, right = ordered(name, size, parts, seed)
    ends = cp.asnumpy(cp.append(source, target)), cp.asnumpy(cp.append(target, source))
    matrix = sp.csr_array((np.ones(len(ends[0]), np.int8), ends), shape=(len(right), len(right)))
    return cp.asarray(matrix.indptr, np.uint32), cp.asarray(matrix.indices, np.int32)


@cache
def graphs(name, size, parts, form):
    """Graphs of a shape in some random orders, with their labels."""
    made = []
    for seed in range(ORDERS if size <= 1 << 17 else 1):
        source, target, right = ordered(name, size, parts, seed)
        if FORMS[form] == "csr":
            promised = True if form == "promised rows" else None
            graph = skerry.Csr(*rows_of(name, size, parts, seed), symmetric=promised)
        else:
            graph = in_form(form, source, target, len(right))
        made.append((graph, right))
    return made


def forget_graphs():
    """Gives back the memory of all graphs."""
    import cupy as cp

    for made in (graphs, rows_of, ordered):
        made.cache_clear()
    cp.get_default_memory_pool().free_all_blocks()


@cache
def _compare():
    import cupy as cp

    return cp.ElementwiseKernel(
        "T label, uint32 right, int64 run",
        "raw uint8 wrong",
        "if (label != right) wrong[run] = 1",
        "compare_labels",
    )


@dataclass
class Tally:
    """Runs of one algorithm on one form, and where labels were wrong."""

    algorithm: str
    form: str
    runs: int = 0
    seconds: float = 0.0
    wrong: int = 0
    where: tuple = ()

    def __str__(self):
        where = f", first on {self.where}" if self.where else ""
        wrong = f"{self.wrong} of {self.runs:,} runs wrong"
        return f"{self.algorithm}, {self.form}: {wrong} in {self.seconds:.1f} s{where}"


def run_many(algorithm, form, runs):
    """Runs an algorithm on graphs of every shape and size, that many times in all."""
    tally = Tally(algorithm, form)
    begin = time.perf_counter()
    cells = [(name, parts) for name in SHAPES for parts in PARTS]
    share = max(1, runs // (len(cells) * len(SIZES)))
    for name, parts in cells:
        for size in SIZES:
            each = _run_cell(tally, (name, size, parts, form), share)
            if each > SLOW:
                break
    tally.seconds = time.perf_counter() - begin
    return tally


def _run_cell(tally, cell, runs):
    import cupy as cp

    given = graphs(*cell)
    device = None if cell[-1] != "host edges" else "cuda"
    options = {"algorithm": tally.algorithm} | ({"device": device} if device else {})
    wrong = cp.zeros(runs, np.uint8)
    begin = time.perf_counter()
    for run in range(runs):
        graph, right = given[run % len(given)]
        labels = skerry.connected_components(graph, **options).labels
        _compare()(cp.asarray(labels), right, run, wrong)
    found = int(wrong.sum())
    if found and not tally.wrong:
        tally.where = (*cell, f"run {int(wrong.argmax())}")
    tally.runs += runs
    tally.wrong += found
    return (time.perf_counter() - begin) / runs
