"""The GPU's measurements, run small on an emulated device: what they keep, print and refuse."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

import skerry
import skerry.engines.device
import skerry.inputs.recognize
from skerry.errors import InputError
from skerry.generators.device import uniform
from skerry_bench import gpu, gpu_calls, gpu_papers
from skerry_bench.cli.command import bench_app
from skerry_bench.gpu_graphs import CASES, build
from skerry_bench.gpu_measure import Bench, Sheet
from skerry_bench.gpu_ours import floor_of_edges, gather_rate, show_ours
from skerry_bench.gpu_papers import ORDERS
from skerry_bench.record import Record
from support.emulator import EmulatedRuntime, works

pytestmark = pytest.mark.skipif(not works(), reason="needs a C++ compiler")

FACTS = {"device": "emulated", "driver": "none", "cupy": "none"}
FEW = (gpu_papers.Order("few", ("ecl", "cc", "ecl[jump=none]"), ("grid1024", "road")),)


@pytest.fixture
def bench(monkeypatch):
    """Host arrays are taken for a device's, and so are its kernels."""
    runtime = EmulatedRuntime()
    monkeypatch.setattr(skerry.engines.device, "find_runtime", lambda _: runtime)
    monkeypatch.setattr(skerry.inputs.recognize, "device_of", lambda _: 0)
    monkeypatch.setattr(gpu_papers, "ORDERS", FEW)
    used = iter([{"edges": 2.0, "csr": 1.0}, {"edges": 0.2, "csr": 0.1}])
    monkeypatch.setattr(gpu_calls, "first_use", lambda _: next(used))
    return Bench(runtime, times=2, warm=1, calls=3, scale=1 / 128)


def test_a_whole_run(bench, tmp_path, capsys):
    path = tmp_path / "results.jsonl"
    gpu.run(Record(path), bench, FACTS, graphs=["grid1024"])
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert "commit" in lines[0]["machine"] and "date" in lines[0]["machine"]
    assert lines[1].items() >= FACTS.items()
    kept = {}
    for line in lines[1:]:
        kept.setdefault(line["part"], []).append(line)
    (rows,) = kept["rows"]
    assert rows["graph"] == "grid1024" and rows["ran"] == "skip" and rows["form"] == "csr"
    assert rows["n"] == 91 * 91 and rows["m"] == 4 * 91 * 90
    assert rows["ms"] > 0 and len(rows["samples"]) == 2 and "ecl_cc_ratio" not in rows
    assert rows["queued_ms"] > 0 and len(rows["queued_samples"]) == 2
    assert [line["order"] for line in kept["edges"]] == ["generated", "shuffled"]
    assert all(line["floor_ms"] > 0 and line["ran"] == "stream" for line in kept["edges"])
    assert [line["form"] for line in kept["kernels"]] == ["csr", "edges"]
    assert all(len(line["microseconds"]) > 3 for line in kept["kernels"])
    (paths,) = kept["paths"]
    assert paths["average"] > 0 and paths["longest"] >= 1
    assert [line["algorithm"] for line in kept["papers"]] == ["ecl", "cc", "ecl[jump=none]"]
    assert [line["form"] for line in kept["papers"]] == ["csr", "edges", "csr"]
    assert len(kept["calls"]) == 8
    printed = capsys.readouterr().out
    for title in (
        "auto on symmetric CSR",
        "auto on edge lists",
        "Kernels of auto",
        "| few",
        "Calls",
    ):
        assert title.strip("| ") in printed


def test_deep_graphs_are_spared():
    deep = next(case for case in CASES if case.name == "road")
    assert FEW[0].runs(deep) == ["ecl", "cc"]
    for order in ORDERS:
        for case in CASES:
            slow = {"bfs", "label-propagation", "ecl[jump=none]"} & {*order.runs(case)}
            assert not (slow and case.deep)


def test_orders_name_what_there_is():
    names = {case.name for case in CASES}
    for order in ORDERS:
        assert names >= {*order.graphs}
        for name in order.algorithms:
            skerry.algorithm(name).check_device("cuda")


def test_a_budget_ends_a_measurement(bench):
    given = build(bench.runtime, CASES[0], 1 / 4096)
    bench.budget = 0.0
    assert len(bench.measure(given, "ecl")[1].samples) == 1
    bench.budget, bench.times = 60.0, 4
    assert len(bench.measure(given, "ecl")[1].samples) == 4


def test_wrong_answers_are_found(bench):
    given = build(bench.runtime, CASES[0], 1 / 4096)
    answer = given.solve("ecl")
    given.check(answer, "ecl")
    answer.labels[-1] = 1
    with pytest.raises(RuntimeError, match="differ on grid1024"):
        given.check(answer, "ecl")


def test_a_failure_stops_only_itself(bench, monkeypatch):
    def broken(*_):
        raise MemoryError("full")

    monkeypatch.setitem(gpu.ON_GRAPHS, "rows", broken)
    bench.scale = 1 / 4096
    sheets = []
    monkeypatch.setattr(gpu, "Sheet", lambda record: sheets.append(Sheet(record)) or sheets[-1])
    with pytest.raises(gpu.MeasurementError, match=r"1 measurements failed.*full"):
        gpu.run(Record(None), bench, FACTS, parts=["rows", "edges"], graphs=["grid1024"])
    assert len(sheets[0].of("edges")) == 2 and sheets[0].of("failed")[0]["during"] == "rows"


def test_means_leave_out_what_would_rule_them():
    sheet = Sheet(Record(None))
    for ratio, counts in ((2.0, True), (8.0, True), (1e6, False)):
        result = {"ecl_cc_ratio": ratio, "ecl_cc_ratio_queued": 2 * ratio}
        result |= {"sketch_ratio": 1.0, "sketch_ratio_queued": 1.0, "in_mean": counts}
        sheet.add("rows", graph="g", **result)
    show_ours(sheet)
    (mean,) = sheet.of("mean")
    assert mean["ecl_cc_ratio"] == pytest.approx(4.0) and mean["graphs"] == 2
    assert mean["ecl_cc_ratio_queued"] == pytest.approx(8.0)


def test_a_busy_device(bench):
    """It is given something else before each sample that is to queue, and only then."""
    given = build(bench.runtime, CASES[0], 1 / 4096)
    kept = []
    bench.keep_busy = lambda: kept.append(1)
    bench.measure(given, "ecl")
    assert not kept
    _, timing = bench.measure(given, "ecl", busy=True)
    assert len(kept) >= len(timing.samples) == 2


def test_floors():
    assert gather_rate(1e6) == gather_rate(16e6) == 140e9
    assert gather_rate(64e6) == pytest.approx(65e9)
    assert 65e9 < gather_rate(32e6) < 140e9
    assert gather_rate(1e9) == 40e9
    edges = uniform(EmulatedRuntime(), 1000, 4000)
    assert floor_of_edges(edges) == pytest.approx(max(36_000 / 4.1e12, 8000 / 140e9))


@pytest.mark.parametrize("wrong", [{"parts": ["nope"]}, {"graphs": ["nope"]}])
def test_refused_names(bench, wrong):
    with pytest.raises(InputError, match="nope"):
        gpu.run(Record(None), bench, FACTS, **wrong)


def test_command_line_without_a_gpu(monkeypatch):
    def none(_):
        raise skerry.UnsupportedError("no NVIDIA GPU was found")

    monkeypatch.setattr(gpu, "this_gpu", none)
    done = CliRunner().invoke(bench_app, ["gpu", "--quick"])
    assert done.exit_code == 2 and "no NVIDIA GPU" in done.output
