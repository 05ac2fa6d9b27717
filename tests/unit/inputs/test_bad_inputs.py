"""Bad input gets one clear error that names the place: never a crash, never a wrong label."""

from __future__ import annotations

import re

import numpy as np
import pytest
import scipy.sparse as sp

import skerry


def message_of(graph, **arguments):
    """What the error says; it must be an `InputError`."""
    with pytest.raises(skerry.InputError) as error:
        skerry.connected_components(graph, **arguments)
    return str(error.value)


def changed(values, place, value, dtype=np.int64):
    values = np.array(values, dtype)
    values[place] = value
    return values


NUMBERS = list(range(8))
FRACTIONS = np.arange(4.0)

IDS = {
    "negative": ((changed(NUMBERS, 5, -3), NUMBERS), "src[5] is -3: vertex numbers must not be"),
    "negative target": ((NUMBERS, changed(NUMBERS, 0, -1, np.int8)), "dst[0] is -1"),
    "negative in a table": (changed(np.zeros((6, 2)), (4, 1), -7), "dst[4] is -7"),
    "negative in a list": ([(0, 1), (2, -2), (1, 1)], "dst[1] is -2"),
    "most negative": ((NUMBERS, changed(NUMBERS, 2, -(2**63))), "dst[2] is -9223372036854775808"),
    "backwards": ((changed(NUMBERS, 5, -3)[::-1], NUMBERS), "src[2] is -3"),
    "above 2**63": (
        (changed(NUMBERS, 3, 2**63, np.uint64), NUMBERS),
        "src[3] is 9223372036854775808: vertex numbers must be below 2**59; pass ids=",
    ),
    "largest uint64": ((NUMBERS, changed(NUMBERS, 7, 2**64 - 1, np.uint64)), "dst[7] is 1844674"),
    "beyond addressing": ((changed(NUMBERS, 3, 2**62), NUMBERS), "src[3] is 4611686018427387904"),
    "int beyond 64 bits": (([2**70, 1], [0, 1]), "src must hold integers, got object"),
    "float": ((FRACTIONS, FRACTIONS), "src must hold integers, got float64; convert with .astype"),
    "float target": (([0, 1], [0.5, 1]), "dst must hold integers, got float64"),
    "NaN": ((changed(FRACTIONS, 2, np.nan, float), FRACTIONS), "src[2] is NaN; drop or fill"),
    "NaN in a table": (changed(np.zeros((5, 2)), (3, 1), np.nan, float), "edges[3, 1] is NaN"),
    "bool": ((np.ones(3, bool), np.ones(3, bool)), "src must hold integers, got bool"),
    "bool list": (([True, False], [0, 1]), "src must hold integers, got bool"),
    "bool table": (np.ones((3, 2), bool), "edges must hold integers, got bool"),
    "no bools at all": ((np.empty(0, bool), np.empty(0, bool)), "got bool"),
    "complex": (([1j], [0]), "src must hold integers, got complex128"),
    "object": ((np.array([1, None]), [0, 1]), "got object; pass ids="),
    "integers as objects": ((np.array([1, 0], object), [0, 1]), "got object"),
    "text": ((["ann", "bob"], ["bob", "cy"]), "got <U3; pass ids="),
    "text in pairs": ([("a", "b"), ("b", "c"), ("c", "d")], "edges must hold integers, got <U1"),
    "dates": ((np.zeros(2, "M8[s]"), [0, 1]), "src must hold integers, got datetime64[s]"),
    "masked": ((np.ma.array([0, 5], mask=[0, 1]), [1, 2]), "src[1] is masked"),
    "masked table": (
        np.ma.array(np.zeros((3, 2), int), mask=[[0, 0], [0, 1], [0, 0]]),
        "edges[1, 1] is masked",
    ),
}


@pytest.mark.parametrize("case", IDS)
def test_ids(case):
    """Ids that are said to be numbers of vertices; other ids may be names: see test_tables.py."""
    graph, message = IDS[case]
    for algorithm in ("auto", "ecl"):
        assert message in message_of(graph, algorithm=algorithm, threads=2, ids="vertices")


WRONG_WHATEVER = {
    "int beyond 64 bits": "src: the id 1180591620717411303424 does not fit into 64 bits",
    "float": "src must hold integers, got float64",
    "NaN": "src[2] is NaN",
    "bool": "src must hold integers, got bool",
    "complex": "src must hold integers, got complex128",
    "object": "src: row 1 of the ids is missing (None); drop or fill it first",
    "masked": "src[1] is masked",
    "masked table": "edges[1, 1] is masked",
}


@pytest.mark.parametrize("case", WRONG_WHATEVER)
def test_ids_that_are_neither_numbers_nor_names(case):
    assert WRONG_WHATEVER[case] in message_of(IDS[case][0])


@pytest.mark.parametrize("graph", [([-1, 1], [0, 1]), (["a"], ["b"]), [("a", "b")] * 3])
def test_names_where_the_number_of_vertices_is_said(graph):
    assert "src" in message_of(graph, num_vertices=3) or "edges" in message_of(
        graph, num_vertices=3
    )


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.uint32, np.int64, np.uint64])
def test_ids_out_of_range(dtype):
    src = np.array([0, 1, 100, 2], dtype)
    dst = np.array([3, 4, 5, 101], dtype)
    message = "src[2] is 100, but the graph has 100 vertices (ids 0..99)"
    assert message_of((src, dst), num_vertices=100) == message
    assert message_of(skerry.Edges(src, dst, 100)) == message
    assert message_of((src, dst), num_vertices=101).startswith("dst[3] is 101")
    assert message_of((src, dst), num_vertices=0).startswith("src[0] is 0")
    assert skerry.connected_components((src, dst), num_vertices=102).num_vertices == 102


@pytest.mark.parametrize("place", [0, 1, 99_999, 262_144, 299_999])
def test_the_place_in_a_long_array(place):
    ids = np.zeros(300_000, np.int32)
    ids[place] = -5
    assert f"dst[{place}] is -5" in message_of((np.zeros_like(ids), ids), threads=8, ids="vertices")
    ids[place] = 7
    assert f"src[{place}] is 7" in message_of((ids, ids), num_vertices=7, threads=8)


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (([0, 1, 2], [1, 2]), "src has 3 ids and dst 2: an edge needs one of each"),
        (([], [1]), "src has 0 ids and dst 1"),
        ([(0, 1), (1, 2, 3)], "edges is ragged: its rows differ in length"),
        (([[0], [1, 2]], [0, 1]), "src is ragged"),
        ((0, 1), "src must be one-dimensional, got shape ()"),
        ((np.zeros((2, 2), int), [0, 1]), "src must be one-dimensional, got shape (2, 2)"),
        ([0, 1, 2], "shape (m, 2) or (2, m), got (3,)"),
        (np.zeros((5, 3), int), "got (5, 3); a dense adjacency matrix goes through"),
        (np.zeros((3, 3), int), "got (3, 3)"),
        (np.zeros((4, 3, 2), int), "got (4, 3, 2)"),
        (np.zeros((0, 5), int), "got (0, 5)"),
        (np.array(5), "got ()"),
        (([0], [1], [2]), "cannot read a graph from builtins.tuple"),
        ((), "cannot read a graph from builtins.tuple"),
        (None, "cannot read a graph from builtins.NoneType. Pass (src, dst) arrays"),
        ("graph.txt", "graph.txt: there is no such file"),
        ({0: 1}, "the neighbors of 0 are 1: a mapping is read as"),
        ({1, 2}, "batch 0 is builtins.int: a batch is a pair"),
    ],
)
def test_shapes_and_kinds(graph, message):
    assert message in message_of(graph)


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "bsr", "dia", "dok", "lil"])
def test_not_square(format):
    matrix = sp.csr_array((3, 4)).asformat(format)
    assert message_of(matrix) == "an adjacency matrix is square, got shape (3, 4)"


def test_not_a_matrix():
    assert "is square, got shape (4,)" in message_of(sp.coo_array(np.ones(4)))


def full(format="csr"):
    return sp.csr_array(np.ones((4, 4))).asformat(format)


def set_in(name, place, value):
    def change(matrix):
        getattr(matrix, name)[place] = value

    return change


def set_to(name, make):
    def change(matrix):
        setattr(matrix, name, make(getattr(matrix, name)))

    return change


ROWS = {
    "index too large": (set_in("indices", 3, 10**6), "indices[3] is 1000000, but the graph has 4"),
    "index just too large": (set_in("indices", 15, 4), "indices[15] is 4, but the graph has 4"),
    "negative index": (set_in("indices", 0, -1), "indices[0] is -1: vertex numbers must not be"),
    "most negative index": (set_in("indices", 7, -(2**31)), "indices[7] is -2147483648"),
    "falling": (set_in("indptr", 2, 1), "indptr falls from 4 to 1 at row 1"),
    "negative": (set_in("indptr", 1, -5), "indptr falls from 0 to -5 at row 0"),
    "not from 0": (set_in("indptr", 0, 1), "indptr[0] is 1; it must be 0"),
    "negative start": (set_in("indptr", 0, -1), "indptr[0] is -1; it must be 0"),
    "ends too late": (set_in("indptr", 4, 100), "indptr ends at 100, but indices has only 16"),
    "far too late": (set_in("indptr", 4, 2**31 - 1), "indptr ends at 2,147,483,647, but"),
    "too long": (set_to("indptr", lambda p: np.append(p, 16)), "has 6 entries; 4 vertices need 5"),
    "too short": (set_to("indptr", lambda p: p[:-1]), "has 4 entries; 4 vertices need 5"),
    "no offsets": (set_to("indptr", lambda p: p[:0]), "has 0 entries; 4 vertices need 5"),
    "fewer indices": (set_to("indices", lambda i: i[:-3]), "ends at 16, but indices has only 13"),
    "float offsets": (set_to("indptr", lambda p: p * 1.0), "indptr must hold integers, got float"),
    "float indices": (set_to("indices", lambda i: i * 1.0), "indices must hold integers, got flo"),
    "table of indices": (
        set_to("indices", lambda i: i.reshape(4, 4)),
        "indices must be one-dimensional, got shape (4, 4)",
    ),
}

LENGTHS = ("too long", "too short", "no offsets")


@pytest.mark.parametrize("case", ROWS)
@pytest.mark.parametrize("format", ["csr", "csc"])
def test_corrupted_rows_of_scipy(case, format):
    change, message = ROWS[case]
    for algorithm in ("auto", "ecl", "bfs", "stream"):
        matrix = full(format)
        change(matrix)
        assert message in message_of(matrix, algorithm=algorithm, threads=2)


@pytest.mark.parametrize("case", [case for case in ROWS if case not in LENGTHS])
def test_corrupted_rows_of_ours(case):
    change, message = ROWS[case]
    matrix = full()
    change(matrix)
    message = message.replace("indptr", "offsets").replace("indices", "neighbors")
    assert message in message_of(skerry.Csr(matrix.indptr, matrix.indices))


def test_offsets_that_make_another_number_of_vertices():
    offsets, neighbors = full().indptr, full().indices
    longer = skerry.Csr(np.append(offsets, 16), neighbors)
    said = message_of(longer, num_vertices=4)
    assert said == "num_vertices=4, but the graph itself says 5"
    shorter = skerry.Csr(offsets[:-1], neighbors)
    assert message_of(shorter) == "neighbors[3] is 3, but the graph has 3 vertices (ids 0..2)"
    none = skerry.Csr(offsets[:0], neighbors)
    assert message_of(none) == "offsets has 0 entries; 0 vertices need 1"
    scalar = skerry.Csr(np.uint64(0), neighbors)
    assert message_of(scalar) == "offsets must be one-dimensional, got shape ()"


@pytest.mark.parametrize(
    ("format", "change", "message"),
    [
        ("coo", set_in("row", 3, 10**6), "row[3] is 1000000, but the graph has 4 vertices"),
        ("coo", set_in("col", 5, -2), "col[5] is -2"),
        ("coo", set_to("coords", lambda c: (c[0], c[1][:-1])), "row has 16 ids and col 15"),
        ("lil", set_in("rows", 1, [0, 7]), "col[5] is 7, but the graph has 4 vertices"),
        ("lil", set_in("rows", 1, [0, -7]), "col[5] is -7"),
        ("lil", set_in("rows", 0, list(range(4)) * 500), ""),
        ("bsr", set_in("indices", 0, 10**6), "scipy cannot read this BSR"),
        ("bsr", set_in("indptr", 1, 10**6), "scipy cannot read this BSR"),
    ],
)
def test_other_corrupted_matrices(format, change, message):
    matrix = full(format)
    change(matrix)
    if message:
        assert message in message_of(matrix)
    else:
        assert skerry.connected_components(matrix).count == 1


@pytest.mark.parametrize("count", [3.0, float("nan"), "3", True, None.__class__, [3], np.ones(2)])
def test_num_vertices_that_is_no_number(count):
    graphs = (
        ([0], [1]),
        [(0, 1)] * 3,
        full(),
        full("coo"),
        skerry.Csr(full().indptr, full().indices),
    )
    for graph in graphs:
        said = message_of(graph, num_vertices=count)
        assert said == f"num_vertices must be an integer, got {count!r}"


def test_num_vertices_out_of_range():
    assert message_of(([0], [1]), num_vertices=-1) == "num_vertices must be in 0..2**59, got -1"
    for huge in (2**60, 2**63, 2**64, 10**30):
        assert f"got {huge}" in message_of(([0], [1]), num_vertices=huge)
    for own in (skerry.Edges(np.array([0]), np.array([1]), 2.5), skerry.Edges([0], [1], -2)):
        assert "num_vertices must be" in message_of(own)


def test_num_vertices_that_disagrees():
    for graph in (full(), full("coo"), full("lil"), skerry.Edges(np.array([0]), np.array([1]), 4)):
        said = message_of(graph, num_vertices=5)
        assert said == "num_vertices=5, but the graph itself says 4"


def test_more_vertices_than_memory():
    with pytest.raises(MemoryError, match=re.escape("70,368,744,177,665 vertices, the largest id")):
        skerry.connected_components(([0], [2**46]), ids="vertices")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"labels": "max"}, 'labels must be "min" or "dense", got \'max\''),
        ({"labels": None}, "labels must be"),
        ({"device": "tpu"}, 'device must be "auto", "cpu", "cuda" or "cuda:1", got \'tpu\''),
        ({"device": "cuda:x"}, "device must be"),
        ({"device": "cuda:"}, "device must be"),
        ({"device": "CUDA"}, "device must be"),
        ({"device": None}, "device must be"),
        ({"device": 0}, "device must be"),
        ({"threads": 0}, "threads must be an integer in 1..1024 or None, got 0"),
        ({"threads": -2}, "threads must be"),
        ({"threads": 1025}, "threads must be"),
        ({"threads": 2.0}, "threads must be"),
        ({"threads": "2"}, "threads must be"),
        ({"threads": True}, "threads must be"),
        ({"symmetric": "yes"}, "symmetric must be True, False or None, got 'yes'"),
        ({"symmetric": 1}, "symmetric must be"),
        ({"algorithm": None}, "algorithm must be a name or an entry of the catalog, got None"),
        ({"algorithm": 3}, "algorithm must be"),
        ({"dtype": float}, "dtype must be uint32, uint64, int32 or int64, got float64"),
        ({"dtype": ">u4"}, "dtype must be"),
        ({"dtype": "words"}, "dtype must be uint32, uint64, int32 or int64, got 'words'"),
    ],
)
def test_other_arguments(arguments, message):
    assert message in message_of(([0], [1]), **arguments)


def test_what_cannot_run_is_refused():
    for arguments in ({"algorithm": "magic"}, {"device": "cuda"}, {"device": "cuda:1"}):
        with pytest.raises(skerry.UnsupportedError):
            skerry.connected_components(([0], [1]), **arguments)


def test_errors_are_value_errors():
    assert issubclass(skerry.InputError, ValueError)
    assert issubclass(skerry.InputError, skerry.SkerryError)
    assert issubclass(skerry.UnsupportedError, skerry.SkerryError)
