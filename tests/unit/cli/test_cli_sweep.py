"""``skerry sweep``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skerry.cli import summary
from support.cli import ok, refused, run

ROWS = "id_l,id_r,score\nkim,lee,0.93\nlee,lea,0.88\nbo,bob,0.97\nal,max,0.41\n"


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.csv"
    path.write_text(ROWS)
    return path


def test_a_line_for_each_threshold(pairs):
    printed = ok("sweep", pairs, "--weight", "score", "--at", "0.4,0.9", "--at", "0.8")
    lines = [line.split() for line in printed.splitlines()][-4:]
    assert lines == [
        ["threshold", "edges", "vertices", "components", "largest", "share"],
        ["0.4", "4", "7", "3", "3", "42.9%"],
        ["0.9", "2", "4", "2", "2", "50.0%"],
        ["0.8", "3", "5", "2", "3", "60.0%"],
    ]


def test_no_digit_is_cut_in_a_narrow_terminal(pairs, monkeypatch):
    arguments = ("sweep", pairs, "--weight", "score", "--at", "0.4,0.8")
    monkeypatch.setattr(summary, "PIPE_WIDTH", 30)
    lines = [line.rstrip() for line in ok(*arguments).splitlines()]
    assert max(map(len, lines)) <= 30
    rows = " ".join(" ".join(lines).split())
    assert "threshold 0.4 edges 4 vertices 7 components 3 largest 3 share 42.9%" in rows
    assert "threshold 0.8 edges 3 vertices 5 components 2 largest 3 share 60.0%" in rows


def test_a_sweep_as_json(pairs):
    report = json.loads(
        ok("sweep", pairs, "--weight", "score", "--at", "0.5", "--keep", "below", "--json")
    )
    assert report["thresholds"] == [
        {"threshold": 0.5, "edges": 1, "vertices": 2, "components": 1, "largest": 2}
    ]
    assert report["keep"] == "below" and report["input"]["weight"] == "score"


def test_vertices_of_a_sweep(pairs, tmp_path):
    (tmp_path / "ids.csv").write_text("id\nzoe\nkim\n")
    arguments = ("--weight", "score", "--at", "2", "--vertices", tmp_path / "ids.csv", "--json")
    row = json.loads(ok("sweep", pairs, *arguments))["thresholds"][0]
    assert (row["vertices"], row["components"], row["largest"]) == (2, 2, 1)


def test_a_sweep_of_a_pipe(pairs):
    printed = run(
        "sweep", "-", "--weight", "score", "--at", "0.9", "--json", input=pairs.read_text()
    )
    assert json.loads(printed.stdout)["thresholds"][0]["components"] == 2


@pytest.mark.parametrize("at", ["x", "nan", "inf", "", ","])
def test_thresholds_that_are_no_numbers(pairs, at):
    assert "--at must be" in refused("sweep", pairs, "--weight", "score", "--at", at, code=2)


def test_a_sweep_needs_weights(pairs):
    assert "there is no column weight" in refused("sweep", pairs, "--at", "0.5", code=3)
