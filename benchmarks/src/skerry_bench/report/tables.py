"""The tables of the papers with our numbers beside theirs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from skerry.datasets.papers import papers_graphs
from skerry_bench.report import published
from skerry_bench.report.figures.mappings import MAPPINGS
from skerry_bench.report.figures.studies import path_cells
from skerry_bench.report.measured import Cell, Cells, Measured, Place, geometric_mean

__all__ = ["Column", "PaperTable", "Value", "paper_tables"]

Value: TypeAlias = float | int | str | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column: the published numbers or ours."""

    name: str
    ours: bool = False


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A table, a row a graph."""

    id: str
    paper: str
    where: str
    title: str
    note: str
    columns: Sequence[Column]
    rows: Sequence[tuple[str, Sequence[Value]]]
    missing: str = ""


def paper_tables(measured: Measured) -> list[PaperTable]:
    """Tables 2 to 10 of ECL-CC, and table 2 of Gerasimou."""
    return [
        _graphs(measured),
        _l2(measured),
        _paths(measured),
        *(_times(measured, table) for table in published.tables() if table.paper == "ECL-CC"),
        _mappings(measured),
    ]


def _size(cell: Cell | None) -> str | None:
    """How large our graph is beside the original."""
    if cell is None or not cell.graph.entries:
        return None
    original = SIZES.get(cell.graph.name, 0)
    share = f"{cell.graph.entries / original:.0%}" if original else "?"
    return f"{share} *" if cell.graph.stand_in else share


SIZES = {graph.name: 2 * (graph.undirected_edges or 0) for graph in papers_graphs()}


def _times(measured: Measured, table: published.Table) -> PaperTable:
    device = "cuda" if table.group == "gpu" else "cpu"
    place, cells = _best(measured, device, list(table.names), "ECL-CC")
    ours = [one for one in ("auto", *table.names) if any(one in row for row in cells.values())]
    columns = []
    for implementation in ("auto", *table.names):
        if implementation in table.names:
            columns.append(Column(table.names[implementation].replace("_", " ")))
        if implementation in ours:
            columns.append(
                Column("auto" if implementation == "auto" else implementation, ours=True)
            )
    rows = []
    for graph, times in table.milliseconds.items():
        row = cells.get(graph, {})
        values: list[Value] = [_size(next(iter(row.values()), None))]
        for implementation in ("auto", *table.names):
            if implementation in table.names:
                values.append(times.get(implementation))
            if implementation in ours:
                cell = row.get(implementation)
                values.append(cell.milliseconds if cell else None)
        rows.append((graph, values))
    where = f"; ours on {place.name}" if place else ""
    return PaperTable(
        id=f"eclcc-{table.table.lower().replace(' ', '')}",
        paper="ECL-CC",
        where=table.table,
        title=f"Run times on {table.device}",
        note=f"Milliseconds; published {table.year}{where}.",
        columns=[Column("size", ours=True), *columns],
        rows=rows,
        missing="" if ours else "None of these codes was measured on the paper's graphs.",
    )


def _best(
    measured: Measured, device: str, implementations: Sequence[str], paper: str
) -> tuple[Place | None, Cells]:
    best: tuple[Place | None, Cells] = (None, {})
    for place in measured.places(device):
        cells = measured.table(place, ("auto", *implementations), paper=paper)
        own = {graph: row for graph, row in cells.items() if graph in SIZES}
        if sum(map(len, own.values())) > sum(map(len, best[1].values())):
            best = (place, own)
    return best


def _graphs(measured: Measured) -> PaperTable:
    ours = {graph.name: graph for graph in measured.graphs()}
    rows: list[tuple[str, Sequence[Value]]] = []
    for graph in papers_graphs():
        mine = ours.get(graph.name)
        edges = 2 * graph.undirected_edges if graph.undirected_edges else None
        kind = ("stand-in" if mine.stand_in else "original") if mine else None
        sizes = (mine.vertices or None, mine.entries or None) if mine else (None, None)
        rows.append((graph.name, [graph.paper, graph.family, graph.vertices, edges, kind, *sizes]))
    names = ("paper", "family", "vertices", "directed edges")
    columns = [Column(name) for name in names]
    columns += [Column(name, ours=True) for name in ("ours is", "vertices", "directed edges")]
    return PaperTable(
        id="papers-graphs",
        paper="ECL-CC",
        where="Table 2 and others",
        title="Graphs",
        note="The papers' graphs and what we measured on: the original, or a generated stand-in of "
        "the same family.",
        columns=columns,
        rows=rows,
        missing="" if set(ours) & set(SIZES) else "None of the papers' graphs was measured.",
    )


def _paths(measured: Measured) -> PaperTable:
    columns = [Column("average"), Column("longest")]
    found = [(place, path_cells(measured, place)) for place in measured.places()]
    found = [(place, cells) for place, cells in found if cells]
    for place, _ in found:
        columns += [Column(f"{one}, {place.name}", ours=True) for one in ("average", "longest")]
    graphs = dict.fromkeys(
        [*published.path_lengths(), *(graph for _, cells in found for graph in cells)]
    )
    rows: list[tuple[str, Sequence[Value]]] = []
    for graph in graphs:
        values: list[Value] = [*published.path_lengths().get(graph, (None, None))]
        for _, cells in found:
            told: Mapping[str, float] = {}
            if graph in cells:
                told = cells[graph].result.statistics or {}
            values += [told.get("average_path"), told.get("longest_path")]
        rows.append((graph, values))
    return PaperTable(
        id="eclcc-table4-numbers",
        paper="ECL-CC",
        where="Table 4",
        title="Path lengths",
        note="Published on a GTX Titan X, 2018.",
        columns=columns,
        rows=rows,
        missing="" if found else "Path lengths were not measured: run the study paths.",
    )


JUMPS = ("ecl[jump=multiple]", "ecl[jump=single]", "ecl[jump=none]")


def _l2(measured: Measured) -> PaperTable:
    counts: dict[str, dict[str, Mapping[str, float]]] = {}
    for cell in measured.cells:
        if "l2_reads" in (cell.result.statistics or {}):
            told = counts.setdefault(cell.graph.name, {})
            told[cell.implementation] = cell.result.statistics or {}
    keys = [(what, jump) for what in ("reads", "writes") for jump in JUMPS]
    columns = []
    for what, jump in keys:
        name = f"{what}, Jump{JUMPS.index(jump) + 1}"
        columns += [Column(name), *([Column(name, ours=True)] if counts else [])]
    ours: dict[tuple[str, str], list[float]] = {}
    rows: list[tuple[str, Sequence[Value]]] = []
    for graph, theirs in published.l2_accesses().items():
        values: list[Value] = []
        for what, jump in keys:
            number = JUMPS.index(jump) + 1
            values.append(theirs[f"{what[:-1]}_jump{number}"])
            if counts:
                mean = ours.get((what, jump)) if graph == published.MEAN else None
                ratio = _relative(counts.get(graph, {}), jump, f"l2_{what}")
                if ratio is not None:
                    ours.setdefault((what, jump), []).append(ratio)
                values.append(geometric_mean(mean) if mean else ratio)
        rows.append((graph, values))
    return PaperTable(
        id="eclcc-table3",
        paper="ECL-CC",
        where="Table 3",
        title="L2 accesses relative to Jump4",
        note="Published on a GTX Titan X, 2018.",
        columns=columns,
        rows=rows,
        missing="" if counts else "Ours need Nsight Compute on the GPU's machine: none here.",
    )


def _relative(told: Mapping[str, Mapping[str, float]], jump: str, key: str) -> float | None:
    if jump not in told or not told.get("ecl", {}).get(key):
        return None
    return told[jump][key] / told["ecl"][key]


def _mappings(measured: Measured) -> PaperTable:
    place, cells = _best(measured, "cuda", list(MAPPINGS), "Gerasimou")
    rows: list[tuple[str, Sequence[Value]]] = []
    measured_any = False
    for graph, (mapping, rate, _) in published.best_mappings().items():
        row = {one: cell for one, cell in cells.get(graph, {}).items() if one in MAPPINGS[:3]}
        values: list[Value] = [mapping, rate / 1e9]
        if row:
            measured_any = True
            best = min(row.values(), key=lambda cell: cell.milliseconds)
            values += [
                _size(best),
                best.implementation,
                best.graph.entries / best.milliseconds / 1e6,
            ]
        else:
            values += [None, None, None]
        rows.append((graph, values))
    return PaperTable(
        id="gerasimou-table2",
        paper="Gerasimou",
        where="Table 2",
        title="Best mapping of each graph",
        note="Billions of directed edges a second; published on a Tesla T4, 2026"
        + (f"; ours on {place.name}." if place else "."),
        columns=[
            Column("best mapping"),
            Column("edges/s"),
            Column("size", ours=True),
            Column("best mapping", ours=True),
            Column("edges/s", ours=True),
        ],
        rows=rows,
        missing="" if measured_any else "The mappings were not measured on the paper's graphs.",
    )
