"""Arrays of other libraries: torch, JAX, Numba and CuPy's sparse matrices, where they are there.

They share a process with us here, so these tests come last.
"""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest

import skerry
import skerry.csgraph
from support.graphs import small_graphs
from support.on_gpu import assert_labels, require_gpu

cp = require_gpu()

GRAPH = next(graph for graph in small_graphs() if graph.name == "above the threshold")


def ask(given, **options):
    return skerry.connected_components(given, num_vertices=GRAPH.n, **options)


def ends():
    return GRAPH.src, GRAPH.dst


def optional(name):
    """A library that need not be there."""
    try:
        return import_module(name)
    except Exception as error:
        pytest.skip(f"{name}: {error}")


def test_torch():
    torch = optional("torch")
    if not torch.cuda.is_available():
        pytest.skip("this torch has no GPU")
    for dtype in (torch.int32, torch.int64):
        pair = tuple(torch.tensor(one, device="cuda", dtype=dtype) for one in ends())
        index = torch.stack(pair)
        for given in (pair, index, index.t(), index.t().contiguous()):
            assert_labels(GRAPH, ask(given), f"torch {dtype}")


def test_jax():
    jax = optional("jax")
    try:
        device = jax.devices("gpu")[0]
    except RuntimeError:
        pytest.skip("this JAX has no GPU")
    pair = [jax.device_put(one.astype(np.int32), device) for one in ends()]
    jax.block_until_ready(pair)
    assert_labels(GRAPH, ask(tuple(pair)), "JAX")
    assert_labels(GRAPH, ask(jax.block_until_ready(jax.numpy.stack(pair))), "JAX")


def test_numba():
    cuda = optional("numba.cuda")
    if not cuda.is_available():
        pytest.skip("this Numba has no GPU")
    pair = tuple(cuda.to_device(np.ascontiguousarray(one)) for one in ends())
    assert_labels(GRAPH, ask(pair), "Numba")


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
def test_cupyx_matrices(form):
    sparse = optional("cupyx.scipy.sparse")

    def matrix(row, column):
        entries = (cp.ones(len(row), np.float32), (row, column))
        return sparse.coo_matrix(entries, shape=(GRAPH.n, GRAPH.n)).asformat(form)

    src, dst = (cp.asarray(one.astype(np.int32)) for one in ends())
    once, both = matrix(src, dst), matrix(cp.append(src, dst), cp.append(dst, src))
    assert_labels(GRAPH, skerry.connected_components(once), form)
    assert_labels(GRAPH, skerry.connected_components(once, algorithm="ecl"), form)
    assert_labels(GRAPH, skerry.connected_components(both, symmetric=True), form)
    assert_labels(GRAPH, skerry.connected_components(both, algorithm="afforest"), form)
    with pytest.raises(skerry.InputError, match="square"):
        skerry.connected_components(sparse.coo_matrix((3, 4)).asformat(form))


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "dense"])
def test_csgraph_of_cupyx_matrices(form):
    sparse = optional("cupyx.scipy.sparse")
    graph = next(graph for graph in small_graphs() if 10 < graph.n < 2000)
    src, dst = (cp.asarray(each.astype(np.int32)) for each in (graph.src, graph.dst))
    entries = (cp.ones(len(src), np.float32), (src, dst))
    matrix = sparse.coo_matrix(entries, shape=(graph.n, graph.n))
    given = matrix.toarray() if form == "dense" else matrix.asformat(form)
    count, labels = skerry.csgraph.connected_components(given, directed=False)
    assert isinstance(labels, cp.ndarray) and labels.dtype == np.int32
    np.testing.assert_array_equal(labels.get(), graph.dense)
    assert count == graph.count
    assert skerry.csgraph.connected_components(given, return_labels=False) == count
    labels[:] = 0  # they are the caller's
