"""Folding streams: any cut into batches, any order, any ids; what is refused, and how it ends."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import skerry
from skerry.engines.streaming import external_ids as names_module
from skerry.engines.streaming import join as streaming_join
from skerry.formats.memory import memory_limited, resident
from skerry.graph.edge_source import Batch, EdgeSource
from skerry.graph.threshold import Threshold
from skerry.union_find.forest import Forest
from support.graphs import small_graphs
from support.named import named_components

SMALL = st.integers(0, 30)
IDS = {
    "small": SMALL,
    "negative": st.integers(-20, 20),
    "sparse": st.integers(0, 60).map(lambda k: k * 3_000_017),
    "wide": st.integers(-(2**63), 2**63 - 1),
}


def join_batches(source, limit=None, **options):
    with memory_limited(limit):
        return streaming_join.join_batches(streaming_join.JoinRequest(source, **options))


def stream_of(batches, id_kind="external", **more):
    def open_batches(threads):
        del threads
        yield from batches

    return EdgeSource("made", id_kind, open_batches, **more)


def cut(pairs, size, dtype=np.int64, arrow=False):
    for begin in range(0, len(pairs), size):
        ends = np.array(pairs[begin : begin + size], dtype).reshape(-1, 2)
        src, dst = np.ascontiguousarray(ends[:, 0]), np.ascontiguousarray(ends[:, 1])
        yield Batch(pa.array(src), pa.array(dst)) if arrow else Batch(src, dst)


def answer(folded):
    ids = folded.ids.tolist()
    return {one: ids[label] for one, label in zip(ids, folded.labels.tolist(), strict=True)}


@pytest.mark.parametrize(("threads", "joining"), [(1, 1), (2, 1), (3, 1), (8, 4)])
@pytest.mark.parametrize("id_kind", ["external", "vertices"])
def test_reading_that_computes_has_half_of_the_threads(monkeypatch, id_kind, threads, joining):
    used = []
    join = Forest.join

    def noted(self, src, dst, team):
        used.append(team)
        return join(self, src, dst, team)

    monkeypatch.setattr(Forest, "join", noted)
    pairs = [(v, v + 1) for v in range(50)]
    for decoded, team in ((True, joining), (False, threads)):
        used.clear()
        made = stream_of(list(cut(pairs, 10)), id_kind, decoded=decoded)
        assert not join_batches(made, threads=threads).labels.any()
        assert used == [team] * 5


@pytest.mark.parametrize("kind", IDS)
@given(data=st.data(), size=st.integers(1, 8), threads=st.sampled_from([1, 2, 5]))
def test_names(kind, data, size, threads):
    pairs = data.draw(st.lists(st.tuples(IDS[kind], IDS[kind]), max_size=40))
    right = named_components(pairs)
    found = join_batches(stream_of(list(cut(pairs, size))), threads=threads)
    assert answer(found) == right
    assert list(answer(found)) == sorted(right)
    assert found.edges == len(pairs)
    turned = [pair[::-1] for pair in data.draw(st.permutations(pairs))]
    again = join_batches(stream_of(list(cut(turned, 3, arrow=True))), threads=1)
    assert again.ids.dtype == found.ids.dtype
    np.testing.assert_array_equal(again.ids, found.ids)
    np.testing.assert_array_equal(again.labels, found.labels)


@given(data=st.data(), size=st.integers(1, 6))
def test_from_dense_to_numbered(data, size):
    """Where the gaps turn out too wide, what was joined is carried over."""
    drawn = st.tuples(SMALL, SMALL) | st.tuples(SMALL, st.sampled_from([500, 70_000, -1]))
    pairs = data.draw(st.lists(drawn, max_size=30))
    old = names_module.DENSE_FROM
    names_module.DENSE_FROM = 16
    try:
        found = join_batches(stream_of(list(cut(pairs, size))), threads=2)
    finally:
        names_module.DENSE_FROM = old
    assert answer(found) == named_components(pairs)


def test_which_way_ids_go():
    said = {}
    for name, top in {"few gaps": 3_000_000, "wide gaps": 3_000_000_000}.items():
        ids = np.random.default_rng(1).integers(0, top, 1_000_000)
        found = join_batches(stream_of([Batch(ids, ids[::-1].copy())]), threads=2)
        said[name] = found.notes[0]
        np.testing.assert_array_equal(found.ids, np.unique(ids))
    assert "numbered" in said["wide gaps"]
    assert "used as numbers" in said["few gaps"]


@pytest.mark.parametrize("dtype", ["i1", "u2", "i4", "u4", "i8", "u8"])
def test_the_type_of_ids_stays(dtype):
    pairs = [(3, 7), (9, 9), (7, 100)]
    for arrow in (False, True):
        for more in ([], [Batch(np.array([-5]), np.array([3]))] if dtype[0] == "i" else []):
            found = join_batches(stream_of([*cut(pairs, 2, dtype, arrow), *more]), threads=1)
            wanted = np.promote_types(dtype, np.int64) if more else np.dtype(dtype)
            assert found.ids.dtype == wanted
            assert answer(found)[100] == (-5 if more else 3)


@pytest.mark.parametrize("size", [1, 5, 10**6])
@pytest.mark.parametrize("threads", [1, 2])
def test_vertices(size, threads):
    for graph in small_graphs():
        pairs = np.column_stack((graph.edges.src, graph.edges.dst)).tolist()
        stream = stream_of(list(cut(pairs, size)), "vertices", num_vertices=graph.n)
        found = join_batches(stream, threads=threads)
        np.testing.assert_array_equal(found.labels, graph.labels, graph.name)
        assert found.ids is None
        if graph.n:
            stream = stream_of(list(cut(pairs, size)), "vertices")
            found = join_batches(stream, threads=threads, vertices=np.array([graph.n - 1]))
            np.testing.assert_array_equal(found.labels, graph.labels, graph.name)


def test_added_vertices():
    stream = stream_of(list(cut([(5, 7), (2, 2)], 1)))
    found = join_batches(stream, threads=1, vertices=np.array([1, 7, 10**9]))
    assert answer(found) == {1: 1, 2: 2, 5: 5, 7: 5, 10**9: 10**9}
    nothing = join_batches(stream_of([]), threads=1, vertices=pa.array(["b", "a", "b"]))
    assert answer(nothing) == {"a": "a", "b": "b"}
    assert join_batches(stream_of([]), threads=1).ids.tolist() == []


def test_weights():
    weights = np.array([0.5, 0.9, 0.89999])
    batch = Batch(np.array([1, 2, 3]), np.array([2, 3, 4]), weights)
    assert answer(join_batches(stream_of([batch]), threads=1, threshold=Threshold(0.9))) == {
        2: 2,
        3: 2,
    }
    assert join_batches(stream_of([batch]), threads=1, threshold=Threshold(0.9)).edges == 1
    assert (
        len(join_batches(stream_of([batch]), threads=1, threshold=Threshold(-np.inf)).labels) == 4
    )
    texts = Batch(pa.array(["a", "b"]), pa.array(["b", "c"]), np.array([1, 3]))
    assert answer(join_batches(stream_of([texts]), threads=1, threshold=Threshold(2))) == {
        "b": "b",
        "c": "b",
    }


NUMBERS = np.array([1, 2])


@pytest.mark.parametrize(
    ("stream", "arguments", "message"),
    [
        (
            stream_of([Batch(NUMBERS, NUMBERS + 2, location="line 7")], "vertices", num_vertices=4),
            {},
            "made, line 7: edge 1 has the vertex 4, which is not in 0..3",
        ),
        (
            stream_of([Batch(NUMBERS - 2, NUMBERS)], "vertices", num_vertices=4, first_id=1),
            {},
            "edge 0 has the vertex 0, which is not in 1..4",
        ),
        (
            stream_of([Batch(-NUMBERS, NUMBERS)], "vertices"),
            {},
            'pass ids="external" if these are not vertex numbers',
        ),
        (
            stream_of([Batch(pa.array(["a"]), pa.array(["b"]))], "vertices"),
            {},
            "vertex numbers are integers, got string",
        ),
        (stream_of([], "vertices", num_vertices=4), {"num_vertices": 5}, "the graph itself says 4"),
        (stream_of([]), {"num_vertices": 5}, "num_vertices= is for vertex numbers"),
        (stream_of([Batch(NUMBERS, NUMBERS[:1])]), {}, "2 sources and 1 targets"),
        (
            stream_of([Batch(NUMBERS, NUMBERS)]),
            {"threshold": Threshold(1)},
            "no weights to compare",
        ),
        (
            stream_of([Batch(NUMBERS, NUMBERS, np.array([1, np.nan]), "part 3")]),
            {"threshold": 1},
            "made, part 3: the weight of edge 1 is NaN",
        ),
        (
            stream_of([Batch(NUMBERS, NUMBERS, np.array(["x", "y"]))]),
            {"threshold": 1},
            "weights must be numbers, got <U1",
        ),
        (
            stream_of([Batch(NUMBERS, NUMBERS), Batch(pa.array(["a"]), pa.array(["b"]))]),
            {},
            "ids of type",
        ),
        (
            stream_of([Batch(pa.array(["a", None]), pa.array(["b", "c"]))]),
            {},
            "",
        ),
    ],
)
def test_refuses(stream, arguments, message):
    with pytest.raises(skerry.InputError) as error:
        join_batches(stream, threads=2, **arguments)
    assert message in str(error.value)


def test_the_stream_is_closed():
    closed = []

    def open_batches(threads):
        del threads
        try:
            yield Batch(NUMBERS, NUMBERS)
            yield Batch(-NUMBERS, NUMBERS)
        finally:
            closed.append(True)

    for id_kind in ("vertices", "external"):
        stream = EdgeSource("made", id_kind, open_batches)
        if id_kind == "vertices":
            with pytest.raises(skerry.InputError):
                join_batches(stream, threads=1)
        else:
            join_batches(stream, threads=1)
    assert len(closed) == 2


def test_an_error_of_the_reader_comes_through():
    def open_batches(threads):
        del threads
        yield Batch(NUMBERS, NUMBERS)
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        join_batches(EdgeSource("made", "external", open_batches), threads=1)


def test_ctrl_c_between_batches():
    """Ctrl-C ends an endless stream within a second, and closes it."""
    import _thread

    closed = []

    def open_batches(threads):
        del threads
        try:
            while True:
                yield Batch(NUMBERS, NUMBERS)
        finally:
            closed.append(time.monotonic())

    timer = threading.Timer(0.2, _thread.interrupt_main)
    timer.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        join_batches(EdgeSource("endless", "external", open_batches), threads=2)
    assert closed
    assert closed[0] - begin < 5
    timer.join()


def test_limit():
    ids = np.arange(1_000_000)
    for id_kind in ("vertices", "external"):
        for some in (ids, ids * 10**9):
            stream = stream_of([Batch(some, some[::-1].copy())], id_kind)
            with pytest.raises(MemoryError, match="and the limit is 100,000"):
                join_batches(stream, threads=1, limit=100_000)
    stream = stream_of([Batch(ids, ids)])
    assert len(join_batches(stream, threads=1, limit=resident() + 10**8).labels) == len(ids)


def test_progress():
    told = []
    batches = [Batch(NUMBERS, NUMBERS, consumed=10), Batch(NUMBERS, NUMBERS, consumed=5)]
    join_batches(stream_of(batches), threads=1, progress=lambda *said: told.append(said))
    assert told == [(2, 10), (4, 15)]


def test_memory():
    """No edge is kept: 20M edges over 1M ids take what the ids and a few batches do."""
    code = """
import resource, numpy as np, skerry
def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
def batches(count, times):
    draws = np.random.default_rng(1)
    for _ in range(count):
        src, dst = (draws.integers(0, 1_000_000, 200_000) for _ in range(2))
        yield src * times, dst * times
def solve(count, times):
    return skerry.connected_components(batches(count, times), ids="external")
for times in (1, 1_000_003):
    solve(1, times).table()
before = peak()
for times in (1, 1_000_003):
    assert solve(100, times).num_vertices == 1_000_000
    print((peak() - before) / 1_000_000)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    dense, numbered = map(float, done.stdout.split())
    assert dense < 40  # bytes an id, where the edges alone would take 320
    assert numbered < 80
