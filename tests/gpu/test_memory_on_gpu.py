"""Memory of the GPU that ends in the middle of a call: an error, and the next call is right."""

from __future__ import annotations

import gc

import numpy as np
import pytest

import skerry
from skerry.errors import SkerryError
from support.graphs import large_graphs
from support.on_gpu import on_device, require_gpu

cp = require_gpu()

GRAPH = large_graphs()[0]
MASK = np.random.default_rng(8).random((700, 900)) < 0.6


def sets(graph):
    made = skerry.UnionFind(graph.n, device="cuda")
    made.union(cp.asarray(graph.src), cp.asarray(graph.dst))
    return made.labels


CALLS = {
    "edges": lambda: skerry.connected_components(on_device(GRAPH, "edges")).labels,
    "rows": lambda: skerry.connected_components(on_device(GRAPH, "csr")).labels,
    "an algorithm by name": lambda: (
        skerry.connected_components(on_device(GRAPH, "edges"), algorithm="ecl").labels
    ),
    "UnionFind": lambda: sets(GRAPH),
    "image": lambda: skerry.ndimage.label(cp.asarray(MASK))[0],
}


@pytest.fixture
def pool():
    made = cp.cuda.MemoryPool()
    with cp.cuda.using_allocator(made.malloc):
        yield made
        gc.collect()


@pytest.mark.parametrize("name", CALLS)
def test_each_limit_below_the_need_is_an_error(name, pool):
    """The pool allows a little more each time, so that another allocation is the one that fails."""
    call = CALLS[name]
    right = call().get()
    if name != "image":
        np.testing.assert_array_equal(right, GRAPH.labels)
    gc.collect()
    used, need = pool.used_bytes(), pool.total_bytes()
    pool.free_all_blocks()
    errors = 0
    for limit in range(need // 40, need + need // 40, need // 40):
        pool.set_limit(size=limit)
        try:
            answer = call().get()
        except (MemoryError, SkerryError, cp.cuda.memory.OutOfMemoryError):
            errors, answer = errors + 1, right
        np.testing.assert_array_equal(answer, right)
        del answer
        gc.collect()
        pool.set_limit(size=0)
        np.testing.assert_array_equal(call().get(), right)
        gc.collect()
        assert pool.used_bytes() <= used, "memory of a call that failed was kept"
        pool.free_all_blocks()
    assert errors >= 3
