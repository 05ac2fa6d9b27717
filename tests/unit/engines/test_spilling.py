"""``spill=``: the answer of a run on disk is that of a run in memory."""

from __future__ import annotations

import errno
import json
import os
import pickle
import signal
import subprocess
import sys
import tracemalloc
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import skerry
import skerry.io
from skerry import StreamOptions
from skerry.engines.spilling.room import Room
from skerry.errors import ArgumentError, InputError, OutputError, UnsupportedError
from skerry.formats import spill_file
from skerry.formats.memory import resident
from skerry.formats.spill_file import SpillFolder
from skerry.request import Spill
from support.spilled import LIMIT, TinyRoom, tiny_passes

MB = 1 << 20
KINDS = [np.int64, np.uint64, np.int32, np.uint8]


def random_ids(random, kind, count):
    limits = np.iinfo(kind)
    return random.integers(limits.min, limits.max, count, dtype=kind, endpoint=True)


def random_batches(random, kind):
    names = random_ids(random, kind, int(random.integers(1, 700)))
    for _ in range(random.integers(1, 5)):
        ends = random.integers(0, len(names), (2, random.integers(0, 600)))
        yield names[ends[0]], names[ends[1]]


def same(result, expected):
    assert result.labels.tolist() == expected.labels.tolist()
    assert result.labels.dtype == expected.labels.dtype
    assert (result.ids is None) == (expected.ids is None)
    if expected.ids is not None:
        assert result.ids.tolist() == expected.ids.tolist()
        assert result.ids.dtype == expected.ids.dtype
    assert result.count == expected.count
    assert result.plan.edges == expected.plan.edges
    assert result.plan.engine == "spilling"


@pytest.mark.parametrize("seed", range(16))
def test_external_ids_on_disk_give_the_labels_of_memory(seed, tmp_path):
    random = np.random.default_rng(seed)
    batches = list(random_batches(random, KINDS[seed % len(KINDS)]))
    expected = skerry.connected_components(batches, ids="external")
    with tiny_passes(seed):
        result = skerry.connected_components(
            batches, ids="external", stream=StreamOptions(LIMIT, spill=tmp_path)
        )
        same(result, expected)
        assert result.verify()
        assert result.sizes().tolist() == expected.sizes().tolist()
        for own, other in zip(result.largest(5), expected.largest(5), strict=True):
            assert (own.label, own.size) == (other.label, other.size)
            assert own.members.tolist() == other.members.tolist()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("seed", range(12))
def test_vertex_numbers_on_disk_give_the_labels_of_memory(seed, tmp_path):
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 900))
    batches = [random.integers(0, n, (2, random.integers(0, 500))) for _ in range(3)]
    options = {"num_vertices": n} if seed % 2 else {}
    options |= {"dtype": ["uint64", "int32", None][seed % 3]}
    expected = skerry.connected_components(batches, ids="vertices", **options)
    with tiny_passes(seed):
        result = skerry.connected_components(
            batches,
            ids="vertices",
            stream=StreamOptions(LIMIT, spill=tmp_path),
            **options,
        )
        same(result, expected)
        assert result.verify()
        assert result.largest().size == expected.largest().size


def test_ranks_that_are_wider_than_the_numbers_of_a_bucket_are_written_anew(tmp_path):
    """As those of 2^32 ids and more are."""
    batches = list(random_batches(np.random.default_rng(5), np.int64))
    expected = skerry.connected_components(batches, ids="external")
    wide = patch("skerry.engines.spilling.number.vertex_dtype", lambda _: np.dtype(np.uint64))
    with tiny_passes(5), wide:
        result = skerry.connected_components(
            batches, ids="external", stream=StreamOptions(LIMIT, spill=tmp_path)
        )
    same(result, expected)


def test_a_long_path_goes_through_every_block(tmp_path):
    """Every vertex points to the one before it, which is in the block below for some."""
    ends = np.arange(999), np.arange(1, 1000)
    for seed in range(4):
        order = np.random.default_rng(seed).permutation(999)
        with tiny_passes(seed):
            result = skerry.connected_components(
                [(ends[0][order], ends[1][order])],
                ids="vertices",
                stream=StreamOptions(LIMIT, spill=tmp_path),
            )
        assert result.count == 1 and not result.labels.any()
        assert any("blocks" in note for note in result.plan.notes)


def test_all_passes_are_reported_in_order(tmp_path):
    batches = [np.random.default_rng(1).integers(-(2**63), 2**63 - 1, (2, 900))]
    passes = []
    with tiny_passes(3):
        skerry.connected_components(
            batches,
            ids="external",
            stream=StreamOptions(
                limit=LIMIT, spill=Spill(str(tmp_path), lambda *step: passes.append(step))
            ),
        )
    names = list(dict.fromkeys(name for name, _, _ in passes))
    assert names[:4] == ["read edges", "number ids", "sort ids", "rank ids"]
    assert names[4].startswith("join edges, block 1 of ") and names[-1] == "label"
    for name in names[1:4]:
        assert [step for step in passes if step[0] == name][-1][1:] in ((1800, 1800),)


def test_options_beside_spill_are_honored(tmp_path):
    table = pa.table({"a": [7, 5, 7, None], "b": [9, 6, 5, 1], "weight": [0.9, 0.8, 0.1, 1.0]})
    options = {"threshold": 0.5, "on_null": "drop", "vertices": [100, 5]}
    expected = skerry.connected_components(table, **options)
    with tiny_passes(1):
        result = skerry.connected_components(
            table, **options, stream=StreamOptions(LIMIT, spill=tmp_path)
        )
        same(result, expected)
        assert result.table().equals(expected.table())
        yesterday = skerry.connected_components(pa.table({"a": [9], "b": [6]}))
        both = skerry.connected_components(
            table,
            **options,
            previous=yesterday,
            stream=StreamOptions(LIMIT, spill=tmp_path),
        )
    assert both.labels.tolist() == [0, 0, 0, 0, 4]
    assert any("left out: 1 edge with a null" in note for note in result.plan.notes)


@pytest.mark.parametrize("suffix", ["parquet", "arrow", "csv", "tsv"])
@pytest.mark.parametrize("ids", ["external", "vertices"])
def test_files_of_labels_are_the_same_as_from_memory(suffix, ids, tmp_path):
    ends = np.random.default_rng(2).integers(0, 400, (2, 300))
    expected = skerry.connected_components([ends], ids=ids)
    with tiny_passes(5):
        result = skerry.connected_components(
            [ends], ids=ids, stream=StreamOptions(LIMIT, spill=tmp_path)
        )
        result.write(tmp_path / f"spilled.{suffix}")
    expected.write(tmp_path / f"labels.{suffix}")
    assert (tmp_path / f"spilled.{suffix}").read_bytes() == (
        tmp_path / f"labels.{suffix}"
    ).read_bytes()
    if ids == "vertices":
        result.write(tmp_path / "labels.npy")
        assert np.load(tmp_path / "labels.npy").tolist() == expected.labels.tolist()


@pytest.mark.parametrize("batches", [[np.empty((2, 0), int)], [(np.array([5]), np.array([5]))]])
@pytest.mark.parametrize("ids", ["external", "vertices"])
def test_tiny_graphs_can_be_spilled(batches, ids, tmp_path):
    with tiny_passes(1):
        result = skerry.connected_components(
            batches, ids=ids, stream=StreamOptions(LIMIT, spill=tmp_path)
        )
    same(result, skerry.connected_components(batches, ids=ids))


def test_a_graph_that_fits_is_not_spilled(tmp_path):
    table = pa.table({"a": [7, 5], "b": [9, 6]})
    path = tmp_path / "edges.parquet"
    pq.write_table(table, path)
    result = skerry.connected_components(path, stream=StreamOptions(limit=1 << 40, spill=tmp_path))
    assert result.plan.engine == "streaming" and result.count == 2


def test_tables_and_sizes_of_a_spilled_result_hold_one_block_at_a_time(tmp_path):
    ids = np.arange(90_000) * 3
    sizes = {"chunk": 1 << 16, "piece": 1 << 16, "sorted_ids": 1 << 18, "block": 30_000}
    with tiny_passes(1), patch.multiple(TinyRoom, **{k: constant(v) for k, v in sizes.items()}):
        result = skerry.connected_components(
            [(ids, np.roll(ids, 1))],
            ids="external",
            stream=StreamOptions(LIMIT, spill=tmp_path),
        )
        for use in (result._file_columns, result.sizes):
            tracemalloc.start()
            use()
            _, peak = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            assert peak < 1.5 * 30_000 * 8, peak


def constant(value):
    return lambda *_: value


def test_a_spilled_result_can_be_pickled(tmp_path):
    with tiny_passes(1):
        result = skerry.connected_components(
            [([3], [8])], ids="external", stream=StreamOptions(LIMIT, spill=tmp_path)
        )
    copy = pickle.loads(pickle.dumps(result))
    assert type(copy) is skerry.Components and copy.labels.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("limit", "options", "error", "message"),
    [
        (None, {}, ArgumentError, "spill= is given without limit="),
        (
            LIMIT,
            {"labels": "dense"},
            UnsupportedError,
            r"labels=\S* and spill= cannot",
        ),
        (
            LIMIT,
            {"forest": True},
            UnsupportedError,
            r"forest=\S* and spill= cannot",
        ),
        (LIMIT, {"groups": "b"}, UnsupportedError, "spill= and groups= cannot be used"),
    ],
)
def test_what_cannot_be_spilled_is_refused(limit, options, error, message, tmp_path):
    path = tmp_path / "edges.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(error, match=message):
        skerry.connected_components(path, stream=StreamOptions(limit, spill=tmp_path), **options)


def test_negative_and_large_ids_in_one_graph_are_refused_as_in_memory(tmp_path):
    batches = [(np.array([-1]), np.array([2])), (np.array([2**63], np.uint64),) * 2]
    with tiny_passes(1), pytest.raises(InputError, match=r"negative ids and ids of 2\^63"):
        skerry.connected_components(
            batches, ids="external", stream=StreamOptions(LIMIT, spill=tmp_path)
        )


def test_types_of_ids_are_those_of_memory(tmp_path):
    for kinds in (("i4", "u8"), ("u8", "i8"), ("u1", "i2"), ("i8", "i1")):
        batches = [(np.array([1], kind), np.array([2], kind)) for kind in kinds]
        expected = skerry.connected_components(batches, ids="external")
        with tiny_passes(1):
            result = skerry.connected_components(
                batches, ids="external", stream=StreamOptions(LIMIT, spill=tmp_path)
            )
        assert result.ids.dtype == expected.ids.dtype, kinds


def test_a_limit_that_is_too_small_is_refused_at_once_with_the_smallest_that_suffices(tmp_path):
    path = tmp_path / "edges.parquet"
    ids = np.arange(3_000_000)
    pq.write_table(pa.table({"src": ids, "dst": ids}), path)
    with (
        patch("pyarrow.parquet.ParquetFile.iter_batches", side_effect=AssertionError),
        pytest.raises(MemoryError, match="at least limit=") as error,
    ):
        skerry.connected_components(
            path, stream=StreamOptions(limit=resident() + 50 * MB, spill=tmp_path)
        )
    least = int(str(error.value).split("at least limit=")[1].replace(",", ""))
    Room(least + MB).check(skerry.io.read_edges(path))


def test_a_bucket_that_does_not_fit_names_a_limit(tmp_path):
    batches = [np.random.default_rng(1).integers(-(2**63), 2**63 - 1, (2, 900))]
    with (
        tiny_passes(3),
        patch.object(Room, "fits_table", lambda *_: False),
        pytest.raises(MemoryError, match="at least limit="),
    ):
        skerry.connected_components(
            batches, ids="external", stream=StreamOptions(LIMIT, spill=tmp_path)
        )


def test_a_folder_that_is_missing_is_refused(tmp_path):
    with pytest.raises(ArgumentError, match="there is no such folder"):
        skerry.connected_components(
            [([1], [2])], stream=StreamOptions(LIMIT, spill=tmp_path / "none")
        )


class FullDisk:
    """A file of which only the first bytes can be written."""

    def __init__(self, file, room):
        self._file, self._room = file, room

    def write(self, data):
        self._room -= len(data)
        if self._room < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return self._file.write(data)

    def __getattr__(self, name):
        return getattr(self._file, name)


@pytest.mark.parametrize("room", [0, 1000, 15000])
def test_a_full_disk_is_an_error_that_names_the_folder_and_leaves_nothing(room, tmp_path):
    temporary = spill_file.tempfile.TemporaryFile

    def small(*arguments, **options):
        return FullDisk(temporary(*arguments, **options), room)

    batches = [np.random.default_rng(1).integers(-(2**63), 2**63 - 1, (2, 900))]
    with (
        tiny_passes(3),
        patch.object(spill_file.tempfile, "TemporaryFile", small),
        pytest.raises(OutputError, match=f"bytes were spilled to: '{tmp_path}'"),
    ):
        skerry.connected_components(
            batches, ids="external", stream=StreamOptions(LIMIT, spill=tmp_path)
        )
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_is_known_to_be_too_small_is_refused_at_once(tmp_path):
    with pytest.raises(OutputError, match="spilling takes up to"):
        SpillFolder(str(tmp_path)).require(1 << 60)


KILLED = """
import sys
import numpy as np
import skerry
from skerry.request import Spill
from support.spilled import LIMIT, tiny_passes

def batches():
    random = np.random.default_rng(1)
    while True:
        yield random.integers(-(2**63), 2**63 - 1, (2, 1000))
        print("read", flush=True)

with tiny_passes(1):
    stream = skerry.StreamOptions(LIMIT, spill=sys.argv[1])
    skerry.connected_components(batches(), ids="external", stream=stream)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_when_a_run_is_ended(number, tmp_path):
    paths = os.pathsep.join([str(Path(__file__).parents[2]), *sys.path])
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(tmp_path)],
        env=os.environ | {"PYTHONPATH": paths},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout is not None and process.stdout.readline()
    process.send_signal(number)
    process.communicate(timeout=60)
    assert process.returncode != 0 and list(tmp_path.iterdir()) == []


MEASURE = """
import json, sys
import numpy, pyarrow, pyarrow.parquet
import skerry, skerry.io
import skerry.engines.spilling.engine, skerry.engines.streaming.engine
from skerry.formats.memory import resident
path, folder, room = sys.argv[1], sys.argv[2], int(sys.argv[3])
limit = resident() + room
stream = skerry.StreamOptions(limit, spill=folder)
result = skerry.connected_components(path, threads=2, stream=stream)
result.write(folder + "/labels.parquet")
status = open("/proc/self/status").read()
peak = int(status.split("VmHWM:")[1].split()[0]) * 1024
print(json.dumps([result.count, result.plan.engine, peak, limit]))
"""


@pytest.mark.skipif(resident() == 0, reason="the system does not tell its memory")
def test_the_peak_of_a_spilled_run_stays_below_its_limit(tmp_path):
    """Of 2 million ids, whose table and sorting take more than 200 MB."""
    path = tmp_path / "edges.parquet"
    ids = np.arange(2_000_000) * 7_777_777_777
    pq.write_table(pa.table({"src": ids, "dst": np.roll(ids, 1)}), path, row_group_size=100_000)
    command = [sys.executable, "-c", MEASURE, str(path), str(tmp_path), str(110 * MB)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    count, engine, peak, limit = json.loads(done.stdout)
    assert (count, engine) == (1, "spilling")
    assert peak <= limit, peak - limit
