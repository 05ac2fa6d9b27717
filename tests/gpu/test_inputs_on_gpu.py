"""Inputs of many kinds on a GPU, what is asked of an answer there, and what is refused."""

from __future__ import annotations

from contextlib import nullcontext
from itertools import product

import numpy as np
import pytest

import skerry
from support.graphs import graph_of, large_graphs, small_graphs
from support.on_gpu import assert_answer_on_gpu, assert_labels, on_device, require_gpu

cp = require_gpu()

GRAPH = next(graph for graph in small_graphs() if graph.name == "above the threshold")
LARGE = large_graphs()[2]


def ask(given, **options):
    return skerry.connected_components(given, num_vertices=GRAPH.n, **options)


def columns(dtype=np.int64):
    return cp.asarray(GRAPH.src.astype(dtype)), cp.asarray(GRAPH.dst.astype(dtype))


def ends():
    return GRAPH.src, GRAPH.dst


def table():
    return cp.stack(columns(), axis=1)


class OnlyDlpack:
    """An array that offers DLPack and nothing else."""

    def __init__(self, array):
        self._array = array

    def __dlpack__(self, **options):
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


class OnlyInterface:
    """An array that offers the CUDA array interface and nothing else."""

    def __init__(self, array):
        self._array = array
        self.__cuda_array_interface__ = array.__cuda_array_interface__


@pytest.mark.parametrize("wrapper", [OnlyDlpack, OnlyInterface])
def test_protocols(wrapper):
    assert_labels(GRAPH, ask(tuple(wrapper(one) for one in columns())), wrapper.__name__)
    assert_labels(GRAPH, ask(wrapper(table())), wrapper.__name__)


def test_tables_and_steps():
    rows = table()
    padded = cp.zeros((len(rows), 5), np.int64)
    padded[:, 1::2] = rows
    for given in (
        rows,
        cp.asfortranarray(rows),
        rows.T,
        cp.ascontiguousarray(rows.T),
        (padded[:, 1], padded[:, 3]),
        (rows[::-1, 0], rows[::-1, 1]),
        (cp.repeat(rows[:, 0], 3)[::3], rows[:, 1]),
    ):
        for name in ("auto", "cc", "soman", "stream[share=2]", "ecl"):
            assert_labels(GRAPH, ask(given, algorithm=name), name)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"])
def test_types_of_ids(dtype):
    small = graph_of("short", 100, [(v, (7 * v) % 50) for v in range(60)])
    given = tuple(cp.asarray(one.astype(dtype)) for one in (small.src, small.dst))
    assert_labels(small, skerry.connected_components(given, num_vertices=100), dtype)


def test_mixed_types_of_ids():
    src, dst = columns(np.int32)[0], columns(np.int64)[1]
    assert_labels(GRAPH, ask((src, dst)), "mixed")


def test_number_of_vertices_is_found():
    given = on_device(LARGE, "edges", np.int64)
    result = skerry.connected_components((given.src, given.dst))
    assert result.num_vertices == max(LARGE.src.max(), LARGE.dst.max()) + 1
    assert (result.labels.get() == LARGE.labels[: result.num_vertices]).all()


def test_host_graphs_go_there_and_back():
    pairs = np.column_stack(ends())
    for given in ((GRAPH.src, GRAPH.dst), pairs, GRAPH.csr, GRAPH.csc, GRAPH.edges):
        for device in ("cuda", "cuda:0"):
            result = ask(given, device=device)
            assert type(result.labels) is np.ndarray and result.labels.dtype == np.uint32
            np.testing.assert_array_equal(result.labels, GRAPH.labels)
            assert result.plan.device == "cuda:0" and result.verify()
    big = skerry.connected_components(LARGE.symmetric, device="cuda", symmetric=True)
    np.testing.assert_array_equal(big.labels, LARGE.labels)
    listed = skerry.connected_components(pairs.tolist(), device="cuda", num_vertices=GRAPH.n)
    np.testing.assert_array_equal(listed.labels, GRAPH.labels)


@pytest.mark.parametrize("name", ["auto", "ecl"])
def test_statistics(name):
    for form in ("edges", "symmetric"):
        result = assert_answer_on_gpu(LARGE, form, name, statistics=True)
        plan = result.plan
        assert plan.device == "cuda:0" and plan.reason and plan.bytes >= 4 * LARGE.n
        assert len(plan.passes) > 2 and all(step.seconds >= 0 for step in plan.passes)
        assert plan.statistics.finds > 0 and plan.statistics.longest >= 1
    assert plan.seconds > 0 and plan.floor_rate > 0 and "ms" in str(plan)


def test_refused():
    pair = columns()
    for device in ("cuda:99", "cuda:1" if cp.cuda.runtime.getDeviceCount() == 1 else "cuda:98"):
        with pytest.raises(skerry.UnsupportedError, match="numbered from 0"):
            ask(ends(), device=device)
        with pytest.raises(skerry.UnsupportedError, match="is on cuda:0"):
            ask(pair, device=device)
    with pytest.raises(skerry.UnsupportedError, match="copy it to the host"):
        ask(pair, device="cpu")
    with pytest.raises(skerry.UnsupportedError, match="runs on a CPU only"):
        ask(pair, algorithm="dfs")
    with pytest.raises(skerry.InputError, match="different devices"):
        ask((pair[0], GRAPH.dst))
    with pytest.raises(skerry.InputError, match="hold integers"):
        ask((pair[0].astype(float), pair[1]))
    with pytest.raises(skerry.InputError, match="an edge needs one of each"):
        ask((pair[0][1:], pair[1]))
    with pytest.raises(skerry.InputError, match="must be 0 or more"):
        skerry.connected_components((-pair[0], pair[1]))
    with pytest.raises(skerry.InputError, match="shape"):
        ask(cp.zeros((4, 3), np.int32))


def test_too_little_memory():
    tiny = cp.asarray(np.array([0, 1], np.int64))
    with pytest.raises(MemoryError, match="are missing"):
        skerry.connected_components((tiny, tiny), num_vertices=1 << 40)
    assert_answer_on_gpu(GRAPH, "edges", "auto")


def test_labels_that_change_in_another_stream_change_no_answer():
    expected = skerry.connected_components(LARGE.edges)
    for run_in, ask_in in product((None, cp.cuda.Stream(non_blocking=True)), repeat=2):
        with run_in or nullcontext():
            result = skerry.connected_components(on_device(LARGE, "symmetric"))
        with ask_in or nullcontext():
            result.labels[:] = 3
            assert result.count == expected.count
            np.testing.assert_array_equal(result.sizes().get(), expected.sizes())
            assert result.verify()
