"""The benchmark's runner: what it keeps, what it refuses, and that nobody lies to it unseen."""

from __future__ import annotations

import dataclasses
import time

import numpy as np
import pytest

import skerry
from lab.fake_peer import FakePeer, make_ecl_wrong, with_a_wrong_label
from skerry.errors import InputError
from skerry.graph.build import csr_from_edges
from skerry_bench import run as run_module
from skerry_bench import runner as runner_module
from skerry_bench.cases import CaseOptions
from skerry_bench.checksum import checksum
from skerry_bench.implementation import PeerAnswer
from skerry_bench.memory import with_peak
from skerry_bench.options import Options
from skerry_bench.results import read_lines, read_results
from skerry_bench.run import choose_peers, devices_of, run_suite
from skerry_bench.sampler import SamplingPolicy, TimeLimitError, take_samples, time_limit
from skerry_bench.suites import SUITES
from skerry_bench.workload import WrongAnswerError, make_workload, same_partition

QUICK = Options("smoke", scale=0.01, repeat=2, algorithms=("auto", "ecl"))


def options(**changes):
    return dataclasses.replace(QUICK, **changes)


def run(wanted, path=None, **told):
    """The lines that a run leaves."""
    runner = run_suite(wanted, path, **told)
    return runner, runner.journal.lines


def work():
    return make_workload(SUITES["smoke"].graphs(CaseOptions(0.01))[0], 1)


def test_a_run_leaves_a_record(tmp_path):
    path = tmp_path / "deep" / "r.jsonl"
    runner, _ = run(options(peers={"fake": FakePeer()}), path)
    assert runner.wrong == []
    found = read_results([path])
    (line,) = found.runs.values()
    assert line.suite == "smoke" and line.versions["fake"] == "1.0" and line.machine.cores
    assert line.options["scale"] == 0.01 and line.options["repeat"] == 2
    assert {graph for _, graph in found.graphs} == {"grid", "random", "tiny", "path"}
    whom = {(one.implementation, one.scope, one.input) for one in found.results}
    assert whom == {
        ("auto", "solve", "csr"),
        ("auto", "end_to_end", "edges"),
        ("ecl", "solve", "csr"),
        ("fake", "solve", "csr"),
        ("fake", "end_to_end", "edges"),
    }
    for one in found.results:
        graph = found.graph_of(one)
        assert one.components == graph.components and one.verified and one.verified_by == "labels"
        assert len(one.seconds) == 2 and min(one.seconds) > 0
        assert (one.ran is not None) == (one.implementation == "auto")
        assert one.peer == (one.implementation == "fake")
        assert bool(one.passes) != one.peer


def test_facts_of_graphs():
    _, lines = run(options(names=("grid", "tiny")))
    graphs = {name: line for (_, name), line in lines.graphs.items()}
    grid = graphs["grid"]
    side = round(grid.vertices**0.5)
    assert grid.vertices == side * side and grid.edges == 2 * side * (side - 1)
    assert grid.entries == 2 * grid.edges and grid.components == 1 and not grid.stand_in
    assert grid.recipe == f"grid({side}, {side})" and graphs["tiny"].recipe.endswith("by 1)")


LIES = {
    "all the same": lambda found: np.zeros_like(found.labels),
    "all apart": lambda found: np.arange(len(found.labels)),
    "one vertex split off": lambda found: np.append(found.labels[:-1], len(found.labels) + 1),
    "two members swapped": lambda found: _swapped(found.labels),
    "too few labels": lambda found: found.labels[:-1],
    "a count too many": lambda found: found.count + 1,
    "a count of its own clock": lambda found: PeerAnswer(count=found.count - 1, seconds=(0.1,)),
}


def _swapped(labels):
    labels = labels.copy()
    other = np.flatnonzero(labels != labels[0])[0]
    labels[[0, other]] = labels[[other, 0]]
    return labels


@pytest.mark.parametrize("lie", LIES)
def test_lies_are_found(lie):
    liar = FakePeer("liar", answer=LIES[lie])
    runner, lines = run(options(peers={"liar": liar}, names=("tiny",)))
    assert not [one for one in lines.results if one.peer]
    skipped = [one for one in lines.skipped if one.implementation == "liar"]
    assert len(skipped) == 2 and all("WRONG ANSWER" in one.reason for one in skipped)
    assert len(runner.wrong) == 2 and "liar on tiny" in runner.wrong[0]
    assert [one for one in lines.results if one.implementation == "auto"]


def test_our_own_wrong_answers_are_found(monkeypatch):
    make_ecl_wrong(monkeypatch)
    runner, lines = run(options(names=("tiny",)))
    assert len(runner.wrong) == 1 and "ecl on tiny" in runner.wrong[0]
    assert {one.implementation for one in lines.results} == {"auto"}


def test_the_first_answer_is_checked_by_other_means(monkeypatch):
    right = skerry.connected_components

    def wrong(graph, **options):
        n = len(right(graph, **options).labels)
        return right((np.zeros(n, int), np.arange(n)), num_vertices=n)

    monkeypatch.setattr(skerry, "connected_components", wrong)
    runner, lines = run(options(names=("tiny",)))
    assert lines.results == [] and "WRONG ANSWER" in lines.skipped[0].reason and runner.wrong


def test_answers_that_only_count():
    counter = FakePeer("counter", answer=lambda found: found.count, scopes=("solve",))
    clock = FakePeer(
        "clock", answer=lambda found: PeerAnswer(count=found.count, seconds=(0.5, 0.7, 0.9))
    )
    _, lines = run(options(peers={"counter": counter, "clock": clock}, names=("grid",)))
    counted = {(one.implementation, one.scope): one for one in lines.results if one.peer}
    assert counted["counter", "solve"].verified_by == "count"
    assert counted["clock", "end_to_end"].seconds == (0.5, 0.7, 0.9)
    assert len(counter.calls) == 1 + 3 and len(clock.calls) == 2 + 1  # no repeats of its repeats


def test_peers_that_cannot_take_part():
    peers = {
        "gone": FakePeer("gone", missing="gone is not installed"),
        "small": FakePeer("small", max_entries=10),
    }
    _, lines = run(options(peers=peers, names=("grid", "tiny")))
    assert not [one for one in lines.results if one.peer]
    gone = [one for one in lines.skipped if one.implementation == "gone"]
    assert {(one.graph, one.reason) for one in gone} == {("*", "gone is not installed")}
    small = {one.graph for one in lines.skipped if one.implementation == "small"}
    assert small == {"grid", "tiny"}


def test_peers_that_break():
    def broken(_):
        raise ValueError("cannot\ndo it")

    _, lines = run(options(peers={"b": FakePeer("b", answer=broken)}, names=("grid",)))
    assert {one.reason for one in lines.skipped} == {"ValueError: cannot do it"}
    assert len(lines.results) == 3


def test_slow_peers_are_not_waited_for_again():
    slow = FakePeer("slow", seconds=0.05, scopes=("solve",))
    _, lines = run(options(peers={"slow": slow}, budget=0.02, repeat=5))
    measured = [one for one in lines.results if one.peer]
    assert measured and len(measured[0].seconds) == 1
    skipped = {one.graph: one.reason for one in lines.skipped if one.implementation == "slow"}
    assert "would take about" in skipped["random"]


def test_ours_is_stopped(monkeypatch):
    right = skerry.connected_components
    finished = []

    def slow(graph, algorithm="auto", **told):
        if algorithm == "ecl":
            time.sleep(60)
            finished.append(algorithm)
        return right(graph, algorithm=algorithm, **told)

    monkeypatch.setattr(skerry, "connected_components", slow)
    _, lines = run(options(names=("grid",), budget=0.05))
    assert [one.reason for one in lines.skipped] == ["did not finish within 0.2 s"]
    assert not finished


def test_the_time_of_the_whole_run():
    _, lines = run(options(time_budget=1e-9))
    assert lines.results == [] and lines.graphs == {}
    assert len(lines.skipped) == 4 * 3
    assert "time budget" in lines.skipped[0].reason


def test_graphs_that_do_not_fit(monkeypatch):
    monkeypatch.setattr(runner_module, "memory_free", lambda: 1000)
    _, lines = run(options(names=("grid",)))
    assert lines.results == [] and "are free" in lines.skipped[0].reason


def test_a_run_goes_on(tmp_path):
    path = tmp_path / "r.jsonl"
    peers = {"fake": FakePeer(scopes=("solve",))}
    run(options(peers=peers), path)
    whole = path.read_text().splitlines(keepends=True)
    cut = len(whole) // 2
    path.write_text("".join(whole[:cut]) + whole[cut][:25])
    before = [*read_lines(path)]
    fresh = FakePeer(scopes=("solve",))
    _, lines = run(options(peers={"fake": fresh}, time_budget=1e9), path, resume=True)
    after = [*read_lines(path)]
    assert after[: len(before)] == before
    assert [one.kind for one in after].count("run") == 1
    keys = [one.key for one in lines.results]
    assert len(keys) == len(set(keys)) == 16
    done = {one.graph for one in before if one.kind == "result" and one.peer}
    assert not done & {call[1] for call in fresh.calls if call[0] == "prepare"}
    size = path.stat().st_size
    run(options(peers={"fake": fresh}), path, resume=True)
    assert path.stat().st_size == size


def test_a_stopped_run_keeps_what_it_has(tmp_path):
    path = tmp_path / "r.jsonl"

    def interrupted(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(options(peers={"f": FakePeer("f", answer=interrupted)}), path)
    assert [one.implementation for one in read_lines(path) if one.kind == "result"] == [
        "auto",
        "ecl",
        "auto",
    ]


@pytest.mark.parametrize(
    ("change", "name"), [({"scale": 0.02}, "scale"), ({"repeat": 3}, "repeat")]
)
def test_another_run_is_not_continued(tmp_path, change, name):
    path = tmp_path / "r.jsonl"
    run(options(names=("grid",)), path)
    with pytest.raises(InputError, match=f"its {name} is"):
        run(options(names=("grid",), **change), path, resume=True)


def test_what_cannot_be_continued(tmp_path, monkeypatch):
    path = tmp_path / "r.jsonl"
    with pytest.raises(InputError, match="cannot be continued"):
        run(options(), path, resume=True)
    path.write_text('{"what": "an older record"}\n')
    with pytest.raises(InputError, match="no run of smoke"):
        run(options(), path, resume=True)
    run(options(names=("grid",)), path)
    monkeypatch.setattr(run_module, "this_commit", lambda: "another")
    with pytest.raises(InputError, match="its commit is"):
        run(options(names=("grid",)), path, resume=True)


@pytest.mark.parametrize(
    "wrong",
    [
        {"suite": "nope"},
        {"studies": ("nope",)},
        {"scale": 0.0},
        {"algorithms": ("nope",)},
        {"names": ("nope",)},
    ],
)
def test_refused_options(tmp_path, wrong):
    with pytest.raises(skerry.SkerryError):
        run(options(**wrong), tmp_path / "r.jsonl")
    assert not (tmp_path / "r.jsonl").exists()


def test_devices_and_peers_by_name(monkeypatch):
    assert devices_of("both") == ("cpu", "cuda")
    with pytest.raises(InputError, match="tpu"):
        devices_of("tpu")
    peers = {"here": FakePeer("here"), "gone": FakePeer("gone", missing="is not installed")}
    monkeypatch.setattr(run_module, "known_peers", lambda: peers)
    assert choose_peers("none") == {}
    assert [*choose_peers("installed")] == ["here"]
    assert [*choose_peers("all")] == [*choose_peers("gone, here")][::-1] == ["here", "gone"]
    with pytest.raises(InputError, match="no peer 'scipi'"):
        choose_peers("scipi")


def test_without_a_gpu_the_rest_is_measured(monkeypatch):
    def none():
        raise skerry.UnsupportedError("no NVIDIA GPU was found")

    monkeypatch.setattr("skerry_bench.gpu_device.this_gpu", none)
    _, lines = run(options(devices=("cpu", "cuda"), names=("grid",)))
    assert {one.device for one in lines.results} == {"cpu"}
    told = {(one.graph, one.device, one.reason) for one in lines.skipped}
    assert told == {("*", "cuda", "no NVIDIA GPU was found")}
    with pytest.raises(skerry.UnsupportedError):
        run(options(devices=("cuda",)))


def test_checksums_are_the_same_everywhere():
    edges = skerry.Edges(np.array([0, 1, 3]), np.array([1, 2, 4]), 6)
    graph = csr_from_edges(edges)
    assert checksum(graph) == checksum(graph, threads=2) == "82b4d5dfbd56f502a581778d82656495"
    wide = skerry.Csr(graph.offsets.copy(), graph.neighbors.astype(np.uint64), True)
    swapped = skerry.Csr(graph.offsets.astype(">u8"), graph.neighbors.astype(">u4"), symmetric=True)
    assert checksum(wide) == checksum(swapped) == checksum(graph)
    other = csr_from_edges(skerry.Edges(np.array([0, 1, 3]), np.array([1, 2, 5]), 6))
    assert checksum(other) != checksum(graph)
    more = csr_from_edges(skerry.Edges(np.array([0, 1, 3]), np.array([1, 2, 4]), 7))
    assert checksum(more) != checksum(graph)


def test_partitions():
    smallest = np.array([0, 0, 2, 2, 4])
    assert same_partition(np.array([9, 9, 3, 3, 1]), smallest, 3)
    for wrong in ([9, 9, 3, 3, 3], [9, 9, 3, 1, 1], [9, 3, 3, 3, 1], [9, 9, 9, 9, 1]):
        assert not same_partition(np.array(wrong), smallest, 3)


def test_labels_must_be_ours_bit_by_bit():
    graph = work()
    found = skerry.connected_components(graph.csr, threads=1)
    assert graph.check(found) == "labels"
    with pytest.raises(WrongAnswerError):
        graph.check(with_a_wrong_label(skerry.connected_components, found))


def test_samples_within_a_budget():
    calls = []

    def call():
        calls.append(None)
        time.sleep(0.01)
        return 1

    assert len(take_samples(call, lambda _: "count", SamplingPolicy(3, 10.0)).seconds) == 3
    assert len(calls) == 4
    assert (
        len(
            take_samples(call, lambda _: "count", SamplingPolicy(3, 0.001), stoppable=False).seconds
        )
        == 1
    )
    assert (
        1
        <= len(
            take_samples(call, lambda _: "count", SamplingPolicy(30, 0.05), stoppable=False).seconds
        )
        < 30
    )


def test_a_limit_of_time():
    with pytest.raises(TimeLimitError), time_limit(0.02):
        time.sleep(2)
    with time_limit(0.02):
        pass
    time.sleep(0.03)


def test_peaks_of_memory():
    made, peak = with_peak(lambda: np.ones(4_000_000))
    assert peak is None or peak > 0.9 * made.nbytes
    _, small = with_peak(lambda: np.ones(10))
    assert small is None or small < made.nbytes


def test_samples_past_the_budget():
    """A minimum of samples is taken even if the budget is spent."""
    policy = SamplingPolicy(10, 0.001, patience=1000, min_samples=3)
    samples = take_samples(lambda: time.sleep(0.01) or 1, lambda _: "count", policy)
    assert len(samples.seconds) == 3
