"""`skerry.UnionFind(ids="external")`: every prefix of a stream gives the components so far.

The oracle is a dict of sets, as people write it by hand.
"""

from __future__ import annotations

import datetime as dt
import pickle
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import skerry
from skerry.union_find import id_arguments
from skerry.union_find.table_ids import TableIds
from support.no_arrow import run_without_arrow

KINDS = {
    "text": st.text(st.characters(codec="utf-8"), max_size=3),
    "letters": st.sampled_from("abcdefgh"),
    "small": st.integers(-3, 12),
    "wide": st.integers(-(2**63), 2**63 - 1),
    "high": st.integers(0, 2**64 - 1),
    "pairs": st.tuples(st.sampled_from("abc"), st.integers(0, 3)),
}
HOW = ("single", "list", "array", "arrow", "merge")


class Oracle:
    """Sets by hand: every id, and the list of its set."""

    def __init__(self):
        self.set_of = {}

    def union(self, pairs):
        new = {end for pair in pairs for end in pair} - set(self.set_of)
        before = self.count() + len(new)
        for id in new:
            self.set_of[id] = {id}
        for u, v in pairs:
            if self.set_of[u] is not self.set_of[v]:
                both = self.set_of[u] | self.set_of[v]
                for id in both:
                    self.set_of[id] = both
        return before - self.count()

    def count(self):
        return len({id(members) for members in self.set_of.values()})

    def find(self, id):
        return min(self.set_of[id])


def column(values, kind, how):
    if kind == "pairs":
        parts = list(zip(*values, strict=True)) if values else [(), ()]
        return column(list(parts[0]), "letters", how), column(list(parts[1]), "small", how)
    if kind in ("text", "letters"):
        return pa.array(values, pa.string()) if how == "arrow" else np.array(values, object)
    array = np.array(values, np.uint64 if kind == "high" else np.int64)
    return pa.array(array) if how == "arrow" else array


def add(sets, pairs, kind, how):
    """Adds pairs in one of several ways; returns the merges that were reported."""
    src, dst = [u for u, _ in pairs], [v for _, v in pairs]
    if how == "single":
        return sum(sets.union(u, v) for u, v in pairs)
    if how == "list":
        return sets.union(src, dst)
    if how == "merge":
        other = skerry.UnionFind(ids="external")
        other.union(src, dst)
        return sets.merge(other)
    return sets.union(column(src, kind, how), column(dst, kind, how))


def check(sets, oracle, kind):
    """All questions."""
    ids = sorted(oracle.set_of)
    assert len(sets) == len(ids) and list(sets) == ids
    assert sets.count == oracle.count() == len(sets.sizes())
    right = [oracle.find(id) for id in ids]
    assert [sets[id] for id in ids] == right
    position = {id: i for i, id in enumerate(ids)}
    assert sets.labels.tolist() == [position[id] for id in right]
    assert not sets.labels.flags.writeable
    if not ids:
        return
    assert objects(sets.ids) == ids
    assert objects(sets.find(ids)) == right == objects(sets.find(column(ids, kind, "arrow")))
    first = [ids[0]] * len(ids)
    joined = [right[0] == smallest for smallest in right]
    assert sets.connected(first, ids).tolist() == joined
    assert [sets.connected(ids[0], id) for id in ids] == joined
    assert sets.to_sets() == [oracle.set_of[id] for id in dict.fromkeys(right)]


def objects(ids):
    if isinstance(ids, tuple):
        return list(zip(*map(objects, ids), strict=True))
    return ids.tolist() if isinstance(ids, np.ndarray) else ids.to_pylist()


@pytest.mark.parametrize("kind", KINDS)
@settings(deadline=None)
@given(data=st.data(), threads=st.sampled_from([1, 2]))
def test_every_prefix_of_a_stream(kind, data, threads):
    ids = KINDS[kind]
    batches = st.tuples(st.sampled_from(HOW), st.lists(st.tuples(ids, ids), max_size=6))
    sets, oracle = skerry.UnionFind(ids="external", threads=threads), Oracle()
    for how, pairs in data.draw(st.lists(batches, max_size=7)):
        assert add(sets, pairs, kind, how) == oracle.union(pairs)
        if data.draw(st.booleans()):
            sets = pickle.loads(pickle.dumps(sets))
        check(sets, oracle, kind)


@settings(deadline=None)
@given(data=st.data())
def test_single_ids_after_a_table_need_no_pass(data):
    """What is known of the smallest ids is kept up to date, also where ids are in a table."""
    ids = st.integers(0, 30)
    sets, oracle = skerry.UnionFind(ids="external"), Oracle()
    first = data.draw(st.lists(st.tuples(ids, ids), min_size=1, max_size=9))
    oracle.union(first)
    sets.union(np.array([u for u, _ in first]), np.array([v for _, v in first]))
    assert sets[first[0][0]] == oracle.find(first[0][0])
    kept = sets._smallest
    for u, v in data.draw(st.lists(st.tuples(ids, ids), max_size=9)):
        assert sets.union(u, v) == oracle.union([(u, v)])
        assert sets[v] == oracle.find(v) and sets._smallest is kept
    check(sets, oracle, "small")


def test_large_lists_go_to_a_table(monkeypatch):
    monkeypatch.setattr(id_arguments, "TABLE_FROM", 4)
    sets, oracle = skerry.UnionFind(ids="external"), Oracle()
    for pairs in ([("b", "c")], [("d", "c"), ("e", "f"), ("a", "e"), ("x", "x")], [("a", "b")]):
        assert add(sets, pairs, "letters", "list") == oracle.union(pairs)
        check(sets, oracle, "letters")
    assert isinstance(sets._sets, TableIds)


@pytest.mark.parametrize(
    "ids",
    [
        [b"a", b"c", b"b"],
        [dt.date(2026, 1, 1), dt.date(2025, 1, 1), dt.date(2027, 1, 1)],
        [uuid.UUID(int=3), uuid.UUID(int=1), uuid.UUID(int=2)],
        [True, False, True],
    ],
    ids=["bytes", "dates", "uuids", "booleans"],
)
def test_ids_of_types_that_only_tables_hold(ids):
    one_by_one, at_once = (skerry.UnionFind(ids="external") for _ in range(2))
    assert one_by_one.add(ids[1]) == 1 and one_by_one.union(ids[0], ids[1]) == 1
    one_by_one.union(ids[0], ids[2])
    assert at_once.union([ids[0], ids[0]], ids[1:]) == len(set(ids)) - 1
    for sets in (one_by_one, at_once, pickle.loads(pickle.dumps(at_once))):
        assert sets[ids[2]] == min(ids) and list(sets) == sorted(set(ids)) and sets.count == 1


def test_a_number_is_not_a_boolean_and_not_a_float():
    sets = skerry.UnionFind(ids="external")
    sets.union(1, 2)
    assert 1 in sets and np.int8(1) in sets and True not in sets and 1.0 not in sets
    assert "1" not in sets and None not in sets and [1] not in sets
    assert sets[np.uint8(2)] == 1 and sets.connected(np.array(2), 1)


@pytest.mark.parametrize("start", ["nothing", "dict", "table"])
@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s: s.union("a", None), "missing"),
        (lambda s: s.union("a", 0.5), "floats are not ids"),
        (lambda s: s.union("a", 7), "after ids of type|cannot be|not a column"),
        (lambda s: s.union("a", ("a", 1)), "after ids of|columns after ids of one"),
        (lambda s: s.union(["a", "b"], ["c", None]), "missing"),
        (lambda s: s.union(["a", "b"], ["c", 4]), "after ids of type|not a column|of one type"),
        (lambda s: s.union(["a"], ["b", "c"]), "src has 1 ids and dst 2"),
        (lambda s: s.union("a", ["b"]), "one of src and dst holds many ids"),
        (lambda s: s.union("a", "\ud800"), "text|surrogates"),
        (lambda s: s.find("zz"), "'zz' is not an id of this UnionFind"),
        (lambda s: s.find(["zz"]), "'zz' is not an id of this UnionFind"),
        (lambda s: s.connected("zz", "zz"), "'zz' is not an id of this UnionFind"),
        (lambda s: s.merge(skerry.UnionFind(3)), "do not merge"),
        (lambda s: skerry.UnionFind(3).merge(s), "do not merge"),
        (lambda _: skerry.UnionFind(3, ids="external"), "num_vertices= is for vertex numbers"),
        (lambda _: skerry.UnionFind(ids="names"), 'ids must be "vertices" or "external"'),
    ],
)
def test_refuses_and_stays_as_it_was(call, message, start):
    sets = skerry.UnionFind(ids="external")
    if start == "dict":
        sets.union("a", "k")
    elif start == "table":
        sets.union(pa.array(["a"]), pa.array(["k"]))
    before = len(sets)
    with pytest.raises(skerry.InputError, match=message):
        call(sets)
    if start != "nothing":
        assert (len(sets), sets.count) == (before, 1) and list(sets) == ["a", "k"]


def test_integers_that_no_column_holds_are_refused():
    sets = skerry.UnionFind(ids="external")
    for pair in ((2**64, 1), (-(2**63) - 1, 1), (-1, 2**63)):
        with pytest.raises(skerry.InputError, match=r"64 bits|2\^63"):
            sets.union(*pair)
        with pytest.raises(skerry.InputError, match=r"64 bits|2\^63"):
            sets.union([pair[0]], [pair[1]])
    assert len(sets) == 0


def test_unknown_keys_are_key_errors():
    sets = skerry.UnionFind(ids="external")
    with pytest.raises(KeyError, match="'a' is not an id"):
        sets["a"]
    with pytest.raises(skerry.UnsupportedError, match=r"add\(ids\)"):
        sets.grow(3)


def test_a_derived_class_does_not_lose_the_kind_of_ids():
    class Own(skerry.UnionFind):
        pass

    assert Own(3).union(0, 1) == 1
    with pytest.raises(skerry.InputError, match="derived from UnionFind has vertex numbers"):
        Own(ids="external")


def test_a_result_as_a_start():
    pairs = pa.table({"a": ["kim", "bo"], "b": ["lee", "al"]})
    result = skerry.connected_components(pairs)
    sets = skerry.UnionFind.from_labels(result)
    assert sets.labels.tolist() == result.labels.tolist() and sets.ids.equals(result.ids)
    assert sets.union("kim", "jo") == 1 and sets["lee"] == "jo"
    again = sets.components()
    assert again.component_of("lee") == "jo" and again.count == 2
    assert sets.groups()[0].to_pylist() == ["al", "bo"]


def test_broken_pickles_are_refused():
    sets = skerry.UnionFind(ids="external")
    sets.union("a", "b")
    state = sets.__getstate__()
    for change in (
        {"ids": ["a", "a"]},
        {"ids": ["a"]},
        {"labels": np.array([1, 1], np.uint32)},
        {"labels": np.array([0, 7], np.uint32)},
        {"labels": [0, 0]},
    ):
        with pytest.raises(skerry.InputError):
            skerry.UnionFind(ids="external").__setstate__(state | change)


def test_it_works_without_pyarrow():
    code = """
import skerry, numpy as np, pickle
sets = skerry.UnionFind(ids="external")
print(sets.union("b", "c"), sets.union(["c", "x"], ["a", "y"]), sets["c"])
print(sets.to_sets() == [{"a", "b", "c"}, {"x", "y"}])
print(list(pickle.loads(pickle.dumps(sets))), sets.connected(["a"], ["x"]), sets.labels.tolist())
try:
    sets.ids
except skerry.UnsupportedError as error:
    print("pyarrow" in str(error))
numbers = skerry.UnionFind(ids="external")
numbers.union(np.array([2**40, 7]), np.array([5, 7]))
print(numbers.ids.tolist(), numbers.find(np.array([2**40])).tolist())
print(numbers.union(5, 7), numbers[2**40])
"""
    assert run_without_arrow(code).splitlines() == [
        "1 2 a",
        "True",
        "['a', 'b', 'c', 'x', 'y'] [False] [0, 0, 0, 3, 3]",
        "True",
        "[5, 7, 1099511627776] [5]",
        "1 5",
    ]


def test_questions_while_another_thread_adds_ids():
    """What was joined before the question is joined in the answer, also while a table is made."""
    sets = skerry.UnionFind(ids="external")
    sets.union(["a"] * 20, [f"a{k}" for k in range(20)])
    done = threading.Event()

    def join():
        for k in range(300):
            sets.union(f"b{k}", f"b{k + 1}")
        for k in range(20):
            names = [f"c{k}-{i}" for i in range(500)]
            sets.union(pa.array(names[:-1]), pa.array(names[1:]))
            sets.union(names[0], "a")
        done.set()

    def question():
        while True:
            last = done.is_set()
            assert sets.connected("a3", "a7") and "a3" in sets
            assert sets.connected(["a3"], ["a7"]).all()
            assert sets["a3"] == sets["a7"] == "a"
            assert sets.count <= len(sets)
            if last:
                return

    with ThreadPoolExecutor(3) as pool:
        for work in [pool.submit(join), pool.submit(question), pool.submit(question)]:
            work.result(timeout=120)
    assert sets.count == 2


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_series_are_columns(library):
    series = pytest.importorskip(library).Series
    for src, dst, smallest in ((["b", "c"], ["a", "c"], ["a", "c"]), ([5, 2**40], [1, 7], [1, 7])):
        sets = skerry.UnionFind(ids="external")
        assert sets.union(series(src), series(dst)) == sum(np.array(src) != np.array(dst))
        assert objects(sets.find(series(src))) == smallest
        assert sets.connected(series(src), series(dst)).all()
    single = skerry.UnionFind(ids="external")
    single.union("a", "b")
    assert objects(single.find(series(["b"]))) == ["a"] and single.add(series(["a", "z"])) == 1
