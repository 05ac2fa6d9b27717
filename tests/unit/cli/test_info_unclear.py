"""``skerry info`` answers for files that are no clear graph: with what it sees, and what helps."""

from __future__ import annotations

import gzip
import json
import lzma
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from support.cli import invoke, ok, said

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
