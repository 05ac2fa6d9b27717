"""``dtype=``: signed and unsigned labels of every engine."""

from __future__ import annotations

import pickle

import numpy as np
import pyarrow as pa
import pytest

import skerry
from skerry import InputError
from skerry.engines.memory import label_type
from support.emulated import emulated_gpu

TYPES = ["uint32", "uint64", "int32", "int64"]
SRC, DST = np.array([0, 2], np.uint32), np.array([5, 3], np.uint32)
LABELS = {"min": [0, 1, 2, 2, 4, 0, 6], "dense": [0, 1, 2, 2, 3, 0, 4]}


@pytest.fixture(params=["min", "dense"])
def kind(request):
    return request.param


def check(result, dtype, kind):
    assert result.labels.dtype == dtype
    assert result.labels.tolist() == LABELS[kind]
    assert result.labels is result.labels
    assert result.count == 5
    assert result.sizes().tolist() == [2, 1, 2, 1, 1]
    assert [members.tolist() for members in result.groups()] == [[0, 5], [1], [2, 3], [4], [6]]
    assert {members.dtype for members in result.groups()} == {np.dtype(dtype)}
    assert [each.members.tolist() for each in result.largest(2)] == [[0, 5], [2, 3]]
    assert result.component_of([5, 3]).dtype == dtype
    assert result.connected(0, 5)
    assert result.verify()
    assert result.columns()["component"].dtype == dtype
    copied = pickle.loads(pickle.dumps(result))
    assert copied.labels.dtype == dtype
    assert copied.labels.tolist() == LABELS[kind]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("algorithm", ["auto", "ecl", "bfs"])
def test_labels_of_arrays(dtype, algorithm, kind):
    options = {"num_vertices": 7, "labels": kind, "algorithm": algorithm}
    check(skerry.connected_components((SRC, DST), dtype=dtype, **options), dtype, kind)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("algorithm", ["auto", "ecl"])
def test_labels_of_batches(dtype, algorithm, kind):
    result = skerry.connected_components(
        [(SRC, DST)], ids="vertices", num_vertices=7, labels=kind, dtype=dtype, algorithm=algorithm
    )
    check(result, dtype, kind)


@pytest.mark.parametrize("dtype", TYPES)
def test_labels_of_external_ids(dtype):
    table = pa.table({"a": ["x", "y"], "b": ["z", "y"]})
    result = skerry.connected_components(table, dtype=dtype)
    assert result.labels.dtype == dtype
    assert result.table().to_pydict() == {"id": ["x", "y", "z"], "component": ["x", "y", "x"]}


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("on_device", [True, False])
def test_labels_of_a_device(dtype, on_device, kind):
    with emulated_gpu(on_device=on_device):
        result = skerry.connected_components(
            (SRC, DST), num_vertices=7, labels=kind, dtype=dtype, device="cuda"
        )
        check(result, dtype, kind)


def test_signed_labels_do_not_wrap():
    result = skerry.connected_components((SRC, DST), dtype="int64")
    assert (result.labels - 1).min() == -1
    assert not result.labels.flags.writeable


def test_labels_that_do_not_fit_are_refused():
    assert label_type(np.dtype("int32"), 2**31 - 1) == np.uint32
    assert label_type(np.dtype("uint32"), 2**32 - 1) == np.uint32
    assert label_type(np.dtype("int64"), 2**40) == np.uint64
    with pytest.raises(InputError, match=r"2,147,483,648 vertices do not fit.*int32.*use int64"):
        skerry.estimate(2**31, 5, dtype="int32")
    with pytest.raises(InputError, match="do not fit into int32"):
        skerry.estimate(2**31, 5, dtype="int32", form="batches")
    with pytest.raises(InputError, match="do not fit into int32"):
        skerry.estimate(2**31, 5, dtype="int32", device="cuda")
    with pytest.raises(InputError, match="do not fit into uint32 labels; use uint64"):
        skerry.estimate(2**32, 5, dtype="uint32")
    assert skerry.estimate(100, 5, dtype="int64").run >= 800


@pytest.mark.parametrize("bad", ["int16", "float64", "nonsense", object()])
def test_other_types_are_refused(bad):
    with pytest.raises(InputError, match="dtype must be uint32, uint64, int32 or int64"):
        skerry.connected_components((SRC, DST), dtype=bad)


def test_a_union_find_stays_unsigned():
    with pytest.raises(InputError, match="dtype must be uint32 or uint64, got int64"):
        skerry.UnionFind(dtype="int64")
