"""`skerry components --previous`, `--named-after` and `skerry diff`: names that go on in files."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import skerry
from support.cli import ok, refused


@pytest.fixture(autouse=True)
def days(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "friday.csv").write_text("src,dst\nkim,lee\nbo,ann\n")
    (tmp_path / "monday.csv").write_text("src,dst\nkim,lee\nal,kim\numa,vic\n")
    ok("components", "friday.csv", "-q", "-o", "friday.parquet")


def solve(edges, output, *options):
    ok("components", edges, "-q", "-o", output, *options)
    columns = pq.read_table(output).to_pydict() if output.endswith("parquet") else {}
    return dict(zip(*columns.values(), strict=True)) if columns else Path(output).read_text()


def test_names_go_on():
    added = solve("monday.csv", "a.parquet", "--previous", "friday.parquet")
    right = {"al": "kim", "kim": "kim", "lee": "kim", "uma": "uma", "vic": "uma"}
    assert added == right | {"ann": "ann", "bo": "ann"}
    assert solve("monday.csv", "a.parquet", "--named-after", "a.parquet") == right
    again = solve("friday.csv", "b.parquet", "--named-after", "a.parquet", "--largest", "1")
    assert again == {"ann": "ann-2", "bo": "ann-2"}  # the name had ended
    later = solve("friday.csv", "b.csv", "--named-after", "b.parquet")
    assert later.splitlines()[1] == '"ann","ann-2"'


def test_the_summary_counts_names():
    """Both for edges that are added, and for all edges anew."""
    added = ok("components", "monday.csv", "--previous", "friday.parquet")
    assert "2 kept, 1 new, 0 ended" in added
    anew = ("components", "monday.csv", "--named-after", "friday.parquet")
    assert "1 kept, 1 new, 1 ended" in ok(*anew)
    assert json.loads(ok(*anew, "--json"))["names"] == {"kept": 1, "new": 1, "ended": 1}
    assert json.loads(ok(*anew[:2], "--json"))["names"] is None


def test_on_a_cluster_labels_are_brought_here_for_names_and_the_best():
    """What fits one process needs no engine to be installed."""
    command = ("components", "monday.csv", "--engine", "ray")
    shown = ok(*command, "--named-after", "friday.parquet", "-o", "a.parquet")
    assert "1 kept, 1 new, 1 ended" in shown and "5 labels to a.parquet" in shown
    assert solve("monday.csv", "b.parquet", "--named-after", "friday.parquet") == dict(
        zip(*pq.read_table("a.parquet").to_pydict().values(), strict=True)
    )
    Path("records.csv").write_text("id,quality\nkim,0.2\nlee,0.9\nzed,0.1\n")
    best = (*command, "--best", "quality", "--records", "records.csv")
    assert "2 records to c.csv, 1 of them in no component" in ok(*best, "-o", "c.csv")
    assert Path("c.csv").read_text() == 'id,quality\n"lee",0.9\n"zed",0.1\n'
    assert "is an input" in refused(*best, "-o", "records.csv")
    assert "suffix" in refused(*command, "--named-after", "friday.parquet", "-o", "folder")


def test_text_that_looks_like_integers_stays_text():
    Path("n.csv").write_text('src,dst\n"01","02"\n')
    for option in ((), ("--previous", "labels.csv"), ("--named-after", "labels.csv")):
        assert '"01","01"' in solve("n.csv", "labels.csv", "--ids-as-text", *option)


def test_diff():
    solve("monday.csv", "b.parquet", "--named-after", "friday.parquet")
    report = json.loads(ok("diff", "friday.parquet", "b.parquet", "--json", "-o", "c.parquet"))
    assert report["grown"] == report["created"] == report["removed"] == 1
    changes = pq.read_table("c.parquet").to_pylist()
    assert [(each["change"], each["component"]) for each in changes] == [
        *(("created", "uma"), ("grown", "kim"), ("removed", "ann"))
    ]
    shown = ok("diff", "friday.parquet", "b.parquet")
    assert any(line.split() == ["removed", "1", "cluster"] for line in shown.splitlines())
    assert "lists of clusters" in refused("diff", "friday.parquet", "b.parquet", "-o", "c.csv")


def test_a_component_that_stands_out_is_named_with_its_hubs():
    pairs = [f"x{i},y{i}" for i in range(500)]
    spokes = [f"N/A,s{i}" for i in range(300)]
    Path("pairs.csv").write_text("\n".join(["src,dst", *pairs, *spokes]))
    shown = " ".join(ok("components", "pairs.csv").split())
    assert "warning one component holds 23.1% of all ids" in shown
    assert "The ids with the most pairs are 'N/A' (300)." in shown  # the others are no hubs
    assert "hold large parts" not in shown  # each bridge cuts off one id
    Path("pairs.csv").write_text("\n".join(["src,dst", *pairs, "x0,z", *spokes[:200]]))
    assert "warning" not in ok("components", "pairs.csv")  # 201 is not 100 times 3 or more


def test_a_chain_has_no_hubs_but_bridges():
    rings = [f"{name}{i},{name}{(i + 1) % 100}" for name in "ab" for i in range(100)]
    Path("pairs.csv").write_text("\n".join(["src,dst", *rings, "b9,a3", "x,y"]))
    shown = " ".join(ok("components", "pairs.csv").split())
    assert "the most pairs are" not in shown
    told = (
        "Single pairs that hold large parts together are row 200: 'b9' and 'a3' (100 and 100 ids)."
    )
    assert told in shown


def test_components_of_at_most_some_size():
    Path("pairs.csv").write_text("src,dst,w\na,b,0.9\nb,c,0.8\nc,d,0.55\nd,e,0.9\nx,y,0.6\n")
    options = ("components", "pairs.csv", "--weight", "w", "--max-size", "3")
    shown = " ".join(ok(*options, "-o", "small.csv").split())
    assert "component of 'a' with 5 vertices was cut into 2, without edges of weight 0.55" in shown
    right = skerry.split_large("pairs.csv", "w", 3).table().to_pydict()
    rows = [line.replace('"', "").split(",") for line in Path("small.csv").read_text().split()[1:]]
    assert rows == [list(row) for row in zip(*right.values(), strict=True)]
    kept = ok(*options, "--threshold", "0.7", "-q", "-o", "-")
    assert "x" not in kept and '"d","d"' in kept
    Path("pairs.csv").write_text("src,dst,w\na,b,1\nb,c,1\nc,d,3\n")
    below = " ".join(ok("components", "pairs.csv", *options[2:], "--keep", "below").split())
    assert "was cut into 2, without edges of weight 3" in below
    refused_with = {"--verify": (), "--previous": ("friday.parquet",), "--labels": ("dense",)}
    for option, value in refused_with.items():
        assert f"--max-size and {option}" in refused(*options, option, *value)
    assert "groups, which have no weights" in refused(*options[:2], *options[4:], "--groups", "dst")


def test_ids_that_look_like_others_are_quoted():
    columns = {"src": ["kim", "kim ", "k\u00a0m"], "dst": ["kim ", "k\u00a0m", "\uff4bim"]}
    pq.write_table(pa.table(columns), "pairs.parquet")
    shown = ok("components", "pairs.parquet")
    assert "'k\\xa0m'" in shown and "'kim '" in shown and "'\uff4bim'" in shown


def test_representatives():
    Path("records.csv").write_text("id,quality\nkim,0.2\nlee,0.9\nbo,\nzed,0.1\n")
    command = ("representatives", "records.csv", "--by", "quality", "--clusters", "friday.parquet")
    shown = ok(*command, "-o", "kept.parquet")
    assert "3 records, 1 of them in no cluster" in shown
    assert pq.read_table("kept.parquet")["id"].to_pylist() == ["lee", "bo", "zed"]
    ok(*command, "--ascending", "--flag", "-q", "-o", "all.parquet")
    flags = pq.read_table("all.parquet")["is_representative"].to_pylist()
    assert flags == [True, False, True, True]
    assert "no column best" in refused(*command[:3], "best", *command[4:], "-o", "x.parquet")
    assert not Path("x.parquet").exists()


def test_the_best_record_of_each_component_is_written_in_one_run():
    Path("records.csv").write_text("id,quality\nkim,0.2\nlee,0.9\nbo,\nzed,0.1\n")
    command = ("components", "friday.csv", "--best", "quality", "--records", "records.csv")
    shown = ok(*command, "-o", "kept.csv")
    assert "3 records to kept.csv, 1 of them in no component" in shown
    assert Path("kept.csv").read_text() == 'id,quality\n"lee",0.9\n"bo",\n"zed",0.1\n'
    assert "is an input" in refused(*command, "-o", "records.csv")
    for options, message in {
        (*command, "-o", "-"): "writes records to a file",
        command: "belong together",
        (*command[:4], "-o", "x.csv"): "belong together",
        (*command, "-o", "x.csv", "--min-size", "2"): "not with --largest",
        (*command[:3], "best", *command[4:], "-o", "x.csv"): "no column best",
        (*command, "-o", "x.npy"): "x.npy",
    }.items():
        assert message in refused(*options)
        assert not Path("x.csv").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--previous", "absent.parquet"), "no such file"),
        (("--previous", "friday.parquet", "--named-after", "friday.parquet"), "exclude each other"),
        (("--previous", "numbers.csv"), "ids of type"),
        (("--named-after", "twice.csv"), "'kim' is in more than one row"),
    ],
)
def test_what_cannot_go_on_is_said(options, message):
    Path("numbers.csv").write_text("id,component\n1,1\n")
    Path("twice.csv").write_text("id,component\nkim,a\nkim,b\n")
    assert message in refused("components", "monday.csv", "-q", *options, "-o", "-")
