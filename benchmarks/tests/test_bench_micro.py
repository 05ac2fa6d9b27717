"""The suites of single parts: edges, ids, files, latency, small."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from skerry.cli.app import app
from skerry.errors import InputError
from skerry_bench.microbenchmarks import files, ids, small
from skerry_bench.options import Options
from skerry_bench.peers import PEERS
from skerry_bench.results import read_results
from skerry_bench.run import run_suite
from skerry_bench.tasks import plan_tasks
from skerry_bench.workload import WrongAnswerError


def run(suite, path=None, **options):
    return run_suite(Options(suite, **options), path).journal.lines


def invoke(*words):
    return CliRunner().invoke(app, ["bench", *map(str, words)])


def test_edges(tmp_path):
    pytest.importorskip("scipy")
    path = tmp_path / "r.jsonl"
    sizes = ("--vertices", 2000, "--edges", 3000, "--repeat", 2, "--threads", 1)
    done = invoke("edges", *sizes, "--peers", "scipy,pylibcugraph", "-o", path)
    assert done.exit_code == 0, done.output
    lines = read_results([path])
    (graph,) = lines.graphs.values()
    assert (graph.graph, graph.vertices, graph.edges) == ("int64", 2000, 3000)
    by_name = {line.implementation: line for line in lines.results}
    assert set(by_name) == {"auto", "scipy"}
    for line in by_name.values():
        assert line.scope == "end_to_end" and line.verified_by == "labels"
        assert len(line.seconds) == 2 and line.peak_bytes is not None
    assert by_name["auto"].input == "arrays"
    (run_line,) = lines.runs.values()
    assert run_line.options["parameters"] == {"vertices": 2000, "edges": 3000, "dtype": "int64"}
    assert "boost" not in PEERS and invoke("edges", *sizes, "--peers", "boost").exit_code == 2
    assert invoke("edges", *sizes, "--dtype", "float64").exit_code == 2
    assert invoke("edges", *sizes, "--dtype", "nonsense").exit_code == 2


def test_ids(tmp_path):
    pytest.importorskip("pandas")
    pytest.importorskip("scipy")
    path = tmp_path / "r.jsonl"
    sizes = ("--distinct", 300, "--pairs", 400, "--repeat", 1, "--threads", 1)
    done = invoke("ids", *sizes, "--peers", "pandas", "-o", path)
    assert done.exit_code == 0, done.output
    lines = read_results([path])
    assert lines.skipped == []
    assert {(line.graph, line.implementation) for line in lines.results} == {
        (kind, name) for kind in ids.KINDS for name in ("auto", "pandas+scipy")
    }
    assert {line.verified_by for line in lines.results} == {"count"}
    assert all(line.input == "table" and line.seconds for line in lines.results)
    for wrong in ({"kinds": ("float",)}, {"peers": ("boost",)}):
        with pytest.raises(InputError, match=r"float|boost"):
            plan_tasks(Options("ids", parameters=wrong))


def test_wrong_counts_of_tables_are_detected():
    workload = ids.TableWorkload("string", 50, 30, 1)
    assert workload.table.num_rows == 30
    count = ids._skerry(workload.table, 1).count
    assert workload.check(count) == "count"
    with pytest.raises(WrongAnswerError):
        workload.check(count + 1)


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "edges.txt"
    path.write_text("# pairs\n0\t1\n1\t2\n5\t4\n")
    return path


def test_files(text, tmp_path, monkeypatch):
    monkeypatch.setattr(files, "SOLVERS", {"skerry": files.SOLVERS["skerry"]})
    lines = run("files", files=(text,), repeat=2)
    (result,) = lines.results
    assert (result.implementation, result.input, result.components) == ("auto", "file", 3)
    assert len(result.seconds) == 2 and result.peak_bytes > 1e6
    assert result.statistics["cpu_seconds"] > 0
    assert [path.name for path in tmp_path.iterdir()] == ["edges.txt"]


def test_generated_files():
    workload = files.FileWorkload(None, 1, 1000, 2)
    folder = workload.path.parent
    assert workload.path.stat().st_size > 1e6 and workload.num_vertices == 1000
    assert workload.check(workload.components) == "count"
    with pytest.raises(WrongAnswerError):
        workload.check(0)
    del workload
    assert not folder.exists()


def test_readers_count_alike(text):
    assert files.SOLVERS["skerry"](str(text), 2) == 3
    pytest.importorskip("scipy")
    for name in ("polars", "pandas"):
        try:
            assert files.SOLVERS[name](str(text), 2) == 3
        except ImportError:
            continue


def test_latency(monkeypatch):
    monkeypatch.setattr("skerry_bench.microbenchmarks.latency.IMPORTS", 1)
    lines = run("latency", repeat=5)
    by_name = {line.implementation: line for line in lines.results}
    assert len(by_name["auto"].seconds) == 5 and by_name["auto"].verified_by == "labels"
    assert len(by_name["import skerry"].seconds) == 1
    assert by_name["import skerry"].seconds[0] > 0.001


def test_small():
    lines = run("small", scale=0.01, repeat=2, budget=0.02, names=("grid 1000", "web 2500"))
    assert len(lines.results) == 2 * len(small.ALGORITHMS)
    assert {line.threads for line in lines.results} == {1}
    assert all(len(line.seconds) == 2 for line in lines.results)
    table = small.tables(lines.results)
    assert "| auto / fastest | 1,000 | 2,500 |" in table and "| grid |" in table
    assert len(plan_tasks(Options("small"))) == 60
