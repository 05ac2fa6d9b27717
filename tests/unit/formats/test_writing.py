"""Files are written whole or not at all, and read back they are the same graph."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import skerry
from skerry.errors import InputError, OutputError, UnsupportedError
from skerry.formats.registry import FORMATS
from skerry.formats.writers.atomic_file import COMPRESSIONS, atomic_file
from skerry.formats.writers.write import check_output, write_graph
from skerry.formats.writers.write import write_labels as formats_write_labels
from skerry.io import write_labels
from support.paths import TESTS
from support.streams import edges_in, read, stream_of, undirected, values, vertices_of, weights_in

WRITERS = [row for row in FORMATS if row.write_graph]
INSIDE = ("parquet", "arrow")
COUNTED = ("mtx", "egr", "sg", "npy")
TARGETS = [
    f"graph{row.suffixes[0]}{compression}"
    for row in WRITERS
    for compression in ("", *COMPRESSIONS)
    if not compression or row.name not in INSIDE
]
NAMED = ("parquet", "arrow", "csv", "tsv")

SRC = np.array([0, 4, 2, 2, 5], np.uint32)
DST = np.array([1, 0, 2, 4, 4], np.uint32)


def left_in(folder):
    return sorted(path.name for path in Path(folder).iterdir())


@pytest.mark.parametrize("file", TARGETS)
def test_a_graph_comes_back_with_its_vertices(file, tmp_path):
    path = tmp_path / file
    write_graph(stream_of(SRC, DST, n=9), path)
    assert left_in(tmp_path) == [file]
    back = read(path)
    assert undirected(edges_in(back)) == undirected(zip(SRC.tolist(), DST.tolist(), strict=True))
    assert vertices_of(back) == set(range(9))


@given(
    pairs=st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), max_size=30),
    more=st.integers(0, 5),
)
@pytest.mark.parametrize("row", WRITERS, ids=lambda row: row.name)
def test_any_graph_comes_back(row, pairs, more, tmp_path_factory):
    path = tmp_path_factory.mktemp("files") / f"graph{row.suffixes[0]}"
    src, dst = np.array(pairs, np.uint32).reshape(-1, 2).T
    n = int(max(src.max(initial=0), dst.max(initial=0))) + 1 + more if pairs else more
    write_graph(stream_of(src, dst, n=n), path)
    back = read(path)
    assert undirected(edges_in(back)) == undirected(pairs)
    assert vertices_of(back) == set(range(n))


IDS = {
    "text": pa.array(["b", 'quo"te', "a,b", " ", "line\nbreak", "é", "#no comment"]),
    "negative": pa.array([-5, 3, 2**62, -(2**63), 0, 7, 1]),
    "huge": pa.array([2**64 - 1, 3, 0, 1, 2**63, 5, 6], pa.uint64()),
}


@pytest.mark.parametrize("kind", IDS)
@pytest.mark.parametrize("name", NAMED)
def test_names_come_back(name, kind, tmp_path):
    ids = IDS[kind]
    path = tmp_path / f"graph.{name}"
    turned = ids.take(pa.array([1, 2, 3, 4, 5, 6, 0]))
    if kind == "text" and name in ("csv", "tsv"):  # an empty cell is no id
        empty = pa.array([""])
        with pytest.raises(UnsupportedError, match="an id in src is the empty text"):
            write_graph(stream_of(empty, empty, id_kind="external"), path)
    write_graph(stream_of(ids, turned, id_kind="external"), path)
    back = read(path)
    assert back.id_kind == "external"
    assert edges_in(back) == list(zip(ids.to_pylist(), turned.to_pylist(), strict=True))


@pytest.mark.parametrize("name", NAMED)
def test_ids_of_several_columns_come_back(name, tmp_path):
    src = (pa.array(["a", "b"]), pa.array([1, 2]))
    dst = (pa.array(["b", "c"]), pa.array([2, 1]))
    path = tmp_path / f"graph.{name}"
    write_graph(stream_of(src, dst, id_kind="external"), path)
    back = read(path, source=("src_0", "src_1"), target=("dst_0", "dst_1"))
    assert edges_in(back) == [(("a", 1), ("b", 2)), (("b", 2), ("c", 1))]


@pytest.mark.parametrize("suffix", ["parquet", "arrow", "csv", "tsv", "wel", "mtx"])
def test_weights_come_back(suffix, tmp_path):
    path = tmp_path / f"graph.{suffix}"
    weight = np.array([0.5, 1.0, -2.0, 1e-300, 3.0])
    write_graph(stream_of(SRC, DST, n=6, weight=weight), path)
    back = read(path, weight="weight" if suffix in NAMED else 2)
    assert weights_in(back)[:5] == weight.tolist()
    assert all(w == np.inf for w in weights_in(back)[5:])  # of loops that keep lone vertices


def test_later_batches_may_be_wider(tmp_path):
    """Readers of text give ids in as few bits as the batches so far need."""
    path = tmp_path / "graph.parquet"
    from skerry.graph.edge_source import Batch, EdgeSource

    narrow, wide = np.array([1], np.uint32), np.array([2**40], np.int64)
    stream = EdgeSource(
        "text", "external", lambda _: iter([Batch(narrow, narrow), Batch(wide, narrow)])
    )
    write_graph(stream, path)
    assert edges_in(read(path)) == [(1, 1), (2**40, 1)]


@pytest.mark.parametrize("name", COUNTED)
def test_names_are_refused_where_vertices_are_counted(name, tmp_path):
    stream = stream_of(np.array([10, 7]), np.array([7, 3]), id_kind="external")
    path = tmp_path / f"graph.{name}"
    with pytest.raises(InputError, match="external ids"):
        write_graph(stream, path)
    assert left_in(tmp_path) == []
    write_graph(stream, path, external_ids="vertices")
    back = read(path)
    assert undirected(edges_in(back)) == undirected([(10, 7), (7, 3)])
    assert vertices_of(back) == set(range(11))


@pytest.mark.parametrize("name", COUNTED)
def test_names_can_become_ranks(name, tmp_path):
    pytest.importorskip("skerry.ids.numbering")
    stream = stream_of(pa.array(["x", "b"]), pa.array(["b", "a"]), id_kind="external")
    path = tmp_path / f"graph.{name}"
    write_graph(stream, path, external_ids="ranks")
    back = read(path)
    assert undirected(edges_in(back)) == undirected([(2, 1), (1, 0)])
    assert vertices_of(back) == {0, 1, 2}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # scipy 1.18 asks for `spmatrix=`
def test_matrix_market_is_what_scipy_reads(tmp_path):
    scipy_io = pytest.importorskip("scipy.io")
    write_graph(stream_of(SRC, DST, n=7), tmp_path / "graph.mtx")
    matrix = scipy_io.mmread(tmp_path / "graph.mtx").toarray()
    right = np.zeros((7, 7))
    right[SRC, DST] = right[DST, SRC] = 1
    assert np.array_equal(matrix, right)


def test_binary_formats_hold_every_edge_in_both_directions_once(tmp_path):
    src, dst = np.array([0, 1, 0, 2]), np.array([1, 0, 1, 2])
    write_graph(stream_of(src, dst, n=4), tmp_path / "graph.egr")
    assert np.fromfile(tmp_path / "graph.egr", "<i4").tolist() == [4, 2, 0, 1, 2, 2, 2, 1, 0]
    write_graph(stream_of(src, dst, n=4), tmp_path / "graph.sg")
    expected = b"\0" + np.array([2, 4, 0, 1, 2, 2, 2], "<i8").tobytes() + b"\1\0\0\0\0\0\0\0"
    assert (tmp_path / "graph.sg").read_bytes() == expected


BAD_STREAMS = {
    "outside": (stream_of(SRC, DST, n=5), "graph.egr", InputError, "5 is outside of 0..4"),
    "negative": (stream_of(np.array([-1]), np.array([0]), n=5), "graph.mtx", InputError, "-1"),
    "too large": (
        stream_of(np.array([2**31]), np.array([0]), n=2**31 + 1),
        "graph.egr",
        InputError,
        "do not fit into an egr",
    ),
    "raw32": (
        stream_of(np.array([2**32]), np.array([0]), id_kind="external"),
        "graph.u32",
        InputError,
        "4294967296 does not fit into raw32",
    ),
    "raw64 negative": (
        stream_of(np.array([-1]), np.array([0]), id_kind="external"),
        "graph.u64",
        InputError,
        "-1 does not fit",
    ),
    "raw text": (
        stream_of(pa.array(["a"]), pa.array(["b"]), id_kind="external"),
        "graph.u64",
        UnsupportedError,
        "hold unsigned integers",
    ),
    "edge list of text": (
        stream_of(pa.array(["a"]), pa.array(["b"]), id_kind="external"),
        "graph.el",
        UnsupportedError,
        "holds integers",
    ),
    "binary as text": (
        stream_of(pa.array([b"a"]), pa.array([b"b"]), id_kind="external"),
        "graph.csv",
        UnsupportedError,
        "text cannot hold",
    ),
    "once only": (
        stream_of(SRC, DST, repeatable=False),
        "graph.npy",
        InputError,
        "would have to be read twice",
    ),
    "weights": (
        stream_of(SRC, DST, n=6, weight=np.ones(5)),
        "graph.egr",
        UnsupportedError,
        "weights are not written",
    ),
}


@pytest.mark.parametrize("case", BAD_STREAMS)
def test_a_graph_that_cannot_be_written_leaves_nothing(case, tmp_path):
    stream, file, error, words = BAD_STREAMS[case]
    with pytest.raises(error, match=words):
        write_graph(stream, tmp_path / file)
    assert left_in(tmp_path) == []


def test_a_stream_that_gives_less_than_it_promised(tmp_path):
    from dataclasses import replace

    stream = replace(stream_of(SRC, DST, n=6), num_edges=9)
    for file in ("graph.mtx", "graph.npy", "graph.sg"):
        with pytest.raises(InputError, match="has 5 edges instead of the 9"):
            write_graph(stream, tmp_path / file)
    assert left_in(tmp_path) == []


@pytest.mark.parametrize(
    ("file", "error", "words"),
    [
        ("nowhere/graph.el", InputError, "there is no folder"),
        (".", InputError, "is a folder"),
        ("graph.xyz", UnsupportedError, r"suffix \.xyz; there are: .*\.parquet"),
        ("graph", UnsupportedError, "without a suffix"),
        ("graph.metis", UnsupportedError, "not written"),
        ("graph.parquet.gz", UnsupportedError, "compressed inside"),
        ("graph.wsg", UnsupportedError, "not written to .wsg"),
        ("nosuchthing://bucket/graph.el", UnsupportedError, "fsspec"),
    ],
)
def test_targets_are_checked_before_any_work(file, error, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=words):
        check_output(file, "graph")


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="no devices here")
def test_a_device_is_not_replaced_by_a_file():
    with pytest.raises(InputError, match="not a plain file"), atomic_file("/dev/null"):
        pass


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_read_only_targets(tmp_path):
    target = tmp_path / "graph.el"
    target.write_text("precious")
    target.chmod(0o444)
    with pytest.raises(InputError, match="read-only"):
        check_output(target, "graph")


def test_a_link_is_followed_and_the_mode_is_kept(tmp_path):
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    with atomic_file(link) as file:
        file.write(b"new")
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert real.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError, MemoryError])
@pytest.mark.parametrize("suffix", ["", *COMPRESSIONS])
def test_an_error_leaves_what_was_there(error, suffix, tmp_path):
    path = tmp_path / f"a.txt{suffix}"
    path.write_bytes(b"before")
    with pytest.raises(error), atomic_file(path) as file:
        file.write(b"x" * 100_000)
        raise error
    assert path.read_bytes() == b"before"
    assert left_in(tmp_path) == [path.name]


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz"])
def test_an_error_of_the_disk_is_told_plainly(suffix, tmp_path):
    with (
        pytest.raises(OutputError, match="the disk is full; nothing was left") as caught,
        atomic_file(tmp_path / f"a{suffix}"),
    ):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert caught.value.errno == errno.ENOSPC
    assert left_in(tmp_path) == []


def test_an_error_of_another_file_stays_as_it_is(tmp_path):
    with pytest.raises(FileNotFoundError), atomic_file(tmp_path / "a"):
        (tmp_path / "missing").open()
    assert left_in(tmp_path) == []


LIMITED = """
import resource, sys
import numpy as np
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))  # a disk that ends there
from skerry.errors import OutputError
from skerry.formats.writers.write import write_graph
from skerry.io import write_labels
from support.streams import stream_of
from support.paths import TESTS
rng = np.random.default_rng(0)
src, dst = rng.integers(0, 2**31 - 1, (2, 200_000)).astype(np.uint32)
try:
    if sys.argv[2] == "labels":
        write_labels(src, sys.argv[1])
    else:
        source = stream_of(src, dst, id_kind="external", rows=50_000)
        write_graph(source, sys.argv[1], external_ids="ranks")
except OutputError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("file", "what"),
    [
        ("a.parquet", "graph"),
        ("a.arrow", "graph"),
        ("a.csv", "graph"),
        ("a.csv.gz", "graph"),
        ("a.csv.zst", "graph"),
        ("a.u32", "graph"),
        ("a.el.xz", "graph"),
        ("a.npy", "labels"),
        ("a.parquet", "labels"),
        ("a.tsv", "labels"),
    ],
)
def test_a_full_disk(file, what, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(tmp_path / file), what],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path])},
    )
    assert "larger than allowed here; nothing was left" in done.stdout, done.stderr
    assert done.returncode == 0
    assert left_in(tmp_path) == []


LABELS = np.array([0, 0, 2, 0, 4], np.uint32)
ANSWER = pa.table({"id": ["a", "b,", "c", 'd"', "é"], "component": ["a", "a", "c", "a", "é"]})


def table_in(path):
    import pyarrow.csv as pacsv
    import pyarrow.feather as feather

    name = path.name.removesuffix(".gz")
    if name.endswith("parquet"):
        return pq.read_table(path)
    if name.endswith("arrow"):
        return feather.read_table(path)
    delimiter = "\t" if ".tsv" in name else ","
    return pacsv.read_csv(path, parse_options=pacsv.ParseOptions(delimiter=delimiter))


@pytest.mark.parametrize("file", ["a.parquet", "a.arrow", "a.csv", "a.tsv", "a.csv.gz"])
def test_labels_come_back(file, tmp_path, monkeypatch):
    import skerry.formats.writers.labels as module

    monkeypatch.setattr(module, "ROWS", 2)
    path = tmp_path / file
    write_labels(ANSWER, path)
    assert table_in(path).equals(ANSWER)
    write_labels(LABELS, path)
    table = table_in(path)
    assert table["vertex"].to_pylist() == [0, 1, 2, 3, 4]
    assert table["component"].to_pylist() == LABELS.tolist()
    assert left_in(tmp_path) == [file]


def test_labels_as_an_array(tmp_path, monkeypatch):
    import skerry.formats.writers.labels as module

    monkeypatch.setattr(module, "ROWS", 2)
    write_labels(LABELS, tmp_path / "a.npy")
    assert np.array_equal(np.load(tmp_path / "a.npy"), LABELS)
    write_labels(LABELS[:0], tmp_path / "a.npy")
    assert len(np.load(tmp_path / "a.npy")) == 0
    with pytest.raises(UnsupportedError, match="cannot hold the ids"):
        write_labels(ANSWER, tmp_path / "b.npy")
    with pytest.raises(InputError, match="one-dimensional arrays of integers"):
        write_labels(np.zeros((2, 2)), tmp_path / "b.npy")
    with pytest.raises(UnsupportedError, match="labels are not written"):
        write_labels(LABELS, tmp_path / "b.mtx")
    assert left_in(tmp_path) == ["a.npy"]


def test_ids_that_text_cannot_hold(tmp_path):
    answer = pa.table({"id": [b"\xff"], "component": [b"\xff"]})
    with pytest.raises(UnsupportedError, match="cannot be written as text"):
        write_labels(answer, tmp_path / "a.csv")
    assert left_in(tmp_path) == []
    write_labels(answer, tmp_path / "a.parquet")
    assert values(pq.read_table(tmp_path / "a.parquet")["id"].combine_chunks()) == [b"\xff"]


@pytest.mark.parametrize("dense", [False, True])
@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet", ".arrow"])
def test_a_result_is_written_as_its_table(suffix, dense, tmp_path):
    for edges in (
        ([0, 2], [1, 3]),
        {"ids": "external", "edges": ([7, -2], [10, 3])},
        pa.table({"src": ["a", "c"], "dst": ["b", "d"]}),
    ):
        options = {"ids": edges["ids"]} if isinstance(edges, dict) else {}
        if dense:
            options["labels"] = "dense"
        graph = edges["edges"] if isinstance(edges, dict) else edges
        result = skerry.connected_components(graph, **options)
        write_labels(result, tmp_path / f"result{suffix}")
        write_labels(result.table(), tmp_path / f"table{suffix}")
        written = (tmp_path / f"result{suffix}").read_bytes()
        assert written == (tmp_path / f"table{suffix}").read_bytes()


def test_a_result_as_an_array(tmp_path):
    edges = ([0, 2, 2], [1, 3, 4])
    write_labels(skerry.connected_components(edges), tmp_path / "a.npy")
    assert np.load(tmp_path / "a.npy").tolist() == [0, 0, 2, 2, 2]
    with pytest.raises(UnsupportedError, match="labels of all vertices"):
        write_labels(skerry.connected_components(edges, ids="external"), tmp_path / "b.npy")
    with pytest.raises(UnsupportedError, match="labels of all vertices"):
        skerry.connected_components(edges).write(tmp_path / "b.npy", min_size=3)


def test_threads_are_checked(tmp_path):
    with pytest.raises(InputError, match="threads must be"):
        write_graph(stream_of([0], [1], n=2), tmp_path / "a.npy", threads=0)


TABLES = (".csv", ".tsv", ".parquet", ".arrow")


@pytest.mark.parametrize(
    ("suffix", "named"),
    [*((suffix, named) for suffix in TABLES for named in (False, True)), (".npy", False)],
)
def test_progress_is_reported_while_labels_are_written(suffix, named, tmp_path, monkeypatch):
    monkeypatch.setattr("skerry.formats.writers.labels.ROWS", 40)
    labels = np.arange(100)
    rows = {"id": pa.array(list(map(str, labels))), "component": pa.array(labels)}
    reports = []
    formats_write_labels(
        rows if named else labels,
        tmp_path / f"labels{suffix}",
        progress=lambda done, total: reports.append((done, total)),
    )
    assert reports == [(40, 100), (80, 100), (100, 100)]
