"""Records of forced paths: their files, their order, other builds, what a sample has shown."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import skerry
from lab.emulated_gpu import emulated_gpu
from skerry_bench.cli.command import bench_app
from skerry_bench.corpus.catalog import catalog
from skerry_bench.corpus.implementations import OWN
from skerry_bench.corpus.store import Store
from skerry_bench.records import record as record_module
from skerry_bench.records.record import RecordOptions, families_first, record
from skerry_bench.records.table import read_table
from skerry_bench.records.worker import Worker, trees_of_first_links
from skerry_bench.results import Gpu
from skerry_bench.workload import WrongAnswerError
from support.emulator import works

SMALL = ("grid-12", "tiny-10")


def graph_named(name):
    return next(graph for graph in catalog() if graph.name == name)


def run(*arguments):
    return CliRunner().invoke(bench_app, ["record", *map(str, arguments)])


def test_each_path_is_recorded_with_each_number_of_threads(tmp_path):
    file = tmp_path / "paths.csv"
    result = run(*SMALL, "--threads", "1,2", "--seconds", "20", "--turns", "2", "--out", file)
    assert result.exit_code == 0, result.output
    table = read_table(file)
    assert set(table.rows) == set(SMALL)
    times = {f"{path}@{threads}" for path in ("auto", *OWN["cpu"]) for threads in (1, 2)}
    for cells in table.rows.values():
        assert set(table.columns) - {"graph"} == set(cells) > times
        assert all(0 < cells[column] < 1e6 for column in times)
    grid = table.rows["grid-12"]
    assert grid["vertices"] == 1024 and 0.5 <= grid["largest@1"] <= 1
    assert {"commit", "machine", "date", "versions"} <= table.run.keys()
    assert result.output.splitlines()[0].startswith("1/2 ")


def test_a_run_that_was_killed_is_continued(tmp_path):
    file = tmp_path / "paths.csv"
    options = RecordOptions(file, threads=(1,), turns=1, names=SMALL)
    said = []
    record(options, said.append)
    lines = file.read_text().splitlines()
    assert len(lines) == 4 and len(said) == 2
    file.write_text("\n".join(lines[:3]) + "\n" + lines[3][:20])  # within a line
    said.clear()
    record(options, said.append)
    assert len(said) == 1 and set(read_table(file).rows) == set(SMALL)
    assert file.read_text().splitlines()[:3] == lines[:3]
    with pytest.raises(skerry.SkerryError, match="other paths"):
        record(RecordOptions(file, threads=(2,), names=SMALL))


def test_no_graph_is_begun_when_the_time_is_spent(tmp_path):
    said = []
    options = RecordOptions(tmp_path / "a.csv", threads=(1,), seconds=0.0, names=SMALL)
    assert not record(options, said.append).rows
    assert said == ["2 graphs left: the time is spent"]


def test_any_part_of_a_run_has_all_families_before_a_second_graph_of_one():
    graphs = families_first(catalog("tuning"))
    families = [graph.families for graph in graphs]
    assert len(set(families)) == len(set(families[: len(set(families))]))
    assert sorted(graph.name for graph in graphs) == sorted(g.name for g in catalog("tuning"))


def test_another_build_takes_turns(tmp_path, monkeypatch):
    """The build is this one; which process answers is seen by a list of all requests."""
    turns = []
    turn = record_module._Build.turn
    monkeypatch.setattr(
        record_module._Build,
        "turn",
        lambda self, shift: turns.append(self.process.name) or turn(self, shift),
    )
    options = RecordOptions(
        tmp_path / "paths.csv",
        threads=(1,),
        turns=3,
        names=("tiny-10",),
        paths=("auto",),
        other=("old", Path(skerry.__file__).parent.parent),
        other_paths=("ecl", "rows[rest=join,join=window]"),
    )
    cells = record(options).rows["tiny-10"]
    assert turns == ["skerry", "old", "old", "skerry", "skerry", "old"]
    assert {"auto@1", "old:ecl@1", "old:rows[rest=join,join=window]@1"} < set(cells)
    assert read_table(options.output).rows["tiny-10"].keys() == cells.keys()


def test_a_build_that_ended_is_started_again(tmp_path, monkeypatch):
    names = []
    turn = record_module._Build.turn

    def end_after_the_first(self, shift):
        samples = turn(self, shift)
        if not names:
            self.process.close()
        names.append(shift)
        return samples

    monkeypatch.setattr(record_module._Build, "turn", end_after_the_first)
    said = []
    options = RecordOptions(
        tmp_path / "a.csv", threads=(1,), turns=2, names=SMALL, paths=("rows[rest=skip]",)
    )
    assert len(record(options, said.append).rows) == 1
    assert ["left out" in line for line in said] == [True, False]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--half", "both"], "--half is tuning or checking"),
        (["--threads", "1,x"], "--threads must be numbers"),
        (["--other", "old=/nowhere"], "given together"),
        (["--paths", "no-such"], "no-such"),
    ],
)
def test_what_cannot_be_recorded_is_refused(arguments, message, tmp_path):
    result = run("tiny-10", "--out", tmp_path / "paths.csv", *arguments)
    assert result.exit_code and message in result.output


def test_paths_that_differ_end_the_run(tmp_path, monkeypatch):
    loaded = record_module._Loaded({}, {"auto@1": 1.0}, {1, 2})
    monkeypatch.setattr(record_module._Build, "load", lambda *_: loaded)
    with pytest.raises(WrongAnswerError, match="differ on tiny-10"):
        record(RecordOptions(tmp_path / "a.csv", threads=(1,), names=("tiny-10",)))


def test_trees_of_first_links():
    """A path 0-1-2 is one tree; 3-5 and 4-5 are two, unless 4 is linked over 5 to 3."""
    edges = skerry.Edges(np.array([0, 1, 3, 4], np.uint32), np.array([1, 2, 5, 5], np.uint32), 7)
    rows = skerry.graph.build.csr_from_edges(edges)
    assert trees_of_first_links(rows) == pytest.approx(2 / 6)
    isolated = skerry.graph.build.csr_from_edges(skerry.Edges(edges.src[:0], edges.dst[:0], 3))
    assert trees_of_first_links(isolated) == 0


def test_few_entries_are_linked_over_larger_neighbors_only(monkeypatch):
    edges = skerry.Edges(np.array([0, 1, 3, 4], np.uint32), np.array([1, 2, 5, 5], np.uint32), 7)
    rows = skerry.graph.build.csr_from_edges(edges)
    monkeypatch.setattr("skerry_bench.records.worker.OVER_ENTRIES", 0)
    assert trees_of_first_links(rows) == pytest.approx(3 / 6)


@pytest.mark.skipif(not works(), reason="needs a C++ compiler")
def test_a_worker_on_a_gpu(monkeypatch, tmp_path):
    busy = []
    emulated_gpu(monkeypatch, Gpu("emulated", "1", "13"), keep_busy=lambda: busy.append(1))
    worker = Worker("cuda")
    columns = ["auto", "ecl"]
    assert worker.answer({"do": "start", "columns": columns}) == {"machine": "emulated"}
    files = list(map(str, Store(tmp_path).files(graph_named("tiny-10"))))
    request = {"do": "load", "files": files, "columns": columns, "limit": 1.0}
    loaded = worker.answer(request | {"share_threads": [0]})
    assert 0 < loaded["shares"]["trees"] < 1 and len(set(loaded["checksums"].values())) == 1
    busy.clear()
    assert worker.answer({"do": "turn", "columns": columns[::-1]}).keys() == set(columns)
    assert len(busy) == 3  # one of them warms up
    assert json.dumps(loaded)
