"""The time of a run is spread over its graphs and suites, and told where it does not suffice."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial

import pytest
from typer.testing import CliRunner

from lab.fake_peer import FakePeer
from skerry.cli.app import app
from skerry_bench.options import Options
from skerry_bench.peers.measured_peer import MeasuredPeer
from skerry_bench.results import read_results
from skerry_bench.run import run_suite
from skerry_bench.runtime_model import RuntimeModel
from skerry_bench.sampler import Clock, SamplingPolicy, take_samples
from skerry_bench.skerry_algorithms import SkerryAlgorithm
from skerry_bench.tasks import plan_tasks
from skerry_bench.time_budget import SMALL, TimeBudget, weight
from support.emulator import EmulatedRuntime


class FakeClock:
    """Shows what it is told to."""

    now = 100.0

    def __call__(self):
        return self.now


def test_what_one_does_not_use_is_the_others():
    clock = FakeClock()
    budget = TimeBudget(90.0, [1, 1, 1], clock)
    assert budget.next() == pytest.approx(30)
    clock.now += 2
    assert budget.spent() is None
    assert budget.next() == pytest.approx(44)
    clock.now += 45
    assert budget.spent(1.0) == "this graph's part of the run's time budget of 90 s is spent"
    assert budget.next() == pytest.approx(43)
    assert budget.spent() is None
    clock.now += 44
    assert budget.spent() == "the run's time budget of 90 s is spent"


def test_without_a_budget_there_are_no_shares():
    budget = TimeBudget(None, [1])
    assert budget.next() is None
    assert budget.left is None
    assert budget.spent(1e9) is None


def test_what_is_brief_is_measured_while_there_is_time():
    clock = FakeClock()
    budget = TimeBudget(1000.0, [1, 1], clock)
    budget.next()
    clock.now += 499
    assert budget.left == pytest.approx(1)
    assert budget.spent(300.0) is None  # what is begun may take longer
    clock.now += 2
    assert budget.left == 0
    assert budget.spent(1.0) is None
    assert budget.spent(1.1) == "this graph's part of the run's time budget of 1000 s is spent"
    clock.now += 500
    assert budget.spent(0.0) == "the run's time budget of 1000 s is spent"


def test_weights():
    assert weight(2, 10) == weight(2, SMALL) == 2 * weight(1, SMALL)
    assert weight(1, 100 * SMALL) == pytest.approx(10 * weight(1, SMALL))
    clock = FakeClock()
    budget = TimeBudget(60.0, [1, 5], clock)
    assert [budget.next() for _ in range(2)] == pytest.approx([10, 60])
    budget = TimeBudget(60.0, [0, 0], clock)  # all is there already: nothing is begun
    assert budget.next() == 60


@dataclass
class Slow(FakePeer):
    """Takes 13 seconds a call, by a clock of its own."""

    clock: FakeClock = field(default_factory=FakeClock)

    def solve(self, state):
        self.clock.now += 13.0
        return super().solve(state)


def measured_by(monkeypatch, clock, peers, seconds):
    """Who was measured on which graphs of four, and why others were not."""
    monkeypatch.setattr("skerry_bench.runner.TimeBudget", partial(TimeBudget, clock=clock))
    peers = {peer.name: peer for peer in peers}
    options = Options("smoke", scale=0.01, repeat=1, algorithms=("auto",), peers=peers)
    options = replace(options, budget=1000.0, time_budget=seconds)  # each call may take its time
    lines = run_suite(options, None).journal.lines
    graphs = {name: [] for name in ("auto", *peers)}
    for one in lines.results:
        if one.scope == "solve":
            graphs[one.implementation].append(one.graph)
    return graphs, [(one.implementation, one.graph, one.reason) for one in lines.skipped], lines


def test_a_slow_peer_leaves_others_their_time(monkeypatch):
    """Two calls take more than a quarter of the time: each of the four graphs has its own, and
    from the second on the slow one comes last."""
    clock = FakeClock()
    peers = [Slow("slow", scopes=("solve",), clock=clock), FakePeer("after", scopes=("solve",))]
    graphs, skipped, lines = measured_by(monkeypatch, clock, peers, 120.0)
    assert not skipped
    assert {name: len(found) for name, found in graphs.items()} == dict.fromkeys(graphs, 4)
    order = [one.implementation for one in lines.results if one.scope == "solve"]
    assert order[:3] == ["auto", "slow", "after"]
    assert order[5::3] == ["slow"] * 3


def test_a_graph_has_no_more_than_its_share(monkeypatch):
    """Of two that are slow, one is measured where there is no time for both."""
    clock = FakeClock()
    peers = [Slow(name, scopes=("solve",), clock=clock) for name in ("slow", "other")]
    graphs, skipped, _ = measured_by(monkeypatch, clock, peers, 120.0)
    assert len(graphs["auto"]) == 4
    assert len(graphs["slow"]) + len(graphs["other"]) == 5
    share = "this graph's part of the run's time budget of 120 s is spent"
    assert [reason for *_, reason in skipped[:2]] == [share] * 2
    assert skipped[-1][2] == "the run's time budget of 120 s is spent"


@dataclass
class Rounds(FakePeer):
    """Looks like ours on a GPU that is never done."""

    device: str = "cuda"


def test_what_was_stopped_is_known_to_be_slow():
    model, endless, other = RuntimeModel(SamplingPolicy()), Rounds("endless"), FakePeer("other")
    one, two = MeasuredPeer(endless, "solve", 1), MeasuredPeer(other, "solve", 1)
    assert model.expected(one, 100) == 0
    model.add_stopped(one, "grid", 10, 40.0)
    assert model.expected(one, 100) == pytest.approx(400)
    assert "took 40 s on this graph before" in model.too_slow(one, "grid", 10)
    assert model.too_slow(one, "path", 10) == "would take about 40 s, more than 12 s"
    model.add(two, "grid", 10, (1.0, 3.0, 2.0), 11.0)
    # Twice the size: four calls of 2 s take twice as long, and so does 1 of the 3 s beside them.
    assert model.expected(two, 20) == pytest.approx(16 + 2 + 2)
    assert model.too_slow(two, "path", 20) is None
    assert model.too_slow(two, "path", 100) == "would take about 20 s, more than 12 s"
    ours = SkerryAlgorithm("ecl", "cpu", 1)
    model.add(ours, "grid", 10, (1.0, 3.0, 2.0), 11.0)
    assert model.expected(ours, 20) == pytest.approx(16 + 3)
    assert model.too_slow(ours, "path", 10**6) is None  # it can be stopped


def test_suites_share_too(tmp_path):
    """With next to no time, each suite of all has its part and says what became of it."""
    path = tmp_path / "all.jsonl"
    words = ["all", "eclcc", "families", "--scale", "0.0005", "--time-budget", "1s"]
    done = CliRunner().invoke(app, ["bench", *words, "-o", str(path)])
    assert done.exit_code == 0, done.output
    runs = [*read_results([path]).runs.values()]
    assert [run.suite for run in runs] == ["eclcc", "families"]
    budgets = [run.options["time_budget"] for run in runs]
    assert 0 < budgets[0] < 1
    assert 0 < budgets[1] < 1


def test_what_takes_a_profiler_is_asked_for_by_name(monkeypatch):
    asked = []

    def no_run(options, *_, **__):
        asked.append(options)
        raise KeyboardInterrupt

    monkeypatch.setattr("skerry_bench.cli.run_command.run_suite", no_run)
    for words in (
        ["all", "eclcc", "--device", "cuda"],
        ["eclcc", "--studies", "own", "--device", "cuda"],
        ["study", "l2", "--device", "cuda"],
        ["eclcc", "--studies", "l2", "--only-studies", "--device", "cuda"],
        ["all", "eclcc"],
    ):
        done = CliRunner().invoke(app, ["bench", *words])
        told = "left out: l2" in done.output
        assert told == ("cuda" in words and "l2" not in words), done.output
        assert ("l2" in asked[-1].studies) == ("l2" in words)
        assert {"init", "jump"} <= set(asked[-1].studies) or "l2" in words


def test_a_gpu_is_sampled_for_a_second():
    assert Options("smoke", devices=("cuda",)).policy.budget == 1.0
    assert Options("smoke", devices=("cpu", "cuda")).policy.budget == 3.0
    assert Options("smoke", devices=("cuda",), budget=2.0).policy.budget == 2.0
    assert Options("smoke").recorded()["budget"] == 3.0


class Paced(EmulatedRuntime):
    """A device whose every call takes as long as it is told."""

    def __init__(self, seconds):
        self.each = seconds

    def record_event(self):
        return None

    def seconds(self, start, end):
        del start, end
        return self.each


@pytest.mark.parametrize(
    ("seconds", "calls"), [(0.001, 1 + 2 + 5), (0.1, 1 + 5), (0.3, 1 + 2), (0.6, 1)]
)
def test_calls_on_a_device(seconds, calls):
    """Short ones are warmed up more; long ones are sampled less."""
    count = []
    found = take_samples(
        lambda: count.append(1) or 7,
        lambda _: "count",
        SamplingPolicy(5, 1.0),
        Clock("device", Paced(seconds)),
    )
    assert len(count) == calls
    assert set(found.seconds) == {seconds}


def test_the_whole_suite_for_a_gpu_can_be_planned():
    """What `skerry bench all --device cuda` measures, without measuring it."""
    total = sum(
        len(tasks)
        for suite in ("eclcc", "cong-muzio", "gerasimou", "families")
        for _, tasks in plan_tasks(Options(suite, devices=("cuda",)))
    )
    assert total > 250
