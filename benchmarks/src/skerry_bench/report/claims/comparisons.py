"""Judges for claims that compare run times, with their findings as text."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from skerry_bench.report.claims.rules import (
    PARTIAL_SHARE,
    TIE,
    Comparison,
    Judge,
    Verdict,
    by_share,
    strength,
    verdict,
)
from skerry_bench.report.measurements import (
    Cells,
    Measurements,
    Platform,
    geometric_mean,
    ratios,
)


def mean_of(comparison: Comparison, slow: str, fast: str, published: float) -> Judge:
    """Judges the mean time of ``slow`` relative to ``fast`` by the published mean."""

    def judge_cells(platform: Platform, cells: Cells) -> Verdict:
        by_graph = ratios(cells, slow, fast)
        mean = geometric_mean(by_graph.values())
        finding = (
            f"{comparison.name(slow)} takes {_times(mean)} as long as {comparison.name(fast)} on "
            f"average over {comparison.count(cells)}, {_range(by_graph)}; the paper: "
            f"{published:g}."
        )
        return verdict(True, finding, platform.name, judged=strength(mean, published))

    return comparison.judge((slow, fast), judge_cells)


def faster_by(
    comparison: Comparison,
    fast: str,
    slow: str,
    paper_says: str,
    *,
    graphs: Collection[str] = (),
    published: float | None = None,
) -> Judge:
    """Judges whether ``fast`` is faster than ``slow`` on every graph that the paper reports.

    ``graphs`` are the paper's graphs. Others appear in the finding, but count only if none of the
    paper's was measured. With a ``published`` ratio, the mean must also be half as strong.
    """

    def judge_cells(platform: Platform, cells: Cells) -> Verdict:
        by_graph = ratios(cells, slow, fast)
        wins = [graph for graph, ratio in by_graph.items() if ratio > 1 + TIE]
        losses = [graph for graph, ratio in by_graph.items() if ratio < 1 - TIE]
        own = _own(by_graph, graphs)
        won, lost = len(own & set(wins)), len(own & set(losses))
        mean = geometric_mean(by_graph[graph] for graph in own)
        ties = len(cells) - len(wins) - len(losses)
        finding = (
            f"{comparison.name(fast)} is faster than {comparison.name(slow)} on {len(wins)} of "
            f"{comparison.count(cells)}{f', tied on {ties}' if ties else ''}"
            f" ({_range(by_graph)} times as fast){_except(losses)}"
            f"{_of_the_papers(won, own, by_graph)}; the paper: {paper_says}."
        )
        partly = won >= PARTIAL_SHARE * len(own)
        judged = None if published is None else strength(mean, published)
        if judged is not None and not judged.startswith("agrees"):
            return verdict(False, finding, platform.name, partly=partly)
        if lost:
            judged = None
        return verdict(not lost and won > 0, finding, platform.name, partly=partly, judged=judged)

    return comparison.judge((fast, slow), judge_cells)


def never_faster(
    comparison: Comparison,
    slow: str,
    fast: str,
    paper_says: str,
    exceptions: Collection[str] = (),
) -> Judge:
    """Judges whether ``slow`` is never faster than ``fast``, except on ``exceptions``."""

    def judge_cells(platform: Platform, cells: Cells) -> Verdict:
        by_graph = ratios(cells, slow, fast)
        wins = [graph for graph, ratio in by_graph.items() if ratio < 1 - TIE]
        unexpected = [graph for graph in wins if graph not in exceptions]
        missed = [graph for graph in exceptions if graph in by_graph and graph not in wins]
        finding = (
            f"{comparison.name(slow)} is faster than {comparison.name(fast)} on {len(wins)} of "
            f"{comparison.count(cells)}{_in_parentheses(wins)}{_except(missed)}; the paper: "
            f"{paper_says}."
        )
        partly = len(unexpected) <= (1 - PARTIAL_SHARE) * len(cells)
        return verdict(not unexpected and not missed, finding, platform.name, partly=partly)

    return comparison.judge((slow, fast), judge_cells)


def fastest(
    comparison: Comparison,
    implementation: str,
    others: Sequence[str],
    paper_says: str,
    share: float,
    graphs: Collection[str] = (),
) -> Judge:
    """Judges whether an implementation is the fastest, or tied, on the paper's share of graphs.

    A graph counts if at least half of the others were measured on it.
    """
    half = (len(others) + 1) // 2

    def judge(measurements: Measurements) -> Verdict:
        selected = comparison.cells(
            measurements, (implementation, *others), (implementation,), at_least=1 + half
        )
        if selected is None:
            return comparison.needs(implementation, *others[:half])
        platform, cells = selected
        over_fastest = {
            graph: row[implementation].milliseconds
            / min(cell.milliseconds for cell in row.values())
            for graph, row in cells.items()
        }
        wins = [graph for graph, ratio in over_fastest.items() if ratio <= 1 + TIE]
        measured = {name for row in cells.values() for name in row}
        own = _own(over_fastest, graphs)
        won = len(own & set(wins))
        finding = (
            f"{comparison.name(implementation)} is the fastest, or tied, on {len(wins)} of "
            f"{comparison.count(cells)}, compared with "
            f"{', '.join(comparison.name(name) for name in others if name in measured)}"
            f"{_except([graph for graph in over_fastest if graph not in wins])}"
            f"{_of_the_papers(won, own, over_fastest)}; the paper: {paper_says}."
        )
        return by_share(won, len(own), share, finding, platform.name)

    return judge


def slowest(
    comparison: Comparison, implementation: str, others: Sequence[str], paper_says: str
) -> Judge:
    """Judges whether an implementation takes longer than each of the others on average."""

    def judge_cells(platform: Platform, cells: Cells) -> Verdict:
        means = {
            other: geometric_mean(ratios(cells, implementation, other).values()) for other in others
        }
        parts = ", ".join(
            f"{_times(mean)} as long as {comparison.name(other)}" for other, mean in means.items()
        )
        finding = (
            f"{comparison.name(implementation)} takes, on average over {comparison.count(cells)}, "
            f"{parts}; the paper: {paper_says}."
        )
        longer = sum(mean > 1 + TIE for mean in means.values())
        return by_share(longer, len(means), 1.0, finding, platform.name)

    return comparison.judge((implementation, *others), judge_cells)


def _own(by_graph: Mapping[str, float], graphs: Collection[str]) -> set[str]:
    """The measured graphs that the paper reports, or all if there is none."""
    return {graph for graph in by_graph if graph in graphs} or set(by_graph)


def _of_the_papers(won: int, own: set[str], by_graph: Mapping[str, float]) -> str:
    if len(own) == len(by_graph):
        return ""
    return f"; on {won} of the {len(own)} that the paper reports"


def _times(ratio: float) -> str:
    return f"{ratio:.2f} times" if ratio < 10 else f"{ratio:.0f} times"


def _range(by_graph: Mapping[str, float]) -> str:
    low, high = min(by_graph.values()), max(by_graph.values())
    return f"{low:.2f} to {high:.2f}" if high < 100 else f"{low:.2f} to {high:.0f}"


def _listed(graphs: Sequence[str], limit: int = 4) -> str:
    rest = f" and {len(graphs) - limit} more" if len(graphs) > limit else ""
    return f"{', '.join(graphs[:limit])}{rest}"


def _in_parentheses(graphs: Sequence[str]) -> str:
    return f" ({_listed(graphs)})" if graphs else ""


def _except(graphs: Sequence[str]) -> str:
    return f", not on {_listed(graphs)}" if graphs else ""
