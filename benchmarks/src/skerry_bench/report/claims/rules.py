"""What a claim and a verdict are, and the rules by which measurements agree with a paper.

Two times that differ by at most `TIE` count as a tie: neither is faster on that graph. The
thresholds follow from the papers' own numbers by three rules, so that none is chosen to fit a
result. A mean ratio agrees if it is half to twice as strong as the paper's, in logarithms
(`strength`); beyond, it "agrees, stronger", which does not confirm the paper's number. A share of
graphs agrees if it is at least the paper's share (`by_share`). What a paper says of all graphs must
hold on all of them, and holds in part on `PARTIAL_SHARE` of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log
from typing import Literal, TypeAlias, get_args

from skerry.datasets import papers_graphs
from skerry_bench.report.display_names import display_name
from skerry_bench.report.measurements import (
    Cell,
    Cells,
    Graph,
    Measurements,
    Platform,
    geometric_mean,
)

TIE = 0.03
"""The relative difference up to which two times count as a tie."""
PARTIAL_SHARE = 2 / 3
"""The part of the graphs, or of the paper's share of them, from which a claim holds in part."""
NEAR_ONE = 0.05
"""A published mean that differs from 1 by at most this much is a tie by the paper's own words."""
Conclusion = Literal["agrees", "agrees, stronger", "in part", "disagrees", "not measured"]
"""In part: in the paper's direction, but weaker, or not on all graphs that the paper says."""
CONCLUSIONS: tuple[Conclusion, ...] = get_args(Conclusion)

ON_EVERY_GRAPH = (
    "it holds on every graph that the paper reports, apart from ties (in part: on two thirds)"
)
MEAN_RULE = (
    "the mean is on the paper's side of 1 and half to twice as strong, in logarithms (in part: "
    "weaker); where the paper's mean is within 5% of 1, it is within 10% of that mean, on the same "
    "side or tied"
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of judging a claim."""

    conclusion: Conclusion
    finding: str
    """What was measured, and what the paper says."""
    platform: str = ""


Judge: TypeAlias = Callable[[Measurements], Verdict]


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement of a paper, paraphrased, and the function that judges it."""

    id: str
    paper: str
    where: str
    statement: str
    rule: str
    """When measurements agree with it; continues the sentence "Agrees if"."""
    judge: Judge


def not_measured(*missing: str) -> Verdict:
    """The verdict where measurements are missing."""
    return Verdict("not measured", f"Needs {' and '.join(missing)}.")


def verdict(
    agrees: bool,
    finding: str,
    platform: str = "",
    *,
    partly: bool = False,
    judged: Conclusion | None = None,
) -> Verdict:
    """The verdict for a condition, and a weaker one for agreement in part.

    ``judged`` is what `strength` says of the mean beside the condition.
    """
    if judged is not None:
        agrees, partly = agrees and judged.startswith("agrees"), partly or judged != "disagrees"
    conclusion: Conclusion = "agrees" if agrees else "in part" if partly else "disagrees"
    if agrees and judged == "agrees, stronger":
        conclusion = judged
    return Verdict(conclusion, finding, platform)


def by_share(wins: int, graphs: int, share: float, finding: str, platform: str = "") -> Verdict:
    """Agrees if it holds on the paper's share of the graphs, in part on two thirds of that.

    The share is rounded to whole graphs: with fewer graphs than the paper's it may not be exact.
    """
    agrees = wins + 0.5 > share * graphs
    partly = wins > 0 and wins >= PARTIAL_SHARE * share * graphs
    return verdict(agrees, finding, platform, partly=partly)


def strength(mean: float, published: float) -> Conclusion:
    """How a mean ratio agrees with a paper's.

    >>> strength(1.5, 2.0), strength(1.2, 2.0), strength(1.01, 2.0), strength(9.0, 2.5)
    ('agrees', 'in part', 'disagrees', 'agrees, stronger')
    """
    tied = abs(mean - 1) <= TIE
    same_side = not tied and (mean > 1) == (published > 1)
    if abs(published - 1) <= NEAR_ONE:
        near = abs(log(mean / published)) <= log(1.1)
        return "agrees" if (tied or same_side) and near else "in part" if same_side else "disagrees"
    if not same_side:
        return "disagrees"
    times = log(mean) / log(published)
    return "in part" if times < 1 / 2 else "agrees, stronger" if times > 2 else "agrees"


@dataclass(frozen=True, slots=True)
class Comparison:
    """The device, paper and study in which implementations are compared."""

    device: str
    paper: str
    study: str | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    """Names of implementations in findings that differ from their display names."""

    def name(self, implementation: str) -> str:
        """The name of an implementation in findings."""
        return self.names.get(implementation) or display_name(implementation)

    def cells(
        self,
        measurements: Measurements,
        implementations: Sequence[str],
        need: Sequence[str] | None = None,
        at_least: int = 0,
    ) -> tuple[Platform, Cells] | None:
        """The platform with the most graphs to compare on, and the measurements on these graphs.

        A graph needs measurements of all implementations in ``need``, by default of all, and of
        ``at_least`` so many implementations. None where there is no such graph.
        """
        best: tuple[Platform, Cells] | None = None
        needed = tuple(implementations if need is None else need)
        for platform in measurements.platforms(self.device):
            cells = measurements.table(
                platform, implementations, study=self.study, paper=self.paper, need=needed
            )
            cells = {graph: row for graph, row in cells.items() if len(row) >= at_least}
            if cells and (best is None or len(cells) > len(best[1])):
                best = (platform, cells)
        return best

    def judge(
        self, implementations: Sequence[str], judge_cells: Callable[[Platform, Cells], Verdict]
    ) -> Judge:
        """A judge by ``judge_cells`` over the graphs with measurements of all implementations."""

        def judge(measurements: Measurements) -> Verdict:
            cells = self.cells(measurements, implementations)
            return self.needs(*implementations) if cells is None else judge_cells(*cells)

        return judge

    def needs(self, *implementations: str) -> Verdict:
        """The verdict where one of the implementations was not measured."""
        device = "a GPU" if self.device == "cuda" else "a CPU"
        names = " and ".join(map(self.name, implementations))
        return not_measured(f"{names} on the same graph on {device}")

    def count(self, cells: Cells) -> str:
        """The number and the kind of the graphs of a table."""
        return describe_graphs(graphs_of(cells), self.paper)


ORIGINALS = {graph.name: (graph.paper, graph.vertices) for graph in papers_graphs()}
"""The paper and the number of vertices of the papers' graphs."""


def graphs_of(cells: Mapping[str, Mapping[str, Cell]]) -> list[Graph]:
    """The graphs of a table."""
    return [next(iter(row.values())).graph for row in cells.values()]


def describe_graphs(graphs: Iterable[Graph], paper: str) -> str:
    """How many graphs, how many stand-ins and of which size, and how many are the paper's own."""
    listed = list(graphs)
    plural = "graph" if len(listed) == 1 else "graphs"
    stand_ins = sum(graph.stand_in for graph in listed)
    others = sum(ORIGINALS.get(graph.name, ("", 0))[0] != paper for graph in listed)
    sizes = [
        graph.vertices / ORIGINALS[graph.name][1]
        for graph in listed
        if graph.stand_in and graph.vertices and ORIGINALS.get(graph.name, ("", 0))[1]
    ]
    notes = []
    if stand_ins:
        notes.append(f"{'all' if stand_ins == len(listed) else stand_ins} stand-ins")
    if sizes and geometric_mean(sizes) < 0.75:
        notes.append(f"at {geometric_mean(sizes):.2g} of the original size")
    if others:
        own = "none" if others == len(listed) else len(listed) - others
        notes.append(f"{own} of the paper's own")
    return f"{len(listed)} {plural}" + (f" ({', '.join(notes)})" if notes else "")
