"""Text formats with a header: written by hand, wrong ones, and real ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import skerry
from skerry.errors import InputError, UnsupportedError
from skerry.formats.open import open_edges
from skerry.formats.options import ReadOptions
from support.edge_files import pairs, read_text, weights, write
from support.paths import SHARED

NATIVE = SHARED / "graphs/native"
BLOCKS = [1, 2, 7, 64, 1 << 20]
"""Sizes of blocks: most cut every line."""


# Matrix Market


def mtx(kind, body, sizes="4 4 3"):
    return f"%%MatrixMarket matrix coordinate {kind}\n% comment\n\n{sizes}\n{body}"


@pytest.mark.parametrize("block_bytes", BLOCKS)
@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("pattern general", "1 2\n4 4\n3 1\n"),
        ("real symmetric", "1 2 0.5\n4 4 1e-3\n3 1 0\n"),
        ("integer skew-symmetric", "  1  2  5\n  4  4  6\n  3  1  7"),
        ("complex hermitian", "1 2 1.0 2.0\r\n4 4 0 0\r\n3 1 1 1\r\n"),
        ("Real General", "1 2 0.5\n% between\n4 4 2\n\n3 1 0\n"),
    ],
)
def test_matrix_market(tmp_path, kind, body, block_bytes):
    path = write(tmp_path, "a.mtx", mtx(kind, body))
    stream = open_edges(path, ReadOptions(block_bytes=block_bytes))
    assert (stream.id_kind, stream.num_vertices, stream.first_id) == ("vertices", 4, 1)
    assert stream.num_edges == 3
    assert pairs(stream) == [(0, 1), (3, 3), (2, 0)]
    assert pairs(stream, 1) == [(0, 1), (3, 3), (2, 0)]


def test_matrix_market_weights(tmp_path):
    path = write(tmp_path, "a.mtx", mtx("real general", "1 2 0.5\n4 4 2\n3 1 -1\n"))
    assert weights(open_edges(path, ReadOptions(weight="value"))) == [0.5, 2, -1]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1 2\n", "line 1: a Matrix Market file begins with"),
        ("%%MatrixMarket vector coordinate real general\n", "line 1: expected"),
        ("%%MatrixMarket matrix array real general\n2 2\n", "dense Matrix Market array"),
        (mtx("quaternion general", ""), "line 1: there is no matrix of the kind"),
        ("%%MatrixMarket matrix coordinate real general\n% x\n", "truncated"),
        (mtx("real general", "", "4 4"), 'line 4: expected "rows columns entries"'),
        (mtx("real general", "", "4 4 x"), 'line 4: expected "rows columns entries"'),
        (mtx("real general", "", "4 5 0"), "line 4: .*4 rows and 5 columns.*square"),
        (mtx("pattern general", "1 2\n1 5\n1 1\n"), r"line 6: 5 is outside of .*1\.\.4"),
        (mtx("pattern general", "1 2\n0 1\n1 1\n"), r"line 6: 0 is outside of .*1\.\.4"),
        (mtx("pattern general", "1 2\n1 -1\n1 1\n"), "line 6: -1 is outside of"),
        (mtx("pattern general", "1 2\n1 2\n"), "3 entries, but only 2 are there.*truncated"),
        (mtx("pattern general", "1 2\n1 2\n1 2\n1 2\n"), "3 entries, but there are more"),
        (mtx("pattern general", "1 2\n1.0 2\n1 2\n"), r"line 6: '1\.0' is not a whole number"),
        (mtx("pattern general", "1 1\n", "0 0 1"), "outside of the header's range, which is empty"),
    ],
)
def test_bad_matrix_market(tmp_path, text, told):
    with pytest.raises((InputError, UnsupportedError), match=rf"a\.mtx: .*{told}"):
        read_text(tmp_path, "a.mtx", text)


def test_matrix_market_without_weights(tmp_path):
    with pytest.raises(InputError, match="has no weights"):
        read_text(tmp_path, "a.mtx", mtx("pattern general", "1 2\n1 2\n1 2\n"), weight=2)
    with pytest.raises(UnsupportedError, match="complex values have no order"):
        read_text(tmp_path, "a.mtx", mtx("complex general", "1 2 1 1\n" * 3), weight=2)


# DIMACS


@pytest.mark.parametrize("block_bytes", BLOCKS)
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.gr", "c hello\nc\np sp 4 3\na 1 2 10\nc x\na 3 4 5\na 4 4 1\n"),
        ("a.gr", "p tw 4 3\n1 2\n3 4\n4 4"),
        ("a.col", "c hello\np edge 4 3\nn 1 5\ne 1 2\ne 3 4\ne 4 4\n"),
        ("a.col", "p col 4 6\r\ne 1 2\r\ne 3 4\r\ne 4 4\r\n"),
    ],
)
def test_dimacs(tmp_path, name, text, block_bytes):
    stream = open_edges(write(tmp_path, name, text), ReadOptions(block_bytes=block_bytes))
    assert (stream.id_kind, stream.num_vertices, stream.first_id) == ("vertices", 4, 1)
    assert pairs(stream) == [(0, 1), (2, 3), (3, 3)]


def test_dimacs_weights(tmp_path):
    path = write(tmp_path, "a.gr", "p sp 4 2\na 1 2 10\na 3 4 5\n")
    assert weights(open_edges(path, ReadOptions(weight="weight"))) == [10, 5]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("c only\n", "without a line that begins with p"),
        ("1 2\n", 'line 1: expected "p <kind>'),
        ("p sp 4\n", 'line 1: expected "p <kind>'),
        ("p sp 4 -3\n", 'line 1: expected "p <kind>'),
        ("p sp 4 1\na 1 5 1\n", r"line 2: 5 is outside of .*1\.\.4"),
        ("p sp 4 1\na 0 1 1\n", "line 2: 0 is outside of"),
        ("p sp 4 1\nb 1 2 1\n", "line 2: 'b' is not a whole number"),
        ("p sp 4 1\na 1\n", "line 2: a column is missing"),
        ("p sp 4 2\na 1 2 1\n", "2 edges, but only 1 are there"),
        ("p sp 4 1\na 1 2 1\na 1 2 1\n", "1 edges, but there are more"),
    ],
)
def test_bad_dimacs(tmp_path, text, told):
    with pytest.raises(InputError, match=rf"a\.gr: .*{told}"):
        read_text(tmp_path, "a.gr", text)


# METIS and WebGraph


@pytest.mark.parametrize("block_bytes", BLOCKS)
@pytest.mark.parametrize(
    "text",
    [
        "% c\n4 2\n2 3\n1\n% c\n1\n\n",
        "4 2 0\n2 3\r\n1\r\n1\r\n\r\n",
        "4 2\n2 3\n1\n1\n",
        "4 2 1\n2 10 3 11\n1 10\n1 11\n\n",
        "4 2 10\n7 2 3\n7 1\n7 1\n7\n",
        "4 2 11\n7 2 1 3 1\n7 1 1\n7 1 1\n7\n",
        "4 2 011 2\n7 8 2 1 3 1\n7 8 1 1\n7 8 1 1\n7 8\n",
        "4 2 100\n9 2 3\n9 1\n9 1\n9\n\n\n",
        " 4 2 111 2\n9 7 8 2 1 3 1\n9 7 8 1 1\n9 7 8 1 1\n9 7 8\n",
    ],
)
def test_metis(tmp_path, text, block_bytes):
    path = write(tmp_path, "a.graph", text)
    stream = open_edges(path, ReadOptions(block_bytes=block_bytes))
    assert (stream.id_kind, stream.num_vertices, stream.first_id) == ("vertices", 4, 1)
    assert stream.num_edges == 4
    for threads in (1, 3):
        assert pairs(stream, threads) == [(0, 1), (0, 2), (1, 0), (2, 0)]


def test_metis_weights(tmp_path):
    path = write(tmp_path, "a.graph", "3 2 1\n2 10 3 11\n1 10\n1 11\n")
    assert weights(open_edges(path, ReadOptions(weight="weight"))) == [10, 11, 10, 11]
    with pytest.raises(InputError, match="has no weights"):
        read_text(tmp_path, "a.graph", "2 1\n2\n1\n", weight="weight")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("% only\n", "ends without a header"),
        ("x y\n", 'line 1: expected "vertices edges'),
        ("4\n", 'line 1: expected "vertices edges'),
        ("4 2 7\n", "line 1: the fmt '007'"),
        ("3 1\n2\n4\n\n", r"line 3: 4 is outside of .*1\.\.3"),
        ("3 1\n2\n0\n\n", r"line 3: 0 is outside of .*1\.\.3"),
        ("3 1\n2\n-1\n\n", "line 3: -1 is outside of"),
        ("3 1\n2\nx\n\n", "line 3: 'x' is not a whole number"),
        ("3 1\n2\n1.5\n\n", r"line 3: '1\.5' is not a whole number"),
        ("3 1 1\n2 5\n1\n\n", "line 3: a column is missing"),
        ("3 1 1\n2 5\n1 x\n\n", "line 3: the weight 'x' is not a number"),
        ("4 1\n2\n1\n", "4 vertices, but only 2 rows.*truncated"),
        ("2 1\n2\n1\n1\n", "2 vertices, but there are more rows"),
        ("3 2\n2\n1\n\n", "2 edges, that is 4 neighbors, but 2 are there"),
    ],
)
def test_bad_metis(tmp_path, text, told):
    with pytest.raises(InputError, match=rf"a\.graph: .*{told}"):
        read_text(tmp_path, "a.graph", text)


@pytest.mark.parametrize("block_bytes", BLOCKS)
def test_webgraph(tmp_path, block_bytes):
    text = "4\n1 2 \n\n0 2\n"
    stream = open_edges(write(tmp_path, "a.graph-txt", text), ReadOptions(block_bytes=block_bytes))
    assert (stream.id_kind, stream.num_vertices, stream.first_id) == ("vertices", 4, 0)
    assert pairs(stream) == [(0, 1), (0, 2), (2, 0), (2, 2)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x\n", "line 1: expected the number of nodes"),
        ("3\n1\n3\n\n", r"line 3: 3 is outside of .*0\.\.2"),
        ("4\n1\n2\n", "4 vertices, but only 2 rows"),
        ("1\n0\n0\n", "1 vertices, but there are more rows"),
    ],
)
def test_bad_webgraph(tmp_path, text, told):
    with pytest.raises(InputError, match=rf"a\.graph-txt: .*{told}"):
        read_text(tmp_path, "a.graph-txt", text)


@given(
    st.lists(st.lists(st.integers(0, 9), max_size=5), min_size=10, max_size=10),
    st.integers(1, 30),
    st.sampled_from([1, 3]),
)
def test_rows_in_any_blocks(tmp_path_factory, rows, block_bytes, threads):
    text = "10\n" + "".join(" ".join(map(str, row)) + "\n" for row in rows)
    folder = tmp_path_factory.mktemp("rows")
    got = read_text(folder, "a.graph-txt", text, threads=threads, block_bytes=block_bytes)
    assert got == [(u, v) for u, row in enumerate(rows) for v in row]


# Ligra


@pytest.mark.parametrize("block_bytes", BLOCKS)
@pytest.mark.parametrize(
    "text",
    [
        "AdjacencyGraph\n4\n3\n0\n2\n2\n3\n1\n2\n0\n",
        "AdjacencyGraph\r\n4\r\n3\r\n0 2 2 3\r\n1 2 0",
        "WeightedAdjacencyGraph\n4\n3\n0\n2\n2\n3\n1\n2\n0\n7\n8\n9\n",
    ],
)
def test_ligra(tmp_path, text, block_bytes):
    stream = open_edges(write(tmp_path, "a.adj", text), ReadOptions(block_bytes=block_bytes))
    assert (stream.id_kind, stream.num_vertices, stream.num_edges) == ("vertices", 4, 3)
    for threads in (1, 3):
        assert pairs(stream, threads) == [(0, 1), (0, 2), (2, 0)]
    assert sum(batch.consumed for batch in stream.open(2)) == stream.num_bytes


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Graph\n", "line 1: expected AdjacencyGraph"),
        ("AdjacencyGraph\nx\n", "line 2: expected the number of vertices"),
        ("AdjacencyGraph\n4\n", "expected the number of edges"),
        ("AdjacencyGraph\n2\n1\n0\n1\n", "3 numbers, but only 2 are there.*truncated"),
        ("AdjacencyGraph\n2\n1\n0\n1\n1\n1\n", "3 numbers, but there are more"),
        ("AdjacencyGraph\n2\n1\n1\n0\n1\n", "the offsets do not rise from 0 to 1"),
        ("AdjacencyGraph\n2\n1\n0\n2\n1\n", "the offsets do not rise from 0 to 1"),
        ("AdjacencyGraph\n2\n1\n0\n1\n2\n", r"target 0, 2, is outside of .*0\.\.1"),
        ("AdjacencyGraph\n2\n1\n0\nx\n2\n", "line 5: 'x' is not a whole number"),
        ("AdjacencyGraph\n2\n1\n0\n-1\n2\n", "line 5: -1 is outside of"),
    ],
)
def test_bad_ligra(tmp_path, text, told):
    with pytest.raises(InputError, match=rf"a\.adj: .*{told}"):
        read_text(tmp_path, "a.adj", text)


def test_ligra_without_vertices(tmp_path):
    assert read_text(tmp_path, "a.adj", "AdjacencyGraph\n0\n0\n") == []


def test_ligra_weights(tmp_path):
    with pytest.raises(UnsupportedError, match="weights of Ligra files"):
        read_text(tmp_path, "a.adj", "WeightedAdjacencyGraph\n1\n0\n0\n", weight=0)


# Real files


REAL = {
    "email-Enron.txt.gz": (36_692, 1_065),
    "ca-AstroPh.txt.gz": (18_772, 290),
    "dictionary28.mtx.gz": (52_652, 17_903),
    "USA-road-d.NY.pace.gr.gz": (264_346, 1),
    "rome99.gr.gz": (3_353, 22),
    "copter2.graph.gz": (55_476, 1),
    "cnr-2000.graph-txt.gz": (325_557, 1),
}
"""Vertices and components, from the README beside the files."""


@pytest.mark.skipif(not NATIVE.exists(), reason=f"no graphs in {NATIVE}")
@pytest.mark.parametrize("name", REAL)
def test_real_files(name):
    stream = open_edges(NATIVE / name, ReadOptions(block_bytes=1 << 16))
    batches = list(stream.open(2))
    src, dst = (np.concatenate([getattr(b, end) for b in batches]) for end in ("src", "dst"))
    vertices = stream.num_vertices
    if stream.id_kind == "external":
        names, numbers = np.unique(np.concatenate([src, dst]), return_inverse=True)
        vertices, src, dst = len(names), numbers[: len(src)], numbers[len(src) :]
    result = skerry.connected_components((src, dst), num_vertices=vertices)
    assert (vertices, result.count) == REAL[name]
