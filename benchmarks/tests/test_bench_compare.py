"""Comparing two records: regressions are found, noise is not, and intervals keep their promise."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
from typer.testing import CliRunner

from skerry.errors import InputError
from skerry_bench.cli.command import bench_app
from skerry_bench.compare import compare_results, ratio_interval
from skerry_bench.results import GraphLine, Machine, Result, Results, RunLine, encode

GRAPHS = [f"g{number}" for number in range(12)]


def record(times, *, noise=0.02, samples=7, seed=0, checksums=None, machine="a cpu", **told):
    """A run in which implementation and graph take that long; ``times`` maps them to seconds."""
    random = np.random.default_rng(seed)
    run = RunLine("r", "2026-01-01T00:00:00", "s", Machine(machine, 2), {}, "c", {})
    lines = [run]
    for graph in sorted({graph for _, graph in times}):
        checksum = (checksums or {}).get(graph, "same")
        lines.append(GraphLine("r", graph, False, "f", 1, 1, 2, 1, checksum))
    for (implementation, graph), seconds in times.items():
        drawn = seconds * np.exp(random.normal(0, noise, samples))
        peer = implementation == "scipy"
        lines.append(
            Result(
                "r",
                "s",
                graph,
                implementation,
                "cpu",
                tuple(drawn),
                1,
                peer=peer,
                threads=2,
                **told,
            )
        )
    return lines


def of(*lines):
    return Results(line for some in lines for line in some)


def steady(implementation="auto", factor=1.0):
    return {(implementation, graph): factor * 0.01 * (i + 1) for i, graph in enumerate(GRAPHS)}


def test_a_regression_is_found():
    after = steady() | {("auto", "g3"): 0.04 * 1.2}
    found = compare_results(of(record(steady())), of(record(after, seed=1)))
    (worse,) = found.regressions(0.05)
    assert worse.result.graph == "g3" and found.changes[0] is worse
    assert 1.1 < worse.low < worse.ratio < worse.high < 1.3 and worse.verdict == "slower"
    assert not found.regressions(0.5)
    assert found.skerry.count == 12 and found.skerry.low < found.skerry.ratio < found.skerry.high
    assert worse.name == "auto solve on g3 (2 threads)"


def test_a_gain_is_no_regression():
    found = compare_results(of(record(steady())), of(record(steady(factor=0.7), seed=1)))
    assert {one.verdict for one in found.changes} == {"faster"}
    assert not found.regressions(0.0) and found.skerry.high < 0.75


@pytest.mark.parametrize("seed", range(5))
def test_noise_is_no_regression(seed):
    before, after = (of(record(steady(), noise=0.1, seed=2 * seed + part)) for part in (0, 1))
    found = compare_results(before, after)
    assert not found.regressions(0.05)
    assert sum(one.verdict == "no difference" for one in found.changes) >= 10
    assert found.skerry.low < 1 < found.skerry.high


def spiky(random, size):
    return 1 + random.exponential(0.05, size) + (random.random(size) < 0.1) * random.random(size)


def even(random, size):
    return np.exp(random.normal(0, 0.05, size))


@pytest.mark.parametrize("draw", [spiky, even])
@pytest.mark.parametrize("samples", [5, 7, 15])
def test_intervals_hold_the_truth_as_often_as_they_say(draw, samples):
    """Of 300 pairs without a difference, 95 % and no fewer than chance allows (3 sigma: 3.8 %)."""
    random = np.random.default_rng(samples)
    held = 0
    for seed in range(300):
        low, high = ratio_interval(draw(random, samples), draw(random, samples), 0.95, seed)
        held += low <= 1 <= high
    assert held / 300 > 0.95 - 0.038


def test_wider_confidence_is_wider():
    random = np.random.default_rng(2)
    before, after = even(random, 9), even(random, 9)
    narrow, wide = (ratio_interval(before, after, level) for level in (0.8, 0.99))
    assert wide[0] <= narrow[0] < narrow[1] <= wide[1]


def test_the_same_answer_every_time():
    before, after = of(record(steady())), of(record(steady(), seed=1))
    assert compare_results(before, after) == compare_results(before, after)


def test_few_samples_tell_nothing():
    few = record(steady(factor=3), samples=4, seed=1)
    found = compare_results(of(record(steady())), of(few))
    assert {one.verdict for one in found.changes} == {"too few samples"}
    assert found.skerry is None and not found.regressions(0.05)
    assert found.changes[0].samples == (7, 4)


def test_peers_are_the_control():
    before = record(steady() | steady("scipy"))
    after = record(steady() | steady("scipy", 1.3), seed=1)
    found = compare_results(of(before), of(after))
    assert found.peers.low > 1.2 and found.skerry.high < 1.05
    assert not found.regressions(0.05)


def test_what_is_in_one_only():
    before = steady() | {("ecl", "g0"): 1.0}
    after = steady() | {("ecl", "g1"): 1.0, ("ecl", "g2"): 1.0}
    found = compare_results(of(record(before)), of(record(after)))
    assert (found.only_before, found.only_after) == (1, 2) and len(found.changes) == 12


def test_other_graphs_are_left_out():
    after = record(steady(factor=2), checksums={"g1": "other"})
    found = compare_results(of(record(steady())), of(after))
    assert found.other_graphs == ("g1",) and len(found.changes) == 11


def test_other_machines():
    before, after = of(record(steady())), of(record(steady(), machine="b cpu"))
    assert compare_results(before, after).machines == ("a cpu, 2 cores", "b cpu, 2 cores")
    both = of(record(steady()))
    for line in of(record(steady(factor=9), machine="b cpu")).results:
        both.add(Result(**{**_fields(line), "run": "q"}))
    both.add(RunLine("q", "2026", "s", Machine("b cpu", 2), {}, "c", {}))
    found = compare_results(before, both)
    assert found.machines is None and found.skerry.ratio == pytest.approx(1)
    third = of(record(steady(), machine="c cpu"))
    with pytest.raises(InputError, match="no machine is in both records, and the first has 2"):
        compare_results(both, third)


def _fields(line):
    return {field.name: getattr(line, field.name) for field in dataclasses.fields(line)}


def test_what_cannot_be_compared():
    with pytest.raises(InputError, match="first record has no results"):
        compare_results(of(), of(record(steady())))
    with pytest.raises(InputError, match="no measurement is in both"):
        compare_results(of(record(steady())), of(record(steady("ecl"))))
    with pytest.raises(InputError, match="graphs of the same name differ"):
        other = record({("auto", "g0"): 1.0}, checksums={"g0": "x"})
        compare_results(of(record(steady())), of(other))
    with pytest.raises(InputError, match="confidence"):
        compare_results(of(), of(), confidence=1.0)


def test_a_study_is_named():
    told = {"study": "init", "parameter": {"init": "own"}}
    before, after = (record({("ecl", "g0"): 1.0}, seed=seed, **told) for seed in (0, 1))
    (one,) = compare_results(of(before), of(after)).changes
    assert one.name == "ecl solve on g0 (2 threads) [init, init=own]"


@pytest.fixture
def compare(tmp_path):
    def run(before, after, *options):
        paths = []
        for name, lines in (("a", before), ("b", after)):
            paths.append(tmp_path / f"{name}.jsonl")
            paths[-1].write_text("".join(f"{encode(line)}\n" for line in lines))
        return CliRunner().invoke(bench_app, ["compare", *map(str, paths), *options])

    return run


def test_the_command(compare):
    worse = steady() | steady("scipy") | {("auto", "g3"): 0.08}
    done = compare(record(steady() | steady("scipy")), record(worse, seed=1))
    assert done.exit_code == 1
    assert "slower: auto solve on g3 (2 threads) REGRESSION" in done.output
    assert "1 measurement of skerry regressed by more than 5 %" in done.output
    assert "24 measurements in both: " in done.output and "peers, the same code: " in done.output
    assert compare(record(steady()), record(worse, seed=1), "--tolerance", "150").exit_code == 0


def test_the_command_where_nothing_changed(compare):
    done = compare(record(steady()), record(steady()), "--all")
    assert done.exit_code == 0 and "no measurement of skerry regressed" in done.output
    assert done.output.count("no difference: auto") == 12
    few = compare(record(steady(), samples=3), record(steady(), samples=3, machine="b"))
    assert "12 have too few samples" in few.output and "warning: different machines" in few.output


def test_the_command_as_json(compare):
    worse = steady() | {("auto", "g3"): 0.08}
    done = compare(record(steady()), record(worse, seed=1), "--json")
    found = json.loads(done.output)
    assert done.exit_code == 1 and found["regressions"] == 1
    assert found["changes"][0]["graph"] == "g3" and found["changes"][0]["regression"]
    assert found["skerry"]["count"] == 12 and found["peers"] is None
    few = json.loads(compare(record(steady(), samples=2), record(steady()), "--json").output)
    assert few["changes"][0]["low"] is None


def test_what_the_command_refuses(compare, tmp_path):
    assert compare(record(steady()), record(steady("ecl"))).exit_code == 3
    assert compare(record(steady()), []).exit_code == 3
    broken = tmp_path / "broken"
    broken.write_text("no json\n")
    for pair in ((broken, broken), (tmp_path / "none", broken), (tmp_path, tmp_path)):
        done = CliRunner().invoke(bench_app, ["compare", *map(str, pair)])
        assert done.exit_code == 3 and done.output.startswith("skerry: ")


def test_the_list_of_peers():
    done = CliRunner().invoke(bench_app, ["peers"])
    assert done.exit_code == 0 and "networkit-parallel" in done.output
