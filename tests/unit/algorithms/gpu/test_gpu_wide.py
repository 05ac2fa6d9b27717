"""More vertices than 32 bits can number, in rows whose ids have 32 bits: any such id is a vertex.

There is no memory for so many here: kernels that read only listed rows get an n that is too large.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from skerry.algorithms.gpu.job import Job
from skerry.algorithms.gpu.labels import raise_input_error
from skerry.algorithms.gpu.rows import hook_defines
from skerry.algorithms.gpu.state import InputFault, Word
from skerry.cuda.runtime import Widths
from skerry.errors import InputError
from skerry.graph.csr import Csr
from skerry.graph.device import DeviceCsr
from skerry.graph.edge_source import InputFacts
from skerry.inputs.device import load_on_device
from skerry.inputs.sources import DeviceSource
from skerry.request import InputOptions
from support.emulator import EmulatedRuntime, works

pytestmark = pytest.mark.skipif(not works(), reason="needs a C++ compiler")

OFFSETS = np.array([0, 2, 3, 5, 5, 6], np.uint64)
ROOTS = [0, 0, 0, 3, 0]


def hooked(entries, n, ids, labels=64):
    """The roots of the first rows after a hook of their entries, and what fault was reported."""
    runtime = EmulatedRuntime()
    state = runtime.zeros(Word.STATE_WORDS, np.uint64)
    state[Word.FRONT] = 5
    parent, worklist = np.arange(5, dtype=f"u{labels // 8}"), np.arange(5, dtype=f"u{labels // 8}")
    what = (OFFSETS, np.array(entries, f"u{ids // 8}"), n, len(entries), parent, state, 1, 0, 0)
    defines = (*Widths(labels, ids, 64).defines, *hook_defines())
    kernel = runtime.kernel("hook_rows", "hook_middle_rows", defines)
    kernel((2,), (64,), (*what, worklist))
    roots = parent
    while not np.array_equal(roots, parent[roots]):
        roots = parent[roots]
    return roots.tolist(), tuple(map(int, state[: Word.CHANGED]))


@pytest.mark.parametrize("n", [2**32 - 1, 2**32, 2**32 + 1, 2**32 + 5, 2**33, 2**59])
@pytest.mark.parametrize("ids", [32, 64])
def test_ids_that_are_vertices(n, ids):
    """Only smaller neighbors are hooked, so the largest id is checked and then left alone."""
    entries = [1, 2, 0, 1, min(n - 1, 2**32 - 1), 0]
    assert hooked(entries, n, ids) == (ROOTS, (InputFault.NO_FAULT, 0))


@pytest.mark.parametrize(
    ("n", "id_bits", "label_bits", "id"),
    [
        (5, 32, 32, 5),
        (5, 32, 64, 5),
        (2**32 - 1, 32, 32, 2**32 - 1),
        (2**32 - 1, 32, 64, 2**32 - 1),
        (2**32, 64, 64, 2**32),
        (2**32 + 5, 64, 64, 2**32 + 5),
        (2**33, 64, 64, 2**64 - 1),
    ],
)
def test_ids_that_are_not(n, id_bits, label_bits, id):
    parents, fault = hooked([1, 2, 0, 1, id, 0], n, id_bits, label_bits)
    assert (parents, fault) == (ROOTS, (InputFault.NEIGHBOR_OUT_OF_RANGE, 4))


def test_a_fault_beyond_is_told_in_full():
    entries = np.array([0, 1], np.uint64)
    entries[1] = 2**40
    runtime = EmulatedRuntime()
    job = Job(runtime, DeviceCsr(np.array([0, 2, 2], np.uint64), entries), np.uint64, False)
    job.state[: Word.CHANGED] = InputFault.NEIGHBOR_OUT_OF_RANGE, 1
    with pytest.raises(InputError, match=r"indices\[1\] is 1099511627776, but the graph has 2 "):
        raise_input_error(job)


def adapted(src, dst, n):
    graph = (np.array(src), np.array(dst))
    options = InputOptions(num_vertices=n, ids="vertices")
    return load_on_device(DeviceSource(graph, options, InputFacts(), 0), EmulatedRuntime())


@pytest.mark.parametrize("n", [2**31 + 1, 3 * 10**9, 2**32, 2**40])
def test_a_negative_id_is_never_taken_for_a_vertex(n):
    """Without its sign, a negative number of 32 bits is one between 2**31 and 2**32."""
    for kind, other in product((np.int8, np.int32), (np.int32, np.uint32, np.int64)):
        for value in (-1, -128):
            given = adapted(np.array([5, value], kind), np.array([0, 1], other), n)
            assert given.src.dtype == given.dst.dtype == np.uint64
            assert given.src.tolist() == [5, 2**64 + value]
            assert given.dst.tolist() == [0, 1]
    small = adapted(np.array([5, -(2**31)], np.int32), np.array([0, 1], np.int32), 2**31)
    assert small.src.dtype == np.uint32 and int(small.src[1]) >= 2**31


def test_ids_without_a_sign_may_be_large():
    """As on a CPU."""
    large = np.array([1, 2**32 - 2], np.uint32)
    for other in (np.uint32, np.int32, np.uint64, np.int64):
        for n in (None, 2**32 - 1):
            given = adapted(large, np.array([0, 7], other), n)
            assert given.num_vertices == 2**32 - 1
            assert given.src.tolist() == [1, 2**32 - 2] and given.dst.tolist() == [0, 7]
            assert given.src.dtype == given.dst.dtype
    given = adapted(large, large[::-1], None)
    assert given.src.dtype == np.uint32


def test_a_negative_offset_is_never_taken_for_a_place():
    """Nor where there are so many entries; of which only the number is looked at."""
    entries = np.broadcast_to(np.uint32(0), 2**31)
    runtime = EmulatedRuntime()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(np, "ascontiguousarray", lambda array: array)
        graph = Csr(np.array([0, -(2**31)], np.int32), entries)
        given = load_on_device(DeviceSource(graph, InputOptions(), InputFacts(), 0), runtime)
    assert given.offsets.tolist() == [0, 2**64 - 2**31]
