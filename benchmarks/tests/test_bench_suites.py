"""The tables of suites and studies: every row can be run, and names only what there is."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import skerry
from skerry import generators
from skerry.cli.app import app
from skerry.errors import InputError, UnsupportedError
from skerry_bench import counters
from skerry_bench.cases import CaseOptions, expected_entries, recipe_case
from skerry_bench.cli import run_command
from skerry_bench.cli.command import EXAMPLES
from skerry_bench.cli.micro_command import EXAMPLES as MICRO_EXAMPLES
from skerry_bench.cli.run_command import seconds_of
from skerry_bench.implementation import ImplementationOptions
from skerry_bench.options import Options
from skerry_bench.peers import PEERS
from skerry_bench.progress import markdown_tables
from skerry_bench.results import read_results
from skerry_bench.run import run_suite
from skerry_bench.studies import STUDIES, suite_of
from skerry_bench.suites import SUITES
from skerry_bench.tasks import plan_tasks
from skerry_bench.workload import make_workload, sorted_by_degree

MADE = [name for name in SUITES if name != "real"]
ON_GRAPHS = [name for name in MADE if SUITES[name].implementations is None]


@pytest.mark.parametrize("name", MADE)
def test_suites_name_what_there_is(name):
    suite = SUITES[name]
    for algorithm in suite.algorithms:
        assert algorithm == "auto" or skerry.algorithm(algorithm)
    assert suite.runs("cpu")[0] == suite.runs("cuda")[0] == "auto"
    options = ImplementationOptions(threads=2)
    assert next(iter(suite.compared(suite.device, options))).name == "auto"
    assert set(suite.studies) <= set(STUDIES)
    cases = suite.graphs(CaseOptions(0.01))
    assert [case.size for case in cases] == sorted(case.size for case in cases)
    assert len({case.name for case in cases}) == len(cases)


def test_the_papers_graphs():
    counts = {name: len(SUITES[name].graphs(CaseOptions(0.1))) for name in ON_GRAPHS}
    assert counts == {
        "eclcc": 18,
        "cong-muzio": 5,
        "gerasimou": 5,
        "families": 10,
        "smoke": 4,
        "small": 60,
        "gpu": 10,
    }
    for name in ("eclcc", "cong-muzio", "gerasimou"):
        cases = SUITES[name].graphs(CaseOptions(0.1))
        assert all(case.stand_in and case.published["vertices"] for case in cases)


def test_originals_are_taken_where_they_are(tmp_path):
    side = 1024
    grid = skerry.Edges(*_grid(side), side * side)
    np.savez(tmp_path / "2d-2e20.sym.npz", src=grid.src, dst=grid.dst)
    (tmp_path / "internet.txt").write_text("0 1\n1 2\n")
    (tmp_path / "README.md").write_text("no graph")
    cases = {case.name: case for case in SUITES["eclcc"].graphs(CaseOptions(0.1, tmp_path))}
    original = cases["2d-2e20.sym"]
    assert not original.stand_in and original.recipe is None and cases["in-2004"].stand_in
    assert original.make(1).num_vertices == side * side
    with pytest.raises(InputError, match="not the graph of the paper"):
        cases["internet"].make(1)


def test_originals_are_taken_from_the_folder_of_real_graphs(tmp_path, monkeypatch):
    (tmp_path / "internet.txt").write_text("0 1\n")
    part = run_command._Part("eclcc")
    monkeypatch.delenv("SKERRY_CORPUS_GRAPHS", raising=False)
    request = run_command.BenchRequest("eclcc")
    assert run_command._options(request, part).folder is None
    monkeypatch.setenv("SKERRY_CORPUS_GRAPHS", str(tmp_path))
    assert run_command._options(request, part).folder == tmp_path
    request = run_command.BenchRequest("eclcc", graphs=tmp_path / "other")
    assert run_command._options(request, part).folder == tmp_path / "other"


def _grid(side):
    ids = np.arange(side * side, dtype=np.int32).reshape(side, side)
    across = np.stack((ids[:, :-1].ravel(), ids[:, 1:].ravel()))
    down = np.stack((ids[:-1].ravel(), ids[1:].ravel()))
    return np.concatenate((across, down), axis=1)


def test_real_graphs(tmp_path):
    (tmp_path / "a.txt").write_text("5 9\n9 1000000\n7 8\n")
    (tmp_path / "b.edges.csv").write_text("source,target\nx,y\n")
    (tmp_path / "notes.md").write_text("no graph")
    runner = run_suite(Options("real", files=(tmp_path,), algorithms=("auto",)), None)
    graphs = {line.graph: line for line in runner.journal.lines.graphs.values()}
    assert {name: (g.vertices, g.components) for name, g in graphs.items()} == {
        "a.txt": (5, 2),
        "b": (2, 1),
    }
    with pytest.raises(InputError, match="say where"):
        plan_tasks(Options("real"))
    for wrong in (tmp_path / "none.txt", tmp_path / "empty"):
        (tmp_path / "empty").mkdir(exist_ok=True)
        with pytest.raises(InputError):
            plan_tasks(Options("real", files=(wrong,)))


@pytest.mark.parametrize("study", STUDIES)
@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_studies_name_what_there_is(study, device):
    row = STUDIES[study]
    assert suite_of(study) in SUITES
    if device not in row.devices:
        assert row.elsewhere
        return
    variants = [*row.variants(device, 4)]
    assert variants
    for one in variants:
        if one.algorithm != "auto":
            skerry.algorithm(one.algorithm).check_device(device)
    keys = [(one.algorithm, json.dumps(one.parameter), one.threads) for one in variants]
    assert len(set(keys)) == len(keys)


def test_variants_are_called_as_the_catalog_does():
    jumps = {one.parameter["jump"]: one.algorithm for one in STUDIES["jump"].variants("cpu", 1)}
    assert jumps["halving"] == "ecl" and jumps["none"] == "ecl[jump=none]" and len(jumps) == 4
    teams = [one.threads for one in STUDIES["threads"].variants("cpu", 6)][:4]
    assert teams == [1, 2, 4, 6]


@pytest.mark.parametrize("study", STUDIES)
def test_studies_run(study):
    wanted = Options(
        suite_of(study),
        scale=0.0005,
        threads=2,
        repeat=1,
        studies=(study,),
        only_studies=True,
        names=() if STUDIES[study].cases else (_smallest(suite_of(study)),),
    )
    lines = run_suite(wanted, None).journal.lines
    if STUDIES[study].devices == ("cuda",):
        assert lines.results == [] and [one.graph for one in lines.skipped] == ["*"]
        return
    assert lines.results and lines.skipped == []
    assert {one.study for one in lines.results} == {study}
    for one in lines.results:
        assert one.passes and one.suite == suite_of(study)
        counted = study in ("paths", "rounds")
        assert (one.statistics is not None) == counted
    if study == "rounds":
        assert all(one.statistics["rounds"] >= 1 for one in lines.results)
    if study == "paths":
        assert all(one.statistics["longest_path"] >= 1 for one in lines.results)
    assert study in markdown_tables(lines.results)


def _smallest(suite):
    return SUITES[suite].graphs(CaseOptions(0.0005))[0].name


def test_sorted_by_degree():
    graph = make_workload(recipe_case("hubs", generators.mawi.recipe(500, 4)), 1)
    moved = sorted_by_degree(graph)
    degrees = moved.csr.degrees().astype(int)
    assert (np.diff(degrees) <= 0).all()
    assert sorted(degrees) == sorted(graph.csr.degrees().astype(int))
    assert moved.components == graph.components and moved.name == graph.name


@pytest.mark.parametrize(
    "recipe",
    [
        generators.road.recipe(60),
        generators.delaunay.recipe(2000),
        generators.geometric.recipe(3000),
        generators.planted.recipe([5, 5, 9]),
        generators.grid.recipe(30, 40),
    ],
)
def test_expected_sizes_are_near(recipe):
    entries = make_workload(recipe_case("g", recipe), 1).csr.num_entries
    assert expected_entries(recipe) == pytest.approx(entries, rel=0.25)


def test_what_a_profiler_prints():
    lines = [
        "==PROF== Connected",
        '"ID","Kernel Name","Metric Name","Metric Value"',
        '"0","init","lts__t_sectors_op_read.sum","1,000"',
        '"0","init","lts__t_sectors_op_write.sum","20"',
        '"1","hook","lts__t_sectors_op_read.sum","500"',
        '"1","hook","something else","9"',
    ]
    assert counters.sums(lines) == {"l2_reads": 1500.0, "l2_writes": 20.0}
    with pytest.raises(UnsupportedError, match="counted nothing"):
        counters.sums(lines[:2])


def test_without_a_profiler(monkeypatch):
    case = recipe_case("g", generators.path.recipe(10))
    monkeypatch.setattr(counters, "which", lambda _: None)
    with pytest.raises(UnsupportedError, match="ncu"):
        counters.l2_counts(case, "ecl")
    monkeypatch.setattr(counters, "which", lambda _: "/bin/false")
    with pytest.raises(UnsupportedError, match="ncu failed"):
        counters.l2_counts(case, "ecl")


def invoke(*words):
    return CliRunner().invoke(app, ["bench", *map(str, words)])


def test_the_command_line(tmp_path):
    path = tmp_path / "r.jsonl"
    quick = ("--scale", 0.01, "--repeat", 1, "--algorithms", "auto,ecl[jump=none]")
    done = invoke("smoke", "grid", "tiny", *quick, "--peers", "none", "-o", path)
    assert done.exit_code == 0, done.output
    assert "| grid |" in done.output and "ecl[jump=none]" in done.output
    assert "6 results, 0 skipped" in done.output
    again = invoke("smoke", "grid", "tiny", *quick, "--peers", "none", "--continue", path)
    assert again.exit_code == 0 and len(read_results([path]).results) == 6
    both = invoke("smoke", *quick, "-o", path, "--continue", path)
    assert both.exit_code == 2 and "leave --output out" in both.output


def test_studies_and_all_on_the_command_line(tmp_path):
    path = tmp_path / "r.jsonl"
    quick = ("--scale", 0.00002, "--repeat", 1, "--threads", 1, "-o", path)
    done = invoke("study", "init", "reorder", *quick)
    assert done.exit_code == 0, done.output
    assert {run.suite for run in read_results([path]).runs.values()} == {"eclcc", "gerasimou"}
    assert {one.study for one in read_results([path]).results} == {"init", "reorder"}
    for wrong in (("study",), ("study", "nope"), ("all", "nope"), ("smoke", "nope")):
        assert invoke(*wrong, *quick).exit_code == 2
    done = invoke("growth", *quick)
    assert done.exit_code == 0 and "growth, cpu" in done.output
    done = invoke("all", "families", *quick, "--time-budget", "0.001s")
    assert done.exit_code == 0 and "0 results" in done.output


def test_lists_and_helps():
    listed = invoke("list").output
    for name in (*SUITES, *STUDIES):
        assert name in listed
    own_options = {command.__name__ for command in MICRO_EXAMPLES} | {"graphalytics"}
    assert {*EXAMPLES} | own_options == {*SUITES}
    for name in (*SUITES, "all", "study", "growth", "list", "peers"):
        done = invoke(name, "--help")
        assert done.exit_code == 0 and "Example" in done.output


def test_budgets_as_text():
    assert seconds_of(None) is None
    assert [seconds_of(text) for text in ("90", "90s", "20m", "1.5h")] == [90, 90, 1200, 5400]
    for wrong in ("", "soon", "-1", "0", "3d"):
        with pytest.raises(InputError, match="time budget"):
            seconds_of(wrong)


def test_labels_follow_the_order():
    graph = make_workload(recipe_case("t", generators.tiny.recipe(200)), 1)
    moved = sorted_by_degree(graph)
    assert skerry.verify(moved.edges, moved.labels)
    assert (moved.labels == skerry.connected_components(moved.edges).labels).all()


def test_lists_as_json():
    listed = json.loads(invoke("list", "--json").output)
    assert [suite["name"] for suite in listed["suites"]] == [*SUITES]
    assert [study["name"] for study in listed["studies"]] == [*STUDIES]
    peers = json.loads(invoke("peers", "--json").output)
    assert [peer["name"] for peer in peers] == [*PEERS]
    assert all((peer["missing"] is None) != (peer["version"] is None) for peer in peers)
    for peer in PEERS:
        assert peer in invoke("peers").output
