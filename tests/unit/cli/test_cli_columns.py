"""Columns, headers, nulls and lists of vertices on the command line."""

from __future__ import annotations

import gzip
import json
import lzma
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather, parquet

from support.cli import invoke, ok, refused, said

PAIRS = "src,dst,w\nann,bob,0.9\nbob,,0.8\neve,dan,\n"


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.csv"
    path.write_text(PAIRS)
    return path


def file_of(folder: Path, text: str) -> Path:
    path = folder / "people.csv"
    path.write_text(text)
    return path


def answer(*arguments: object) -> list[str]:
    return ok("components", *arguments, "-q", "-o", "-").splitlines()[1:]


def test_empty_cells_are_an_error_or_dropped(pairs: Path) -> None:
    told = refused("components", pairs)
    assert "line 3: column dst: the id is missing; --on-null drop leaves such rows out" in told
    output = ok("components", pairs, "--on-null", "drop")
    assert "left out: 1 edge with a null" in output
    told = json.loads(ok("components", pairs, "--on-null", "drop", "--json"))
    assert "left out: 1 edge with a null" in told["plan"]["notes"]
    weighted = ("--weight", "w", "--threshold", 0.5, "--on-null", "drop")
    assert answer(pairs, *weighted) == ['"ann","ann"', '"bob","ann"']
    assert json.loads(ok("info", pairs, "--on-null", "drop", "--json"))["counted"]["dropped"] == 1
    ok("convert", pairs, pairs.with_suffix(".parquet"), "--on-null", "drop")
    assert pq.read_table(pairs.with_suffix(".parquet")).num_rows == 2
    assert "--on-null" in refused(
        "components", file_of(pairs.parent, "a,b\n"), "--format", "snap", "--on-null", "drop"
    )


def test_a_header_over_words_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("customer_a,customer_b\nkim,lee\n")
    assert "say it: --header or --no-header\n" in refused("components", path)
    assert said(ok("info", path), "rows") == "customer_a, customer_b"
    assert answer(path, "--header") == ['"kim","kim"', '"lee","kim"']
    assert len(answer(path, "--no-header")) == 4


def test_columns_that_are_not_clear_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("batch,doc_a,doc_b\n1,2,3\n")
    told = refused("components", path)
    assert "--source and --target; there are: batch, doc_a, doc_b" in told


def test_what_was_taken_is_shown_by_every_command(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(";doc_a;doc_b\n0;7;8\n")
    line = "source doc_a, target doc_b; the first line is a header; delimiter ';'"
    for command in ("components", "info"):
        assert said(ok(command, path), "input") == line
        told = json.loads(ok(command, path, "--json"))
        assert told["format"] == told["input"]["format"] == "csv"
        assert told["input"]["source"] == ["doc_a"] and told["input"]["target"] == ["doc_b"]
        assert told["input"]["header"] is True and told["input"]["delimiter"] == ";"


# Lists of vertices


EDGES = ("--source", "src", "--target", "dst", "--on-null", "drop")
ALL = ["ann", "bob", "dan", "eve", "zoe"]


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("customer\nzoe\n", ["--vertices-header"]),
        ("zoe\nann\n", ["--no-vertices-header"]),
        ("id\nzoe\n", []),
        ("name,id\nx,zoe\n", []),
        (",customer\n0,zoe\n", ["--vertices-header"]),
        ("customer,age\nzoe,7\n", ["--vertices-column", "customer"]),
        ("customer,age\nzoe,7\n", ["--vertices-column", 0]),
        ('id\nzoe\n""\n', []),
    ],
)
def test_vertices_of_a_file(text: str, options: list[object], pairs: Path) -> None:
    rows = answer(pairs, *EDGES, "--vertices", file_of(pairs.parent, text), *options)
    assert [row.split(",")[0].strip('"') for row in rows] == ALL


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("customer\nzoe\n", [], "say it: --vertices-header or --no-vertices-header"),
        ("customer,age\nzoe,7\n", [], "name it: --vertices-column; there are: customer, age"),
        ("customer,age\nzoe,7\n", ["--vertices-column", "x"], "there is no column x"),
        ("a,b\n", ["--vertices-column", "a,b"], "as many columns as an id has: 1"),
    ],
)
def test_a_file_of_vertices_that_is_not_clear(
    text: str, options: list[object], words: str, pairs: Path
) -> None:
    file = file_of(pairs.parent, text)
    assert words in refused("components", pairs, *EDGES, "--vertices", file, *options)


def test_null_vertices_are_counted(pairs: Path) -> None:
    people = pairs.with_name("people.parquet")
    pq.write_table(pa.table({"id": ["zoe", None]}), people)
    told = json.loads(ok("components", pairs, *EDGES, "--vertices", people, "--json"))
    assert "left out of --vertices: 1 null" in told["plan"]["notes"]
    assert "is null in row 1" in refused(
        "components", pairs, "--source", "src", "--target", "src", "--vertices", people
    )
    assert "is for CSV" in refused(
        "components", pairs, *EDGES, "--vertices", people, "--vertices-header"
    )
    assert "need --vertices" in refused("components", pairs, *EDGES, "--vertices-header")


def test_ids_as_text_holds_for_labels_and_vertices_too(tmp_path: Path) -> None:
    graph, labels, vertices = (tmp_path / name for name in ("t.csv", "labels.csv", "v.csv"))
    graph.write_text("src,dst\n1,3\n3,2\n5,x\n")
    vertices.write_text("id\n3\n4\n")
    ok("components", graph, "--vertices", vertices, "--ids-as-text", "-q", "-o", labels)
    labels.write_text(labels.read_text().replace('"x"', '"7"').replace('"', ""))
    graph.write_text("src,dst\n1,3\n3,2\n5,7\n")
    assert "verified" in ok("verify", graph, labels, "--vertices", vertices, "--ids-as-text")


# ``skerry info`` answers for files that are no clear graph: with what it sees, and what helps.

UNCLEAR = pa.table({"x": [1, None, 3], "y": [4, 5, 6], "z": ["p", "q", None]})
FLOATS = pa.table({"src": [1.5, 2.5], "dst": [1.0, None]})
NULLS = pa.table({"src": [1, None, 3, 3], "dst": [2, 2, None, 4]})


def write(table: pa.Table, folder: Path, suffix: str) -> Path:
    path = folder / f"t.{suffix}"
    if suffix == "parquet":
        parquet.write_table(table, path)
    elif suffix == "arrow":
        feather.write_feather(table, path, compression="uncompressed")
    else:
        cells = [table.column_names, *([*row.values()] for row in table.to_pylist())]
        lines = [",".join("" if cell is None else str(cell) for cell in row) for row in cells]
        path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize("suffix", ["parquet", "arrow", "csv"])
def test_columns_that_are_not_clear(suffix: str, tmp_path: Path) -> None:
    path = write(UNCLEAR, tmp_path, suffix)
    text = ok("info", path)
    assert said(text, "columns") == "x (int64), y (int64), z (string)"
    assert said(text, "rows") == "1, 4, p" and "null, 5, q" in text and "3, 6, null" in text
    assert said(text, "null cells") == "1 of x, 1 of z, in the first 3 rows"
    assert "--source and --target; there are: x, y, z" in " ".join(text.split())
    found = json.loads(ok("info", path, "--json"))
    assert found["rows"] == [["1", "4", "p"], ["null", "5", "q"], ["3", "6", "null"]]
    assert found["nulls"] == {"rows": 3, "columns": {"x": 1, "z": 1}}
    assert (found["input"], found["counted"], found["format"]) == (None, None, suffix)
    assert "--source and --target" in found["problem"]
    clear = json.loads(ok("info", path, "--source", "x", "--target", "y", "--json"))
    assert clear["problem"] is None and clear["counted"]["dropped"] == 1


@pytest.mark.parametrize("suffix", ["parquet", "arrow", "csv"])
def test_types_that_cannot_be_ids(suffix: str, tmp_path: Path) -> None:
    text = ok("info", write(FLOATS, tmp_path, suffix))
    assert "src (double), dst (double)" in text and "floating-point numbers" in text


@pytest.mark.parametrize("suffix", ["parquet", "arrow", "csv"])
def test_nulls_are_counted(suffix: str, tmp_path: Path) -> None:
    path = write(NULLS, tmp_path, suffix)
    text = ok("info", path)
    assert said(text, "edges") == "2, as stored; left out: 2 with a null"
    assert said(text, "nulls").startswith("2 edges have a null: an error, unless --on-null drop")
    assert invoke("components", path).exit_code == 3
    dropped = ok("info", path, "--on-null", "drop")
    assert said(dropped, "edges") == said(text, "edges") and "an error, unless" not in dropped


def test_a_header_that_is_not_clear(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("ann,bob\neve,dan\n")
    text = ok("info", tmp_path / "t.csv")
    assert said(text, "rows") == "ann, bob" and "--header or --no-header" in text


@pytest.mark.parametrize(
    ("name", "content", "seen"),
    [
        ("bad.csv", b"src,dst\n1,2\n1,2,3\n", "1,2,3"),
        ("bad.txt", b"1 2\n1 x\n", "line 2"),
        ("cut.parquet", b"PAR1", ""),
        ("empty.parquet", b"", ""),
    ],
)
def test_what_cannot_be_read_is_still_3(
    name: str, content: bytes, seen: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(content)
    done: Any = invoke("info", tmp_path / name)
    assert done.exit_code == 3
    assert done.output.rstrip().splitlines()[-1].startswith("skerry: ") and seen in done.output
    assert invoke("info", tmp_path / "none.csv").exit_code == 3
    assert invoke("info", tmp_path / name, "--format", "nonsense").exit_code == 2


@pytest.mark.parametrize("name", ["a.csv.gz", "a.csv.xz", "a.txt.gz"])
def test_compressed_data_that_is_cut_is_3(name: str, tmp_path: Path) -> None:
    lines = "".join(f"{i},{i * 7919 % 10007}\n" for i in range(10_000)).encode()
    packed = lzma.compress(lines) if name.endswith("xz") else gzip.compress(lines)
    (tmp_path / name).write_bytes(packed[:-1000])
    done: Any = invoke("info", tmp_path / name)
    assert done.exit_code == 3
    assert "data is truncated or corrupt" in done.output.rstrip().splitlines()[-1]


def test_cells_that_cannot_be_shown_as_text(tmp_path: Path) -> None:
    odd = pa.table(
        {
            "a": pa.array([b"\xff\xfe"]).view(pa.string()),
            "b": pa.array([2**62], pa.timestamp("us")),
            "c": [{"long": "x" * 100}],
        }
    )
    text = ok("info", write(odd, tmp_path, "parquet"))
    assert said(text, "rows").startswith("?, ?, {'long': 'xxx")
