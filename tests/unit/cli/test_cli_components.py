"""``skerry components``: whatever people have, what it says and writes, and how it refuses."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
from scipy import sparse

from skerry.cli.format_numbers import bytes_of
from support.cli import ok, refused, run, said

EDGES = np.array([[0, 1], [1, 2], [5, 6], [6, 6]])
LABELS = [0, 0, 0, 3, 4, 5, 5]
NAMES = {"id": [0, 1, 2, 5, 6], "component": [0, 0, 0, 5, 5]}

PAIRS = {
    "id_l": ["kim", "lee", "bo", "al"],
    "id_r": ["lee", "lea", "bob", "max"],
    "score": [0.9, 0.8, 0.95, 0.2],
}


@pytest.fixture
def edges(tmp_path: Path) -> Path:
    np.save(tmp_path / "edges.npy", EDGES)
    return tmp_path / "edges.npy"


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    pq.write_table(pa.table(PAIRS), tmp_path / "pairs.parquet")
    return tmp_path / "pairs.parquet"


def answer(*arguments: object) -> dict[str, list[Any]]:
    """What the command writes as CSV to standard output."""
    printed = ok("components", *arguments, "-o", "-")
    return pa.csv.read_csv(pa.BufferReader(printed.encode())).to_pydict()


# Inputs


def write_numbered(folder: Path) -> list[Path]:
    """The same graph in formats that number their vertices."""
    src, dst = EDGES.T
    np.save(folder / "rows.npy", EDGES)
    np.save(folder / "big_endian.npy", EDGES.astype(">i4"))
    np.savez(folder / "pair.npz", src=src, dst=dst)
    matrix = sparse.coo_array((np.zeros(len(src)), (src, dst)), (7, 7))
    sparse.save_npz(folder / "coo.npz", matrix)
    sparse.save_npz(folder / "csr.npz", matrix.tocsr())
    text = "%%MatrixMarket matrix coordinate pattern general\n7 7 3\n1 2\n2 3\n6 7\n"
    (folder / "matrix.mtx").write_text(text)
    (folder / "dimacs.gr").write_text("p sp 7 3\na 1 2 1\na 2 3 1\na 6 7 1\n")
    return sorted(folder.iterdir())


def test_formats_that_number_vertices_give_arrays(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for file in write_numbered(tmp_path / "in"):
        output = tmp_path / f"{file.stem}.out.npy"
        told = ok("components", file, "--output", output, "--verify")
        assert "4 components" in said(told, "found"), file
        assert "verified" in told
        assert np.load(output).tolist() == LABELS, file


def write_named(folder: Path) -> list[Path]:
    """The same graph in formats whose ids are names."""
    text = "# from to\n0 1\n\n1\t2 0.25\n 5  6\n6 6\n"
    (folder / "edges.txt").write_text(text)
    (folder / "edges.txt.gz").write_bytes(gzip.compress(text.encode()))
    (folder / "edges.txt.bz2").write_bytes(bz2.compress(text.encode()))
    (folder / "edges.txt.xz").write_bytes(lzma.compress(text.encode()))
    (folder / "edges.txt.zst").write_bytes(pa.compress(text.encode(), "zstd", asbytes=True))
    (folder / "edges.csv").write_text("src,dst\n0,1\n1,2\n5,6\n6,6\n")
    (folder / "edges.tsv").write_text("0\t1\n1\t2\n5\t6\n6\t6\n")
    table = pa.table({"a": EDGES[:, 0], "b": EDGES[:, 1]})
    pq.write_table(table, folder / "edges.parquet")
    pa.feather.write_feather(table, folder / "edges.arrow")
    return sorted(folder.iterdir())


def test_formats_with_names_give_tables(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for file in write_named(tmp_path / "in"):
        output = tmp_path / f"{file.name}.out.parquet"
        told = ok("components", file, "-o", output, "--verify")
        assert "2 components" in said(told, "found"), file
        assert pq.read_table(output).to_pydict() == NAMES, file


def test_several_inputs_patterns_and_folders(tmp_path: Path) -> None:
    for number, line in enumerate(["0 1\n", "1 2\n", "5 6\n"]):
        (tmp_path / f"part-{number}.txt").write_text(line)
    one_by_one = sorted(tmp_path.iterdir())
    for inputs in (one_by_one, [tmp_path / "part-*.txt"], [tmp_path]):
        assert answer(*inputs) == NAMES
    assert "5 vertices, 3 edges (snap, 3 files, 12 bytes)" in ok("components", tmp_path)


def test_standard_input() -> None:
    done = run("components", "-", "-o", "-", input="0 1\n1 2\n5 6\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "id,component\n0,0\n1,0\n2,0\n5,5\n6,5\n"


def test_a_remote_file(pairs: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.pipe("/bucket/pairs.parquet", pairs.read_bytes())
    told = json.loads(ok("components", "memory://bucket/pairs.parquet", "--json"))
    assert (told["vertices"], told["components"]) == (7, 3)


def test_columns_weights_and_thresholds(tmp_path: Path) -> None:
    table = pa.table({"x": [1, 2, 3], "left": ["a", "b", "c"], "w": [1, 5, 9], "right": [*"bcd"]})
    pq.write_table(table, tmp_path / "t.parquet")
    options = ["--source", "left", "--target", 3]
    assert answer(tmp_path / "t.parquet", *options)["component"] == ["a"] * 4
    found = answer(tmp_path / "t.parquet", *options, "--weight", "w", "--threshold", 5)
    assert found == {"id": ["b", "c", "d"], "component": ["b"] * 3}


@pytest.mark.parametrize(
    "options",
    [
        ["--source", "a,b", "--target", "c,d"],
        ["--source", "a", "--source", "b", "--target", "c", "--target", "d"],
        ["--source", "0,1", "--target", "2,3"],
    ],
)
def test_composite_ids(tmp_path: Path, options: list[str]) -> None:
    rows = {"a": ["x", "x"], "b": [1, 2], "c": ["y", "y"], "d": [1, 2]}
    pa.csv.write_csv(pa.table(rows), tmp_path / "t.csv")
    found = answer(tmp_path / "t.csv", *options)
    first, second, own, other = found.values()
    assert list(zip(first, second, strict=True)) == [("x", 1), ("x", 2), ("y", 1), ("y", 2)]
    assert list(zip(own, other, strict=True)) == [("x", 1), ("x", 2)] * 2
    assert "(x, 1)" in ok("components", tmp_path / "t.csv", *options)


def test_delimiters_and_headers(tmp_path: Path) -> None:
    (tmp_path / "odd.csv").write_text("5|6\n6|7\n")
    same = {"id": [5, 6, 7], "component": [5, 5, 5]}
    assert answer(tmp_path / "odd.csv", "--delimiter", "|", "--no-header") == same
    (tmp_path / "tabs.csv").write_text("p\tq\na\tb\n")
    found = answer(tmp_path / "tabs.csv", "--delimiter", "tab", "--header")
    assert found == {"id": ["a", "b"], "component": ["a", "a"]}
    (tmp_path / "data").write_text("1 2\n")
    assert answer(tmp_path / "data", "--format", "snap")["id"] == [1, 2]


@pytest.mark.parametrize("suffix", ["csv", "parquet", "txt", "npy"])
def test_a_list_of_vertices(tmp_path: Path, suffix: str) -> None:
    (tmp_path / "edges.csv").write_text("1,2\n")
    listed = tmp_path / f"all.{suffix}"
    if suffix == "parquet":
        pq.write_table(pa.table({"id": [3, 2]}), listed)
    elif suffix == "npy":
        np.save(listed, np.array([3, 2]))
    else:
        listed.write_text(("id\n" if suffix == "csv" else "") + "3\n2\n")
    found = answer(tmp_path / "edges.csv", "--vertices", listed)
    assert found == {"id": [1, 2, 3], "component": [1, 1, 3]}


@pytest.mark.parametrize("vertices", [0, 1, 3])
def test_no_edges(tmp_path: Path, vertices: int) -> None:
    (tmp_path / "empty.txt").write_text("# nothing\n")
    told = ok("components", tmp_path / "empty.txt", "--num-vertices", vertices, "--verify")
    assert said(told, "found").startswith(f"{vertices} component")


def test_the_columns_that_were_read_are_shown(pairs: Path) -> None:
    told = ok("components", pairs, "--weight", "score", "--threshold", 0.5)
    assert said(told, "input") == "source id_l, target id_r, weight score"
    text = pairs.with_name("odd.csv")
    text.write_text(",doc_a,doc_b\n0,100,200\n1,200,300\n")  # pandas writes its index first
    told = json.loads(ok("components", text, "--json"))["input"]
    assert (told["format"], told["header"], told["delimiter"]) == ("csv", True, ",")
    assert len(told["source"]) == len(told["target"]) == 1
    options = ["--source", "doc_a", "--target", "doc_b"]
    told = json.loads(ok("components", text, *options, "--json"))["input"]
    assert (told["source"], told["target"]) == (["doc_a"], ["doc_b"])


# The answer


@pytest.mark.parametrize("suffix", ["parquet", "arrow", "csv", "tsv", "csv.gz"])
def test_labels_under_the_own_ids(pairs: Path, suffix: str) -> None:
    output = pairs.with_name(f"out.{suffix}")
    assert said(ok("components", pairs, "-o", output), "written").startswith("7 labels to")
    read = {
        "parquet": pq.read_table,
        "arrow": pa.feather.read_table,
        "tsv": lambda path: pa.csv.read_csv(
            path, parse_options=pa.csv.ParseOptions(delimiter="\t")
        ),
    }.get(suffix, pa.csv.read_csv)
    ids = ["al", "bo", "bob", "kim", "lea", "lee", "max"]
    assert read(output).to_pydict() == {
        "id": ids,
        "component": ["al", "bo", "bo", "kim", "kim", "kim", "al"],
    }
    told = ok("verify", pairs, output)
    assert said(told, "verified").startswith("3 components")


def test_the_largest_and_the_large(pairs: Path) -> None:
    options = ["--vertices", pairs.with_name("all.csv")]
    options[1].write_text("id\nzoe\n")
    assert answer(pairs, *options)["id"][-1] == "zoe"
    assert "zoe" not in answer(pairs, *options, "--drop-singletons")["id"]
    assert answer(pairs, *options, "--min-size", 3)["id"] == ["kim", "lea", "lee"]
    assert answer(pairs, *options, "--largest", 1)["id"] == ["kim", "lea", "lee"]
    two = answer(pairs, *options, "--largest", 2, "--labels", "dense")
    assert two == {"id": ["al", "kim", "lea", "lee", "max"], "component": [0, 2, 2, 2, 0]}
    three = answer(pairs, *options, "--largest", 9, "--min-size", 3)
    assert three["id"] == ["kim", "lea", "lee"]
    told = json.loads(ok("components", pairs, *options, "--largest", 2, "--json"))
    assert [one["size"] for one in told["largest_components"]] == [3, 2]


def test_json(edges: Path, tmp_path: Path) -> None:
    output = tmp_path / "labels.npy"
    options = ["--num-vertices", 9, "--algorithm", "rem", "--threads", 2, "--labels", "dense"]
    done = run("components", edges, "--json", "--verify", "-o", output, *options)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["vertices"], told["edges"], told["components"], told["alone"]) == (9, 4, 6, 4)
    assert told["largest"] == {"size": 3, "label": 0}
    assert [(each["from"], each["to"], each["components"]) for each in told["sizes"]] == [
        (1, 1, 4),
        (2, 2, 1),
        (3, 3, 1),
    ]
    assert sum(each["vertices"] for each in told["sizes"]) == 9
    assert told["plan"]["algorithm"] == "rem" and told["plan"]["threads"] == 2
    assert told["plan"]["engine"] == "gathering" or told["plan"]["engine"] == "memory"
    assert told["plan"]["bytes"] > 0
    assert told["verified"] is True
    assert (told["format"], told["bytes"] > 0) == ("npy", True)
    assert told["output"] == str(output)
    assert np.load(output).tolist() == [0, 0, 0, 1, 2, 3, 3, 4, 5]


def test_the_summary_lists_the_largest_by_id(pairs: Path) -> None:
    told = ok("components", pairs)
    rows = [line.split() for line in told.splitlines()]
    assert ["3", "42.9%", "kim,", "lea,", "lee"] in rows
    assert f"7 vertices, 4 edges (parquet, {bytes_of(pairs.stat().st_size)})" in told


def test_ids_cannot_write_to_the_terminal(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": ["\x1b[2J", "x\ny"], "b": ["b", "c"]}), tmp_path / "t.parquet")
    told = ok("components", tmp_path / "t.parquet")
    assert "\x1b" not in told and "'\\x1b[2J'" in told


def test_quiet_says_nothing(pairs: Path) -> None:
    done = run("components", pairs, "--quiet", "-o", pairs.with_name("out.csv"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def chain(path: Path, share: float, suffix: str) -> Path:
    """A thousand ids, so many of them in one chain of pairs."""
    joined = int(1000 * share)
    ids = np.array([f"n{i:04}" for i in range(1000)])
    src = np.concatenate([ids[: joined - 1], ids[joined:]])
    dst = np.concatenate([ids[1:joined], ids[joined:]])
    table = pa.table({"src": src, "dst": dst, "weight": np.full(len(src), 0.9)})
    file = path / f"pairs.{suffix}"
    (pq.write_table if suffix == "parquet" else pa.csv.write_csv)(table, file)
    return file


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_a_giant_component_of_duplicates_is_a_warning(tmp_path: Path, suffix: str) -> None:
    file = chain(tmp_path, 0.8, suffix)
    told = " ".join(ok("components", file).split())
    assert "warning one component holds 80.0% of all ids" in told
    assert "give a --weight and a --threshold" in told and "hubs" in told
    told = " ".join(ok("components", file, "--threshold", 0.5).split())
    assert "raise --threshold above 0.5" in told
    assert json.loads(ok("components", file, "--json"))["warning"].startswith("one component")
    assert "warning" not in ok("components", chain(tmp_path, 0.05, suffix))  # 50 ids


def test_a_giant_component_of_a_network_is_none(tmp_path: Path) -> None:
    (tmp_path / "net.txt").write_text("".join(f"{i} {i + 1}\n" for i in range(999)))
    assert "warning" not in ok("components", tmp_path / "net.txt")


# How it runs


def test_what_is_asked_for_runs(pairs: Path) -> None:
    told = ok("components", pairs, "--algorithm", "afforest", "--threads", 1)
    assert said(told, "ran") == "afforest on cpu, 1 thread"
    assert said(told, "because") == "asked for by name"


def test_memory_can_be_limited(tmp_path: Path) -> None:
    (tmp_path / "wide.txt").write_text("0 100000000\n")
    options = ["--num-vertices", 100_000_001, "--limit-memory", "100M"]
    assert "the limit is 104,857,600" in refused("components", tmp_path / "wide.txt", *options)
    assert "such as 4G" in refused("components", tmp_path / "wide.txt", "--limit-memory", "much")
    line = refused("components", tmp_path / "wide.txt", *options[2:], "--algorithm", "rem")
    # The library's rule, under the names of the command's options.
    assert "and --limit-memory cannot be used together: leave one of them out" in line


def test_groups_in_the_shell(tmp_path):
    path = tmp_path / "buckets.csv"
    path.write_text("doc,band,bucket\nd1,0,a\nd2,0,a\nd3,1,a\nd2,1,b\n")
    answer = ok("components", path, "--source", "doc", "--groups", "band,bucket", "-o", "-", "-q")
    assert answer.splitlines() == ["id,component", '"d1","d1"', '"d2","d1"', '"d3","d3"']
    report = json.loads(ok("components", path, "--source", "doc", "--groups", "bucket", "--json"))
    assert report["components"] == 1 and report["input"]["groups"] == ["bucket"]
    labels = tmp_path / "labels.csv"
    ok("components", path, "--source", "doc", "--groups", "bucket", "-o", labels, "--verify")
    ok("verify", path, labels, "--source", "doc", "--groups", "bucket")


def test_lists_in_the_shell(tmp_path):
    path = tmp_path / "lists.parquet"
    pq.write_table(pa.table({"members": [["a", "b"], ["c"], ["b", "d"]]}), path)
    answer = ok("components", path, "--lists", "-o", "-", "--quiet")
    assert answer.split()[1:] == ['"a","a"', '"b","a"', '"c","c"', '"d","a"']


def test_groups_that_are_refused_in_the_shell(tmp_path):
    path = tmp_path / "buckets.csv"
    path.write_text("doc,bucket\nd1,a\n")
    for others, said_of in (
        (["--lists"], "--groups and --lists exclude each other"),
        (["--weight", "bucket", "--threshold", "1"], "--threshold means nothing for groups"),
        (["--source", "doc", "--target", "bucket"], "--target is given with --groups"),
    ):
        assert said_of in refused("components", path, "--groups", "bucket", *others, code=2)
