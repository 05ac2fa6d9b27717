"""``checkpoint=``: what a run has joined so far, kept in a folder; another run goes on from it."""

from __future__ import annotations

import gzip
import io
import random
import sys
from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import skerry
import skerry.io
from skerry import StreamOptions
from skerry.engines.streaming import checkpoints
from skerry.engines.streaming.checkpoints import Checkpoints
from skerry.engines.streaming.joined_sets import Counts, Sets
from skerry.errors import InputError, UnsupportedError
from skerry.formats import read_positions
from skerry.formats.readers import parquet
from skerry.io import ReadPosition
from skerry.result.plan import PhaseTimer
from support.interrupted import StoppedError, small_steps, stopped_after
from support.streams import opened

COUNT = 600
PAIRS = np.random.default_rng(5).integers(0, 500, (COUNT, 2))
TEXTS = [[f"v{end}" for end in pair] for pair in PAIRS.tolist()]
WEIGHTS = np.random.default_rng(6).random(COUNT)


def table(kind):
    src, dst = PAIRS.T
    if kind == "text":
        src, dst = ([pair[end] for pair in TEXTS] for end in (0, 1))
    elif kind == "scattered":
        src, dst = src * 10**12, dst * 10**12
    elif kind == "large":
        return pa.table({"src": table("text")["src"], "dst": table("text")["dst"]}).cast(
            pa.schema([("src", pa.large_string()), ("dst", pa.large_string())])
        )
    elif kind == "dates":
        src, dst = (pa.array(end, pa.date32()) for end in (src.astype("i4"), dst.astype("i4")))
    if kind == "nulls":
        holes = np.arange(COUNT) % 7 == 3
        src = pa.array(src, mask=holes)
    return pa.table({"src": src, "dst": dst, "weight": WEIGHTS})


def write_parquet(kind):
    return lambda path: pq.write_table(table(kind), path, row_group_size=100)


def write_lines(text):
    return lambda path: path.write_text(text)


def write_gzip(path):
    path.write_bytes(gzip.compress(LINES.encode()))


def write_market(path):
    head = f"%%MatrixMarket matrix coordinate pattern general\n500 500 {COUNT}\n"
    path.write_text(head + "".join(f"{u + 1} {v + 1}\n" for u, v in PAIRS.tolist()))


def write_metis(path):
    rows = {u: set() for u in range(500)}
    for u, v in PAIRS.tolist():
        if u != v:
            rows[u].add(v + 1)
            rows[v].add(u + 1)
    count = sum(map(len, rows.values())) // 2
    lines = [" ".join(map(str, sorted(rows[u]))) for u in range(500)]
    path.write_text(f"500 {count}\n" + "\n".join(lines) + "\n")


def write_arrow(path):
    with pa.ipc.new_file(path, table("text").schema) as file:
        file.write_table(table("text"), 50)


def write_csv(kind):
    return lambda path: pyarrow.csv.write_csv(table(kind), path)


LINES = "".join(f"{u} {v}\n" for u, v in PAIRS.tolist())
FILES = {
    "pairs.npy": (lambda path: np.save(path, PAIRS), {}),
    "columns.npy": (lambda path: np.save(path, PAIRS.T.copy()), {}),
    "arrays.npz": (lambda path: np.savez(path, src=PAIRS[:, 0], dst=PAIRS[:, 1]), {}),
    "edges.el": (write_lines(LINES), {}),
    "edges.el.gz": (write_gzip, {}),
    "plain.csv": (write_csv("numbers"), {"threshold": 0.3}),
    "text.csv": (write_csv("text"), {}),
    "blank.csv": (write_lines("src,dst\n" + LINES.replace(" ", ",").replace("7\n", "7\n\n")), {}),
    "nulls.csv": (write_csv("nulls"), {"on_null": "drop", "source": "src", "target": "dst"}),
    "graph.mtx": (write_market, {}),
    "graph.metis": (write_metis, {}),
    "text.arrow": (write_arrow, {"weight": "weight", "threshold": 0.5}),
    "numbers.parquet": (write_parquet("numbers"), {}),
    "scattered.parquet": (write_parquet("scattered"), {"weight": "weight", "threshold": 0.2}),
    "text.parquet": (
        write_parquet("text"),
        {"weight": "weight", "threshold": 0.5, "keep": "below"},
    ),
    "large.parquet": (write_parquet("large"), {}),
    "dates.parquet": (write_parquet("dates"), {"source": "src", "target": "dst"}),
    "nulls.parquet": (write_parquet("nulls"), {"on_null": "drop"}),
    "several.parquet": (
        write_parquet("text"),
        {"source": ("src", "weight_text"), "target": ("dst", "weight_text")},
    ),
}


def file_of(folder, name):
    path = folder / name
    write, options = FILES[name]
    if name == "several.parquet":
        parts = [f"w{number % 3}" for number in range(COUNT)]
        pq.write_table(table("text").append_column("weight_text", [parts]), path, row_group_size=90)
    else:
        write(path)
    return path, options


def stop(path, folder, batches=3, **options):
    """Begins a run and ends it early; there is a checkpoint behind all batches but the last."""
    with small_steps(), pytest.raises(StoppedError):
        skerry.connected_components(
            path,
            stream=StreamOptions(checkpoint=folder, progress=stopped_after(batches)),
            **options,
        )


def continued(path, folder, **options):
    with small_steps():
        return skerry.connected_components(path, stream=StreamOptions(checkpoint=folder), **options)


def assert_equal(result, expected):
    assert result.labels.tolist() == expected.labels.tolist()
    assert result.labels.dtype == expected.labels.dtype
    assert result.plan.edges == expected.plan.edges
    assert result.table().equals(expected.table())


def left_out(result):
    return [note for note in result.plan.notes if note.startswith("left out")]


@pytest.mark.parametrize("name", FILES)
def test_a_run_that_was_stopped_goes_on_to_the_same_answer(name, tmp_path):
    path, options = file_of(tmp_path, name)
    folder = tmp_path / "checkpoint"
    expected = skerry.connected_components(path, **options)
    stop(path, folder, **options)
    stop(path, folder, **options)  # and once more
    seen = []
    with small_steps():
        result = skerry.connected_components(
            path,
            stream=StreamOptions(checkpoint=folder, progress=lambda *counts: seen.append(counts)),
            **options,
        )
    assert_equal(result, expected)
    assert left_out(result) == left_out(expected)
    assert "continued from a checkpoint: " in result.plan.notes[-1]
    assert seen[0][0] > 64 and seen[-1][0] == expected.plan.edges
    assert not folder.exists()
    assert result.verify()


def test_a_file_of_a_remote_store_goes_on(tmp_path):
    fsspec = pytest.importorskip("fsspec")
    store = fsspec.filesystem("memory")
    store.pipe("/checkpoint/edges.el", LINES.encode())
    address, folder = "memory://checkpoint/edges.el", tmp_path / "checkpoint"
    expected = skerry.connected_components(address)
    stop(address, folder)
    assert_equal(continued(address, folder), expected)
    stop(address, folder)
    store.pipe("/checkpoint/edges.el", LINES.encode().replace(b"1", b"2"))
    with pytest.raises(InputError, match="its files were changed since, in the part"):
        continued(address, folder)


def test_files_are_not_read_from_their_beginning_again(tmp_path):
    """Where a reader can begin in the middle, the rows before are not even decoded."""
    for name in ("pairs.npy", "columns.npy", "edges.el", "plain.csv", "graph.mtx", "graph.metis"):
        path, options = file_of(tmp_path, name)
        stop(path, tmp_path / "checkpoint", **options)
        with patch.object(read_positions, "_behind", side_effect=AssertionError):
            assert continued(path, tmp_path / "checkpoint", **options).plan.notes
    path, _ = file_of(tmp_path, "numbers.parquet")
    with small_steps():
        source = skerry.io.read_edges(path)
        offsets = [batch.next_offset for batch in source.open_at(1, ReadPosition())]
        assert offsets == [(group, rows) for group in range(6) for rows in (64, 100)]
        with patch.object(parquet, "_record_batches", side_effect=parquet._record_batches) as read:
            rest = list(source.open_at(1, ReadPosition((4, 64))))
    assert [each.args[2].first for each in read.call_args_list] == [4, 5]
    assert [batch.next_offset for batch in rest] == offsets[9:]


def test_several_files_go_on_in_the_file_where_they_were_stopped(tmp_path):
    paths = []
    for number in range(3):
        paths.append(tmp_path / f"{number}.el")
        paths[-1].write_text("".join(f"{u} {v}\n" for u, v in PAIRS[number::3].tolist()))
    expected = skerry.connected_components(paths)
    for batches in (1, 2, 5, 8):
        folder = tmp_path / str(batches)
        stop(paths, folder, batches)
        assert_equal(continued(paths, folder), expected)


def test_other_threads_batches_labels_and_further_vertices_may_go_on(tmp_path):
    path, _ = file_of(tmp_path, "text.csv")
    options = {"threads": 2, "labels": "dense", "vertices": ["v1000"]}
    previous = skerry.connected_components(pa.table({"src": ["v0"], "dst": ["v9999"]}))
    for further in ({}, {"previous": previous}):
        stop(path, tmp_path / "checkpoint", threads=1)
        with small_steps(100, 300):
            result = skerry.connected_components(
                path,
                stream=StreamOptions(10**12, checkpoint=tmp_path / "checkpoint"),
                **options,
                **further,
            )
        expected = skerry.connected_components(path, **options, **further)
        assert result.table().equals(expected.table())
        assert result.plan.edges == expected.plan.edges


@pytest.mark.parametrize("name", ["nulls.csv", "text.csv", "nulls.parquet", "pairs.npy"])
def test_batches_of_other_sizes_go_on_at_the_row(name, tmp_path):
    path, options = file_of(tmp_path, name)
    expected = skerry.connected_components(path, **options)
    for rows, text in ((17, 200), (150, 1300)):
        stop(path, tmp_path / "checkpoint", 4, **options)  # in the second row group
        with small_steps(rows, text):
            result = skerry.connected_components(
                path, stream=StreamOptions(checkpoint=tmp_path / "checkpoint"), **options
            )
        assert_equal(result, expected)
        assert left_out(result) == left_out(expected)


def test_a_finished_run_leaves_nothing_and_the_next_starts_anew(tmp_path):
    path, _ = file_of(tmp_path, "pairs.npy")
    folder = tmp_path / "checkpoint"
    folder.mkdir()
    (folder / "mine.txt").write_text("x")
    stop(path, folder)
    left = folder / ".checkpoint.skerry.7-1.part"
    left.write_bytes(b"of a process that was killed")
    assert continued(path, folder).plan.notes
    assert [each.name for each in folder.iterdir()] == ["mine.txt"]
    assert not continued(path, folder).plan.notes


def test_two_runs_do_not_share_a_folder(tmp_path):
    path, _ = file_of(tmp_path, "pairs.npy")
    folder = tmp_path / "checkpoint"
    refused = []

    def progress(*_):
        with pytest.raises(InputError, match="another run uses this checkpoint") as error:
            skerry.connected_components(path, stream=StreamOptions(checkpoint=folder))
        refused.append(error)

    skerry.connected_components(path, stream=StreamOptions(checkpoint=folder, progress=progress))
    assert refused


@pytest.mark.parametrize(
    ("before", "now", "message"),
    [
        ({}, {"threshold": 0.5}, "weight= was not stated and is weight now"),
        ({"threshold": 0.25}, {"threshold": 0.5}, "threshold= was 0.25 and is 0.5 now"),
        (
            {"threshold": 0.25},
            {"threshold": 0.25, "keep": "below"},
            "keep= was above and is below now",
        ),
        ({}, {"source": "dst", "target": "src"}, "source= was not stated and is dst now"),
        ({}, {"ids": "vertices"}, "ids= was external and is vertices now"),
        ({}, {"ids_as_text": True}, "ids_as_text= was off and is on now"),
        ({}, {"on_null": "drop"}, "on_null= was error and is drop now"),
        (
            {"ids": "vertices", "num_vertices": 500},
            {"ids": "vertices", "num_vertices": 501},
            "num_vertices= was 500 and is 501 now",
        ),
    ],
)
def test_another_option_is_refused_by_its_name(before, now, message, tmp_path):
    path, _ = file_of(tmp_path, "plain.csv")
    folder = tmp_path / "checkpoint"
    stop(path, folder, **before)
    with pytest.raises(InputError, match=message) as error:
        graph, others = opened(path, now)
        continued(graph, folder, **others)
    assert "delete" in str(error.value) and str(folder) in str(error.value)
    assert continued(path, folder, **before).plan.notes  # which is still there


def test_another_input_is_refused(tmp_path):
    path, _ = file_of(tmp_path, "edges.el")
    other = tmp_path / "other.el"
    other.write_text(LINES)
    folder = tmp_path / "checkpoint"
    stop(path, folder)
    with pytest.raises(InputError, match="it reads other files"):
        continued(other, folder)
    with pytest.raises(InputError, match="it reads other files"):
        continued([path, other], folder)
    path.write_text(LINES + "1 2\n")
    with pytest.raises(InputError, match=r"edges\.el had 4,\d+ bytes and has 4,\d+ now"):
        continued(path, folder)


def test_another_version_of_skerry_is_refused(tmp_path):
    path, _ = file_of(tmp_path, "edges.el")
    with patch.object(sys.modules["skerry"], "__version__", "0.0.7"):
        stop(path, tmp_path / "checkpoint")
    with pytest.raises(InputError, match=r"the version of skerry was 0\.0\.7 and is"):
        continued(path, tmp_path / "checkpoint")


@pytest.mark.parametrize("name", ["pairs.npy", "text.parquet"])
def test_a_damaged_checkpoint_is_never_used(name, tmp_path):
    path, options = file_of(tmp_path, name)
    folder = tmp_path / "checkpoint"
    stop(path, folder, **options)
    file = folder / "checkpoint.skerry"
    good = file.read_bytes()
    draw = random.Random(7)
    wrong = [good[:-1], good[: len(good) // 2], good[:20], good[:3], b"", good + b"\0"]
    wrong += [b"skerryUF" + good[8:], b"PAR1" + good[4:], bytes(len(good)), good[:8] + good]
    for _ in range(60):
        at, bit = draw.randrange(len(good)), 1 << draw.randrange(8)
        wrong.append(good[:at] + bytes([good[at] ^ bit]) + good[at + 1 :])
    for data in wrong:
        file.write_bytes(data)
        with pytest.raises(InputError, match=r"nothing of it was used: delete .* to start again"):
            continued(path, folder, **options)
        assert file.read_bytes() == data
    file.write_bytes(good)
    assert_equal(continued(path, folder, **options), skerry.connected_components(path, **options))


def test_a_checkpoint_of_another_kind_of_ids_is_refused_even_with_right_checksums(tmp_path):
    path, _ = file_of(tmp_path, "pairs.npy")
    other, _ = file_of(tmp_path, "text.parquet")
    for graph, others in ((path, other), (other, path)):
        stop(graph, tmp_path / "checkpoint")
        with (
            patch.object(checkpoints, "_check_same"),
            pytest.raises(InputError, match="not of this graph; nothing of it was used: delete"),
        ):
            continued(others, tmp_path / "checkpoint")
        (tmp_path / "checkpoint" / "checkpoint.skerry").unlink()


@pytest.mark.parametrize(
    "graph",
    [
        (PAIRS[:, 0], PAIRS[:, 1]),
        table("numbers"),
        [(PAIRS[:, 0], PAIRS[:, 1])],
        {0: [1]},
    ],
    ids=["arrays", "table", "batches", "mapping"],
)
def test_what_lies_in_memory_has_no_checkpoints(graph, tmp_path):
    with pytest.raises(UnsupportedError, match="checkpoint="):
        skerry.connected_components(graph, stream=StreamOptions(checkpoint=tmp_path / "checkpoint"))
    assert not (tmp_path / "checkpoint").exists()


def test_what_cannot_be_continued_is_refused(tmp_path):
    path, _ = file_of(tmp_path, "plain.csv")
    folder = tmp_path / "checkpoint"
    for options, message in (
        ({"forest": True}, "forest=True and checkpoint= cannot be used together"),
        ({"source": "src", "groups": "dst"}, "checkpoint= and groups= cannot be used together"),
        ({"algorithm": "ecl"}, r'algorithm="ecl" and checkpoint= cannot be used together'),
        ({"device": "cuda"}, r'device="cuda" and checkpoint= cannot be used together'),
    ):
        with pytest.raises(UnsupportedError, match=message):
            skerry.connected_components(path, stream=StreamOptions(checkpoint=folder), **options)
    once = replace(skerry.io.read_edges(path), identity=None)  # as of a pipe
    with pytest.raises(UnsupportedError, match=r"needs files that can be opened again, and .*csv"):
        skerry.connected_components(once, stream=StreamOptions(checkpoint=folder))
    with pytest.raises(UnsupportedError, match="a folder of this machine"):
        skerry.connected_components(path, stream=StreamOptions(checkpoint="s3://bucket/folder"))


@pytest.mark.parametrize("folder", [3, "", b"x", True, io.BytesIO()])
def test_a_folder_that_is_no_path(folder, tmp_path):
    path, _ = file_of(tmp_path, "edges.el")
    with pytest.raises(InputError, match="checkpoint must be the path of a folder"):
        skerry.connected_components(path, stream=StreamOptions(checkpoint=folder))


def test_a_folder_that_cannot_be_used_is_named(tmp_path):
    path, _ = file_of(tmp_path, "edges.el")
    with pytest.raises(InputError, match=r"edges\.el: cannot hold a checkpoint"):
        skerry.connected_components(path, stream=StreamOptions(checkpoint=path))


class Clock:
    """A joiner, a folder and a clock: a second for every batch, and some for a checkpoint."""

    def __init__(self, seconds, nbytes):
        self.seconds, self.nbytes = seconds, nbytes
        self.now = self.writing = 0.0

    def __call__(self):
        return self.now

    def sets(self):
        return Sets(np.zeros(0, np.uint32))

    def store(self, *_):
        self.now += self.seconds
        self.writing += self.seconds

    path = "checkpoint"


@pytest.mark.parametrize("seconds", [0.001, 0.1, 3.0, 40.0])
@pytest.mark.parametrize("nbytes", [0, 10**6, 10**10])
def test_checkpoints_take_two_percent_of_the_time_at_most(seconds, nbytes):
    clock = Clock(seconds, nbytes)
    with patch.object(checkpoints, "perf_counter", clock):
        written = Checkpoints(clock, {})
        for _ in range(20_000):
            clock.now += 1.0
            before = clock.writing
            written.write_if_due(clock, Counts(), (1,), PhaseTimer())
            if clock.writing > before and before:
                assert clock.writing <= 0.02 * clock.now + seconds
    assert 0 < clock.writing <= 0.02 * clock.now + seconds


def test_short_runs_write_no_checkpoint(tmp_path):
    path, _ = file_of(tmp_path, "pairs.npy")
    with patch.object(Checkpoints, "_write", side_effect=AssertionError):
        skerry.connected_components(path, stream=StreamOptions(checkpoint=tmp_path / "checkpoint"))
    assert not (tmp_path / "checkpoint").exists()
