"""What records say of the numbers that decide: made-up ones, for which the best are known."""

from __future__ import annotations

from math import isnan

import pytest
from typer.testing import CliRunner

from skerry_bench.cli.command import bench_app
from skerry_bench.records.constants import constants_of
from skerry_bench.records.fit import (
    DATA,
    DIRECT,
    JOIN,
    LINKS,
    PLAIN,
    POLICIES,
    SECONDS,
    SKIP,
    choose_strategy,
    fit,
    regret,
    report,
)
from skerry_bench.records.table import Table, read_table
from support.paths import ROOT

REST, THREADS, STRATEGY = POLICIES
VALUES = {"kLarge": 0.3, "kJoiningDegree": 99.0}
COSTS = {"TEAM_COST": 10_000.0, "THREAD_COST": 500.0}
GPU = {
    "HARDLY_ANY": 1.2,
    "TREE_DEGREE": 2.06,
    "SMALL_TREES": 0.2,
    "MANY_ENTRIES": 1 << 22,
    "LOW_DEGREE": 3.0,
    "LINKS_FROM": 1 << 16,
    "HIGH_DEGREE": 4.5,
    "FEW_TREES": 0.001,
    "MANY_TREES": 0.1,
}


def table(path, device, half, threads, rows):
    run = {"device": device, "half": half, "threads": threads, "machine": "made up"}
    columns = ("graph", *dict.fromkeys(name for cells in rows for name in cells))
    return Table(path, run, columns, {f"g{index}": cells for index, cells in enumerate(rows)})


def rest_table(path, half="tuning", threads=(1,)):
    """Skipping takes half as long where the largest tree has 0.3 or more, else twice as long."""
    rows = [
        {"vertices": 1e6, "entries": 1e6}
        | {f"joining@{t}": 0.0 for t in threads}
        | {f"largest@{t}": share / 40 for t in threads}
        | {f"{SKIP}@{t}": 1.0 if share >= 12 else 4.0 for t in threads}
        | {f"{path}@{t}": cost for path, cost in ((SECONDS, 8.0), (JOIN, 2.0)) for t in threads}
        for share in range(41)
    ]
    return table(path, "cpu", half, list(threads), rows)


def thread_table(path):
    """The model is the truth, of graphs around the size from which two threads pay."""
    rows = [
        {"vertices": work / 2, "entries": work / 2}
        | {f"{JOIN}@{t}": work / t + (t > 1) * (10_000 + 500 * t) for t in (1, 2, 16)}
        for work in (2.0 ** (log / 8) for log in range(8 * 13, 8 * 17))
    ]
    return table(path, "cpu", "tuning", [1, 2, 16], rows)


def test_the_right_constant_has_no_regret_and_a_wrong_one_is_refit(tmp_path):
    record = rest_table(tmp_path)
    right = fit(REST, [record], VALUES | COSTS)[0]
    assert (right.name, right.value, right.now[0], right.refit) == ("kLarge", 0.3, 1.0, 0.3)
    assert right.needs_tuning and right.halved[0] > 1.05 and right.doubled[0] > 1.05
    assert isnan(right.now[1])  # no record of the checking half
    wrong = fit(REST, [record, rest_table(tmp_path, "checking")], VALUES | COSTS | {"kLarge": 0.6})
    # Of 41 graphs, 12 of which the largest tree has 0.3 to 0.6 take twice as long as they could.
    assert wrong[0].now == pytest.approx((2 ** (12 / 41), 2 ** (12 / 41)))
    assert 0.275 < wrong[0].refit <= 0.3 and wrong[0].refit_regret == (1.0, 1.0)


def test_what_changes_nothing_needs_no_tuning(tmp_path):
    joining = fit(REST, [rest_table(tmp_path)], VALUES | COSTS)[1]
    assert joining.name == "kJoiningDegree" and not joining.needs_tuning


def test_only_graphs_that_auto_would_use_all_threads_for_count(tmp_path):
    record = rest_table(tmp_path, threads=(1, 2))
    assert len(list(REST.decisions(record, VALUES | COSTS))) == 2 * 41
    assert len(list(REST.decisions(record, VALUES | COSTS | {"TEAM_COST": 1e9}))) == 41


def test_the_costs_of_threads(tmp_path):
    record = thread_table(tmp_path)
    team, each = fit(THREADS, [record], COSTS)
    assert team.now[0] == each.now[0] == 1.0 and team.needs_tuning
    wrong = fit(THREADS, [record], COSTS | {"TEAM_COST": 60_000.0})[0]
    assert wrong.now[0] > 1.02 and wrong.refit == pytest.approx(10_000, rel=0.5)
    assert wrong.refit_regret[0] < 1.005


@pytest.mark.parametrize(
    ("vertices", "entries", "trees", "strategy"),
    [
        (1000, 1000, 0.9, PLAIN),
        (1000, 2000, 0.3, PLAIN),
        (1000, 2000, 0.1, DIRECT),
        (1000, 8000, 0.05, DIRECT),
        (10_000, 80_000, 0.05, LINKS),
        (10_000, 80_000, 0.2, DIRECT),
        (10_000, 80_000, 0.0005, DIRECT),
        (2_000_000, 7_000_000, 0.2, LINKS),
        (2_000_000, 5_000_000, 0.2, DIRECT),
    ],
)
def test_the_strategy_of_a_gpu(vertices, entries, trees, strategy, tmp_path):
    """The strategy that is expected is the fastest: any other one would show a regret."""
    times = {path: 1.0 if path == strategy else 2.0 for path in (LINKS, DIRECT, PLAIN)}
    cells = {"vertices": vertices, "entries": entries, "trees": trees} | times
    decisions = list(STRATEGY.decisions(table(tmp_path, "cuda", "tuning", None, [cells]), GPU))
    assert choose_strategy(decisions[0], GPU) == strategy
    assert regret(STRATEGY, decisions, GPU) == 1.0


def test_graphs_with_missing_times_are_left_out(tmp_path):
    record = rest_table(tmp_path)
    del record.rows["g0"][f"{SKIP}@1"], record.rows["g1"]["largest@1"]
    assert len(list(REST.decisions(record, VALUES | COSTS))) == 39


def written(record, path):
    record.path = path
    rows, record.rows = record.rows, {}
    record.begin()
    for name, cells in rows.items():
        record.add(name, cells)
    return path


def test_the_tables_say_what_no_record_has(tmp_path):
    file = written(rest_table(tmp_path, threads=(1, 2)), tmp_path / "tuning.csv")
    assert read_table(file).rows == rest_table(tmp_path, threads=(1, 2)).rows
    text = report(ROOT / "src/skerry", [file])
    assert "| kLarge | 0.5 | 1." in text and "kOrderFrom 6: not in the records" in text
    assert "| kJoiningDegree | 5.5 |" in text and text.count("needs no tuning") >= 2
    result = CliRunner().invoke(bench_app, ["fit", str(file), "--sources", str(tmp_path)])
    assert result.exit_code and "decisions.h is missing" in result.output


def test_numbers_that_the_sources_lack_are_named(tmp_path):
    planner = tmp_path / "algorithms/gpu_planner.py"
    planner.parent.mkdir()
    planner.write_text("HARDLY_ANY = 1.2\nONE_BLOCK = 1 << 11\n")
    cells = {"vertices": 9.0, "entries": 9.0, "trees": 0.1, LINKS: 1.0, DIRECT: 1.0, PLAIN: 1.0}
    file = written(table(tmp_path, "cuda", "tuning", None, [cells]), tmp_path / "gpu.csv")
    text = report(tmp_path, [file])
    assert "not in the sources: TREE_DEGREE" in text
    assert "ONE_BLOCK 2048: not in the records" in text


def test_constants_are_read():
    cpp = "inline constexpr double kA = 0.5;\nauto x = 3;\n  constexpr int kInner = 4;\n"
    cpp += "inline constexpr std::uint64_t kB = 1'000, kC = (1 << 4);  // two\n"
    cpp += "inline constexpr int kD = kB / 2;\n"
    assert constants_of(cpp, cpp=True) == {"kA": 0.5, "kB": 1000, "kC": 16}
    python = 'COST = 12_000\nNAME = "text"\nMORE = 3 << 2  # why\nlower = 3\n    DEEP = 4\n'
    assert constants_of(python, cpp=False) == {"COST": 12_000, "MORE": 12}


@pytest.mark.skipif(not any(DATA.glob("*.csv")), reason="the lab has no records yet")
def test_the_records_of_the_lab_are_small_and_can_be_read():
    files = sorted(DATA.glob("*.csv"))
    assert sum(file.stat().st_size for file in files) < 300_000
    assert all(read_table(file).rows for file in files)
