"""``--json`` of the commands that list something."""

from __future__ import annotations

import json
from typing import Any

import skerry
from skerry.datasets.papers import papers_graphs
from skerry.formats.registry import FORMATS
from skerry.generators.table import GENERATORS
from support.cli import ok, refused


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
