"""What got faster or slower between two records, beyond the noise of their samples.

For each thing that was measured in both, the ratio of medians (second to first: above 1 is slower)
and its interval by the bootstrap: both sets of samples are drawn anew, with replacement, some
thousand times, and the middle 95 % of the ratios are the interval (Efron, Tibshirani: An
introduction to the bootstrap, 1993, ch. 13). By simulation it holds what it promises from five
samples on, for even and for spiky noise; with fewer, nothing is said. The mean over all is drawn
in the same way, on the graphs that there are: it says nothing about others.

An interval knows the noise within a run, not that a machine was busier on another day. Peers are
the control for that: their code is the same in both, so what they changed by is the machine.
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

from skerry.errors import InputError
from skerry_bench.results import Machine, Result, Results

__all__ = ["Change", "Comparison", "Mean", "compare_results", "ratio_interval"]

LEAST_SAMPLES = 5  # coverage of the interval by simulation: 93 % with four, 97 % with five
DRAWS = 4000
SEED = 1

Verdict = Literal["slower", "faster", "no difference", "too few samples"]
Draws = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Change:
    """One thing before and after."""

    result: Result
    """What it is: the later measurement."""
    before: float
    after: float
    """Medians, in seconds."""
    low: float
    high: float
    """The interval of the ratio; not a number where there are too few samples."""
    samples: tuple[int, int]

    @property
    def ratio(self) -> float:
        """How many times as long it takes now."""
        return self.after / self.before

    @property
    def verdict(self) -> Verdict:
        """What the interval says."""
        if math.isnan(self.low):
            return "too few samples"
        if self.low > 1.0:
            return "slower"
        return "faster" if self.high < 1.0 else "no difference"

    def regressed(self, tolerance: float) -> bool:
        """Whether it is slower by more than the tolerance, with all of the interval."""
        return self.low > 1.0 + tolerance

    @property
    def name(self) -> str:
        """The measurement in words."""
        one = self.result
        parts = [one.implementation, one.scope, f"on {one.graph}"]
        if one.device != "cpu":
            parts.append(f"({one.device})")
        elif one.threads is not None:
            parts.append(f"({one.threads} thread{'s' * (one.threads != 1)})")
        if one.study:
            parts.append(f"[{one.study}{_told(one.parameter)}]")
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
    """Two records beside each other."""

    changes: tuple[Change, ...]
    """The slowest first."""
    ours: Mean | None
    peers: Mean | None
    only_before: int
    only_after: int
    other_graphs: tuple[str, ...]
    """Names that stand for another graph in the second record."""
    machines: tuple[str, str] | None
    """If no machine is in both: what they were."""

    def regressions(self, tolerance: float) -> list[Change]:
        """What of ours is slower by more than the tolerance."""
        return [one for one in self.changes if not one.result.peer and one.regressed(tolerance)]


def compare_results(before: Results, after: Results, *, confidence: float = 0.95) -> Comparison:
    """Everything that is in both."""
    if not 0.5 <= confidence < 1:
        raise InputError(f"confidence must be at least 0.5 and below 1, got {confidence}")
    machines = _machines(before, after)
    old, new = (_by_identity(one, machines is None) for one in (before, after))
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
        why = "the graphs of the same names are others" if others else "nothing is in both"
        raise InputError(f"the records cannot be compared: {why}")
    return Comparison(
        changes=tuple(sorted(changes, key=lambda one: -one.ratio)),
        ours=_mean([one for one in changes if not one.result.peer], draws[False], confidence),
        peers=_mean([one for one in changes if one.result.peer], draws[True], confidence),
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
    if min(counts) >= LEAST_SAMPLES:
        drawn = _log_ratios(old.seconds, new.seconds, zlib.crc32(repr(new.key).encode()))
        low, high = _interval(drawn, confidence)
    medians = median(old.seconds), median(new.seconds)
    return Change(new, *medians, low=low, high=high, samples=counts), drawn


def _log_ratios(before: Sequence[float], after: Sequence[float], seed: int) -> Draws:
    random = np.random.default_rng((SEED, seed))
    drawn = []
    for samples in (before, after):
        values = np.asarray(samples)
        places = random.integers(0, len(values), (DRAWS, len(values)))
        drawn.append(np.median(values[places], axis=1))
    return np.log(drawn[1]) - np.log(drawn[0])  # type: ignore[no-any-return]


def _interval(drawn: Draws, confidence: float) -> tuple[float, float]:
    ends = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2])
    return math.exp(ends[0]), math.exp(ends[1])


def _mean(changes: Iterable[Change], draws: list[Draws], confidence: float) -> Mean | None:
    ratios = [one.ratio for one in changes if not math.isnan(one.low)]
    if not ratios:
        return None
    low, high = _interval(np.mean(draws, axis=0), confidence)
    return Mean(math.exp(float(np.mean(np.log(ratios)))), low, high, len(ratios))


def _machines(before: Results, after: Results) -> tuple[str, str] | None:
    """None if they share a machine, else what each was measured on."""
    old, new = ({one.machine_of(line) for line in one.results} for one in (before, after))
    for name, found in (("first", old), ("second", new)):
        if not found:
            raise InputError(f"the {name} record has no results")
    if old & new:
        return None
    for name, found in (("first", old), ("second", new)):
        if len(found) > 1:
            raise InputError(f"no machine is in both records, and the {name} has {len(found)}")
    return _name(old), _name(new)


def _name(machines: Iterable[Machine]) -> str:
    return next(iter(machines)).name


def _by_identity(results: Results, with_machine: bool) -> dict[tuple[Any, ...], Result]:
    """What was measured again takes the place of the earlier, as in the order of the record."""
    return {
        (results.machine_of(one) if with_machine else None, *one.key): one
        for one in results.results
    }


def _checksum(results: Results, one: Result) -> str | None:
    graph = results.graph_of(one)
    return graph.checksum if graph else None


def _told(parameter: Mapping[str, Any] | None) -> str:
    return "".join(f", {name}={value}" for name, value in (parameter or {}).items())
