"""What records of forced paths say of each number that decides between them.

A policy is simulated on a record: it chooses a path by what the record has, and its regret is how
many times as long that path takes as the fastest one on the same graph, in the geometric mean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log, nan
from pathlib import Path

from skerry import InputError
from skerry_bench.records.constants import read_constants
from skerry_bench.records.table import Table, read_table
from skerry_bench.records.worker import CPU_SHARES, split_column

DATA = Path(__file__).parent / "data"
"""The records that the lab comes with."""

Values = Mapping[str, float]

LEVEL = 1.01
"""A constant needs no tuning if a half and the double of it cost less than this factor."""

STEPS = tuple(2 ** (step / 4) for step in sorted(range(-12, 13), key=abs))
"""Of the search, the nearest first: from an eighth to eight times the value."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A graph to choose for: what is known of it, and the microseconds of each choice."""

    known: Values
    costs: Values


@dataclass(frozen=True, slots=True)
class Policy:
    """A choice that numbers of the sources make."""

    device: str
    title: str
    constants: tuple[str, ...]
    decisions: Callable[[Table, Values], Iterable[Decision]]
    choose: Callable[[Decision, Values], str]
    """One of the costs, by what is known of the graph and by the constants."""


def regret(policy: Policy, decisions: Sequence[Decision], values: Values) -> float:
    """1 if it always chooses the fastest, NaN without a record."""
    logs = [log(d.costs[policy.choose(d, values)] / min(d.costs.values())) for d in decisions]
    return exp(sum(logs) / len(logs)) if logs else nan


SKIP, SECONDS = "rows[seconds=leave,rest=skip]", "rows[seconds=join]"
JOIN = "rows[rest=join]"
LINKS, DIRECT, PLAIN = (f"rows[strategy={word}]" for word in ("links", "direct", "plain"))


def choose_rest(decision: Decision, values: Values) -> str:
    """As own/rows.cpp; after second neighbors, it may find no large tree and join."""
    if decision.known["largest"] >= values["kLarge"]:
        return SKIP
    return SECONDS if decision.known["joining"] >= values["kJoiningDegree"] else JOIN


def team_cost(work: float, threads: int, values: Values) -> float:
    """The model of algorithms/planner.py."""
    if threads == 1:
        return work
    return work / threads + values["TEAM_COST"] + values["THREAD_COST"] * threads


def choose_threads(decision: Decision, values: Values) -> str:
    """The number of threads, of those that were recorded, that takes least by the model."""
    work = decision.known["work"]
    return min(decision.costs, key=lambda number: team_cost(work, int(number), values))


def choose_strategy(decision: Decision, values: Values) -> str:
    """As row_plan of algorithms/gpu_planner.py, for rows that are symmetric."""
    known = decision.known
    entries, trees = known["entries"], known["trees"]
    degree = entries / max(known["vertices"], 1)
    if degree < values["HARDLY_ANY"]:
        return PLAIN
    if degree < values["TREE_DEGREE"]:
        return PLAIN if trees >= values["SMALL_TREES"] else DIRECT
    if entries > values["MANY_ENTRIES"] and degree >= values["LOW_DEGREE"]:
        return LINKS
    if entries > values["LINKS_FROM"] and degree >= values["HIGH_DEGREE"]:
        return LINKS if values["FEW_TREES"] < trees < values["MANY_TREES"] else DIRECT
    return DIRECT


def _times(cells: Values, threads: int | None) -> dict[str, float]:
    """Microseconds of our forced paths on a graph, if none is missing."""
    return {
        path: cells[column]
        for column in cells
        for path, number in [split_column(column)]
        if path.startswith("rows[") and number == threads
    }


def _threads(table: Table) -> list[int]:
    return [int(number) for number in table.run.get("threads") or ()]


def _work(cells: Values) -> float:
    return cells["vertices"] + cells["entries"]


def rest_decisions(table: Table, values: Values) -> Iterable[Decision]:
    """Each graph with each limit of threads that "auto" would use all of."""
    numbers = _threads(table)
    for cells in table.rows.values():
        for limit in numbers:
            below = dict.fromkeys((str(number) for number in numbers if number <= limit), 0.0)
            costs = _times(cells, limit)
            used = choose_threads(Decision({"work": _work(cells)}, below), values)
            sampled = limit if limit == min(numbers) else max(numbers)
            columns = {name: f"{name}@{sampled}" for name in CPU_SHARES}
            if (
                used == str(limit)
                and {SKIP, SECONDS, JOIN} <= costs.keys()
                and columns["largest"] in cells
            ):
                yield Decision({name: cells[column] for name, column in columns.items()}, costs)


def thread_decisions(table: Table, _: Values) -> Iterable[Decision]:
    """Each graph; a number of threads takes as long as the fastest path with so many."""
    numbers = _threads(table)
    for cells in table.rows.values():
        costs = {str(number): min(_times(cells, number).values(), default=0) for number in numbers}
        if len(costs) > 1 and all(costs.values()):
            yield Decision({"work": _work(cells)}, costs)


def strategy_decisions(table: Table, _: Values) -> Iterable[Decision]:
    """Each graph on a GPU."""
    for cells in table.rows.values():
        costs = _times(cells, None)
        if costs.keys() >= {LINKS, DIRECT, PLAIN} and "trees" in cells:
            yield Decision(cells, costs)


POLICIES = (
    Policy(
        "cpu",
        "rows on a CPU: skip the largest tree, join second neighbors first, or join all",
        ("kLarge", "kJoiningDegree"),
        rest_decisions,
        choose_rest,
    ),
    Policy(
        "cpu",
        "threads on a CPU",
        ("TEAM_COST", "THREAD_COST"),
        thread_decisions,
        choose_threads,
    ),
    Policy(
        "cuda",
        "rows on a GPU: links, direct or plain",
        (
            "HARDLY_ANY",
            "TREE_DEGREE",
            "SMALL_TREES",
            "MANY_ENTRIES",
            "LOW_DEGREE",
            "LINKS_FROM",
            "HIGH_DEGREE",
            "FEW_TREES",
            "MANY_TREES",
        ),
        strategy_decisions,
        choose_strategy,
    ),
)
"""All that is simulated, with the names that its numbers have in the sources."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A constant: regrets on the tuning and on the checking half."""

    name: str
    value: float
    now: tuple[float, float]
    halved: tuple[float, float]
    doubled: tuple[float, float]
    refit: float
    refit_regret: tuple[float, float]

    @property
    def needs_tuning(self) -> bool:
        """Whether a half or the double of it costs one percent or more, on either half."""
        return any(
            changed >= LEVEL * now
            for both in (self.halved, self.doubled)
            for changed, now in zip(both, self.now, strict=True)
        )


def fit(policy: Policy, tables: Sequence[Table], values: Values) -> list[Fit]:
    """Each constant of a policy, the others as they are."""
    halves = [
        [
            decision
            for table in tables
            if (table.run["device"], table.run["half"]) == (policy.device, half)
            for decision in policy.decisions(table, values)
        ]
        for half in ("tuning", "checking")
    ]

    def with_value(name: str, value: float) -> tuple[float, float]:
        changed = {**values, name: value}
        return regret(policy, halves[0], changed), regret(policy, halves[1], changed)

    fits = []
    for name in policy.constants if any(halves) else ():
        value = values[name]
        by_step = {step: with_value(name, value * step) for step in STEPS}
        best = min(by_step, key=lambda step: by_step[step][0])
        fits.append(
            Fit(name, value, by_step[1], by_step[0.5], by_step[2], value * best, by_step[best])
        )
    return fits


HEAD = """
| constant | value | regret, tuning / checking | halved | doubled | refit | with it | |
|---|--:|--:|--:|--:|--:|--:|---|"""


def report(package: Path, files: Sequence[Path]) -> str:
    """The tables of all policies, and the constants that no record says anything of."""
    if not files:
        raise InputError("there are no records: make some with `skerry bench record`")
    tables = [read_table(path) for path in files]
    texts = [f"{t.path.name}: {len(t.rows)} graphs, {t.run['machine']}" for t in tables]
    for device in sorted({str(table.run["device"]) for table in tables}):
        values = read_constants(package, device)
        policies = [policy for policy in POLICIES if policy.device == device]
        for policy in policies:
            lacking = [name for name in policy.constants if name not in values]
            if lacking:
                texts.append(f"\n{policy.title}: not in the sources: {', '.join(lacking)}")
                continue
            texts += [f"\n{policy.title}", HEAD.lstrip()]
            texts += [_line(each) for each in fit(policy, tables, values)]
        simulated = {name for policy in policies for name in policy.constants}
        texts += [f"{n} {v:g}: not in the records" for n, v in values.items() if n not in simulated]
    return "\n".join(texts)


def _line(each: Fit) -> str:
    pairs = [
        " / ".join(f"{r:.3f}" for r in both)
        for both in (each.now, each.halved, each.doubled, each.refit_regret)
    ]
    note = "" if each.needs_tuning else "needs no tuning"
    refit = f"{each.refit:.4g}"
    cells = [each.name, f"{each.value:g}", *pairs[:3], refit, pairs[3], note]
    return "| " + " | ".join(cells) + " |"
