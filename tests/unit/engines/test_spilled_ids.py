"""``spill=`` with ids of any type: the answer, its types and its files are those of memory."""

from __future__ import annotations

import datetime
import decimal
import uuid
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import skerry
from skerry import StreamOptions
from skerry.engines.spilling import checkpoints
from skerry.errors import InputError
from support.spilled import LIMIT, tiny_passes

DAY = datetime.date(2026, 1, 1)
COLUMNS = {
    "text": lambda n: pa.array([f"r{int(i):0{1 + i % 7}d}\u00e9" for i in n]),
    "large text": lambda n: pa.array([f"{i}" * (1 + i % 3) for i in n], pa.large_string()),
    "bytes": lambda n: pa.array([bytes([i % 256, i // 256]) for i in n]),
    "dates": lambda n: pa.array([DAY + datetime.timedelta(int(i)) for i in n]),
    "times": lambda n: pa.array(np.asarray(n, "M8[us]")),
    "decimals": lambda n: pa.array([decimal.Decimal(int(i)) / 4 for i in n], pa.decimal128(12, 2)),
    "uuids": lambda n: pa.array([uuid.UUID(int=int(i) << 60) for i in n], pa.uuid()),
    "two columns": lambda n: (pa.array([f"t{i % 5}" for i in n]), pa.array(np.asarray(n) // 5)),
    "three columns": lambda n: (
        *(pa.array(np.asarray(n) % 7), pa.array([f"{i % 3}" for i in n])),
        pa.array([DAY + datetime.timedelta(int(i)) for i in n]),
    ),
}


def random_batches(random, make):
    high = int(random.integers(1, 600))
    for _ in range(random.integers(1, 5)):
        ends = random.integers(0, high, (2, random.integers(0, 400)))
        yield make(ends[0].tolist()), make(ends[1].tolist())


def columns_of(ids):
    return [pa.array(c).to_pylist() for c in (ids if isinstance(ids, tuple) else (ids,))]


def types_of(ids):
    return (
        [c.type if hasattr(c, "type") else c.dtype for c in ids]
        if isinstance(ids, tuple)
        else ids.type
    )


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", COLUMNS)
def test_ids_of_any_type_on_disk_give_the_answer_of_memory(kind, seed, tmp_path):
    batches, names = list(random_batches(np.random.default_rng(seed), COLUMNS[kind])), {}
    if "columns" in kind:  # of a table
        width = len(batches[0][0])
        names = {end: [f"{end}{i}" for i in range(width)] for end in ("source", "target")}
        every = [name for end in names.values() for name in end]
        batches = pa.concat_tables(pa.table([*src, *dst], every) for src, dst in batches)
    expected = skerry.connected_components(batches, **names)
    with tiny_passes(seed):
        stream = StreamOptions(LIMIT, spill=tmp_path)
        result = skerry.connected_components(batches, stream=stream, **names)
        assert result.plan.engine == "spilling" and result.plan.edges == expected.plan.edges
        assert result.labels.tolist() == expected.labels.tolist()
        assert result.labels.dtype == expected.labels.dtype
        assert types_of(result.ids) == types_of(expected.ids)
        assert result.table().equals(expected.table())
        assert result.count == expected.count and result.verify()
        for own, other in zip(result.largest(3), expected.largest(3), strict=True):
            assert (own.label, own.size) == (other.label, other.size)
            assert columns_of(own.members) == columns_of(other.members)
        for suffix in ("parquet", "arrow") if kind != "text" else ("parquet", "csv", "tsv"):
            for each, name in ((result, "own"), (expected, "other")):
                each.write(tmp_path / f"{name}.{suffix}")
            own, other = (tmp_path / f"{name}.{suffix}" for name in ("own", "other"))
            assert own.read_bytes() == other.read_bytes()
            own.unlink()
            other.unlink()
    assert list(tmp_path.iterdir()) == []


def test_many_blocks_are_written_in_a_few_passes(tmp_path):
    """With little memory left there are many blocks; each once wrote all names again."""
    random = np.random.default_rng(5)
    batch = COLUMNS["text"](random.integers(0, 2000, 1500).tolist())
    stream = StreamOptions(LIMIT, spill=tmp_path)
    with tiny_passes(1):
        result = skerry.connected_components([(batch, batch[::-1])], stream=stream)
    result._stored = result._stored._replace(block=lambda _: 2)
    names, before = result.ids, result._stored.folder.written
    result.write(tmp_path / "own.parquet")
    assert result._stored.folder.written - before < 4 * (names.nbytes + 12 * len(names))
    expected = [names[int(label)].as_py() for label in result.labels]
    assert pq.read_table(tmp_path / "own.parquet")["component"].to_pylist() == expected


def test_names_of_earlier_clusters_go_on_in_a_spilled_result(tmp_path):
    friday = skerry.connected_components(pa.table({"a": ["kim", "bo"], "b": ["lee", "ann"]}))
    monday = [(pa.array(["kim", "al"]), pa.array(["lee", "kim"]))]
    expected = skerry.connected_components(monday).named_after(friday)
    records = pa.table({"id": ["al", "kim", "zed"], "quality": [1, 2, 3]})
    with tiny_passes(1):
        result = skerry.connected_components(monday, stream=StreamOptions(LIMIT, spill=tmp_path))
        named = result.named_after(friday)
        assert named.table().equals(expected.table()) and named.largest().label == "kim"
        assert named.changes(friday).table().equals(expected.changes(friday).table())
        assert named.representatives(records, by="quality").rows.tolist() == [1, 2]
        for each, name in ((named, "own.parquet"), (expected, "other.parquet")):
            each.write(tmp_path / name)
    assert (tmp_path / "own.parquet").read_bytes() == (tmp_path / "other.parquet").read_bytes()


def test_ids_of_two_kinds_are_refused(tmp_path):
    for batches in ([(["a"], ["b"]), ([1], [2])], [([1], [2]), (["a"], ["b"])]):
        with tiny_passes(1), pytest.raises(InputError):
            skerry.connected_components(
                batches, ids="external", stream=StreamOptions(LIMIT, spill=tmp_path)
            )


class KilledError(Exception):
    pass


GRAPHS = {
    "text": ("external", "r{}".format),
    "integers": ("external", int),
    "vertices": ("vertices", int),
}


@pytest.mark.parametrize("kind", GRAPHS)
@pytest.mark.parametrize("seed", range(4))
def test_a_run_that_was_killed_goes_on(kind, seed, tmp_path):
    ids, make = GRAPHS[kind]
    random = np.random.default_rng(seed)
    path = tmp_path / "pairs"
    path.mkdir()
    for number in range(6):
        rows = (f"{make(u)},{make(v)}" for u, v in random.integers(0, 900, (300, 2)).tolist())
        (path / f"{number}.csv").write_text("\n".join(["src,dst", *rows]) + "\n")
    expected = skerry.connected_components(path, ids=ids)
    folder, stop = tmp_path / "state", random.integers(2, 5)
    batches = [0]

    def count(*_):
        batches[0] += 1
        if batches[0] == stop:
            raise KilledError

    def solve(progress=None):
        stream = StreamOptions(LIMIT, progress, folder, tmp_path)
        return skerry.connected_components(path, ids=ids, stream=stream)

    with tiny_passes(seed), patch.object(checkpoints, "SECONDS", 0.0):
        with pytest.raises(KilledError):
            solve(count)
        read = batches[0]
        result = solve()
    assert read == stop
    assert result.labels.tolist() == expected.labels.tolist()
    assert result.plan.edges == expected.plan.edges
    assert any("continued from a checkpoint" in note for note in result.plan.notes)
    assert not folder.exists()
