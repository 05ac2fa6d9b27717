"""``skerry components --spill``: labels and summary of a run on disk are those of one in memory."""

from __future__ import annotations

import json

import numpy as np
import pytest

from skerry.cli.progress import ProgressDisplay
from support.cli import ok, refused
from support.spilled import tiny_passes


@pytest.fixture
def pairs(tmp_path):
    ends = np.random.default_rng(4).integers(-500, 500, (400, 2)) * 10**15
    path = tmp_path / "pairs.csv"
    path.write_text("src,dst\n" + "".join(f"{u},{v}\n" for u, v in ends))
    return path


def test_the_summary_and_the_labels_are_those_of_a_run_in_memory(pairs, tmp_path):
    folder, outputs = tmp_path / "spill", [tmp_path / "spilled.csv", tmp_path / "labels.csv"]
    folder.mkdir()
    spill = ("--spill", folder, "--limit-memory", "900000G")
    with tiny_passes(2):
        report = json.loads(ok("components", pairs, "-o", outputs[0], "--json", *spill))
    expected = json.loads(ok("components", pairs, "-o", outputs[1], "--json"))
    assert outputs[0].read_bytes() == outputs[1].read_bytes()
    for name in ("vertices", "edges", "components", "alone", "largest_components", "sizes"):
        assert report[name] == expected[name]
    assert report["plan"]["engine"] == "spilling"
    assert [step["name"] for step in report["plan"]["passes"]][:2] == ["read edges", "number ids"]
    assert list(folder.iterdir()) == []


def test_the_command_shows_each_pass(pairs, tmp_path, monkeypatch):
    names = []
    monkeypatch.setattr(ProgressDisplay, "begin", lambda _, name: names.append(name))
    with tiny_passes(2):
        ok("components", pairs, "--spill", tmp_path, "--limit-memory", "900000G")
    assert names[:4] == ["labeling", "number ids", "sort ids", "rank ids"]
    assert any(name.startswith("join edges, block 1 of") for name in names)


def test_refusals_name_options_of_the_command(pairs, tmp_path):
    spill = ("--spill", tmp_path, "--limit-memory", "900000G")
    assert "--spill is given without --limit-memory" in refused(
        "components", pairs, "--spill", tmp_path, code=2
    )
    for option in (
        ("--verify",),
        ("--largest", 3),
        ("--min-size", 2),
        ("--sizes", tmp_path / "sizes.csv"),
    ):
        message = refused("components", pairs, *option, *spill, code=2)
        assert f"--spill and {option[0]} cannot be used together" in message
    assert "--labels" in refused("components", pairs, "--labels", "dense", *spill)
    assert "no such folder" in refused(
        "components", pairs, "--spill", tmp_path / "none", "--limit-memory", "900000G", code=2
    )
    message = refused("components", pairs, "--spill", tmp_path, "--limit-memory", "1M", code=5)
    assert "at least --limit-memory " in message
