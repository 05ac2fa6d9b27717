"""The comparisons of times that most claims are made of, with their answers in words."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from skerry_bench.report.claims.judging import (
    LEVEL,
    MOST,
    Compared,
    Judge,
    Verdict,
    by_share,
    strength,
    verdict,
)
from skerry_bench.report.measured import Cells, Measured, Place, geometric_mean, ratios

__all__ = ["faster_by", "fastest", "mean_of", "never_faster", "slowest"]


def mean_of(compared: Compared, slow: str, fast: str, published: float) -> Judge:
    """The slower one's mean time over the faster one's, on the side of 1 that the paper says."""

    def judged(place: Place, cells: Cells) -> Verdict:
        by_graph = ratios(cells, slow, fast)
        mean = geometric_mean(by_graph.values())
        agrees, partly = strength(mean, published)
        told = (
            f"{compared.name(slow)} takes {_times(mean)} as long as {compared.name(fast)} in the "
            f"mean over {compared.count(cells)}, {_range(by_graph)}; the paper: {published:g}."
        )
        return verdict(agrees, told, place.name, partly=partly)

    return compared.judge((slow, fast), judged)


def faster_by(
    compared: Compared,
    fast: str,
    slow: str,
    paper_says: str,
    *,
    graphs: Collection[str] = (),
    published: float | None = None,
) -> Judge:
    """Whether one is faster than the other on every graph that the paper tells of.

    ``graphs`` are these; others are told, and judge only where none of them was measured. With a
    ``published`` ratio the mean has to be half as strong, too.
    """

    def judged(place: Place, cells: Cells) -> Verdict:
        by_graph = ratios(cells, slow, fast)
        wins = [graph for graph, ratio in by_graph.items() if ratio > 1 + LEVEL]
        losses = [graph for graph, ratio in by_graph.items() if ratio < 1 - LEVEL]
        own = _own(by_graph, graphs)
        won, lost = len(own & set(wins)), len(own & set(losses))
        mean = geometric_mean(by_graph[graph] for graph in own)
        strong = published is None or strength(mean, published)[0]
        level = len(cells) - len(wins) - len(losses)
        told = (
            f"{compared.name(fast)} beats {compared.name(slow)} on {len(wins)} of "
            f"{compared.count(cells)}{f' and level on {level}' if level else ''}"
            f" ({_range(by_graph)} times as fast){_except(losses)}"
            f"{_of_the_papers(won, own, by_graph)}; the paper: {paper_says}."
        )
        return verdict(
            not lost and won > 0 and strong, told, place.name, partly=won >= MOST * len(own)
        )

    return compared.judge((fast, slow), judged)


def never_faster(
    compared: Compared, slow: str, fast: str, paper_says: str, exceptions: Collection[str] = ()
) -> Judge:
    """Whether one is never faster than the other, but on the graphs that the paper excepts."""

    def judged(place: Place, cells: Cells) -> Verdict:
        by_graph = ratios(cells, slow, fast)
        wins = [graph for graph, ratio in by_graph.items() if ratio < 1 - LEVEL]
        unlike = [graph for graph in wins if graph not in exceptions]
        missed = [graph for graph in exceptions if graph in by_graph and graph not in wins]
        told = (
            f"{compared.name(slow)} is faster than {compared.name(fast)} on {len(wins)} of "
            f"{compared.count(cells)}{_named(wins)}{_except(missed)}; the paper: {paper_says}."
        )
        most = len(unlike) <= (1 - MOST) * len(cells)
        return verdict(not unlike and not missed, told, place.name, partly=most)

    return compared.judge((slow, fast), judged)


def fastest(
    compared: Compared,
    whom: str,
    others: Sequence[str],
    paper_says: str,
    share: float,
    graphs: Collection[str] = (),
) -> Judge:
    """Whether one is the fastest, or level with it, on the paper's share of the graphs.

    A graph counts where at least half of the others were measured.
    """

    def judged(measured: Measured) -> Verdict:
        found = compared.cells(
            measured, (whom, *others), (whom,), at_least=1 + (len(others) + 1) // 2
        )
        if found is None:
            return compared.needs(whom, *others[: (len(others) + 1) // 2])
        place, cells = found
        lead = {
            graph: row[whom].milliseconds / min(cell.milliseconds for cell in row.values())
            for graph, row in cells.items()
        }
        wins = [graph for graph, ratio in lead.items() if ratio <= 1 + LEVEL]
        beside = {one for row in cells.values() for one in row} - {whom}
        own = _own(lead, graphs)
        won = len(own & set(wins))
        told = (
            f"{compared.name(whom)} is the fastest, or level with it, on {len(wins)} of "
            f"{compared.count(cells)}, beside "
            f"{', '.join(compared.name(one) for one in others if one in beside)}"
            f"{_except([graph for graph in lead if graph not in wins])}"
            f"{_of_the_papers(won, own, lead)}; the paper: {paper_says}."
        )
        return by_share(won, len(own), share, told, place.name)

    return judged


def slowest(compared: Compared, whom: str, others: Sequence[str], paper_says: str) -> Judge:
    """Whether one takes longer than each of the others in the mean over the graphs of all."""

    def judged(place: Place, cells: Cells) -> Verdict:
        means = {one: geometric_mean(ratios(cells, whom, one).values()) for one in others}
        told = ", ".join(f"{_times(mean)} as {compared.name(one)}" for one, mean in means.items())
        told = (
            f"{compared.name(whom)} takes as long, in the mean over {compared.count(cells)}: "
            f"{told}; the paper: {paper_says}."
        )
        longer = sum(mean > 1 + LEVEL for mean in means.values())
        return by_share(longer, len(means), 1.0, told, place.name)

    return compared.judge((whom, *others), judged)


def _own(by_graph: Mapping[str, float], graphs: Collection[str]) -> set[str]:
    """Those that the paper tells of, or all where it has none of these."""
    return {graph for graph in by_graph if graph in graphs} or set(by_graph)


def _of_the_papers(won: int, own: set[str], by_graph: Mapping[str, float]) -> str:
    if len(own) == len(by_graph):
        return ""
    return f"; on {won} of the {len(own)} that the paper tells of"


def _times(ratio: float) -> str:
    return f"{ratio:.2f} times" if ratio < 10 else f"{ratio:.0f} times"


def _range(by_graph: Mapping[str, float]) -> str:
    low, high = min(by_graph.values()), max(by_graph.values())
    return f"{low:.2f} to {high:.2f}" if high < 100 else f"{low:.2f} to {high:.0f}"


def _listed(graphs: Sequence[str], most: int = 4) -> str:
    rest = f" and {len(graphs) - most} more" if len(graphs) > most else ""
    return f"{', '.join(graphs[:most])}{rest}"


def _named(graphs: Sequence[str]) -> str:
    return f" ({_listed(graphs)})" if graphs else ""


def _except(graphs: Sequence[str]) -> str:
    return f", not on {_listed(graphs)}" if graphs else ""
