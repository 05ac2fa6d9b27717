"""What a reader says it has taken from a file: format, columns, header, delimiter, first id."""

from __future__ import annotations

import pytest

from skerry.formats.open import open_edges
from skerry.formats.options import ReadOptions
from skerry.formats.registry import FORMATS
from skerry.graph.edge_source import InputFacts
from support.edge_files import write
from support.sample_files import sample_file

SRC_DST = {"source": ("src",), "target": ("dst",)}
ID1_ID2 = {"source": ("id1",), "target": ("id2",)}
NUMBERED = {"source": ("0",), "target": ("1",)}

# Without a weight, and the fields that change when weight= is given (None: there are no weights).
EXPECTED = {
    "snap": (InputFacts(**NUMBERED, header=False), 2, "2"),
    "el": (InputFacts(**NUMBERED, header=False), "weight", "2"),
    "mtx": (InputFacts(first_id=1), "value", "weight"),
    "dimacs": (InputFacts(first_id=1), "w", "weight"),
    "metis": (InputFacts(first_id=1), "w", "weight"),
    "ligra": (InputFacts(), None, None),
    "webgraph": (InputFacts(), None, None),
    "ldbc": (InputFacts(), "weight", "weight"),
    "parquet": (InputFacts(**ID1_ID2), "score", "score"),
    "arrow": (InputFacts(**ID1_ID2), 2, "score"),
    "csv": (InputFacts(**SRC_DST, header=True, delimiter=","), "score", "score"),
    "tsv": (InputFacts(**SRC_DST, header=True, delimiter="\t"), 2, "score"),
    "jsonl": (InputFacts(**SRC_DST), "score", "score"),
    "egr": (InputFacts(), "w", "weight"),
    "sg": (InputFacts(), None, None),
    "galois": (InputFacts(), None, None),
    "npy": (InputFacts(), None, None),
    "npz": (InputFacts(), None, None),
    "raw32": (InputFacts(), None, None),
    "raw64": (InputFacts(), None, None),
    "graphml": (InputFacts(), "score", "score"),
    "gml": (InputFacts(), "score", "score"),
    "gexf": (InputFacts(), "weight", "weight"),
    "pajek": (InputFacts(), "weight", "weight"),
    "adjlist": (InputFacts(), None, None),
}


def facts(path, format=None, **options):
    return open_edges(path, ReadOptions(**options), format).facts


def with_format(expected, name, **changed):
    kept = {field: getattr(expected, field) for field in InputFacts.__slots__}
    return InputFacts(**{**kept, "format": name, **changed})


def test_every_format_is_tested():
    assert list(EXPECTED) == [format.name for format in FORMATS if format.read is not None]


@pytest.mark.parametrize("name", EXPECTED)
def test_of_every_format(name, tmp_path):
    path = sample_file(tmp_path, name)
    expected, weight, weight_taken = EXPECTED[name]
    assert facts(path, name) == with_format(expected, name)
    if weight is not None:
        assert facts(path, name, weight=weight) == with_format(expected, name, weight=weight_taken)


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        ("0,1\n1,2\n", {}, InputFacts("csv", ("0",), ("1",), None, False, ",")),
        ("0;1\n1;2\n", {}, InputFacts("csv", ("0",), ("1",), None, False, ";")),
        ("a|b\n0|1\n", {}, InputFacts("csv", ("a",), ("b",), None, True, "|")),
        ("a,b\n0,1\n", {"header": False}, InputFacts("csv", ("0",), ("1",), None, False, ",")),
        (
            "kind,a,b,x,y,w\n1,2,3,4,5,6\n",
            {"source": ("a", "b"), "target": ("x", "y"), "weight": "w"},
            InputFacts("csv", ("a", "b"), ("x", "y"), "w", True, ","),
        ),
        ("", {}, InputFacts("csv")),
    ],
)
def test_of_delimited_text(text, options, expected, tmp_path):
    assert facts(write(tmp_path, "edges.csv", text), **options) == expected


def test_of_an_edge_list_with_chosen_columns(tmp_path):
    path = write(tmp_path, "edges.txt", "w,x,u,v\n5,6,0,1\n")
    options = {"source": 2, "target": 3, "weight": 0, "delimiter": ",", "header": True}
    assert facts(path, **options) == InputFacts("snap", ("2",), ("3",), "0", True, ",")


def test_the_format_that_the_first_bytes_show(tmp_path):
    path = sample_file(tmp_path, "mtx").rename(tmp_path / "matrix.txt")
    assert facts(path) == InputFacts("mtx", first_id=1)


def test_of_several_files(tmp_path):
    texts = {"a.csv": "", "b.csv": "id1,id2\n0,1\n", "c.csv": "id1,id2\n1,2\n"}
    paths = [write(tmp_path, name, text) for name, text in texts.items()]
    expected = InputFacts("csv", ("id1",), ("id2",), None, True, ",")
    assert facts(paths) == expected
    assert facts(paths[1:]) == expected
    assert facts(paths[:1] * 2) == InputFacts("csv")


def test_of_several_matrices(tmp_path):
    path = sample_file(tmp_path, "mtx")
    assert facts([path, path]) == InputFacts("mtx", first_id=1)
