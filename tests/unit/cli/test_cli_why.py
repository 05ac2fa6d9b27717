"""`skerry why FILE A B`: the chain of edges between two ids, and what is said if there is none."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import skerry
from skerry.datasets.papers import papers_graphs
from skerry.formats.registry import FORMATS
from skerry.generators.table import GENERATORS
from support.cli import invoke, ok, refused, run, said

PAIRS = "id_l,id_r,score\nkim,lee,0.9\nlee,ann,0.25\nbo,al,0.7\n"


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text(PAIRS)
    return path


def chain(output):
    return [line.split() for line in output.splitlines() if " -- " in line]


def test_a_chain_has_a_line_for_each_edge(pairs):
    output = ok("why", pairs, "ann", "kim", "--weight", "score")
    assert chain(output) == [
        ["ann", "--", "lee", "0.25", "row", "1"],
        ["lee", "--", "kim", "0.9", "row", "0"],
    ]
    assert said(output, "path").startswith("ann to kim: 2 edges of a spanning forest")
    assert said(output, "component") == "of ann: 3 vertices"


def test_a_chain_without_weights(pairs):
    output = ok("why", pairs, "kim", "lee")
    assert chain(output) == [["kim", "--", "lee", "row", "0"]]
    assert said(output, "path") == "kim to lee: 1 edge"


def test_an_id_needs_no_edge_to_itself(pairs):
    output = ok("why", pairs, "kim", "kim")
    assert said(output, "path") == "kim to kim: 0 edges" and chain(output) == []


def test_ids_that_are_not_joined_exit_with_1(pairs):
    line = refused("why", pairs, "kim", "bo", code=1)
    assert line == (
        "skerry: no path joins 'kim' and 'bo': they are in the components of 'ann' (3 vertices) "
        "and of 'al' (2 vertices)\n"
    )
    line = refused("why", pairs, "kim", "ann", "--weight", "score", "--threshold", "0.8", code=2)
    assert "'ann' is not an id of this graph" in line


def test_json(pairs):
    report = json.loads(ok("why", pairs, "ann", "kim", "--weight", "score", "--json"))
    assert report["connected"] is True and report["sizes"] == [3, 3]
    assert (report["from"], report["to"], report["components"]) == ("ann", "kim", ["ann", "ann"])
    assert report["path"] == [
        {"source": "ann", "target": "lee", "weight": 0.25, "row": 1},
        {"source": "lee", "target": "kim", "weight": 0.9, "row": 0},
    ]
    done = run("why", pairs, "ann", "bo", "--json")
    assert done.returncode == 1 and done.stderr.startswith("skerry: no path joins")
    report = json.loads(done.stdout)
    assert report["connected"] is False and report["path"] is None and report["sizes"] == [3, 2]


def test_ids_of_any_type(tmp_path):
    path = tmp_path / "numbers.txt"
    path.write_text("-7 5\n5 9\n")
    assert len(chain(ok("why", path, "--", "-7", "9"))) == 2
    assert "ids of this graph are integers" in refused("why", path, "x", "9", code=2)
    assert "12 is not an id" in refused("why", path, "5", "12", code=2)
    days = pa.array(["2024-01-02", "2024-01-03"]).cast(pa.date32())
    pq.write_table(pa.table({"src": days[:1], "dst": days[1:]}), tmp_path / "days.parquet")
    dates = ("2024-01-02", "2024-01-03")
    assert chain(ok("why", tmp_path / "days.parquet", *dates))[0][:3] == [dates[0], "--", dates[1]]
    assert "is not date32" in refused("why", tmp_path / "days.parquet", "x", dates[0], code=2)


def test_ids_of_several_columns(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("a,i,b,j\nx,1,y,2\n")
    columns = ("--source", "a,i", "--target", "b,j")
    assert chain(ok("why", path, "x,1", "y,2", *columns)) == [["x,1", "--", "y,2", "row", "0"]]
    assert "have 2 parts" in refused("why", path, "x", "y,2", *columns, code=2)


def test_vertex_numbers_and_further_vertices(tmp_path):
    path = tmp_path / "e.txt"
    path.write_text("0 1\n")
    assert said(ok("why", path, "3", "3", "--num-vertices", "5"), "component") == "of 3: 1 vertex"
    (tmp_path / "more.csv").write_text("id\n7\n")
    refused("why", path, "0", "7", "--vertices", tmp_path / "more.csv", code=1)
    assert "is not in 0..4" in refused("why", path, "0", "9", "--num-vertices", "5", code=2)


def test_standard_input_is_read_once(pairs):
    done = run("why", "-", "ann", "kim", input=pairs.read_text())
    assert done.returncode == 0 and len(chain(done.stdout)) == 2


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (("--keep", "below"), 2, "--keep needs --threshold"),
        (("--weight", "none"), 3, "there is no column none"),
        (("--limit-memory", "1M"), 5, "not enough memory"),
        (("--threads", "0"), 2, ""),
    ],
)
def test_options_of_components(pairs, options, code, message):
    result = invoke("why", pairs, "kim", "ann", *options)
    assert result.exit_code == code and message in result.output


def test_ids_of_one_group_are_joined_by_its_first(tmp_path):
    path = tmp_path / "buckets.csv"
    path.write_text("doc,bucket\nd1,a7\nd2,a7\nd3,c0\nd2,c0\n")
    assert chain(ok("why", path, "d1", "d3", "--groups", "bucket")) == [
        ["d1", "--", "d2", "row", "1"],
        ["d2", "--", "d3", "row", "3"],
    ]
    lists = tmp_path / "lists.parquet"
    pq.write_table(pa.table({"members": [["a", "b"], ["b", "c"]]}), lists)
    assert [line[-1] for line in chain(ok("why", lists, "a", "c", "--lists"))] == ["0", "1"]
    line = refused("why", path, "d1", "d3", "--groups", "bucket", "--weight", "doc", code=2)
    assert "--weight" in line


# ``skerry verify`` takes the input options of ``skerry components``.


@pytest.fixture
def edges(tmp_path):
    path = tmp_path / "edges.txt"
    path.write_text("0 1\n1 2\n5 6\n")
    return path


def test_verify_takes_the_ids_option_of_components(edges, tmp_path):
    labels = tmp_path / "labels.csv"
    ok("components", edges, "--ids", "external", "-q", "-o", labels)
    assert "forest of 3 edges" in ok("verify", edges, labels, "--ids", "external")
    assert invoke("verify", edges, labels, "--ids", "nonsense").exit_code == 2


def test_verify_takes_further_vertices_and_their_number(edges, tmp_path):
    people, labels = tmp_path / "people.csv", tmp_path / "labels.csv"
    people.write_text("id\n7\n9\n")
    options = ("--ids", "external", "--vertices", people)
    ok("components", edges, *options, "-q", "-o", labels)
    ok("verify", edges, labels, *options)
    people.write_text("id\n7\n11\n")
    assert "11 is in no component" in refused("verify", edges, labels, *options, code=1)
    array = tmp_path / "labels.npy"
    ok("components", edges, "--num-vertices", "9", "-q", "-o", array)
    ok("verify", edges, array, "--num-vertices", "9")
    wrong = refused("verify", edges, array, "--num-vertices", "10", code=1)
    assert "the graph has 10 vertices, but there are 9 labels" in wrong


@pytest.mark.parametrize(("one", "other"), [("700", "900"), ("'red'", "'blue'")])
def test_wrong_labels_are_named_as_the_file_has_them(tmp_path, one, other):
    edges, labels = tmp_path / "edges.csv", tmp_path / "labels.csv"
    edges.write_text("src,dst\n50,60\n")
    labels.write_text(f"id,component\n50,{one}\n60,{other}\n".replace("'", ""))
    line = refused("verify", edges, labels, code=1)
    assert f"joins 50 and 60, but their labels are {one} and {other}" in line


# ``--json`` of the commands that list something.


def printed(*arguments: object) -> Any:
    text = ok(*arguments, "--json")
    assert text.count("\n") == 1  # one line, for programs that read line by line
    return json.loads(text)


def test_algorithms() -> None:
    entries = printed("algorithms")
    assert [entry["name"] for entry in entries] == [spec.name for spec in skerry.catalog()]
    for entry, spec in zip(entries, skerry.catalog(), strict=True):
        assert entry["devices"] == list(spec.devices)
        assert entry["choices"] == {name: list(some) for name, some in spec.choices.items()}
        assert (entry["paper"], entry["section"]) == (spec.paper, spec.section)
    entries = printed("algorithms", "sutton")
    assert [entry["name"] for entry in entries] == ["afforest"]
    assert "no algorithm matches" in refused("algorithms", "nobody", "--json")


def test_graphs() -> None:
    entries = printed("graphs")
    assert [entry["name"] for entry in entries] == [graph.name for graph in papers_graphs()]
    entries = printed("graphs", "--paper", "muzio")
    assert {entry["paper"] for entry in entries} == {"Cong & Muzio"}
    assert entries[0]["vertices"] == 50_000_000 and entries[0]["sources"] == []


def test_generators() -> None:
    for arguments in (["generate", "--list"], ["generate"]):
        entries = {entry["name"]: entry for entry in printed(*arguments)}
        assert list(entries) == [name.replace("_", "-") for name in GENERATORS]
    options = {option["name"]: option for option in entries["rmat"]["options"]}
    assert options["--scale"]["required"] and options["--scale"]["kind"] == "int"
    assert options["--seed"]["default"] == 1


def test_doctor() -> None:
    report = printed("doctor")
    assert report["skerry"]["version"] == skerry.__version__
    assert report["machine"]["cores"] >= 1
    assert next(each for each in report["packages"] if each["name"] == "numpy")["required"]
    assert report["formats"]["read"] == sum(entry.read is not None for entry in FORMATS)
    assert report["algorithms"]["cpu"] == sum("cpu" in each.devices for each in skerry.catalog())
    assert report["gpu"]["usable"] == (report["gpu"]["reason"] is None)
