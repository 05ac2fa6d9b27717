"""`skerry why FILE A B`: the chain of edges between two ids, and what is said if there is none."""

from __future__ import annotations

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

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
