"""Compares two records: what became faster or slower, beyond the noise of the samples.

For each measurement in both, the ratio of medians (second to first: above 1 is slower) and its
bootstrap interval: both sets of samples are resampled with replacement a few thousand times, and
the middle 95 % of the ratios are the interval (Efron, Tibshirani: An introduction to the bootstrap,
1993, ch. 13). By simulation the interval has its nominal coverage from five samples on, for even
and for spiky noise; with fewer samples there is no verdict. The mean over all measurements is
resampled in the same way, over the graphs of the records; it says nothing about other graphs.

An interval covers the noise within a run, not a machine that was busier on another day. Peers are
the control for that: their code is the same in both records, so their change is the machine's.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from skerry import InputError
from skerry.errors import ArgumentError
from skerry_bench.results import Machine, Result, Results

MIN_SAMPLES = 5  # coverage of the interval by simulation: 93 % with four, 97 % with five
DRAWS = 4000
SEED = 1

Verdict = Literal["slower", "faster", "no difference", "too few samples"]
Draws = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Change:
    """One measurement before and after."""

    result: Result
    """The later measurement."""
    before: float
    after: float
    """Medians, in seconds."""
    low: float
    high: float
    """The interval of the ratio; NaN if there are too few samples."""
    samples: tuple[int, int]

    @property
    def ratio(self) -> float:
        """The later time over the earlier."""
        return self.after / self.before

    @property
    def verdict(self) -> Verdict:
        """By the interval."""
        if math.isnan(self.low):
            return "too few samples"
        if self.low > 1.0:
            return "slower"
        return "faster" if self.high < 1.0 else "no difference"

    def regressed(self, tolerance: float) -> bool:
        """Whether the whole interval is above the tolerance."""
        return self.low > 1.0 + tolerance

    @property
    def name(self) -> str:
        """The measurement as text."""
        result = self.result
        parts = [result.implementation, result.scope, f"on {result.graph}"]
        if result.device != "cpu":
            parts.append(f"({result.device})")
        elif result.threads is not None:
            parts.append(f"({result.threads} thread{'s' * (result.threads != 1)})")
        if result.study:
            parts.append(f"[{result.study}{_parameters(result.parameter)}]")
        return " ".join(parts)


@dataclass(frozen=True, slots=True)
class Mean:
    """The geometric mean of ratios and its interval."""

    ratio: float
    low: float
    high: float
    count: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """The comparison of two records."""

    changes: tuple[Change, ...]
    """The slowest first."""
    skerry: Mean | None
    peers: Mean | None
    only_before: int
    only_after: int
    other_graphs: tuple[str, ...]
    """Names of graphs that differ between the records."""
    machines: tuple[str, str] | None
    """The machines, if no machine is in both."""

    def regressions(self, tolerance: float) -> list[Change]:
        """Implementations of skerry that are slower by more than the tolerance."""
        return [
            change
            for change in self.changes
            if not change.result.peer and change.regressed(tolerance)
        ]


def compare_results(before: Results, after: Results, *, confidence: float = 0.95) -> Comparison:
    """Compares every measurement that is in both records."""
    if not 0.5 <= confidence < 1:
        raise ArgumentError(f"confidence must be at least 0.5 and below 1, got {confidence}")
    machines = _machines(before, after)
    old, new = (_by_identity(record, machines is None) for record in (before, after))
    changes: list[Change] = []
    draws: dict[bool, list[Draws]] = {False: [], True: []}
    others = set()
    common = [key for key in new if key in old]
    for key in common:
        if _checksum(before, old[key]) != _checksum(after, new[key]):
            others.add(new[key].graph)
            continue
        change, drawn = _change(old[key], new[key], confidence)
        changes.append(change)
        if drawn is not None:
            draws[change.result.peer].append(drawn)
    if not changes:
        why = "graphs of the same name differ" if others else "no measurement is in both"
        raise InputError(f"the records cannot be compared: {why}")
    return Comparison(
        changes=tuple(sorted(changes, key=lambda change: -change.ratio)),
        skerry=_mean(
            [change for change in changes if not change.result.peer], draws[False], confidence
        ),
        peers=_mean([change for change in changes if change.result.peer], draws[True], confidence),
        only_before=len(old) - len(common),
        only_after=len(new) - len(common),
        other_graphs=tuple(sorted(others)),
        machines=machines,
    )


def ratio_interval(
    before: Sequence[float], after: Sequence[float], confidence: float, seed: int = SEED
) -> tuple[float, float]:
    """The interval of ``median(after) / median(before)``.

    >>> low, high = ratio_interval([1.0, 1.1, 1.0, 0.9, 1.0], [2.0, 2.1, 1.9, 2.0, 2.0], 0.95)
    >>> 1.5 < low < 2 < high < 2.5
    True
    """
    return _interval(_log_ratios(before, after, seed), confidence)


def _change(old: Result, new: Result, confidence: float) -> tuple[Change, Draws | None]:
    counts = (len(old.seconds), len(new.seconds))
    low = high = math.nan
    drawn = None
    if min(counts) >= MIN_SAMPLES:
        drawn = _log_ratios(old.seconds, new.seconds, zlib.crc32(repr(new.key).encode()))
        low, high = _interval(drawn, confidence)
    medians = median(old.seconds), median(new.seconds)
    return Change(new, *medians, low=low, high=high, samples=counts), drawn


def _log_ratios(before: Sequence[float], after: Sequence[float], seed: int) -> Draws:
    random = np.random.default_rng((SEED, seed))
    drawn = []
    for samples in (before, after):
        values = np.asarray(samples)
        indices = random.integers(0, len(values), (DRAWS, len(values)))
        drawn.append(np.median(values[indices], axis=1))
    return np.log(drawn[1]) - np.log(drawn[0])  # type: ignore[no-any-return]


def _interval(drawn: Draws, confidence: float) -> tuple[float, float]:
    ends = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2])
    return math.exp(ends[0]), math.exp(ends[1])


def _mean(changes: Iterable[Change], draws: list[Draws], confidence: float) -> Mean | None:
    ratios = [change.ratio for change in changes if not math.isnan(change.low)]
    if not ratios:
        return None
    low, high = _interval(np.mean(draws, axis=0), confidence)
    return Mean(math.exp(float(np.mean(np.log(ratios)))), low, high, len(ratios))


def _machines(before: Results, after: Results) -> tuple[str, str] | None:
    """None if the records share a machine, else the machine of each."""
    old, new = ({record.machine_of(line) for line in record.results} for record in (before, after))
    for name, machines in (("first", old), ("second", new)):
        if not machines:
            raise InputError(f"the {name} record has no results")
    if old & new:
        return None
    for name, machines in (("first", old), ("second", new)):
        if len(machines) > 1:
            raise InputError(f"no machine is in both records, and the {name} has {len(machines)}")
    return _name(old), _name(new)


def _name(machines: Iterable[Machine]) -> str:
    return next(iter(machines)).name


def _by_identity(results: Results, with_machine: bool) -> dict[tuple[Any, ...], Result]:
    """A later measurement replaces an earlier one with the same key."""
    return {
        (results.machine_of(line) if with_machine else None, *line.key): line
        for line in results.results
    }


def _checksum(results: Results, line: Result) -> str | None:
    graph = results.graph_of(line)
    return graph.checksum if graph else None


def _parameters(parameter: Mapping[str, Any] | None) -> str:
    return "".join(f", {name}={value}" for name, value in (parameter or {}).items())
