"""What was measured, as the figures and the claims ask for it: by place, graph and implementation.

A place is a device of a machine. Numbers are only compared within a place and on one graph: where
a graph was measured in several sizes, its largest counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from statistics import median
from typing import TypeAlias

from skerry.datasets.papers import papers_graphs
from skerry_bench.results import GraphLine, Machine, Result, Results, RunLine

__all__ = ["Cell", "Cells", "Graph", "Measured", "Place", "geometric_mean", "ratios"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where something ran."""

    name: str
    device: str


@dataclass(frozen=True, slots=True)
class Graph:
    """A graph that something ran on."""

    name: str
    stand_in: bool
    family: str
    vertices: int
    entries: int
    """Directed edges, or 0 where the record does not tell."""

    @property
    def label(self) -> str:
        """The name, with a star where it is a stand-in."""
        return f"{self.name} *" if self.stand_in else self.name

    @property
    def size(self) -> tuple[str, int, int]:
        """What makes two graphs, maybe of different machines, the same."""
        return self.name, self.vertices, self.entries

    @property
    def paper(self) -> str | None:
        """The paper that it belongs to."""
        return PAPER_OF.get(self.name)

    @property
    def scale_free(self) -> bool:
        """Whether it has hubs by the way it is made: R-MAT and Kronecker graphs."""
        return any(word in self.family.lower() for word in ("rmat", "r-mat", "kron", "graph500"))


PAPER_OF = {graph.name: graph.paper for graph in papers_graphs()}
ORDER = {name: number for number, name in enumerate(PAPER_OF)}


@dataclass(frozen=True, slots=True)
class Cell:
    """One measurement: a result with its place and graph."""

    place: Place
    graph: Graph
    result: Result
    run: RunLine

    @property
    def milliseconds(self) -> float:
        """The median."""
        return median(self.result.seconds) * 1e3

    @property
    def implementation(self) -> str:
        """Who ran."""
        return self.result.implementation


Cells: TypeAlias = dict[str, dict[str, Cell]]
"""By graph, then by implementation."""


class Measured:
    """All measurements of a set of results."""

    def __init__(self, results: Results) -> None:
        self.results = results
        self._places: dict[tuple[str, str], Place] = {}
        self.cells = [self._cell(result) for result in results.results]
        self.cells.sort(key=lambda cell: _rank(cell.graph))

    def _cell(self, result: Result) -> Cell:
        run = self.results.run_of(result)
        line = self.results.graph_of(result)
        return Cell(self.place(run.machine, result.device), _graph(result, line), result, run)

    def place(self, machine: Machine, device: str) -> Place:
        """The place of a device of a machine; machines with the same processor are one."""
        name = _place_name(machine, device)
        return self._places.setdefault((name, device), Place(name, device))

    def places(self, device: str | None = None) -> list[Place]:
        """Those where something was measured, GPUs first, the best filled first."""
        counts: dict[Place, int] = {}
        for cell in self.cells:
            counts[cell.place] = counts.get(cell.place, 0) + 1
        found = [place for place in counts if device in (None, place.device)]
        return sorted(found, key=lambda place: (place.device != "cuda", -counts[place]))

    def graphs(self) -> list[Graph]:
        """All graphs, the papers' first; of those with one name, the largest."""
        found: dict[str, Graph] = {}
        for cell in self.cells:
            old = found.setdefault(cell.graph.name, cell.graph)
            if (cell.graph.entries, cell.graph.vertices) > (old.entries, old.vertices):
                found[cell.graph.name] = cell.graph
        return list(found.values())

    def table(
        self,
        place: Place,
        implementations: Iterable[str] | None = None,
        *,
        study: str | None = None,
        paper: str | None = None,
        scope: str = "solve",
        keep: Callable[[Cell], bool] = bool,
        need: Iterable[str] = (),
        beside: tuple[Place, Iterable[str]] | None = None,
    ) -> Cells:
        """Medians to compare, at the most threads that each was measured with.

        Those of a study come before those of the suites. With a ``paper``, only its own graphs
        count where at least two of them were measured, else all: one alone is no comparison.
        Of a graph's sizes, the largest at which all that ``need`` names was measured counts; with
        ``beside``, only sizes that one of these was measured on at that other place.
        """
        wanted = None if implementations is None else set(implementations)
        sizes = None
        if beside is not None:
            other, rivals = beside
            sizes = {cell.graph.size for cell in self._compared(other, set(rivals), study, scope)}
        found: dict[str, dict[Graph, dict[str, Cell]]] = {}
        for cell in self._compared(place, wanted, study, scope):
            if not keep(cell) or (sizes is not None and cell.graph.size not in sizes):
                continue
            row = found.setdefault(cell.graph.name, {}).setdefault(cell.graph, {})
            old = row.get(cell.implementation)
            if old is None or _weight(cell, study) >= _weight(old, study):
                row[cell.implementation] = cell
        needed = set(need)
        largest: Cells = {}
        for name, rows in found.items():
            whole = [graph for graph, row in rows.items() if needed <= set(row)]
            if whole:
                largest[name] = rows[max(whole, key=lambda one: (one.entries, one.vertices))]
        own = {name for name in largest if paper is not None and PAPER_OF.get(name) == paper}
        return {name: row for name, row in largest.items() if len(own) < 2 or name in own}

    def side_by_side(
        self,
        one: tuple[Place, Sequence[str]],
        other: tuple[Place, Sequence[str]],
        *,
        study: str | None = None,
        paper: str | None = None,
    ) -> tuple[Cells, Cells]:
        """Tables of implementations at two places: a graph of both is of the same size in both."""
        first = self.table(*one, study=study, paper=paper, beside=other)
        return first, self.table(*other, study=study, paper=paper, beside=one)

    def _compared(
        self, place: Place, implementations: set[str] | None, study: str | None, scope: str
    ) -> Iterator[Cell]:
        """What counts for a table of a place: of the suites, and of a study if it is asked for."""
        for cell in self.cells:
            one = cell.result
            here = cell.place == place and one.scope == scope and one.study in (None, study)
            if here and (not implementations or one.implementation in implementations):
                yield cell


def _weight(cell: Cell, study: str | None) -> tuple[bool, int, str]:
    return (
        study is not None and cell.result.study == study,
        cell.result.threads or 0,
        cell.run.date,
    )


def _graph(result: Result, line: GraphLine | None) -> Graph:
    if line is None:
        return Graph(result.graph, False, "", 0, 0)
    return Graph(line.graph, line.stand_in, line.family, line.vertices, line.entries)


def _rank(graph: Graph) -> tuple[int, str]:
    return (ORDER.get(graph.name, len(ORDER)), graph.name)


def _place_name(machine: Machine, device: str) -> str:
    if device == "cuda":
        return machine.gpu.name if machine.gpu else "GPU, not named"
    processor = machine.processor.replace("(R)", "").replace("(TM)", "").replace("Processor", "")
    name = " ".join(processor.split()) or "CPU, not named"
    return f"{name}, {machine.cores} cores" if machine.cores else name


def ratios(cells: Mapping[str, Mapping[str, Cell]], slow: str, fast: str) -> dict[str, float]:
    """How many times as long ``slow`` takes as ``fast``, by graph."""
    return {
        graph: row[slow].milliseconds / row[fast].milliseconds
        for graph, row in cells.items()
        if slow in row and fast in row
    }


def geometric_mean(values: Sequence[float] | Iterable[float]) -> float:
    """Of positive numbers, at least one.

    >>> geometric_mean([1.0, 4.0])
    2.0
    """
    logs = [log(value) for value in values]
    return exp(sum(logs) / len(logs))
