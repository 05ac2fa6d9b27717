"""What a header, a cell or an archive says is compared with what the file can hold."""

from __future__ import annotations

import gzip
import io
import tracemalloc

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

import skerry
from skerry.errors import ArgumentError, InputError
from skerry.formats.open import open_edges
from skerry.formats.options import ReadOptions
from support.edge_files import pairs, write

BILLION = 1_000_000_000
HEADERS = {
    "a.metis": b"%d 0\n" % BILLION,
    "a.graph-txt": b"%d\n" % BILLION,
    "a.adj": b"AdjacencyGraph\n%d\n0\n" % BILLION,
    "a.col": b"p edge 5 %d\n" % BILLION,
    "a.egr": np.array([BILLION, 0], "<i4").tobytes(),
    "a.sg": b"\0" + np.array([0, BILLION], "<i8").tobytes(),
    "a.vgr": np.array([1, 0, BILLION, 0], "<u8").tobytes(),
    "a.net": b"*Vertices %d\n" % BILLION,
    "a.arrows": b"\xff" * 4 + np.array([BILLION, 0], "<i4").tobytes(),
}


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz"])
@pytest.mark.parametrize("name", HEADERS)
def test_a_header_beyond_the_file_takes_no_memory(name, suffix, tmp_path):
    path = write(tmp_path, name + suffix, HEADERS[name])
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match=r"truncated|damaged|incomplete"):
            skerry.connected_components(path)
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


def npz(path, **arrays):
    np.savez_compressed(path, **arrays)
    return path


def test_an_archive_whose_arrays_are_too_large_for_it_is_refused(tmp_path):
    sink = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        sink, {"descr": "<i8", "fortran_order": False, "shape": (BILLION,)}
    )
    import zipfile

    path = tmp_path / "a.npz"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("src.npy", "dst.npy"):
            archive.writestr(name, sink.getvalue())
    with pytest.raises(InputError, match=r"src has 1,000,000,000 entries, for which an archive"):
        skerry.connected_components(path)
    long = npz(path, format=b"csr", shape=np.arange(10**6), indptr=[0], indices=[0], data=[0])
    with pytest.raises(InputError, match="the array shape cannot be read: it has more than"):
        skerry.connected_components(long)


@pytest.mark.parametrize(
    ("indices", "data"),
    [
        ([0, 1], np.zeros((2, 0, 0))),
        ([2**30, 1], np.ones((2, 4, 4))),
        ([0, -1], np.ones((2, 4, 4))),
        ([0, 2], np.ones((2, 4, 4))),
        ([0, 1], np.ones((2, 4, 0))),
        ([0, 1], np.ones(2)),
    ],
)
def test_damaged_blocks_of_a_matrix(indices, data, tmp_path):
    pytest.importorskip("scipy")
    arrays = {"indptr": np.array([0, 1, 2], "i4"), "indices": np.array(indices, "i4")}
    path = npz(tmp_path / "a.npz", format=b"bsr", shape=np.array([8, 8]), data=data, **arrays)
    with pytest.raises(InputError, match=r"a\.npz: scipy cannot read this matrix"):
        skerry.connected_components(path)


def test_npy_of_an_unknown_version_is_refused(tmp_path):
    sink = io.BytesIO()
    for version in ((1, 0), (2, 0), (3, 0)):
        sink = io.BytesIO()
        np.lib.format.write_array(sink, np.array([[0, 1], [1, 2], [4, 5]]), version)
        path = write(tmp_path, "a.npy", sink.getvalue())
        assert len(pairs(open_edges(path))) == 3
    for version in (b"\x04\0", b"\x09\0", b"\x02\x01", b"\0\0"):
        path = write(tmp_path, "a.npy", sink.getvalue()[:6] + version + sink.getvalue()[8:])
        with pytest.raises(InputError, match=r"version|not a file written"):
            open_edges(path)


@pytest.mark.parametrize("name", ["a.parquet", "a.arrow"])
@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
@pytest.mark.parametrize("dictionary", [False, True])
def test_text_that_is_not_utf8_is_named(name, kind, dictionary, tmp_path):
    good = pa.array(["a", "b", "c"], kind)
    data = pa.array([b"a", b"\xc3\xa9", b"b\xff"], pa.large_binary())
    width = "<i8" if kind == pa.large_string() else "<i4"
    offsets = np.array([0, 1, 3, 5], width).tobytes()
    bad = pa.Array.from_buffers(kind, 3, [None, pa.py_buffer(offsets), data.buffers()[2]])
    if dictionary:
        bad = pa.DictionaryArray.from_arrays([0, 1, 2], bad)
    table = pa.table({"src": good, "dst": bad})
    if name == "a.parquet":
        pq.write_table(table, tmp_path / name)
    else:
        pyarrow.feather.write_feather(table, tmp_path / name)
    with pytest.raises(InputError, match=r"(column dst, row 2 of it: b'b\\xff' is not text|UTF8)"):
        skerry.connected_components(tmp_path / name)


def test_columns_with_dots_beside_structs(tmp_path):
    path = tmp_path / "a.parquet"
    nested = [{"b": 1, "c": "x"}, {"b": 2, "c": "y"}]
    table = pa.table({"a": nested, "a.b": ["y", "z"], "src": ["x", "y"], "src.x": [5, 6]})
    pq.write_table(table, path)
    for source, target in (("src", "a.b"), ("a.b", "src")):
        found = pairs(open_edges(path, ReadOptions(source=source, target=target)))
        expected = list(zip(*(table[name].to_pylist() for name in (source, target)), strict=True))
        assert found == expected


@pytest.mark.parametrize("delimiter", ["§", "\ud800", "\n", "\r", "\0", '"', "ab", ""])
def test_a_delimiter_that_cannot_be_one(delimiter, tmp_path):
    for name in ("a.csv", "a.txt"):
        with pytest.raises(ArgumentError, match="delimiter"):
            skerry.io.read_edges(write(tmp_path, name, "1 2\n"), delimiter=delimiter)


@pytest.mark.parametrize("size", [1 << 20, 20 << 20])
def test_a_long_cell_of_delimited_text_is_read_or_refused(size, tmp_path):
    path = tmp_path / "a.csv.gz"
    rows = "src,dst\n" + "a,b\n" * 30_000
    path.write_bytes(gzip.compress((rows + "c," + "d" * size + "\n").encode(), 1))
    if size <= 1 << 20:
        assert skerry.connected_components(path).num_vertices == 4
    else:
        with pytest.raises(InputError, match=r"line 30002: .*a cell"):
            skerry.connected_components(path)


@pytest.mark.parametrize("row", ['"a\nb\n"', '"x\r\ny",', 'a,"\n\n",c', '"\n"\n'])
def test_a_row_of_several_lines_is_named_by_its_first(row, tmp_path):
    for before in ("a,b\n" * 9, '"a\n",b\n' * 3, "\na,b\n\n\n"):
        text = f"# c\nsrc,dst\n{before}"
        path = write(tmp_path, "a.csv", f"{text}{row}\na,b\n")
        with pytest.raises(InputError, match=rf"a\.csv: line {text.count(chr(10)) + 1}: "):
            skerry.connected_components(path)
