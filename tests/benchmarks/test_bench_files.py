"""The measurement of files runs, counts alike, and leaves nothing behind."""

from __future__ import annotations

import json

import pytest

from skerry_bench import files
from skerry_bench.record import Record


def measured(tmp_path, monkeypatch, implementations):
    monkeypatch.setattr(
        files, "IMPLEMENTATIONS", {name: files.IMPLEMENTATIONS[name] for name in implementations}
    )
    path, output = tmp_path / "edges.txt", tmp_path / "out.jsonl"
    path.write_text("# pairs\n0\t1\n1\t2\n5\t4\n")
    files.run(Record(output), path=path, megabytes=1, vertices=9, threads=2, times=1)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["edges.txt", "out.jsonl"]
    lines = [json.loads(line) for line in output.read_text().splitlines()]
    return {line["what"]: line for line in lines if "what" in line}


def test_runs(tmp_path, monkeypatch, capsys):
    told = measured(tmp_path, monkeypatch, ["skerry"])
    assert told["skerry"]["seconds"] > 0
    assert told["skerry"]["peak_megabytes"] > 1
    assert "| skerry |" in capsys.readouterr().out


def test_implementations_count_alike(tmp_path):
    path = tmp_path / "edges.txt"
    path.write_text("# pairs\n0\t1\n1\t2\n5\t4\n")
    assert files.IMPLEMENTATIONS["skerry"](str(path), 2) == 3
    pytest.importorskip("scipy")
    for name in ("polars", "pandas"):
        try:
            assert files.IMPLEMENTATIONS[name](str(path), 2) == 3
        except ImportError:
            continue
