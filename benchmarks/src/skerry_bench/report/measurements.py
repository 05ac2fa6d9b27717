"""Measurements by platform, graph and implementation, as figures and claims need them.

A platform is one device of one machine. Times are compared only on the same platform and graph.
Of several graphs of a name, those count that today's recipe makes, then the largest, then the
latest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import exp, log
from statistics import median
from typing import TypeAlias

from skerry.datasets import paper_graph, papers_graphs
from skerry_bench.cases import paper_case
from skerry_bench.results import GraphLine, Machine, Result, Results, RunLine


@dataclass(frozen=True, slots=True)
class Platform:
    """A device of a machine."""

    name: str
    device: str
    """``"cpu"`` or ``"cuda"``."""


@dataclass(frozen=True, slots=True)
class Graph:
    """A graph that was measured on."""

    name: str
    stand_in: bool
    family: str = field(compare=False)
    vertices: int
    entries: int
    """Number of directed edges; 0 where the record does not say."""
    current: bool = field(default=True, compare=False)
    """Whether it is a real graph, or what today's recipe of the stand-in makes."""
    date: str = field(default="", compare=False)
    """Of the run."""

    @property
    def rank(self) -> tuple[bool, int, str]:
        """Of several graphs of a name, that of the highest rank counts.

        Sizes within 2 percent are the same size: repeats of random graphs differ.
        """
        return self.current, round(50 * log(max(self.entries, self.vertices, 1))), self.date

    @property
    def label(self) -> str:
        """The name, with a star for a stand-in."""
        return f"{self.name} *" if self.stand_in else self.name

    @property
    def size(self) -> tuple[str, int, int]:
        """Identifies the same graph on different machines."""
        return self.name, self.vertices, self.entries

    @property
    def paper(self) -> str | None:
        """The paper that used the graph; None if none did."""
        return PAPER_OF.get(self.name)

    @property
    def scale_free(self) -> bool:
        """Whether it is an R-MAT or Kronecker graph, which have vertices of very high degree."""
        return any(word in self.family.lower() for word in ("rmat", "r-mat", "kron", "graph500"))


PAPER_OF = {graph.name: graph.paper for graph in papers_graphs()}
ORDER = {name: number for number, name in enumerate(PAPER_OF)}


@dataclass(frozen=True, slots=True)
class Cell:
    """One measurement: a result with its platform and graph."""

    platform: Platform
    graph: Graph
    result: Result
    run: RunLine

    @property
    def milliseconds(self) -> float:
        """The median of the samples."""
        return median(self.result.seconds) * 1e3

    @property
    def implementation(self) -> str:
        """The name of the algorithm or peer."""
        return self.result.implementation


Cells: TypeAlias = dict[str, dict[str, Cell]]
"""Measurements by graph, then by implementation."""


class Measurements:
    """All measurements of a set of results, those on the papers' graphs first."""

    def __init__(self, results: Results) -> None:
        self.results = results
        self.cells = [self._cell(result) for result in results.results]
        self.cells.sort(key=lambda cell: _rank(cell.graph))

    def with_cells(self, cells: Sequence[Cell]) -> Measurements:
        """The same results with other measurements."""
        changed = Measurements(Results())
        changed.results, changed.cells = self.results, list(cells)
        return changed

    def _cell(self, result: Result) -> Cell:
        run = self.results.run_of(result)
        line = self.results.graph_of(result)
        return Cell(_platform(run.machine, result.device), _graph(result, line, run), result, run)

    def platforms(self, device: str | None = None) -> list[Platform]:
        """Platforms with measurements: GPUs first, then by cores, date and measurements."""
        counts = Counter(cell.platform for cell in self.cells)
        ranks: dict[Platform, tuple[bool, int, str]] = {}
        for cell in self.cells:
            rank = (cell.platform.device == "cuda", cell.run.machine.cores or 0, cell.run.date[:10])
            ranks[cell.platform] = max(rank, ranks.get(cell.platform, rank))
        selected = [platform for platform in counts if device in (None, platform.device)]
        return sorted(selected, key=lambda each: (ranks[each], counts[each]), reverse=True)

    def graphs(self) -> list[Graph]:
        """All graphs, those of the papers first; of several of a name, that of the highest rank."""
        best: dict[str, Graph] = {}
        for cell in self.cells:
            if cell.graph.rank >= best.setdefault(cell.graph.name, cell.graph).rank:
                best[cell.graph.name] = cell.graph
        return list(best.values())

    def table(
        self,
        platform: Platform,
        implementations: Iterable[str] | None = None,
        *,
        study: str | None = None,
        paper: str | None = None,
        scope: str = "solve",
        keep: Callable[[Cell], bool] = bool,
        need: Iterable[str] = (),
        same_sizes_as: tuple[Platform, Iterable[str]] | None = None,
    ) -> Cells:
        """Measurements to compare, one per graph and implementation.

        Of several measurements, one of ``study`` is preferred to one of a suite, then the largest
        number of threads, then the latest date.

        Parameters
        ----------
        platform
            Where they were taken.
        implementations
            Their names; None for all.
        study
            The study whose measurements count beside those of the suites.
        paper
            Restricts the table to the graphs of this paper if at least two of them were measured.
            With fewer there is nothing to compare, so all graphs count.
        scope
            ``"solve"`` or ``"end_to_end"``.
        keep
            Selects measurements.
        need
            Of the graphs of a name, those with measurements of all of these count.
        same_sizes_as
            A second platform and names of implementations: only graph sizes that one of these was
            measured on there count.
        """
        selected = None if implementations is None else set(implementations)
        sizes = None
        if same_sizes_as is not None:
            other, names = same_sizes_as
            sizes = {cell.graph.size for cell in self._select(other, set(names), study, scope)}
        tables: dict[str, dict[Graph, dict[str, Cell]]] = {}
        for cell in self._select(platform, selected, study, scope):
            if not keep(cell) or (sizes is not None and cell.graph.size not in sizes):
                continue
            row = tables.setdefault(cell.graph.name, {}).setdefault(cell.graph, {})
            old = row.get(cell.implementation)
            if old is None or _priority(cell, study) >= _priority(old, study):
                row[cell.implementation] = cell
        needed = set(need)
        best: Cells = {}
        for name, rows in tables.items():
            complete = [graph for graph, row in rows.items() if needed <= set(row)]
            if complete:
                best[name] = rows[max(complete, key=lambda graph: graph.rank)]
        own = {name for name in best if paper is not None and PAPER_OF.get(name) == paper}
        return {name: row for name, row in best.items() if len(own) < 2 or name in own}

    def table_pair(
        self,
        first: tuple[Platform, Sequence[str]],
        second: tuple[Platform, Sequence[str]],
        *,
        study: str | None = None,
        paper: str | None = None,
    ) -> tuple[Cells, Cells]:
        """Tables of two platforms with their implementations, each graph in the same size."""
        return (
            self.table(*first, study=study, paper=paper, same_sizes_as=second),
            self.table(*second, study=study, paper=paper, same_sizes_as=first),
        )

    def _select(
        self, platform: Platform, implementations: set[str] | None, study: str | None, scope: str
    ) -> Iterator[Cell]:
        """Measurements of the suites and of ``study``; other studies do not count."""
        for cell in self.cells:
            result = cell.result
            if (
                cell.platform == platform
                and result.scope == scope
                and result.study in (None, study)
                and (not implementations or result.implementation in implementations)
            ):
                yield cell


def _priority(cell: Cell, study: str | None) -> tuple[bool, int, str]:
    return (
        study is not None and cell.result.study == study,
        cell.result.threads or 0,
        cell.run.date,
    )


def _graph(result: Result, line: GraphLine | None, run: RunLine) -> Graph:
    if line is None:
        return Graph(result.graph, False, "", 0, 0, date=run.date)
    current = not line.stand_in or line.recipe == _recipe(line.graph, run.options.get("scale", 1.0))
    sizes = line.vertices, line.entries
    return Graph(line.graph, line.stand_in, line.family, *sizes, current, run.date)


@cache
def _recipe(name: str, scale: float) -> str | None:
    """The recipe of the stand-in today; None if there is no graph of that name."""
    return paper_case(paper_graph(name), scale, None).recipe if name in PAPER_OF else None


def _rank(graph: Graph) -> tuple[int, str]:
    return (ORDER.get(graph.name, len(ORDER)), graph.name)


def _platform(machine: Machine, device: str) -> Platform:
    """Machines with the same processor and number of cores, or the same GPU, are one platform."""
    if device == "cuda":
        return Platform(machine.gpu.name if machine.gpu else "GPU, not named", device)
    processor = machine.processor.replace("(R)", "").replace("(TM)", "").replace("Processor", "")
    name = " ".join(processor.split()) or "CPU, not named"
    return Platform(f"{name}, {machine.cores} cores" if machine.cores else name, device)


def ratios(cells: Mapping[str, Mapping[str, Cell]], slow: str, fast: str) -> dict[str, float]:
    """The time of ``slow`` divided by that of ``fast``, for every graph with both."""
    return {
        graph: row[slow].milliseconds / row[fast].milliseconds
        for graph, row in cells.items()
        if slow in row and fast in row
    }


def geometric_mean(values: Iterable[float]) -> float:
    """The geometric mean of one or more positive numbers.

    >>> geometric_mean([1.0, 4.0])
    2.0
    """
    logarithms = [log(value) for value in values]
    return exp(sum(logarithms) / len(logarithms))
