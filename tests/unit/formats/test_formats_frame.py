"""Finding, opening, decompressing and chaining files, whatever their format."""

from __future__ import annotations

import gzip
import importlib.util
import io
import os
import signal
import subprocess
import sys
import threading
import time

import pyarrow as pa
import pytest

from skerry.errors import InputError, UnsupportedError
from skerry.formats.open import open_edges
from skerry.formats.options import ReadOptions
from skerry.formats.prefetch import DEPTH, prefetch_map
from skerry.formats.registry import FORMATS, format_named
from skerry.formats.sniff import format_of
from skerry.formats.source import source_file
from support.edge_files import COMPRESS, pairs, write

LINES = "".join(f"{i}\t{i * 7919 % 100_003}\n" for i in range(20_000))
PAIRS = [(i, i * 7919 % 100_003) for i in range(20_000)]


# Compression


@pytest.mark.parametrize("suffix", COMPRESS)
@pytest.mark.parametrize("threads", [1, 2])
def test_compressed(tmp_path, suffix, threads):
    stream = open_edges(write(tmp_path, f"edges.txt{suffix}", LINES))
    assert pairs(stream, threads) == PAIRS
    assert pairs(stream, threads) == PAIRS, "a second time"
    assert sum(batch.consumed for batch in stream.open(threads)) == stream.num_bytes


@pytest.mark.parametrize("suffix", COMPRESS)
def test_several_members(tmp_path, suffix):
    """As `cat a.gz b.gz` and parallel compressors write them; the border may cut a line."""
    cut = len(LINES) // 2 + 3
    members = [COMPRESS[suffix](part.encode()) for part in (LINES[:cut], "", LINES[cut:])]
    path = tmp_path / f"edges.txt{suffix}"
    path.write_bytes(b"".join(members))
    assert pairs(open_edges(path)) == PAIRS


@pytest.mark.parametrize("suffix", COMPRESS)
def test_a_stream_of_arrow_in_members(tmp_path, suffix):
    """Wherever one ends: Arrow took the first bytes of .bz2 and .xz for all there are."""
    sink, table = io.BytesIO(), pa.table({"src": ["a", "b"], "dst": ["b", "c"]})
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    data, path = sink.getvalue(), tmp_path / f"edges.arrows{suffix}"
    for cut in range(1, len(data), 7):
        path.write_bytes(COMPRESS[suffix](data[:cut]) + COMPRESS[suffix](data[cut:]))
        assert pairs(open_edges(path)) == [("a", "b"), ("b", "c")]


def test_upper_case_suffixes(tmp_path):
    path = tmp_path / "EDGES.TXT.GZ"
    path.write_bytes(COMPRESS[".gz"](LINES.encode()))
    assert pairs(open_edges(path)) == PAIRS


@pytest.mark.parametrize("suffix", COMPRESS)
@pytest.mark.parametrize("kind", ["cut short", "other bytes", "nothing"])
@pytest.mark.parametrize("threads", [1, 2])
def test_bad_compressed_data(tmp_path, suffix, kind, threads):
    whole = COMPRESS[suffix](LINES.encode())
    data = {"cut short": whole[:-20], "other bytes": b"1\t2\n" * 100, "nothing": b""}[kind]
    path = tmp_path / f"edges.el{suffix}"
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"edges\.el.*(truncated|corrupt|no .* data at all)"):
        pairs(open_edges(path), threads)


@pytest.mark.parametrize("suffix", COMPRESS)
def test_compressed_nothing(tmp_path, suffix):
    assert pairs(open_edges(write(tmp_path, f"edges.txt{suffix}", ""))) == []
    with pytest.raises(InputError, match="empty"):
        open_edges(write(tmp_path, f"edges.npy{suffix}", ""))


# Which format


@pytest.mark.parametrize(
    ("name", "head", "expected"),
    [
        ("a.txt", "1 2\n", "snap"),
        ("a", "# comment\n1 2\n", "snap"),
        ("a.txt", "# comment\n1,2\n-3\t4 x y\n", "snap"),
        ("a.txt", "kim lee\n", "csv"),
        ("a.txt", "1|2\n", "csv"),
        ("a.txt", "kim\tlee\nbo\tal\n", "tsv"),
        ("a.txt", "1 2\nkim lee\n", "snap"),
        ("a.edges", "kim lee\n", "snap"),
        ("a.EDGES", "1 2\n", "snap"),
        ("a.txt", "%%MatrixMarket matrix coordinate pattern general\n", "mtx"),
        ("a.txt", "AdjacencyGraph\n1\n0\n0\n", "ligra"),
        ("a", "c comment\np sp 1 0\n", "dimacs"),
        ("a.gr", "p tw 1 0\n", "dimacs"),
        ("a.gr", "c only comments\n", "dimacs"),
        ("a.gr", b"\1\0\0\0\0\0\0\0" + bytes(24), "galois"),
        ("a.gr", b"\2\0\0\0\0\0\0\0" + bytes(24), "galois"),
        ("a.graph", "% comment\n3 2\n2\n1 3\n2\n", "metis"),
        ("a.graph", "WeightedAdjacencyGraph\n", "ligra"),
        ("a.graph-txt", "1\n\n", "webgraph"),
        ("a", b"PAR1....", "parquet"),
        ("a.bin", b"ARROW1\0\0", "arrow"),
        ("a.dat", b"\x93NUMPY\1\0", "npy"),
        ("a", b"PK\3\4", "npz"),
        ("a", "<?xml version='1.0'?><graphml>", "graphml"),
        ("a.parquet", "", "parquet"),
        ("a.wel", "", "el"),
    ],
)
def test_format_of(tmp_path, name, head, expected):
    for suffix in ("", ".gz"):
        file = source_file(write(tmp_path, name + suffix, head))
        assert format_of(file).name == expected


def test_format_that_is_asked_for_wins(tmp_path):
    path = write(tmp_path, "a.xyz", "1 2\n")
    assert pairs(open_edges(path, format="snap")) == [(1, 2)]
    with pytest.raises(UnsupportedError, match=r"no format 'nope'; there are: snap, el, mtx"):
        open_edges(path, format="nope")


def test_unknown_suffix(tmp_path):
    with pytest.raises(UnsupportedError, match=r"a\.xyz: no format has the suffix \.xyz.*\.mtx"):
        open_edges(write(tmp_path, "a.xyz", "1 2\n"))


def test_unknown_binary(tmp_path):
    with pytest.raises(UnsupportedError, match=r"a\.bin: the contents are binary"):
        open_edges(write(tmp_path, "a.bin", bytes(100)))
    with pytest.raises(UnsupportedError, match=r"a\.gr: the contents are binary"):
        open_edges(write(tmp_path, "a.gr", bytes(100)))


@pytest.mark.parametrize("suffix", COMPRESS)
def test_compressed_under_a_plain_name(tmp_path, suffix):
    for name in ("a.txt", "a.csv", "a.el", "a.txt.gz"):
        data = COMPRESS[suffix](LINES.encode())
        (tmp_path / name).write_bytes(gzip.compress(data) if name == "a.txt.gz" else data)
        with pytest.raises(UnsupportedError, match=rf"data, not text.*add \{suffix} to"):
            pairs(open_edges(tmp_path / name))


def test_the_table_is_consistent():
    suffixes = [suffix for format in FORMATS for suffix in format.suffixes]
    assert len(suffixes) == len(set(suffixes))
    assert len({format.name for format in FORMATS}) == len(FORMATS)
    for format in FORMATS:
        assert all(suffix == suffix.lower() and suffix[0] == "." for suffix in format.suffixes)
        if format.read is None:
            assert format.write_labels is not None
            continue
        module = format.read.partition(":")[0]
        if importlib.util.find_spec(module) is not None:
            assert callable(format.function("read"))


def test_a_role_that_a_format_lacks():
    with pytest.raises(UnsupportedError, match=r"cannot write labels as snap; there are:.*parquet"):
        format_named("snap").function("write_labels")


# Which files


def test_several_files(tmp_path):
    one = write(tmp_path, "a.txt", "1 2\n")
    two = write(tmp_path, "b.txt.gz", "3 4\n")
    stream = open_edges([str(one), two])
    assert pairs(stream) == [(1, 2), (3, 4)]
    assert stream.num_bytes == one.stat().st_size + two.stat().st_size
    assert str(two) in list(stream.open(1))[1].location


def test_folder_and_pattern(tmp_path):
    for name, text in {"b.txt": "3 4\n", "a.txt": "1 2\n", ".hidden.txt": "9 9\n"}.items():
        write(tmp_path, name, text)
    write(tmp_path, "_SUCCESS", "")
    write(tmp_path, "notes.md", "")
    (tmp_path / "inner").mkdir()
    assert pairs(open_edges(tmp_path)) == [(1, 2), (3, 4)]
    assert pairs(open_edges(f"{tmp_path}/*.txt")) == [(1, 2), (3, 4)]
    assert pairs(open_edges(f"{tmp_path}/**/[b].txt")) == [(3, 4)]


def test_folder_of_files_without_a_suffix(tmp_path):
    write(tmp_path, "part-00000", "1 2\n")
    write(tmp_path, "part-00001", "3 4\n")
    with pytest.raises(InputError, match=r"no file of a known format.*part-00000"):
        open_edges(tmp_path)
    assert pairs(open_edges(tmp_path, format="snap")) == [(1, 2), (3, 4)]


def test_a_name_that_looks_like_a_pattern(tmp_path):
    assert pairs(open_edges(write(tmp_path, "a[1].txt", "1 2\n"))) == [(1, 2)]


def test_missing_and_empty(tmp_path):
    with pytest.raises(InputError, match=r"none\.txt: there is no such file"):
        open_edges(tmp_path / "none.txt")
    with pytest.raises(InputError, match="the list of files is empty"):
        open_edges([])
    with pytest.raises(InputError, match="the path is empty"):
        open_edges("")
    with pytest.raises(InputError, match="holds no files"):
        open_edges(tmp_path)
    with pytest.raises(InputError, match="no file matches"):
        open_edges(f"{tmp_path}/*.txt")
    with pytest.raises(InputError, match="named by a path, got int"):
        open_edges([1])
    write(tmp_path, "notes.md", "")
    with pytest.raises(InputError, match=r"no file of a known format.*notes\.md"):
        open_edges(tmp_path)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read all")
def test_unreadable(tmp_path):
    path = write(tmp_path, "a.txt", "1 2\n")
    path.chmod(0)
    with pytest.raises(InputError, match="cannot be read"):
        open_edges(path)


def test_empty_files(tmp_path):
    assert pairs(open_edges(write(tmp_path, "a.txt", ""))) == []
    assert pairs(open_edges(write(tmp_path, "a.el", ""))) == []
    for name in ("a.mtx", "a.parquet", "a.egr", "a.graph", "a.adj"):
        with pytest.raises(InputError, match=f"{name}: the file is empty"):
            open_edges(write(tmp_path, name, ""))


def test_mixed_formats(tmp_path):
    write(tmp_path, "a.txt", "1 2\n")
    write(tmp_path, "b.gr", "p tw 2 0\n")
    with pytest.raises(InputError, match=r"a\.txt is snap, .*b\.gr is dimacs"):
        open_edges(tmp_path)


def test_headers_must_agree(tmp_path):
    write(tmp_path, "a.gr", "p tw 3 1\n1 2\n")
    write(tmp_path, "b.gr", "p tw 3 1\n2 3\n")
    stream = open_edges(tmp_path)
    assert (stream.num_vertices, stream.first_id, stream.num_edges) == (3, 1, 2)
    assert pairs(stream) == [(0, 1), (1, 2)]
    write(tmp_path, "b.gr", "p tw 4 1\n2 3\n")
    with pytest.raises(InputError, match=r"a\.gr has 3 vertices.*b\.gr has 4 vertices"):
        open_edges(tmp_path)


def test_remote(tmp_path):
    fsspec = pytest.importorskip("fsspec")
    system = fsspec.filesystem("memory")
    system.pipe("/skerry-frame/a.txt", b"1 2\n")
    system.pipe("/skerry-frame/b.txt.gz", COMPRESS[".gz"](b"3 4\n"))
    system.pipe("/skerry-frame/_SUCCESS", b"")
    assert pairs(open_edges("memory://skerry-frame/a.txt")) == [(1, 2)]
    assert pairs(open_edges("memory://skerry-frame")) == [(1, 2), (3, 4)]
    assert pairs(open_edges("memory://skerry-frame/*.txt*")) == [(1, 2), (3, 4)]
    with pytest.raises(InputError, match="there is no such file"):
        open_edges("memory://skerry-frame/none.txt")
    with pytest.raises(InputError, match="no file matches"):
        open_edges("memory://skerry-frame/*.none")
    with pytest.raises(UnsupportedError, match="fsspec cannot open it"):
        open_edges("nosuchthing://a.txt")
    assert pairs(open_edges(f"file://{write(tmp_path, 'c.txt', '5 6')}")) == [(5, 6)]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_pipe(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=lambda: path.write_text("1 2\n3 4\n"))
    writer.start()
    stream = open_edges(path)
    assert stream.facts.format == "snap"
    assert not stream.repeatable
    assert stream.num_bytes is None
    assert pairs(stream) == [(1, 2), (3, 4)]
    with pytest.raises(UnsupportedError, match="can be read only once"):
        pairs(stream)
    writer.join()


# Options


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"source": "a"}, "source= is given without the other end"),
        ({"target": 1}, "target= is given without the other end"),
        ({"source": ("a", "b"), "target": "c"}, "equally many columns"),
        ({"source": (), "target": ()}, "empty tuple"),
        ({"source": -1, "target": 1}, "its number from 0, got -1"),
        ({"source": True, "target": 1}, "got True"),
        ({"source": "", "target": "b"}, "got ''"),
        ({"weight": 1.5}, r"got 1\.5"),
        ({"delimiter": "::"}, "one character"),
        ({"batch_rows": 0}, "at least 1"),
    ],
)
def test_bad_options(options, told):
    with pytest.raises(InputError, match=told):
        ReadOptions(**options)


# Reading ahead


def own_threads():
    return [one for one in threading.enumerate() if one.name.startswith("skerry")]


def wait_for_quiet():
    deadline = time.monotonic() + 10
    while own_threads() and time.monotonic() < deadline:
        time.sleep(0.01)
    return not own_threads()


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_prefetch_map_keeps_the_order_and_a_bound(threads):
    begun, taken, most = 0, 0, 0

    def items():
        nonlocal begun, most
        for i in range(200):
            begun += 1
            most = max(most, begun - taken)
            yield i

    for i, result in enumerate(
        prefetch_map(items(), lambda i: (time.sleep(i % 3 / 1e4), i)[1], threads)
    ):
        assert result == i
        taken += 1
    assert taken == 200
    assert most <= threads + DEPTH + 1
    assert wait_for_quiet()


@pytest.mark.parametrize("threads", [1, 3])
def test_prefetch_map_stops_when_left(threads):
    closed = threading.Event()

    def endless():
        try:
            while True:
                yield 1
        finally:
            closed.set()

    results = prefetch_map(endless(), lambda i: i, threads)
    assert next(results) == 1
    results.close()
    assert closed.wait(5)
    assert wait_for_quiet()


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("where", ["reading", "working"])
def test_prefetch_map_passes_errors_on(threads, where):
    def items():
        yield from range(5)
        if where == "reading":
            raise InputError("reading")

    def work(i):
        if where == "working" and i == 4:
            raise InputError("working")
        return i

    results = prefetch_map(items(), work, threads)
    assert [next(results) for _ in range(4)] == [0, 1, 2, 3]
    with pytest.raises(InputError, match=where):
        list(results)
    assert wait_for_quiet()


def test_a_stream_that_is_left_stops_its_threads(tmp_path):
    stream = open_edges(write(tmp_path, "a.txt", LINES), ReadOptions(block_bytes=64))
    batches = stream.open(4)
    next(batches)
    batches.close()
    assert wait_for_quiet()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_ctrl_c_stops_a_reader_that_waits(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    code = (
        "from skerry.formats.open import open_edges\n"
        f"batches = open_edges({str(path)!r}, format='snap').open(2)\n"
        "print('reading', flush=True)\n"
        "list(batches)\n"
    )
    command = [sys.executable, "-c", code]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process,
        path.open("wb", buffering=0) as writer,
    ):
        writer.write(b"1 2\n")
        assert process.stdout.readline() == b"reading\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=20)
    assert b"KeyboardInterrupt" in told
