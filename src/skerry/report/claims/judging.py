"""How a claim is judged: the comparisons that claims are made of, with their answers in words.

Graphs on which two times differ by less than `LEVEL` count as level: neither is faster there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log
from typing import Literal, TypeAlias

from skerry.report.measured import Cells, Measured, Place, geometric_mean, ratios
from skerry.report.names import label_of

__all__ = [
    "LEVEL",
    "Claim",
    "Compared",
    "Judge",
    "Outcome",
    "Verdict",
    "faster_by",
    "fastest",
    "judge",
    "mean_of",
    "never_faster",
    "not_measured",
    "verdict",
]

LEVEL = 0.03
MOST = 2 / 3
"""The share of graphs from which on a claim on all of them holds in part."""
Outcome = Literal["agrees", "in part", "disagrees", "not measured"]
"""In part: the direction is the paper's, but weaker, or not on all graphs that it says."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What our results say of a claim."""

    outcome: Outcome
    finding: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a paper says, in our words, and how to judge it."""

    id: str
    paper: str
    where: str
    says: str
    rule: str
    """When our results agree with it."""
    judge: Callable[[Measured], Verdict]


Judge: TypeAlias = Callable[[Measured], Verdict]


def judge(claim: Claim, measured: Measured) -> Verdict:
    """The verdict on a claim."""
    return claim.judge(measured)


def not_measured(*missing: str) -> Verdict:
    """Nothing to judge by."""
    return Verdict("not measured", f"Needs {' and '.join(missing)}.")


def verdict(agrees: bool, finding: str, place: str = "", *, partly: bool = False) -> Verdict:
    """Of a condition, and of a weaker one."""
    outcome: Outcome = "agrees" if agrees else "in part" if partly else "disagrees"
    return Verdict(outcome, finding, place)


@dataclass(frozen=True, slots=True)
class Compared:
    """Whom to compare, and where."""

    device: str
    paper: str
    study: str | None = None
    names: Mapping[str, str] = field(default_factory=dict)

    def name(self, contender: str) -> str:
        """For people."""
        return self.names.get(contender) or label_of(contender)

    def cells(self, measured: Measured, contenders: Sequence[str]) -> tuple[Place, Cells] | None:
        """The place with most graphs on which all were measured, and these graphs."""
        best: tuple[Place, Cells] | None = None
        for place in measured.places(self.device):
            found = measured.table(place, contenders, study=self.study, paper=self.paper)
            found = {graph: row for graph, row in found.items() if set(contenders) <= set(row)}
            if found and (best is None or len(found) > len(best[1])):
                best = (place, found)
        return best

    def needs(self, *contenders: str) -> Verdict:
        """The verdict where one of them is missing."""
        where = "a GPU" if self.device == "cuda" else "a CPU"
        names = " and ".join(self.name(one) for one in contenders)
        return not_measured(f"{names} on one graph on {where}")


def mean_of(compared: Compared, slow: str, fast: str, published: float) -> Judge:
    """The slower one's mean time over the faster one's, on the side of 1 that the paper says."""

    def judged(measured: Measured) -> Verdict:
        found = compared.cells(measured, (slow, fast))
        if found is None:
            return compared.needs(slow, fast)
        place, cells = found
        by_graph = ratios(cells, slow, fast)
        mean = geometric_mean(by_graph.values())
        level = abs(mean - 1) <= LEVEL
        same_side = not level and (mean > 1) == (published > 1)
        near = abs(published - 1) <= 0.05 and (level or same_side)
        agrees = near or (same_side and abs(log(mean)) >= abs(log(published)) / 2)
        low, high = min(by_graph.values()), max(by_graph.values())
        told = (
            f"{compared.name(slow)} takes {_times(mean)} as long as {compared.name(fast)} in the "
            f"mean over {_count(cells)}, {_range(low, high)}; the paper: {published:g}."
        )
        return verdict(agrees, told, place.name, partly=same_side)

    return judged


def faster_by(compared: Compared, fast: str, slow: str, paper_says: str, low: float = 1.0) -> Judge:
    """Whether one is faster than the other on every graph."""

    def judged(measured: Measured) -> Verdict:
        found = compared.cells(measured, (fast, slow))
        if found is None:
            return compared.needs(fast, slow)
        place, cells = found
        by_graph = ratios(cells, slow, fast)
        wins = [graph for graph, ratio in by_graph.items() if ratio > low + LEVEL]
        losses = [graph for graph, ratio in by_graph.items() if ratio < low - LEVEL]
        told = (
            f"{compared.name(fast)} beats {compared.name(slow)} on {len(wins)} of {_count(cells)}"
            f"{_level(len(cells) - len(wins) - len(losses))}"
            f" ({_range(min(by_graph.values()), max(by_graph.values()))} times as fast)"
            f"{_except(losses)}; the paper: {paper_says}."
        )
        most = len(wins) >= MOST * len(cells)
        return verdict(not losses and bool(wins), told, place.name, partly=most)

    return judged


def never_faster(
    compared: Compared, slow: str, fast: str, paper_says: str, exceptions: Iterable[str] = ()
) -> Judge:
    """Whether one is never faster than the other, but on the graphs that the paper excepts."""

    def judged(measured: Measured) -> Verdict:
        found = compared.cells(measured, (slow, fast))
        if found is None:
            return compared.needs(slow, fast)
        place, cells = found
        by_graph = ratios(cells, slow, fast)
        wins = [graph for graph, ratio in by_graph.items() if ratio < 1 - LEVEL]
        unlike = [graph for graph in wins if graph not in set(exceptions)]
        told = (
            f"{compared.name(slow)} is faster than {compared.name(fast)} on {len(wins)} of "
            f"{_count(cells)}{_named(wins)}; the paper: {paper_says}."
        )
        most = len(unlike) <= (1 - MOST) * len(cells)
        return verdict(not unlike, told, place.name, partly=most)

    return judged


def fastest(
    compared: Compared, whom: str, others: Sequence[str], paper_says: str, share: float
) -> Judge:
    """Whether one is the fastest of those measured on at least a share of the graphs."""

    def judged(measured: Measured) -> Verdict:
        best: tuple[Place, Cells] | None = None
        for place in measured.places(compared.device):
            cells = measured.table(
                place, (whom, *others), study=compared.study, paper=compared.paper
            )
            cells = {graph: row for graph, row in cells.items() if whom in row and len(row) > 1}
            if cells and (best is None or len(cells) > len(best[1])):
                best = (place, cells)
        if best is None:
            return compared.needs(whom, others[0])
        place, cells = best
        first = {
            graph: min(row, key=lambda one: row[one].milliseconds) for graph, row in cells.items()
        }
        wins = [graph for graph, one in first.items() if one == whom]
        beside = {one for row in cells.values() for one in row} - {whom}
        lost = [graph for graph, one in first.items() if one != whom]
        told = (
            f"{compared.name(whom)} is the fastest on {len(wins)} of {_count(cells)}, beside "
            f"{', '.join(compared.name(one) for one in others if one in beside)}"
            f"{_except(lost)}; the paper: {paper_says}."
        )
        agrees = len(wins) >= share * len(cells)
        return verdict(agrees, told, place.name, partly=len(wins) >= share / 2 * len(cells) > 0)

    return judged


def _times(ratio: float) -> str:
    return f"{ratio:.2f} times" if ratio < 10 else f"{ratio:.0f} times"


def _range(low: float, high: float) -> str:
    return f"{low:.2f} to {high:.2f}" if high < 100 else f"{low:.2f} to {high:.0f}"


def _count(cells: Cells) -> str:
    stand_ins = sum(next(iter(row.values())).graph.stand_in for row in cells.values())
    plural = "graph" if len(cells) == 1 else "graphs"
    if not stand_ins:
        return f"{len(cells)} {plural}"
    return f"{len(cells)} {plural} ({'all' if stand_ins == len(cells) else stand_ins} stand-ins)"


def _level(count: int) -> str:
    return f" and level on {count}" if count else ""


def _named(graphs: Sequence[str], most: int = 4) -> str:
    if not graphs:
        return ""
    rest = f" and {len(graphs) - most} more" if len(graphs) > most else ""
    return f" ({', '.join(graphs[:most])}{rest})"


def _except(graphs: Sequence[str], most: int = 4) -> str:
    if not graphs:
        return ""
    rest = f" and {len(graphs) - most} more" if len(graphs) > most else ""
    return f", not on {', '.join(graphs[:most])}{rest}"
