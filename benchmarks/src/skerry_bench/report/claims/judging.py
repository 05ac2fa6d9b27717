"""How a claim is judged: what a verdict is, whom to compare where, and when numbers agree.

Graphs on which two times differ by less than `LEVEL` count as level: neither is faster there.
Thresholds follow from the papers' own numbers by three rules, so that none is set for a result:
a mean agrees from half of the paper's on, in logarithms (`strength`); a share of graphs agrees from
the paper's share on (`by_share`); what a paper says of all graphs holds on all (`MOST`: in part).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log
from typing import Literal, TypeAlias

from skerry.datasets.papers import papers_graphs
from skerry_bench.report.measured import Cell, Cells, Graph, Measured, Place, geometric_mean
from skerry_bench.report.names import label_of

__all__ = [
    "EVERY",
    "LEVEL",
    "MOST",
    "ON_SIDE",
    "Claim",
    "Compared",
    "Judge",
    "Outcome",
    "Verdict",
    "by_share",
    "graphs_of",
    "judge",
    "not_measured",
    "strength",
    "told_graphs",
    "verdict",
]

LEVEL = 0.03
MOST = 2 / 3
"""The part of the graphs, or of the paper's share of them, from which on a claim holds in part."""
NEAR = 0.05
"""Means this near to 1 are called level by a paper."""
Outcome = Literal["agrees", "in part", "disagrees", "not measured"]
"""In part: the direction is the paper's, but weaker, or not on all graphs that it says."""

EVERY = "it holds on every graph that the paper tells of, level ones aside (in part: on two thirds)"
ON_SIDE = (
    "the mean is on the paper's side of 1, by half as much at least, in logarithms (in part: by "
    "less); where the paper's is within 5% of 1, it is within 10% of that, on its side or level"
)


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


def by_share(wins: int, graphs: int, share: float, finding: str, place: str = "") -> Verdict:
    """Agrees if it holds on the paper's share of the graphs, in part on two thirds of that.

    Half a graph is forgiven: with fewer graphs than the paper's, no number may be its share.
    """
    agrees = wins + 0.5 > share * graphs
    return verdict(agrees, finding, place, partly=wins > 0 and wins >= MOST * share * graphs)


def strength(mean: float, published: float) -> tuple[bool, bool]:
    """Whether a mean ratio agrees with a paper's, and whether it does in part.

    >>> strength(1.5, 2.0), strength(1.2, 2.0), strength(1.01, 2.0)
    ((True, True), (False, True), (False, False))
    """
    level = abs(mean - 1) <= LEVEL
    same_side = not level and (mean > 1) == (published > 1)
    if abs(published - 1) <= NEAR:
        near = abs(log(mean / published)) <= log(1.1)
        return (level or same_side) and near, same_side
    return same_side and abs(log(mean)) >= abs(log(published)) / 2, same_side


@dataclass(frozen=True, slots=True)
class Compared:
    """Whom to compare, and where."""

    device: str
    paper: str
    study: str | None = None
    names: Mapping[str, str] = field(default_factory=dict)

    def name(self, implementation: str) -> str:
        """For people."""
        return self.names.get(implementation) or label_of(implementation)

    def cells(
        self,
        measured: Measured,
        implementations: Sequence[str],
        need: Sequence[str] | None = None,
        at_least: int = 0,
    ) -> tuple[Place, Cells] | None:
        """The place with most graphs on which all of ``need`` were measured, and these graphs.

        By default all implementations are needed; else as many as told of the implementations.
        """
        best: tuple[Place, Cells] | None = None
        needed = tuple(implementations if need is None else need)
        for place in measured.places(self.device):
            found = measured.table(
                place, implementations, study=self.study, paper=self.paper, need=needed
            )
            found = {graph: row for graph, row in found.items() if len(row) >= at_least}
            if found and (best is None or len(found) > len(best[1])):
                best = (place, found)
        return best

    def judge(
        self, implementations: Sequence[str], told_by: Callable[[Place, Cells], Verdict]
    ) -> Judge:
        """Calls ``told_by`` where all implementations were measured, else names what is missing."""

        def judged(measured: Measured) -> Verdict:
            found = self.cells(measured, implementations)
            return self.needs(*implementations) if found is None else told_by(*found)

        return judged

    def needs(self, *implementations: str) -> Verdict:
        """The verdict where one of them is missing."""
        where = "a GPU" if self.device == "cuda" else "a CPU"
        names = " and ".join(self.name(one) for one in implementations)
        return not_measured(f"{names} on one graph on {where}")

    def count(self, cells: Cells) -> str:
        """How many graphs, and what they are."""
        return told_graphs(graphs_of(cells), self.paper)


SIZES = {graph.name: (graph.paper, graph.vertices) for graph in papers_graphs()}


def graphs_of(cells: Mapping[str, Mapping[str, Cell]]) -> list[Graph]:
    """The graphs of a table."""
    return [next(iter(row.values())).graph for row in cells.values()]


def told_graphs(graphs: Iterable[Graph], paper: str) -> str:
    """How many graphs, whether they are the paper's own, and of which size."""
    given = list(graphs)
    plural = "graph" if len(given) == 1 else "graphs"
    stand_ins = sum(graph.stand_in for graph in given)
    others = sum(SIZES.get(graph.name, ("", 0))[0] != paper for graph in given)
    sizes = [
        graph.vertices / SIZES[graph.name][1]
        for graph in given
        if graph.stand_in and graph.vertices and SIZES.get(graph.name, ("", 0))[1]
    ]
    notes = []
    if stand_ins:
        notes.append(f"{'all' if stand_ins == len(given) else stand_ins} stand-ins")
    if sizes and geometric_mean(sizes) < 0.75:
        notes.append(f"at {geometric_mean(sizes):.2g} of the size")
    if others:
        notes.append(f"{'none' if others == len(given) else len(given) - others} the paper's")
    return f"{len(given)} {plural}" + (f" ({', '.join(notes)})" if notes else "")
