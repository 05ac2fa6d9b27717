"""`skerry.UnionFind`: batches in any cut and order give the components of all their edges."""

from __future__ import annotations

import pickle
import re
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import skerry
from skerry.union_find.forest import PIECE
from support.graphs import large_graphs, small_graphs
from support.oracle import flood_labels

EDGES = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=60)


def oracle(pairs, n):
    ends = np.array(pairs, np.int64).reshape(-1, 2)
    return flood_labels(n, ends[:, 0], ends[:, 1]).tolist()


def joined(sets, src, dst):
    sets.union(src, dst)
    return sets


def in_batches(sets, src, dst, size):
    for begin in range(0, len(src), size):
        sets.union(src[begin : begin + size], dst[begin : begin + size])
    return sets


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("size", [1, 7, 10**6])
def test_all_graphs(threads, size):
    for graph in small_graphs() if size < 10**6 else (*small_graphs(), *large_graphs()):
        sets = skerry.UnionFind(graph.n, threads=threads)
        in_batches(sets, graph.edges.src, graph.edges.dst, size)
        np.testing.assert_array_equal(sets.labels, graph.labels, graph.name)
        assert sets.count == graph.count
        assert len(sets) == graph.n


@given(pairs=EDGES, size=st.integers(1, 9), extra=st.integers(0, 3), wide=st.booleans())
def test_drawn_batches(pairs, size, extra, wide):
    n = max((max(pair) + 1 for pair in pairs), default=0) + extra
    sets = skerry.UnionFind(dtype=np.uint64 if wide else None)
    for begin in range(0, len(pairs), size):
        some = pairs[begin : begin + size]
        sets.union([u for u, _ in some], [v for _, v in some])
    sets.grow(n)
    right = oracle(pairs, n)
    assert sets.find(np.arange(n)).tolist() == right
    assert sets.count == len(set(right))
    assert sets.labels.tolist() == right
    assert [sets.find(v) for v in range(n)] == right
    assert sets.labels.dtype == (np.uint64 if wide else np.uint32)


@given(pairs=EDGES)
def test_single_edges_and_questions_between_them(pairs):
    sets, seen = skerry.UnionFind(), []
    for u, v in pairs:
        before = sets.count + max(u, v) + 1 - min(len(sets), max(u, v) + 1)
        merges = sets.union(u, np.int32(v))
        assert merges == before - sets.count and type(merges) is int
        seen.append((u, v))
        right = oracle(seen, len(sets))
        assert sets.count == len(set(right))
        assert sets.connected(u, v) is True
        assert sets.find(v) == right[v]


@given(first=EDGES, second=EDGES, more=EDGES)
def test_merge(first, second, more):
    one, other = skerry.UnionFind(), skerry.UnionFind(dtype=np.uint64)
    for sets, pairs in ((one, first), (other, second)):
        for u, v in pairs:
            sets.union(u, v)
    kept = other.labels.tolist()
    before = len(set(oracle(first, max(len(one), len(other)))))
    assert one.merge(other) == before - one.count
    assert other.labels.tolist() == kept
    assert one.labels.tolist() == oracle(first + second, len(one))
    for u, v in more:
        one.union(u, v)
    assert one.labels.tolist() == oracle(first + second + more, len(one))


def test_a_chain_that_is_hooked_backwards():
    """Every edge hooks a root, so that paths become as long as they can."""
    n = 200_000
    ids = np.arange(n, dtype=np.uint32)[::-1]
    sets = in_batches(skerry.UnionFind(n), ids[:-1], ids[1:], 1000)
    assert sets.find(n - 1) == 0
    assert not sets.find([n - 1, 5]).any()
    assert sets.count == 1


def test_more_than_a_piece():
    n = 2 * PIECE + 5
    sets = skerry.UnionFind(3)
    assert sets.grow(n) == n - 3 and sets.grow(2) == 0
    assert sets.count == n
    np.testing.assert_array_equal(sets.labels, np.arange(n))
    other = skerry.UnionFind()
    assert other.union(np.arange(0, n - 1), np.arange(1, n)) == n - 1
    assert sets.merge(other) == n - 1 and sets.merge(other) == 0 and sets.count == 1
    assert 4 * n <= sets.nbytes <= 4 * n + 2**20


def test_labels_are_read_only_and_keep_their_values():
    sets = skerry.UnionFind(3)
    labels = sets.labels
    with pytest.raises(ValueError, match="read-only"):
        labels[:] = 0
    assert sets.labels is labels
    sets.union(1, 2)
    assert sets.labels.tolist() == [0, 1, 1]
    assert labels.tolist() == [0, 1, 2]


def test_answers_mean_what_they_mean_on_components():
    src, dst = [0, 2, 5], [1, 3, 3]
    sets = joined(skerry.UnionFind(7), src, dst)
    result = skerry.connected_components((src, dst), num_vertices=7)
    assert sets.count == result.count
    assert sets.labels.tolist() == result.labels.tolist()
    assert sets.sizes().tolist() == result.sizes().tolist() == [2, 3, 1, 1]
    assert sets.sizes().dtype == result.sizes().dtype
    assert sets.connected(2, 5) is result.connected(2, 5) is True
    both = [0, 1, 2], [1, 2, 5]
    assert sets.connected(*both).tolist() == result.connected(*both).tolist()


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int32, np.uint32, np.int64, np.uint64])
def test_types_of_ids(dtype):
    sets = skerry.UnionFind()
    sets.union(np.array([5, 0, 5], dtype), np.array([1, 1, 9], np.int64)[::-1][::-1])
    sets.union(np.array([[2, 3], [4, 4]], dtype)[:, 0], [3, 6])
    assert sets.labels.tolist() == oracle([(5, 1), (0, 1), (5, 9), (2, 3), (4, 6)], 10)
    assert sets.find(np.array([[5, 2]], dtype)).tolist() == [[0, 2]]


def test_nothing():
    sets = skerry.UnionFind()
    assert (len(sets), sets.count, sets.nbytes) == (0, 0, 0)
    assert sets.union([], []) == 0 and sets.labels.tolist() == []
    assert sets.find([]).tolist() == []
    assert sets.merge(skerry.UnionFind()) == 0 and sets.count == 0


def test_pickle_and_repr():
    sets = joined(skerry.UnionFind(4, threads=1, dtype=np.uint64), [3, 1], [2, 3])
    again = pickle.loads(pickle.dumps(sets))
    assert again.labels.tolist() == [0, 1, 1, 1]
    assert again.union(0, 5) == 1 and again.labels.tolist() == [0, 1, 1, 1, 4, 0]
    assert repr(again) == "UnionFind(vertices=6, uint64)"
    for parent in ([1, 1], [0, 0, 1]):
        state = {"labels": np.array(parent, np.uint32), "threads": None, "dtype": None}
        with pytest.raises(skerry.InputError, match="invalid state of a UnionFind"):
            again.__setstate__(state)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s: s.union([0, -3], [1, 1]), "src[1] is -3: vertex numbers must not be negative"),
        (lambda s: s.union(0, -3), "dst is -3"),
        (lambda s: s.union([0, 1], [1]), "src has 2 ids and dst 1"),
        (lambda s: s.union([0.5], [1]), "src must hold integers, got float64"),
        (lambda s: s.union(0.5, 1), "src must be one-dimensional"),
        (lambda s: s.union(True, 1), "src must be one-dimensional"),
        (lambda s: s.union(["a"], ["b"]), "src must hold integers"),
        (lambda s: s.union([2**62], [0]), "src[0] is 4611686018427387904: ids must be below"),
        (lambda s: s.union(2**62, 0), "below 2**59"),
        (lambda s: s.find(7), "vertex 7 is not in 0..2"),
        (lambda s: s.find([0, -1]), "is not in 0..2"),
        (lambda s: s.find("a"), "vertices are integers"),
        (lambda s: s.find(True), "vertices are integers"),
        (lambda s: s.connected([0, 1], [0, 1, 2]), "do not match"),
        (lambda s: s.grow(-1), "num_vertices must be in"),
        (lambda s: s.grow(2.5), "num_vertices must be an integer"),
        (lambda s: s.merge([1]), "only a UnionFind can be merged, got list"),
        (lambda _: skerry.UnionFind(threads=0), "threads must be"),
        (lambda _: skerry.UnionFind(dtype="int32"), "dtype must be uint32 or uint64"),
        (lambda _: skerry.UnionFind(2**33, dtype="u4"), "do not fit into uint32"),
    ],
)
def test_refuses(call, message):
    sets = joined(skerry.UnionFind(3), 0, 2)
    with pytest.raises(skerry.InputError, match=re.escape(message)):
        call(sets)
    assert sets.labels.tolist() == [0, 1, 0]


def test_more_vertices_than_memory():
    sets = skerry.UnionFind(2)
    with pytest.raises(MemoryError, match="ids='external'"):
        sets.union([2**50], [0])
    assert sets.union(0, 1) == 1 and sets.labels.tolist() == [0, 0]


def test_memory():
    """4 bytes a vertex, also while it grows."""
    code = """
import resource, numpy as np, skerry
def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
skerry.UnionFind(1000).union([0], [1])
before, n = peak(), 40_000_000
sets = skerry.UnionFind(threads=1)
for top in range(1_000_000, n + 1, 1_000_000):
    ids = np.arange(top - 1_000_000, top, 50, dtype=np.uint32)
    sets.union(ids, np.full_like(ids, top - 1))
assert len(sets) == n
print((peak() - before) / n)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 4 * 9 / 8 + 1


# Threads


def run_threads(*works):
    """Runs functions at once; raises what one of them raised."""
    with ThreadPoolExecutor(len(works)) as pool:
        for done in [pool.submit(work) for work in works]:
            done.result(timeout=60)


def test_union_from_several_threads_while_it_grows():
    """It crashed the process: one thread's array moved while another wrote to it."""
    random = np.random.default_rng(3)
    batches = [random.integers(0, 2000 * (k + 1), (2, 20_000)) for k in range(24)]
    sets = skerry.UnionFind()

    def join(part):
        for src, dst in part:
            sets.union(src, dst)
            sets.union(int(src[0]), int(dst[0]) + 500)

    run_threads(*(partial(join, batches[k::4]) for k in range(4)))
    src, dst = np.concatenate(batches, axis=1)
    expected = joined(skerry.UnionFind(len(sets)), src, dst)
    for first, second in batches:
        expected.union(first[0], second[0] + 500)
    np.testing.assert_array_equal(sets.labels, expected.labels)
    assert sets.count == expected.count


def test_questions_while_another_thread_joins():
    """What was joined before the question is joined in the answer, whatever happens meanwhile."""
    n = 3000
    sets = skerry.UnionFind(n)
    sets.union(np.arange(n // 2, n - 1), np.arange(n // 2 + 1, n))  # one set that gets new roots
    done = threading.Event()

    def join():
        for root in range(n // 2 - 1, -1, -1):
            sets.union(root, root + 1)
        done.set()

    def question():
        while True:
            last = done.is_set()
            assert sets.connected(n - 1, n // 2)
            assert sets.connected([n - 1], [n // 2]).all()
            assert sets.find(n - 1) <= n // 2 and sets.labels[n - 1] <= n // 2
            assert 1 <= sets.count <= n // 2 + 1 and sets.sizes().sum() == n
            if last:
                return

    run_threads(join, question, question)
    assert sets.count == 1


def test_two_that_merge_each_other_do_not_wait_forever():
    first, second = skerry.UnionFind(50), skerry.UnionFind(60)
    first.union(1, 2), second.union(2, 3)

    def merge(one, other):
        for _ in range(200):
            one.merge(other)

    run_threads(partial(merge, first, second), partial(merge, second, first))
    assert first.merge(first) == 0 and first.connected(1, 3) and second.connected(1, 3)


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGALRM")
def test_a_signal_handler_cannot_use_what_it_interrupted():
    sets = skerry.UnionFind(threads=2)
    errors = []

    class StopError(Exception):
        pass

    def handler(*_):
        try:
            sets.union(5, 10**6)  # would move the array under the call
        except skerry.SkerryError as error:
            errors.append(str(error))
            raise StopError from None

    many = np.broadcast_to(np.uint32(0), 1 << 29)  # a second, and the next call goes on with them
    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(StopError):
            sets._change(sets._forest.add_edges, many, many, None, 1)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert "in use by the call that a signal interrupted" in errors[0]
    assert sets.union(0, 1) == 1 and sets.count == len(sets) - 1


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_merges_are_counted_exactly_by_threads_and_where_the_giant_is_left_out(threads):
    """Ten times as many edges as vertices: most lie in a giant component, which is skipped."""
    random = np.random.default_rng(7)
    n = 60_000
    sets = skerry.UnionFind(n, threads=threads)
    apart = n
    for m in (n // 2, 10 * n, 10 * n):
        src, dst = random.integers(0, n - 50, (2, m))
        merges = sets.union(src, dst)
        right = len(set(sets.labels.tolist()))
        assert merges == apart - right
        assert sets._forest.known_count == right == sets.count
        apart = right
    assert sets.union(src, dst) == 0


def test_the_dict_like_face_of_vertex_numbers():
    sets = joined(skerry.UnionFind(4), [3], [1])
    assert sets[3] == sets.find(3) == 1 and sets[np.int8(2)] == 2
    assert 3 in sets and 4 not in sets and -1 not in sets and "a" not in sets and None not in sets
    assert list(sets) == [0, 1, 2, 3] and sets.ids is None
    for unknown in (4, -1, "a", None):
        with pytest.raises(KeyError):
            sets[unknown]
    assert sets.add(6) == 3 and sets.add([2, 7]) == 1 and len(sets) == 8
    assert [group.tolist() for group in sets.groups()] == [[0], [1, 3], [2], [4], [5], [6], [7]]
    assert sets.to_sets()[1] == {1, 3}
    result = sets.components()
    sets.union(0, 1)
    assert result.count == 7 and result.largest().members.tolist() == [1, 3]
    with pytest.raises(skerry.UnsupportedError, match="keeps no edges"):
        result.verify()


@given(labels=st.lists(st.integers(-5, 40), max_size=40), pairs=EDGES)
def test_sets_from_labels_of_any_integers(labels, pairs):
    sets = skerry.UnionFind.from_labels(labels, threads=2)
    first = {label: labels.index(label) for label in labels}
    assert sets.labels.tolist() == [first[label] for label in labels]
    assert sets.count == len(first)
    edges = [(v, first[label]) for v, label in enumerate(labels)]
    for u, v in pairs:
        sets.union(u, v)
    assert sets.labels.tolist() == oracle(edges + pairs, len(sets))


def test_sets_from_a_result():
    result = skerry.connected_components(([0, 2], [4, 3]), labels="dense")
    sets = skerry.UnionFind.from_labels(result)
    assert sets.labels.tolist() == [0, 1, 2, 2, 0] and sets.union(1, 6) == 1
    for labels in ([0.5], [[1]], "ab"):
        with pytest.raises(skerry.InputError, match="labels"):
            skerry.UnionFind.from_labels(labels)


@pytest.mark.parametrize("threads", [1, 2])
def test_vertices_that_come_after_the_giant_was_marked_are_joined(threads):
    """A bit of the bitmap of the giant's members must not stand for a vertex that is new."""
    random = np.random.default_rng(11)
    sets, n = skerry.UnionFind(threads=threads), 64
    src, dst = np.empty(0, np.int64), np.empty(0, np.int64)
    for _ in range(6):
        for _ in range(6):  # enough edges for the giant to be looked for, and used
            more = random.integers(0, n, (2, 2 * n))
            src, dst = np.concatenate([src, more[0]]), np.concatenate([dst, more[1]])
            sets.union(*more)
        right = flood_labels(n, src, dst)
        np.testing.assert_array_equal(sets.labels, right)
        assert sets.count == len(np.unique(right)) and len(sets) <= n
        n = n * 2 + 3
        sets.grow(n)
    assert sets._forest.reader.nbytes > 0
