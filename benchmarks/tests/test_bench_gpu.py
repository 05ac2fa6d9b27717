"""The suite ``gpu`` and its studies, run small on an emulated device."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

import skerry
from lab.emulated_gpu import emulated_gpu
from skerry.errors import InputError
from skerry_bench import gpu_device
from skerry_bench.cli.command import bench_app
from skerry_bench.microbenchmarks import gpu_calls, gpu_codes
from skerry_bench.microbenchmarks.gpu_graphs import GPU_GRAPHS
from skerry_bench.microbenchmarks.gpu_tables import (
    edge_list_bound,
    gather_rate,
    tables,
)
from skerry_bench.options import Options
from skerry_bench.run import run_suite
from skerry_bench.runner import Runner
from skerry_bench.studies import STUDIES
from skerry_bench.suites import SUITES
from support.emulator import works

pytestmark = pytest.mark.skipif(not works(), reason="needs a C++ compiler")

FEW = (gpu_codes.Ranking("few", ("ecl", "cc", "ecl[jump=none]"), ("grid1024", "road")),)


@pytest.fixture
def busy(monkeypatch):
    """Host arrays count as a device's; records how often the device was kept busy."""
    kept = []
    emulated_gpu(monkeypatch, keep_busy=lambda: kept.append(1))
    monkeypatch.setattr(gpu_codes, "RANKINGS", FEW)
    output = {"seconds": 0.2, "start": 1.0, "count": 1}
    monkeypatch.setattr(gpu_calls, "run_first_use", lambda *_: output)
    return kept


def run(*studies, **options):
    options = {"names": ("grid1024",), "scale": 1 / 128, "repeat": 2} | options
    return run_suite(Options("gpu", devices=("cuda",), studies=studies, **options), None).journal


def test_all_parts(busy):
    lines = run(*SUITES["gpu"].studies).lines
    assert lines.skipped == []
    by_study = {}
    for line in lines.results:
        by_study.setdefault(line.study, []).append(line)
    assert {*by_study} == {None, *SUITES["gpu"].studies}
    (rows,) = by_study[None]
    assert (rows.graph, rows.ran, rows.input, rows.clock) == ("grid1024", "rows", "csr", "device")
    assert len(rows.seconds) == 2
    graph = lines.graph_of(rows)
    assert graph.vertices == 91 * 91 and graph.entries == 4 * 91 * 90
    (queued,) = by_study["queued"]
    assert queued.clock == "queued" and len(busy) >= len(queued.seconds) == 2
    assert [line.parameter["order"] for line in by_study["edge-order"]] == ["generated", "shuffled"]
    assert {line.ran for line in by_study["edge-order"]} == {"stream"}
    assert len(by_study["kernels"][0].passes) > 3 and len(by_study["edge-kernels"][0].passes) > 3
    (paths,) = by_study["paths"]
    assert paths.statistics["average_path"] > 0 and paths.statistics["longest_path"] >= 1
    assert {line.implementation: line.input for line in by_study["codes"]} == {
        "ecl": "csr",
        "cc": "edges",
        "ecl[jump=none]": "csr",
    }
    assert len(by_study["calls"]) == 4 and {line.clock for line in by_study["calls"]} == {"wall"}
    assert len(by_study["first-use"]) == 4
    assert by_study["first-use"][0].statistics == {"start_seconds": 1.0}
    text = tables(lines.results, list(lines.graphs.values()))
    for title in (
        "auto on symmetric CSR",
        "auto on edge lists",
        "Kernels of auto, csr",
        "Kernels of auto, edges",
        "Path lengths of ecl",
        "few",
        "Calls",
    ):
        assert title in text


def test_the_device_is_kept_busy_only_for_queued_calls(busy):
    run()
    assert not busy


def test_calls_are_sampled_often(busy):
    del busy
    lines = run("calls", only_studies=True, repeat=None, budget=600.0).lines
    assert {len(line.seconds) for line in lines.results} == {gpu_calls.CALLS}


def test_level_synchronous_algorithms_are_not_run_on_deep_graphs():
    for name, graph in GPU_GRAPHS.items():
        for algorithm in ("bfs", "label-propagation", "ecl[jump=none]"):
            assert not (graph.deep and gpu_codes.applies(name, algorithm))


def test_rankings_name_graphs_and_algorithms():
    for ranking in gpu_codes.RANKINGS:
        assert {*GPU_GRAPHS} >= {*ranking.graphs}
        for name in ranking.algorithms:
            skerry.algorithm(name).check_device("cuda")


def test_a_failure_stops_only_itself(busy, monkeypatch):
    del busy
    measured = Runner._measured

    def broken(self, task, *rest):
        if task.study is None:
            raise MemoryError("full")
        return measured(self, task, *rest)

    monkeypatch.setattr(Runner, "_measured", broken)
    lines = run("edge-order").lines
    assert [line.study for line in lines.results] == ["edge-order"] * 2
    assert [line.reason for line in lines.skipped] == ["MemoryError: full"]


def test_bounds():
    assert gather_rate(1e6) == gather_rate(16e6) == 140e9
    assert gather_rate(64e6) == pytest.approx(65e9)
    assert 65e9 < gather_rate(32e6) < 140e9
    assert gather_rate(1e9) == 40e9
    assert edge_list_bound(1000, 4000) == pytest.approx(max(36_000 / 4.1e12, 8000 / 140e9))


@pytest.mark.parametrize("wrong", [{"studies": ("nope",)}, {"names": ("nope",)}])
def test_refused_names(busy, wrong):
    del busy
    with pytest.raises(InputError, match="nope"):
        run_suite(Options("gpu", devices=("cuda",), **wrong), None)


def test_studies_of_a_gpu_are_not_for_a_cpu():
    for name in ("queued", "edge-order", "edge-kernels", "codes", "calls", "first-use"):
        assert STUDIES[name].devices == ("cuda",) and STUDIES[name].elsewhere


def test_command_line_without_a_gpu(monkeypatch):
    def none():
        raise skerry.UnsupportedError("no NVIDIA GPU was found")

    monkeypatch.setattr(gpu_device, "this_gpu", none)
    done = CliRunner().invoke(bench_app, ["gpu"])
    assert done.exit_code == 2 and "no NVIDIA GPU" in done.output
