"""`UnionFind.save` and `load`: what is damaged, cut short or of another version is refused."""

from __future__ import annotations

import datetime as dt
import sys
from struct import pack_into
from zlib import crc32

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import skerry
from skerry.formats.saved_file import HEAD, ORDER, VERSION, SavedFile, write_saved
from skerry.formats.saved_sets import SavedForest, SavedSets, save_sets
from support.no_arrow import run_without_arrow

IDS = {
    "vertices": ([0, 3, 5], [1, 4, 5]),
    "text": (["b", "é", "z"], ["a", "", "z"]),
    "integers": (np.array([2**40, 7]), np.array([5, 7])),
    "high": ([2**64 - 1, 0], [3, 3]),
    "tuples": ([("a", 2), ("b", 1)], [("a", 1), ("b", 1)]),
    "columns": ((np.array([2, 1]), pa.array(["x", "y"])), (np.array([1, 1]), pa.array(["x", "y"]))),
    "dates": ([dt.date(2026, 1, 1)], [dt.date(2025, 1, 1)]),
    "large text": (pa.array(["a"], pa.large_string()), pa.array(["b"], pa.large_string())),
}


def made(kind):
    sets = skerry.UnionFind(ids="vertices" if kind == "vertices" else "external")
    sets.union(*IDS[kind])
    return sets


@pytest.mark.parametrize("kind", IDS)
def test_what_is_saved_is_loaded(kind, tmp_path):
    sets, path = made(kind), tmp_path / "sets"
    sets.save(path)
    again = skerry.UnionFind.load(path, threads=1)
    for _ in range(2):
        assert type(again) is type(sets) and list(again) == list(sets)
        assert again.labels.tolist() == sets.labels.tolist() and again.count == sets.count
        assert [again[id] for id in again] == [sets[id] for id in sets]
        assert again.union(*IDS[kind]) == 0
        again.save(path)  # over the file that it is mapped from
        again = skerry.UnionFind.load(path)


@pytest.mark.parametrize("name", ["uint32", "uint64", None])
def test_unions_after_a_load_do_not_change_the_file(name, tmp_path):
    path = tmp_path / "sets"
    sets = skerry.UnionFind(3000, dtype=name)
    sets.union(np.arange(1000), np.arange(1000, 2000))
    sets.save(path)
    before = path.read_bytes()
    again = skerry.UnionFind.load(path)
    assert isinstance(again._forest.room.base, object) and not again._forest.room.flags.owndata
    assert again.union(np.arange(0, 2998), np.arange(2, 3000)) == 1998
    assert again.union(0, 5000) == 1 and len(again) == 5001
    assert again.labels.dtype == np.dtype(name or "uint32")
    assert path.read_bytes() == before
    assert skerry.UnionFind.load(path).labels.tolist() == sets.labels.tolist()


@pytest.mark.parametrize("kind", ["vertices", "text"])
def test_a_flipped_bit_is_noticed_wherever_it_is(kind, tmp_path):
    path = tmp_path / "sets"
    made(kind).save(path)
    whole = path.read_bytes()
    for at in range(len(whole)):
        damaged = bytearray(whole)
        damaged[at] ^= 1 << (at % 8)
        path.write_bytes(damaged)
        with pytest.raises(skerry.InputError, match="sets: "):
            skerry.UnionFind.load(path)


@pytest.mark.parametrize("kind", ["vertices", "text"])
def test_a_file_that_ends_early_or_goes_on_is_refused(kind, tmp_path):
    path = tmp_path / "sets"
    made(kind).save(path)
    whole = path.read_bytes()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        with pytest.raises(skerry.InputError, match=r"cut short|in its head|not a file of"):
            skerry.UnionFind.load(path)
    path.write_bytes(whole + bytes(64))
    with pytest.raises(skerry.InputError, match="cut short"):
        skerry.UnionFind.load(path)


def rewritten(path, **changes):
    """Changes fields of the head, and makes its checksum right again."""
    data = bytearray(path.read_bytes())
    fields = dict(
        zip(
            ("magic", "order", "version", "size", "length", "text"),
            HEAD.unpack_from(data)[:6],
            strict=True,
        )
    )
    pack_into(HEAD.format, data, 0, *(fields | changes).values(), 0)
    data[HEAD.size - 4 : HEAD.size] = crc32(data[: HEAD.size - 4]).to_bytes(4, sys.byteorder)
    path.write_bytes(data)


def test_other_versions_are_refused_by_name(tmp_path):
    path = tmp_path / "sets"
    made("vertices").save(path)
    rewritten(path, version=VERSION + 1)
    with pytest.raises(skerry.InputError, match=r"version 2, newer, by a later version of skerry"):
        skerry.UnionFind.load(path)
    rewritten(path, version=0)
    with pytest.raises(skerry.InputError, match=r"version 0, not known; this reads 1"):
        skerry.UnionFind.load(path)


def test_another_byte_order_is_refused_by_name(tmp_path):
    path = tmp_path / "sets"
    made("vertices").save(path)
    rewritten(path, order=int.from_bytes(ORDER.to_bytes(4, "little"), "big"))
    with pytest.raises(skerry.InputError, match="another byte order"):
        skerry.UnionFind.load(path)


@pytest.mark.parametrize(
    ("description", "sections", "message"),
    [
        ({"vertices": 2, "ids": None}, {"labels": [1, 1]}, "a parent is above its vertex"),
        ({"vertices": 3, "ids": None}, {"labels": [0, 0, 1]}, "not the label of its own"),
        ({"vertices": 3, "ids": None}, {"labels": [0, 0]}, "its labels differ"),
        ({"vertices": 1, "ids": None}, {"parents": [0]}, "description is damaged"),
        ({"vertices": 1, "ids": None, "dtype": "O"}, {"labels": [0]}, "description is damaged"),
        ({"vertices": 1, "ids": [{"kind": "objects"}]}, {"labels": [0]}, "'objects'"),
        ({"vertices": 1, "ids": [{"kind": "integers"}]}, {"labels": [0]}, "is missing"),
        ({"vertices": 1, "ids": [{"kind": "arrow"}]}, {"labels": [0], "ids0.stream": [5]}, "damag"),
        ({"vertices": 1, "ids": 3}, {"labels": [0]}, "not described"),
        (
            {"vertices": 2, "ids": [{"kind": "integers"}]},
            {"labels": [0, 1], "ids0.values": [7, 7]},
            "2 labels for 1 different ids",
        ),
        (
            {"vertices": 1, "ids": [{"kind": "text"}]},
            {"labels": [0], "ids0.offsets": [0, 9], "ids0.data": [1]},
            "offsets of its ids",
        ),
    ],
)
def test_a_hostile_file_with_right_checksums_is_refused(description, sections, message, tmp_path):
    path = tmp_path / "sets"
    types = {"ids0.offsets": np.uint64, "ids0.data": np.uint8, "ids0.stream": np.uint8}
    arrays = {name: np.array(v, types.get(name, np.uint32)) for name, v in sections.items()}
    write_saved(path, description, arrays)
    with pytest.raises(skerry.InputError, match=message):
        skerry.UnionFind.load(path)


def test_files_that_are_something_else(tmp_path):
    path = tmp_path / "sets"
    for content in (b"", b"PAR1", b"skerryU", bytes(500)):
        path.write_bytes(content)
        with pytest.raises(skerry.InputError, match="not a file of UnionFind"):
            skerry.UnionFind.load(path)
    with pytest.raises(skerry.InputError, match="No such file"):
        skerry.UnionFind.load(tmp_path / "missing")
    for name in ("sets.gz", "s3://bucket/sets"):
        with pytest.raises(skerry.UnsupportedError, match="plain file of this machine"):
            skerry.UnionFind(3).save(name if "//" in name else tmp_path / name)


def test_a_save_that_fails_leaves_the_file_that_was_there(tmp_path, monkeypatch):
    path = tmp_path / "sets"
    sets = made("vertices")
    sets.save(path)
    before = path.read_bytes()
    monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError(28, "full")))
    with pytest.raises(skerry.OutputError, match="disk is full"):
        skerry.UnionFind(10).save(path)
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


def test_sections_of_many_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr("skerry.formats.saved_file.BLOCK", 64)
    path = tmp_path / "sets"
    write_saved(path, {}, {"a": np.arange(100, dtype=np.uint32), "b": np.empty(0, np.uint8)})
    saved = SavedFile(path).read()
    assert saved.sections["a"].tolist() == list(range(100)) and not len(saved.sections["b"])
    assert len(saved.description["sections"][0]["checksums"]) == 7


def test_integers_and_text_need_no_pyarrow(tmp_path):
    made("text").save(tmp_path / "text")
    made("integers").save(tmp_path / "integers")
    code = f"""
import skerry
for name in ("text", "integers"):
    sets = skerry.UnionFind.load({str(tmp_path)!r} + "/" + name)
    sets.save({str(tmp_path)!r} + "/again")
    print(list(skerry.UnionFind.load({str(tmp_path)!r} + "/again")), sets.labels.tolist())
"""
    assert run_without_arrow(code).splitlines() == [
        "['', 'a', 'b', 'z', 'é'] [0, 1, 1, 3, 0]",
        "[5, 7, 1099511627776] [0, 1, 0]",
    ]


@settings(deadline=None, max_examples=30)
@given(data=st.data(), external=st.booleans(), threads=st.sampled_from([1, 2]))
def test_saves_and_loads_between_the_batches_of_a_stream(data, external, threads, tmp_path_factory):
    folder = tmp_path_factory.mktemp("saved")
    kind = "external" if external else "vertices"
    sets = skerry.UnionFind(ids=kind, threads=threads)
    pairs = []
    for batch in data.draw(
        st.lists(
            st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=8), max_size=5
        )
    ):
        pairs += batch
        src, dst = np.array(batch, np.int64).reshape(-1, 2).T
        sets.union(src, dst)
        if data.draw(st.booleans()):
            sets.save(folder / "sets")
            sets = skerry.UnionFind.load(folder / "sets", threads=threads)
        if pairs:
            ends = np.array(pairs)
            right = skerry.connected_components((ends[:, 0], ends[:, 1]), ids=kind)
            assert sets.labels.tolist() == right.labels.tolist() and sets.count == right.count


@pytest.mark.parametrize("weights", [None, [3, -1, 2], [0.5, 0.25, -1.0]])
@pytest.mark.parametrize("kind", ["vertices", "external"])
def test_a_forest_is_saved_too(kind, weights, tmp_path):
    path = tmp_path / "sets"
    sets = skerry.UnionFind(ids=kind, forest=True)
    sets.union([7, 1, 7], [1, 7, 4], weight=weights)
    sets.save(path)
    again = skerry.UnionFind.load(path)
    assert type(again) is type(sets)
    for later in (sets, again):  # rows go on where they were
        later.union(9, 4, weight=None if weights is None else weights[0])
    assert list(again.spanning_forest()) == list(sets.spanning_forest())
    assert again.labels.tolist() == sets.labels.tolist()
    assert [link.row for link in again.why(7, 9)] == [2, 3]


def test_a_forest_that_does_not_join_its_sets_is_damaged(tmp_path):
    path = tmp_path / "sets"
    forest = SavedForest(np.array([0]), np.array([1]), np.array([0]), None, 1)
    for labels, broken in (([0, 0, 0], forest), ([0, 0], forest._replace(target=np.array([2])))):
        save_sets(path, SavedSets(np.array(labels, np.uint32), None, None, broken))
        with pytest.raises(skerry.InputError, match="forest is damaged"):
            skerry.UnionFind.load(path)
