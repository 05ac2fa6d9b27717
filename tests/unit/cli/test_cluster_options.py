"""`skerry components --engine`: what cannot be honored is refused before an engine starts."""

from __future__ import annotations

import json

import pytest

from support.cli import ok, refused

FREE = {
    "--sizes": ["--sizes", "x.csv"],
    "--labels": ["--labels", "dense"],
    "--largest": ["--largest", "1"],
    "--min-size": ["--drop-singletons"],
    "--algorithm": ["--algorithm", "ecl"],
    "--threads": ["--threads", "2"],
    "--groups": ["--groups", "dst"],
    "--output -": ["-o", "-"],
}


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("src,dst\n1,2\n")
    return str(path)


@pytest.mark.parametrize("option", FREE)
def test_options_that_a_cluster_does_not_honor(pairs, option):
    message = refused("components", pairs, "--engine", "ray", *FREE[option], code=2)
    assert option in message
    assert "--engine" in message


def test_options_of_a_cluster_need_an_engine(pairs):
    for option in ("--master", "--state"):
        assert "--engine" in refused("components", pairs, option, "x", code=2)


def test_a_small_input_needs_no_engine(pairs, tmp_path):
    """What fits one process is streamed, and written as a data set all the same."""
    output = ok("components", pairs, "--engine", "ray", "-o", tmp_path / "out", "--verify")
    assert "fit one process" in output
    assert (tmp_path / "out" / "_SUCCESS").exists()
    report = json.loads(ok("components", pairs, "--engine", "ray", "--json"))
    assert (report["vertices"], report["components"]) == (2, 1)
