"""``result.write``: labels or sizes, in every format, here and at addresses of fsspec."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

import skerry
import skerry.io
from skerry import InputError, OutputError, UnsupportedError
from support.cli import ok, refused
from support.emulated import emulated_gpu

PAIRS = [(1, 2), (2, 3), (0, 5), (4, 6)]
SIZES = "component,size\n1,3\n0,2\n4,2\n7,1\n"


@pytest.fixture
def result():
    return skerry.connected_components(PAIRS, num_vertices=8)


@pytest.fixture
def bucket():
    fsspec = pytest.importorskip("fsspec")
    system = fsspec.filesystem("memory")
    system.mkdirs("/skerry-write", exist_ok=True)
    yield system
    system.rm("/skerry-write", recursive=True)


def table_in(path: Path) -> pa.Table:
    return pq.read_table(path) if path.suffix == ".parquet" else feather.read_table(path)


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet", ".arrow", ".csv.gz", ".npy"])
def test_a_result_writes_itself(result, suffix, tmp_path):
    result.write(tmp_path / f"a{suffix}")
    skerry.io.write_labels(result, tmp_path / f"b{suffix}")
    assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_sizes_are_written_as_their_table(result, suffix, tmp_path):
    path = tmp_path / f"sizes{suffix}"
    result.write(path, sizes=True)
    assert table_in(path).equals(result.sizes_table())
    words = skerry.connected_components(pa.table({"a": ["x", "y"], "b": ["z", "y"]}))
    words.write(path, sizes=True)
    assert table_in(path).to_pydict() == {"component": ["x", "y"], "size": [2, 1]}


def test_sizes_as_text_and_as_an_array(result, tmp_path):
    result.write(tmp_path / "a.csv", sizes=True)
    assert (tmp_path / "a.csv").read_text() == SIZES
    result.write(tmp_path / "a.csv.gz", sizes=True)
    assert gzip.decompress((tmp_path / "a.csv.gz").read_bytes()).decode() == SIZES
    result.write(tmp_path / "a.npy", sizes=True)
    assert np.load(tmp_path / "a.npy").tolist() == [[1, 3], [0, 2], [4, 2], [7, 1]]
    words = skerry.connected_components(pa.table({"a": ["x", "y"], "b": ["z", "y"]}))
    with pytest.raises(UnsupportedError, match="64-bit integers"):
        words.write(tmp_path / "b.npy", sizes=True)
    huge = skerry.connected_components(([2**64 - 1], [2**64 - 2]), ids="external")
    with pytest.raises(UnsupportedError, match="64-bit integers"):
        huge.write(tmp_path / "b.npy", sizes=True)
    assert not (tmp_path / "b.npy").exists()


def test_labels_of_a_device_are_written(tmp_path):
    src, dst = np.array(PAIRS, np.uint32).T.copy()
    with emulated_gpu(on_device=True):
        result = skerry.connected_components((src, dst), num_vertices=8)
        result.write(tmp_path / "a.npy")
        result.write(tmp_path / "a.csv", sizes=True)
    assert np.load(tmp_path / "a.npy").tolist() == [0, 1, 1, 1, 4, 0, 4, 7]
    assert (tmp_path / "a.csv").read_text() == SIZES


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".parquet", ".npy"])
def test_labels_go_to_an_object_store(result, suffix, tmp_path, bucket):
    result.write(f"memory://skerry-write/labels{suffix}")
    result.write(tmp_path / f"labels{suffix}")
    written = bucket.cat_file(f"/skerry-write/labels{suffix}")
    assert written == (tmp_path / f"labels{suffix}").read_bytes()


def test_graphs_go_to_an_object_store(tmp_path, bucket):
    edges = tmp_path / "a.txt"
    edges.write_text("0 1\n2 3\n")
    address = "memory://skerry-write/graph.parquet"
    skerry.io.write_graph(skerry.io.read_edges(edges), address)
    assert skerry.connected_components(address).count == 2
    ok("convert", edges, "memory://skerry-write/graph.csv")
    assert bucket.cat_file("/skerry-write/graph.csv") == b"src,dst\n0,1\n2,3\n"
    ok("components", edges, "-q", "-o", "memory://skerry-write/labels.csv")
    assert bucket.cat_file("/skerry-write/labels.csv").startswith(b"id,component\n0,0\n")


def test_a_write_that_fails_leaves_what_was_there(result, bucket, monkeypatch, tmp_path):
    monkeypatch.setenv("SKERRY_TMPDIR", str(tmp_path))
    address = "memory://skerry-write/labels.csv"
    bucket.pipe_file("/skerry-write/labels.csv", b"old")
    words = skerry.connected_components(pa.table({"a": [b"\xff"], "b": [b"\x00"]}))
    with pytest.raises(UnsupportedError, match="cannot be written as text"):
        words.write(address)
    assert bucket.cat_file("/skerry-write/labels.csv") == b"old"

    def refuse(*_arguments, **_options):
        raise PermissionError(13, "Access Denied")

    monkeypatch.setattr(type(bucket), "put_file", refuse)
    with pytest.raises(OutputError, match="could not be written: Access Denied"):
        result.write(address)
    assert bucket.cat_file("/skerry-write/labels.csv") == b"old"
    assert list(tmp_path.iterdir()) == []


def test_addresses_are_checked_before_any_work(result):
    with pytest.raises(UnsupportedError, match="fsspec"):
        result.write("nosuchthing://a/b.csv")


def test_a_folder_of_an_object_store_is_no_file(result, bucket):
    with pytest.raises(InputError, match="is a folder"):
        result.write("memory://skerry-write/", "csv")
    assert bucket.ls("/skerry-write") == []


def test_an_address_of_this_machine(result, tmp_path):
    result.write(f"file://{tmp_path}/a.csv", sizes=True)
    assert (tmp_path / "a.csv").read_text() == SIZES


@pytest.fixture
def edges(tmp_path):
    path = tmp_path / "edges.txt"
    path.write_text("1 2\n2 3\n0 5\n4 6\n7 7\n")
    return path


def test_the_command_writes_sizes(edges, tmp_path):
    ok("components", edges, "--quiet", "--sizes", tmp_path / "s.csv")
    assert (tmp_path / "s.csv").read_text() == SIZES
    assert ok("components", edges, "--quiet", "--sizes", "-") == SIZES
    assert ok("components", edges, "-q", "--sizes", "-", "--min-size", 2) == SIZES[:-4]
    assert ok("components", edges, "-q", "--sizes", "-", "--largest", 1) == SIZES[:19]
    summary = ok("components", edges, "--sizes", tmp_path / "s.tsv", "-o", tmp_path / "l.csv")
    assert "4 sizes to" in summary
    assert "8 labels to" in summary
    both = ok("components", edges, "--json", "--sizes", tmp_path / "s.parquet")
    assert '"sizes_output": "' in both
    assert pq.read_table(tmp_path / "s.parquet")["size"].to_pylist() == [3, 2, 2, 1]


def test_sizes_that_cannot_be_written_are_refused_first(edges, tmp_path):
    both = refused("components", edges, "--sizes", "-", "-o", "-")
    assert "--output - and --sizes - both write to standard output" in both
    assert "--json and --sizes -" in refused("components", edges, "--sizes", "-", "--json")
    same = tmp_path / "a.csv"
    assert "the same file" in refused("components", edges, "--sizes", same, "-o", same)
    assert "external ids" in refused("components", edges, "--sizes", tmp_path / "s.npy")
