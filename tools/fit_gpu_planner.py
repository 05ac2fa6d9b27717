"""Refit the numbers in the GPU planner's table to records of the corpus, and print the regret.

``python tools/fit_gpu_planner.py RECORD.jsonl... [--passes N] [--worst N]``

A record comes from ``skerry bench corpus --half tuning --device cuda`` with every strategy:
``--algorithms "skip[way=1],skip[way=2],skip[way=3],skip[way=4],skip[way=5]"``. The rows
of the table, their order and their strategies are people's; this moves their bounds, one at a time,
while the regret falls. The regret of a graph is the time of the strategy that the table selects,
over that of the fastest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf
from operator import attrgetter
from typing import NamedTuple

from fit_planner import candidates, fit, parsed_arguments, show_regret

from skerry.algorithms.gpu_planner import ROWS, Bound, GpuRule, Strategy
from skerry_bench.corpus.record import Record, read_record

SHARE = "device_"
"""Before the name of a share of the sampled rows, among the features of a graph."""


class Sample(NamedTuple):
    """A graph, and the seconds of every strategy."""

    graph: str
    features: dict[str, float]
    seconds: dict[Strategy, float]

    @property
    def best(self) -> float:
        """Of all strategies."""
        return min(self.seconds.values())


class Table(NamedTuple):
    """What is fitted."""

    rows: tuple[GpuRule, ...]

    def way(self, sample: Sample) -> Strategy:
        """The strategy of the first row of which all bounds hold."""
        features = sample.features
        return next(
            row.strategy
            for row in self.rows
            if all(low <= features[name] < high for name, low, high in row.size)
            and all(low <= features[SHARE + name] < high for name, low, high in row.sample)
        )


def samples_of(records: Iterable[Record]) -> list[Sample]:
    """The graphs on which at least two strategies were measured, kernels alone."""
    samples = []
    for record in records:
        for name, graph in record.graphs.items():
            seconds = {
                way: result.median
                for result in record.results
                for way in Strategy
                if result.graph == name
                and result.implementation == f"skip[way={int(way)}]"
                and result.clock == "queued"
                and result.seconds
            }
            if len(seconds) > 1:
                samples.append(Sample(name, graph.features, seconds))
    return samples


def _moved(bounds: tuple[Bound, ...], index: int, side: int, value: float) -> tuple[Bound, ...]:
    name, low, high = bounds[index]
    changed = (name, value, high) if side == 1 else (name, low, value)
    return (*bounds[:index], changed, *bounds[index + 1 :])


def variants(table: Table, samples: Sequence[Sample]) -> Iterable[Table]:
    """Every table that differs in one number."""
    for row, rule in enumerate(table.rows):
        for field, prefix in (("size", ""), ("sample", SHARE)):
            bounds: tuple[Bound, ...] = getattr(rule, field)
            for index, (name, low, high) in enumerate(bounds):
                values = candidates(sample.features[prefix + name] for sample in samples)
                for side, now in ((1, low), (2, high)):
                    if now in (0, 1, inf):
                        continue
                    for value in values:
                        changed = rule._replace(**{field: _moved(bounds, index, side, value)})
                        yield Table((*table.rows[:row], changed, *table.rows[row + 1 :]))


def main() -> None:
    """Fits and prints."""
    arguments = parsed_arguments(__doc__ or "")
    samples = samples_of(read_record(path) for path in arguments.records)
    before = Table(ROWS)
    name_of = attrgetter("name")
    show_regret("as it is", before, samples, arguments.worst, name_of)
    after = fit(before, samples, arguments.passes, variants)
    show_regret("fitted", after, samples, arguments.worst, name_of)
    for rule in after.rows:
        bounds = (*rule.size, *rule.sample)
        print(f"{rule.strategy.name:10}", *(f"{lo:g} <= {n} < {hi:g};" for n, lo, hi in bounds))


if __name__ == "__main__":
    main()
