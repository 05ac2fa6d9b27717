"""``skerry info``, ``convert``, ``generate``, ``graphs``, ``verify`` and ``doctor``."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import skerry
from skerry.datasets import papers
from skerry.datasets.papers import Source, paper_graph, papers_graphs
from skerry.formats.open import open_edges
from skerry.formats.options import ReadOptions
from skerry.formats.registry import FORMATS
from skerry.generators.builder import make
from skerry.generators.table import GENERATORS, recipe
from skerry.graph.edge_source import InputFacts
from support.cli import invoke, ok, refused, said
from support.server import serve

SMALL = {
    "grid": "--rows 5 --columns 7",
    "torus": "--rows 5 --columns 7",
    "rmat": "--scale 6 --edge-factor 4",
    "graph500": "--scale 6",
    "graph500_reference": "--scale 6",
    "delaunay": "--points 50",
    "road": "--width 6 --keep 0.8",
    "tiny": "--components 20 --max-size 4",
    "planted": "--sizes 10+3x2+1 --chords 3",
    "mawi": "--n 40 --hubs 3",
    "uniform": "--n 40 --m 30 --seed 3",
    "profile": "--n 60 --m 90 --largest-degree 12 --components 4",
    "rmat_of": "--n 50 --m 80",
}


def count_of(path: Path, **options: str) -> int:
    return skerry.connected_components(skerry.io.read_edges(path, **options)).count


# info


def test_info_of_a_table(tmp_path: Path) -> None:
    table = pa.table({"id_l": ["a", "b", "b"], "id_r": ["b", "c", "b"], "score": [1.0, 0.5, 0.1]})
    pq.write_table(table, tmp_path / "t.parquet")
    pa.csv.write_csv(table, tmp_path / "t.csv")
    for name in ("t.parquet", "t.csv"):
        told = ok("info", tmp_path / name)
        assert said(told, "columns") == "id_l (string), id_r (string), score (double)"
        assert said(told, "input").startswith("source id_l, target id_r")
        assert said(told, "ids").startswith("external")
        assert said(told, "vertices") == "3"
        assert said(told, "edges").startswith("3, 1 loop among them")
        assert said(told, "degrees") == "1.33 on average, 2 at most"
        assert said(told, "components").startswith("joins edges as they are read")


def test_info_of_numbered_vertices(tmp_path: Path) -> None:
    text = "%%MatrixMarket matrix coordinate pattern general\n7 7 3\n1 2\n2 3\n6 7\n"
    (tmp_path / "m.mtx").write_text(text)
    told = ok("info", tmp_path / "m.mtx")
    assert said(told, "format").startswith("mtx: Matrix Market")
    assert said(told, "input") == "vertices are numbered from 1, as in the file"
    assert said(told, "ids") == "vertex numbers, 1 to 7"
    assert said(told, "vertices") == "7, 2 without an edge"
    told = ok("info", tmp_path / "m.mtx", "--no-count")
    assert said(told, "header") == "7 vertices, 3 edges"


def test_info_of_several_files_as_json(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.txt").write_text(f"{number} {number + 1}\n")
    told = json.loads(ok("info", tmp_path / "*.txt", "--json"))
    assert (told["files"], told["format"], told["bytes"]) == (3, "snap", 12)
    assert told["header"] == {"vertices": None, "edges": None}
    assert (told["counted"]["vertices"], told["counted"]["edges"]) == (4, 3)
    facts = InputFacts("snap", ("0",), ("1",), header=False)
    assert told["input"] == json.loads(json.dumps(facts.as_json()))
    assert json.loads(ok("info", tmp_path, "--json", "--no-count"))["counted"] is None


def test_info_without_counts_says_how_to_get_them(tmp_path: Path) -> None:
    (tmp_path / "e.txt").write_text("1 2\n")
    assert "--count" in said(ok("info", tmp_path / "e.txt", "--no-count"), "header")


def test_info_of_what_is_no_graph(tmp_path: Path) -> None:
    assert "no such file" in refused("info", tmp_path / "no.txt")
    (tmp_path / "bad.txt").write_text("1 2\nx y\n")
    bad = invoke("info", tmp_path / "bad.txt")
    assert bad.exit_code == 3 and said(bad.output, "input") and "line 2" in bad.output


# convert


@pytest.mark.parametrize("row", [row for row in FORMATS if row.write_graph], ids=lambda r: r.name)
def test_convert_to_every_format(tmp_path: Path, row: object) -> None:
    first = tmp_path / "first.mtx"
    ok("generate", "planted", "--sizes", "10+3x2+1", "-o", first)
    output = tmp_path / f"out{row.suffixes[0]}"
    told = ok("convert", first, output)
    assert said(told, "written").startswith(f"{output}: {row.name}"[:60])
    assert count_of(output, format=row.name) == 5
    back = tmp_path / "back.mtx"
    ok("convert", output, back, "--external-ids", "vertices")
    assert count_of(back) == 5


def test_convert_columns_weights_and_names(tmp_path: Path) -> None:
    table = pa.table({"x": [1, 2], "l": ["a", "b"], "r": ["b", "c"], "w": [0.5, 1.5]})
    pq.write_table(table, tmp_path / "t.parquet")
    options = ["--source", "l", "--target", "r"]
    ok("convert", tmp_path / "t.parquet", tmp_path / "t.csv", *options, "--weight", "w")
    assert (tmp_path / "t.csv").read_text() == 'src,dst,weight\n"a","b",0.5\n"b","c",1.5\n'
    line = refused("convert", tmp_path / "t.parquet", tmp_path / "t.egr", *options)
    assert "--external-ids ranks" in line
    ok("convert", tmp_path / "t.parquet", tmp_path / "t.egr", *options, "--external-ids", "ranks")
    assert count_of(tmp_path / "t.egr") == 1


def test_convert_several_inputs_and_a_format_by_name(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.txt").write_text(f"{number} {number + 1}\n")
    inputs = sorted(tmp_path.glob("*.txt"))
    ok("convert", *inputs, tmp_path / "out.data", "--to", "csv", "-q")
    assert (tmp_path / "out.data").read_text() == "src,dst\n0,1\n1,2\n2,3\n"


def test_convert_refuses(tmp_path: Path) -> None:
    (tmp_path / "a.el").write_text("1 2\n")
    assert "is an input" in refused("convert", tmp_path / "a.el", tmp_path / "a.el")
    assert "are not written under" in refused("convert", tmp_path / "a.el", tmp_path / "a.xyz")
    assert "no folder" in refused("convert", tmp_path / "a.el", tmp_path / "b" / "a.csv")
    (tmp_path / "bad.el").write_text("1 2\n3\n")
    assert "line 2" in refused("convert", tmp_path / "bad.el", tmp_path / "out.csv")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.el", "bad.el"]


# generate


@pytest.mark.parametrize("name", GENERATORS)
def test_every_generator_has_a_command(tmp_path: Path, name: str) -> None:
    options = SMALL.get(name, "--n 20").split()
    command = name.replace("_", "-")
    told = ok("generate", command, *options, "-o", tmp_path / "g.parquet")
    pairs = zip(options[::2], options[1::2], strict=True)
    same = make(recipe(name, **{key[2:].replace("-", "_"): value for key, value in pairs}))
    assert f"{same.num_vertices:,} vertices, {same.num_edges:,} edges" in said(told, "graph")
    batches = list(open_edges(tmp_path / "g.parquet", ReadOptions()).open(1))
    assert np.concatenate([batch.src for batch in batches]).tolist() == same.src.tolist()
    assert np.concatenate([batch.dst for batch in batches]).tolist() == same.dst.tolist()


@pytest.mark.parametrize("name", GENERATORS)
def test_every_generator_has_help(name: str) -> None:
    told = " ".join(ok("generate", name.replace("_", "-"), "--help").split())
    for parameter in GENERATORS[name].parameters:
        assert f"--{parameter.name.replace('_', '-')} " in told
    assert f"Example: skerry generate {name.replace('_', '-')} --" in told


def test_generate_lists_all() -> None:
    told = ok("generate", "--list")
    for name in GENERATORS:
        assert f" {name.replace('_', '-')} " in told


def test_generate_takes_switches_and_formats(tmp_path: Path) -> None:
    ok(
        "generate",
        "path",
        "--n",
        "2^5",
        "--no-shuffled",
        "-o",
        tmp_path / "p.data",
        "--format",
        "el",
    )
    first = (tmp_path / "p.data").read_text().splitlines()[0]
    assert first == "0 1"


def test_generate_refuses(tmp_path: Path) -> None:
    output = tmp_path / "g.parquet"
    line = refused("generate", "rmat", "--scale", "many", "-o", output)
    assert "scale must be an integer" in line
    assert "scale" in refused("generate", "rmat", "--scale", "-3", "-o", output)
    assert "no folder" in refused("generate", "path", "--n", 5, "-o", tmp_path / "no" / "g.el")
    assert invoke("generate", "rmat", "-o", output).exit_code == 2
    assert not list(tmp_path.iterdir())


# graphs


def test_graphs_lists_the_papers() -> None:
    told = ok("graphs")
    for graph in papers_graphs():
        line = next(one for one in told.splitlines() if one.split()[:1] == [graph.name])
        assert f"{graph.vertices:,}" in line
        assert graph.components is None or f"{graph.components:,}" in line.split()
    told = ok("graphs", "--paper", "muzio")
    assert "random-50M" in told and "internet" not in told
    assert "there are: ECL-CC" in refused("graphs", "--paper", "nobody")


def test_graphs_make(tmp_path: Path) -> None:
    told = ok("graphs", "make", "internet", "--scale", "1/100", "-o", tmp_path / "i.el")
    assert said(told, "graph").startswith("stand-in for internet: 1,247 vertices")
    assert "0.1 or 1/64" in refused("graphs", "make", "internet", "--scale", "x", "-o", "i.el")
    assert "did you mean 'internet'" in refused("graphs", "make", "intenet", "-o", "i.el")


def test_graphs_get(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ok("generate", "planted", "--sizes", "6+4", "--chords", 2, "-o", tmp_path / "g.egr")
    ok("convert", tmp_path / "g.egr", tmp_path / "g.el", "--external-ids", "vertices")
    distinct = {
        tuple(sorted(line.split())) for line in (tmp_path / "g.el").read_text().splitlines()
    }
    with serve(**{"g.egr": (tmp_path / "g.egr").read_bytes()}) as shelf:
        graph = replace(
            paper_graph("internet"),
            name="mine",
            sources=(Source(f"{shelf.address}/g.egr", "egr"),),
            vertices=10,
            edges=2 * len(distinct),
            components=2,
        )
        monkeypatch.setattr(papers, "_table", lambda: {"mine": graph})
        told = ok("graphs", "get", "mine", "-o", tmp_path / "in")
        figures = f"10 vertices, {len(distinct)} edges, 2 components: as published"
        assert said(told, "checked") == figures
        assert (tmp_path / "in" / "g.egr").read_bytes() == (tmp_path / "g.egr").read_bytes()
        monkeypatch.setattr(papers, "_table", lambda: {"mine": replace(graph, components=3)})
        line = refused("graphs", "get", "mine", "-o", tmp_path / "wrong")
        assert "2 components instead of 3" in line
        ok("graphs", "get", "mine", "-o", tmp_path / "unseen", "--no-check", "-q")
    monkeypatch.setattr(papers, "_table", lambda: {"mine": replace(graph, sources=())})
    assert "cannot be downloaded" in refused("graphs", "get", "mine")


# verify


@pytest.fixture
def solved(tmp_path: Path) -> tuple[Path, Path]:
    """Edges with names as ids, and their labels."""
    (tmp_path / "e.csv").write_text("src,dst\na,b\nb,c\nx,y\n")
    ok("components", tmp_path / "e.csv", "-o", tmp_path / "l.csv")
    return tmp_path / "e.csv", tmp_path / "l.csv"


def test_right_labels(solved: tuple[Path, Path]) -> None:
    told = ok("verify", *solved)
    assert said(told, "verified").startswith("2 components: all 3 edges join equal labels")
    solved[1].write_text("id,component\nx,1\na,2\nc,2\nb,2\ny,1\n")  # any order, any labels
    ok("verify", *solved)
    assert ok("verify", *solved, "--quiet") == ""


@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        ("a,1\nb,2\nc,3\nx,4\ny,5\n", "joins 'a' and 'b'"),  # all alone
        ("a,1\nb,1\nc,2\nx,3\ny,3\n", "joins 'b' and 'c'"),  # one split off
        ("a,1\nb,1\nc,1\nx,1\ny,1\n", "no path joins"),  # all in one
        ("a,3\nb,1\nc,1\nx,1\ny,3\n", "joins 'a' and 'b'"),  # two members swapped
        ("a,1\nb,1\nc,1\nx,3\n", "'y' is in no component"),
        ("a,1\nb,1\nc,1\nx,3\ny,3\nz,3\n", "no path joins"),
        ("a,1\nb,1\nc,1\nx,3\ny,3\na,1\n", "'a' has more than one label"),
    ],
)
def test_wrong_labels(solved: tuple[Path, Path], labels: str, reason: str) -> None:
    solved[1].write_text(f"id,component\n{labels}")
    line = refused("verify", *solved, code=1)
    assert "WRONG" in line and reason in line


def test_labels_of_numbered_vertices(tmp_path: Path) -> None:
    np.save(tmp_path / "e.npy", [[0, 1], [2, 3], [3, 3]])
    for labels, code in (
        ([0, 0, 2, 2], 0),
        ([7, 7, 5, 5], 0),
        ([0, 0, 0, 0], 1),
        ([0, 1, 2, 2], 1),
    ):
        np.save(tmp_path / "l.npy", labels)
        assert invoke("verify", tmp_path / "e.npy", tmp_path / "l.npy").exit_code == code
    for suffix in ("parquet", "arrow", "csv", "tsv", "npy"):
        ok("components", tmp_path / "e.npy", "-o", tmp_path / f"l.{suffix}")
        ok("verify", tmp_path / "e.npy", tmp_path / f"l.{suffix}")
    np.savez(tmp_path / "e.npz", src=[0], dst=[1], num_vertices=3)
    np.save(tmp_path / "l.npy", [0, 0])
    assert "3 vertices, but there are 2" in refused(
        "verify", tmp_path / "e.npz", tmp_path / "l.npy", code=1
    )


def test_labels_of_composite_ids_and_thresholds(tmp_path: Path) -> None:
    rows = {"a": [1, 1], "b": ["x", "y"], "c": [2, 2], "d": ["x", "y"], "weight": [0.9, 0.1]}
    pq.write_table(pa.table(rows), tmp_path / "e.parquet")
    options = ["--source", "a,b", "--target", "c,d"]
    for extra in ([], ["--labels", "dense"]):
        labels = tmp_path / "l.parquet"
        ok("components", tmp_path / "e.parquet", *options, *extra, "-o", labels)
        ok("verify", tmp_path / "e.parquet", labels, *options)
    ok("components", tmp_path / "e.parquet", *options, "--threshold", 0.5, "-o", labels)
    ok("verify", tmp_path / "e.parquet", labels, *options, "--threshold", 0.5)
    assert "WRONG" in refused("verify", tmp_path / "e.parquet", labels, *options, code=1)


def test_what_cannot_be_verified(solved: tuple[Path, Path]) -> None:
    edges, labels = solved
    np.save(labels.with_name("l.npy"), [0, 0])
    assert "external ids" in refused("verify", edges, labels.with_name("l.npy"))
    labels.write_text("id,size,component\na,1,a\n")
    assert "there are: id, size, component" in refused("verify", edges, labels)
    assert "no such file" in refused("verify", edges, "nowhere.csv")


# doctor


def test_doctor_tells_what_there_is() -> None:
    told = ok("doctor")
    assert said(told, "skerry").startswith(skerry.__version__)
    assert said(told, "numpy").startswith(np.__version__)
    assert "cores to use" in told or "core to use" in told
    assert said(told, "gpu")
    assert "algorithms on this CPU" in said(told, "runs")


def test_doctor_tells_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skerry.cli.doctor.package_version", lambda _: None)

    def broken(_: str) -> None:
        raise RuntimeError("the driver is on holiday")

    monkeypatch.setattr("skerry.cli.doctor.find_runtime", broken)
    told = ok("doctor")
    assert said(told, "scipy").startswith("missing")
    assert said(told, "numpy").startswith("MISSING")
    assert "on holiday" in said(told, "gpu")
    assert said(told, "runs").endswith("not usable here")


def test_doctor_tells_of_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    runtime = SimpleNamespace(
        driverGetVersion=lambda: 13010,
        runtimeGetVersion=lambda: 12090,
        getDeviceCount=lambda: 2,
        getDeviceProperties=lambda number: {"name": b"GPU %d" % number, "major": 9, "minor": 0},
        memGetInfo=lambda: (70 * 10**9, 80 * 10**9),
    )
    cuda = SimpleNamespace(runtime=runtime, Device=lambda _: nullcontext())
    monkeypatch.setitem(sys.modules, "cupy", SimpleNamespace(__version__="14.0", cuda=cuda))
    monkeypatch.setattr("skerry.cli.doctor.find_runtime", lambda _: None)
    told = ok("doctor")
    assert said(told, "gpu") == "CuPy 14.0, driver for CUDA 13.1, runtime 12.9"
    assert "cuda:1  GPU 1, compute capability 9.0, 80 GB, 70 GB of it free" in told
    assert said(told, "runs").endswith("usable here")
