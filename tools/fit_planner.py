"""Refit the numbers in the planner's tables to a record of the corpus, and print the regret.

``python tools/fit_planner.py RECORD.jsonl... [--passes N] [--worst N]``

A record comes from ``skerry bench corpus --half tuning`` with our own algorithms at several numbers
of threads: ``--algorithms "window@1,window@2,window@16,local@1,..."``. The rows of the table, their
order and their algorithms are people's; this moves their bounds, and the sizes from which more
threads pay, one at a time, while the regret falls. The regret of a graph is the time of what the
table chooses over that of the fastest that was measured with no more threads.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from math import exp, inf, log
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

from skerry.algorithms.cpu_rules import LOOK_FROM, SYMMETRIC_ROWS, THREADS, Rule
from skerry.algorithms.planner import shared_work
from skerry_bench.corpus.record import Record, read_record

WORST = 1.5
"""From this regret on a graph counts several times: no graph may be far behind."""

UNKNOWN = 4.0
"""The regret of what was not measured: no table should choose it."""

Threads = tuple[tuple[int, int], ...]
Variants = Callable[[Any, Sequence[Any]], Iterable[Any]]


class Sample(NamedTuple):
    """A graph, a limit of threads, and the seconds of every way to solve it."""

    graph: str
    features: SimpleNamespace
    limit: int
    seconds: dict[tuple[str, int], float]

    @property
    def best(self) -> float:
        """Of all ways."""
        return min(self.seconds.values())


class Table(NamedTuple):
    """What is fitted."""

    rows: tuple[Rule, ...]
    threads: Threads

    def way(self, sample: Sample) -> tuple[str, int]:
        """The algorithm that the table chooses for a sample, and the threads."""
        vertices, size = int(sample.features.vertices), sample.features.size
        name = "trace"
        if size >= LOOK_FROM:
            name = next(row.algorithm for row in self.rows if row.holds(sample.features))
        work = shared_work(name, vertices, size - vertices)
        pays = next((t for start, t in reversed(self.threads) if work >= start), 1)
        measured = [t for each, t in sample.seconds if each == name]
        fewest = min(measured, default=1)
        return name, max((t for t in measured if t <= pays), default=fewest)


def samples_of(records: Iterable[Record]) -> list[Sample]:
    """For every graph, one sample for 2 threads and one for as many as were measured."""
    samples = []
    for record in records:
        for name, graph in record.graphs.items():
            ways: dict[tuple[str, int], float] = {}
            for result in record.results:
                if result.graph == name and result.seconds and not result.peer:
                    algorithm, _, threads = result.implementation.partition("@")
                    if algorithm != "auto":
                        ways[algorithm, int(threads or result.threads or 1)] = result.median
            known = {"smaller": graph.features.get("first_smaller", 0.0)} | graph.features
            size = int(known["vertices"] + known["entries"])
            for limit in sorted({2, max((t for _, t in ways), default=2)}):
                fitting = {way: seconds for way, seconds in ways.items() if way[1] <= limit}
                if fitting:
                    shape = SimpleNamespace(**known, size=size, threads=limit)
                    samples.append(Sample(name, shape, limit, fitting))
    return samples


def regret_of(table: Any, sample: Any) -> float:
    """How much longer what a table selects takes than the fastest."""
    best: float = sample.best
    return float(sample.seconds.get(table.way(sample), UNKNOWN * best) / best)


def loss(table: Any, samples: Sequence[Any]) -> float:
    """The mean logarithm of the regret, that beyond `WORST` counted four times."""
    total = 0.0
    for sample in samples:
        regret = log(regret_of(table, sample))
        total += regret + 3 * max(0.0, regret - log(WORST))
    return total / len(samples)


def candidates(values: Iterable[float]) -> list[float]:
    """Round numbers between the values that were seen."""
    seen = sorted(set(values))
    between = [(a + b) / 2 for a, b in pairwise(seen)]
    step = max(1, len(between) // 24)
    return [float(f"{value:.2g}") for value in between[::step]]


def with_bound(rows: tuple[Rule, ...], row: int, bound: int, side: int, value: float) -> Any:
    """The rows, one number of one bound replaced."""
    bounds = [list(each) for each in rows[row].bounds]
    bounds[bound][side] = value
    changed = rows[row]._replace(bounds=tuple((str(n), lo, hi) for n, lo, hi in bounds))
    return (*rows[:row], changed, *rows[row + 1 :])


def variants(table: Table, samples: Sequence[Sample]) -> Iterable[Table]:
    """Every table that differs in one number."""
    for row, rule in enumerate(table.rows):
        for bound, (name, low, high) in enumerate(rule.bounds):
            values = candidates(getattr(sample.features, name) for sample in samples)
            for side, now in ((1, low), (2, high)):
                if now not in (0, 1, inf):
                    for value in values:
                        yield table._replace(rows=with_bound(table.rows, row, bound, side, value))
    for index, (start, threads) in enumerate(table.threads):
        for factor in (0.25, 0.5, 2, 4):
            moved = list(table.threads)
            moved[index] = (int(start * factor), threads)
            if moved == sorted(moved):
                yield table._replace(threads=tuple(moved))


def fit(table: Any, samples: Sequence[Any], passes: int, variants: Variants) -> Any:
    """Takes the best single change, again and again."""
    best = loss(table, samples)
    for _ in range(passes):
        changed = min(variants(table, samples), key=lambda each: loss(each, samples))
        now = loss(changed, samples)
        if now > best - 1e-4:
            break
        table, best = changed, now
    return table


def show_regret(
    title: str, table: Any, samples: Sequence[Any], worst: int, name_of: Callable[[Any], str]
) -> None:
    """Prints the mean, the worst, and the worst graphs by name."""
    regrets = sorted(((regret_of(table, each), each) for each in samples), key=lambda p: -p[0])
    mean = exp(sum(log(regret) for regret, _ in regrets) / len(regrets))
    over = sum(regret > WORST for regret, _ in regrets)
    print(
        f"{title}: {len(samples)} graphs, mean {mean:.3f}, worst {regrets[0][0]:.2f}, "
        f"{over} over {WORST}"
    )
    for regret, sample in regrets[:worst]:
        fastest = min(sample.seconds, key=sample.seconds.__getitem__)
        print(
            f"  {regret:5.2f}  {sample.graph}: {name_of(table.way(sample))}, not {name_of(fastest)}"
        )


def show_by_threads(title: str, table: Table, samples: Sequence[Sample], worst: int) -> None:
    """The same for each limit of threads."""
    for limit in sorted({sample.limit for sample in samples}):
        some = [sample for sample in samples if sample.limit == limit]
        show_regret(
            f"{title}, {limit} threads", table, some, worst, lambda way: f"{way[0]}@{way[1]}"
        )


def parsed_arguments(description: str) -> argparse.Namespace:
    """Those of a fit."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("records", nargs="+", type=Path)
    parser.add_argument("--passes", type=int, default=20, help="changes at most")
    parser.add_argument("--worst", type=int, default=12, help="graphs named")
    return parser.parse_args()


def main() -> None:
    """Fits and prints."""
    arguments = parsed_arguments(__doc__ or "")
    samples = samples_of(read_record(path) for path in arguments.records)
    before = Table(SYMMETRIC_ROWS, THREADS)
    show_by_threads("as it is", before, samples, arguments.worst)
    after = fit(before, samples, arguments.passes, variants)
    show_by_threads("fitted", after, samples, arguments.worst)
    print("THREADS =", after.threads)
    for rule in after.rows:
        print(
            f"{rule.algorithm:18}", *(f"{low:g} <= {n} < {high:g};" for n, low, high in rule.bounds)
        )


if __name__ == "__main__":
    main()
