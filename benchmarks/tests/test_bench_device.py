"""Suites and studies on an emulated GPU: the same runner, the same record, the same checksums."""

from __future__ import annotations

import pytest

from lab.emulated_gpu import emulated_gpu
from lab.fake_peer import FakePeer, make_ecl_wrong
from skerry import generators
from skerry_bench import run as run_module
from skerry_bench.cases import recipe_case
from skerry_bench.options import Options
from skerry_bench.results import Gpu
from skerry_bench.run import run_suite
from skerry_bench.sampler import SamplingPolicy
from skerry_bench.workload import make_workload, sorted_by_degree
from support.emulator import EmulatedRuntime, works

pytestmark = pytest.mark.skipif(not works(), reason="needs a C++ compiler")

DESCRIPTION = Gpu("emulated", "1.2", "13.2")


@pytest.fixture
def released(monkeypatch):
    """Host arrays are taken for a device's, and so are its kernels; how often memory is freed."""
    freed = []
    emulated_gpu(monkeypatch, DESCRIPTION, release=lambda: freed.append(None))
    return freed


def on_gpu(suite="smoke", **told):
    # Samples are taken until the budget is spent: emulated kernels on a busy machine need time.
    wanted = {"devices": ("cuda",), "scale": 0.005, "repeat": 2, "budget": 60.0} | told
    return run_suite(Options(suite, **wanted), None).journal


def test_a_suite(released):
    journal = on_gpu(algorithms=("auto", "ecl", "cc"))
    assert journal.run.machine.gpu.name == "emulated" and journal.run.machine.gpu.cuda == "13.2"
    assert len(released) == 4
    lines = journal.lines
    assert len(lines.results) == 4 * 4 and lines.skipped == []
    for one in lines.results:
        assert one.device == "cuda" and one.threads is None and len(one.seconds) == 2
        assert one.passes and one.peak_bytes > 0
        assert one.input == (
            "edges" if one.implementation == "cc" or one.scope == "end_to_end" else "csr"
        )
    assert {one.ran for one in lines.results if one.implementation == "auto"} == {"rows", "stream"}


def test_graphs_are_those_of_the_host(request):
    here = run_suite(Options("smoke", scale=0.005, algorithms=("auto",)), None)
    request.getfixturevalue("released")
    there = on_gpu(algorithms=("auto",)).lines.graphs
    facts = [
        {(line.graph, line.checksum, line.edges, line.entries, line.components) for line in lines}
        for lines in (there.values(), here.journal.lines.graphs.values())
    ]
    assert facts[0] == facts[1]


@pytest.mark.usefixtures("released")
@pytest.mark.parametrize("study", ["jump", "kernels", "thresholds", "l2"])
def test_studies_of_ecl(study, monkeypatch):
    monkeypatch.setattr("skerry_bench.counters.which", lambda _: None)
    lines = on_gpu(
        "eclcc", studies=(study,), only_studies=True, names=("internet",), scale=0.002
    ).lines
    if study == "l2":
        assert lines.results == [] and all("ncu" in one.reason for one in lines.skipped)
        return
    assert lines.skipped == [] and {one.study for one in lines.results} == {study}
    if study == "kernels":
        small = {"auto"}  # one launch does it all
        assert all(one.statistics for one in lines.results)
        assert all(len(one.passes) > 1 for one in lines.results if one.implementation not in small)
    if study == "thresholds":
        assert len({str(one.parameter) for one in lines.results}) == 9


@pytest.mark.usefixtures("released")
def test_counters_are_kept(monkeypatch):
    monkeypatch.setattr("skerry_bench.runner.l2_counts", lambda *_: {"l2_reads": 5.0})
    lines = on_gpu(
        "eclcc", studies=("l2",), only_studies=True, names=("internet",), scale=0.002
    ).lines
    assert [one.statistics for one in lines.results] == [{"l2_reads": 5.0}] * 4


@pytest.mark.usefixtures("released")
def test_orders_by_degree():
    lines = on_gpu(
        "gerasimou", studies=("reorder",), only_studies=True, names=("dictionary28",), scale=0.01
    ).lines
    assert lines.skipped == [] and len(lines.results) == 12
    assert {one.parameter["order"] for one in lines.results} == {"given", "degree"}


def test_sorted_by_degree_on_a_device(released):
    del released
    graph = make_workload(recipe_case("hubs", generators.mawi.recipe(300, 4)), 1, EmulatedRuntime())
    moved = sorted_by_degree(graph)
    assert moved.components == graph.components
    degrees = moved.csr.degrees().astype(int)
    assert list(degrees) == sorted(degrees, reverse=True)


@pytest.mark.usefixtures("released")
def test_peers_of_a_gpu_and_of_a_cpu(monkeypatch):
    monkeypatch.setattr(run_module, "versions", dict)
    peers = {name: FakePeer(name, device=name, scopes=("solve",)) for name in ("cpu", "cuda")}
    lines = on_gpu(peers=peers, algorithms=("auto",), scale=0.001).lines
    assert {one.implementation for one in lines.results if one.peer} == {"cuda"}
    assert lines.skipped == []


@pytest.mark.usefixtures("released")
def test_what_took_long_is_not_repeated(monkeypatch):
    """Not in a study of the same graph; a kernel cannot be stopped."""
    monkeypatch.setattr(SamplingPolicy, "slow", 0.0)
    told = {"names": ("internet",), "studies": ("devices",), "scale": 0.002}
    lines = on_gpu("eclcc", algorithms=("auto", "ecl"), **told).lines
    found = {(one.implementation, one.scope, one.study) for one in lines.results}
    whole = ("auto", "end_to_end", None)
    assert found == {("auto", "solve", None), ("ecl", "solve", None), whole}
    assert {one.study for one in lines.skipped} == {"devices"}
    assert all("on this graph before" in one.reason for one in lines.skipped)


@pytest.mark.usefixtures("released")
def test_peers_that_are_missing_are_told_and_the_others_measured():
    peers = {
        "here": FakePeer("here", device="cuda"),
        "gone": FakePeer("gone", device="cuda", missing="gone is not installed"),
    }
    lines = on_gpu(peers=peers, algorithms=("auto",), scale=0.001, names=("grid", "tiny")).lines
    assert {(one.implementation, one.scope) for one in lines.results if one.peer} == {
        ("here", "solve"),
        ("here", "end_to_end"),
    }
    assert [(one.implementation, one.graph, one.reason) for one in lines.skipped] == [
        ("gone", "*", "gone is not installed")
    ] * 2


@pytest.mark.usefixtures("released")
def test_wrong_answers_of_a_gpu(monkeypatch):
    make_ecl_wrong(monkeypatch)
    journal = on_gpu(algorithms=("auto", "ecl"), names=("tiny",))
    assert {one.implementation for one in journal.lines.results} == {"auto"}
    assert "WRONG ANSWER" in journal.lines.skipped[0].reason
