"""The tables of the papers, with measured values beside the published ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from skerry.datasets import papers_graphs
from skerry_bench.report import published
from skerry_bench.report.figures.mappings import MAPPINGS
from skerry_bench.report.figures.studies import path_cells
from skerry_bench.report.format_value import Value
from skerry_bench.report.measurements import Cell, Cells, Measurements, Platform, geometric_mean

DIRECTED_EDGES = {graph.name: 2 * (graph.undirected_edges or 0) for graph in papers_graphs()}
"""Of the original graphs; 0 where a paper does not give the number."""


KINDS = {"gpu": "GPU", "parallel": "CPU, parallel", "serial": "CPU, serial"}
NOTES = {
    "Table A.3": " The thesis prints its synchronous column twice; the asynchronous one is that of "
    "ECL-CC's Table 7, the same program on the same machine."
}


@dataclass(frozen=True, slots=True)
class Column:
    """A column of published or of measured values."""

    name: str
    measured: bool = False


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A table with one row per graph."""

    id: str
    paper: str
    where: str
    title: str
    note: str
    columns: Sequence[Column]
    rows: Sequence[tuple[str, Sequence[Value]]]
    missing: str = ""


def paper_tables(measurements: Measurements) -> list[PaperTable]:
    """Tables 1 to 10 of ECL-CC, A.1 to A.6 of the thesis, and table 2 of Gerasimou."""
    return [
        _codes(),
        _graphs(measurements),
        _l2_accesses(measurements),
        _path_lengths(measurements),
        *(_times(measurements, table) for table in published.tables()),
        _mappings(measurements),
    ]


def _codes() -> PaperTable:
    """ECL-CC's table 1 and the thesis' codes: what each is here."""
    rows = [
        (code, [KINDS[group], own or (f"{same}: the same algorithm" if same else None)])
        for code, group, own, same in published.codes()
    ]
    return PaperTable(
        id="eclcc-table1",
        paper="ECL-CC",
        where="Table 1",
        title="Codes that the papers compare, and our counterparts",
        note="A code without a counterpart keeps its name in charts.",
        columns=[Column("kind"), Column("here")],
        rows=rows,
    )


def _relative_size(cell: Cell | None) -> str | None:
    """The size of the measured graph relative to the original, with a star for a stand-in."""
    if cell is None or not cell.graph.entries:
        return None
    original = DIRECTED_EDGES.get(cell.graph.name, 0)
    share = f"{cell.graph.entries / original:.0%}" if original else "?"
    return f"{share} *" if cell.graph.stand_in else share


def _times(measurements: Measurements, table: published.Table) -> PaperTable:
    device = "cuda" if table.group == "gpu" else "cpu"
    platform, cells = _fullest_table(measurements, device, list(table.names), "ECL-CC")
    names = ("auto", *table.names)
    measured = [name for name in names if any(name in row for row in cells.values())]
    columns = [Column("size", measured=True)]
    for name in names:
        if name in table.names:
            columns.append(Column(table.names[name].replace("_", " ")))
        if name in measured:
            columns.append(Column(name, measured=True))
    rows = []
    for graph, times in table.milliseconds.items():
        row = cells.get(graph, {})
        values: list[Value] = [_relative_size(next(iter(row.values()), None))]
        for name in names:
            if name in table.names:
                values.append(times.get(name))
            if name in measured:
                cell = row.get(name)
                values.append(cell.milliseconds if cell else None)
        rows.append((graph, values))
    where = f"; measured on {platform.name}" if platform else ""
    return PaperTable(
        id=f"{table.paper.lower().replace('-', '')}-{table.table.lower().replace(' ', '')}",
        paper=table.paper,
        where=table.table,
        title=f"Run times on {table.device}",
        note=f"Milliseconds; published {table.year}{where}.{NOTES.get(table.table, '')}",
        columns=columns,
        rows=rows,
        missing="" if measured else "None of these codes was measured on the paper's graphs.",
    )


def _fullest_table(
    measurements: Measurements, device: str, implementations: Sequence[str], paper: str
) -> tuple[Platform | None, Cells]:
    """The platform with the most measurements on the papers' graphs, and these."""
    fullest: tuple[Platform | None, Cells] = (None, {})
    for platform in measurements.platforms(device):
        cells = measurements.table(platform, ("auto", *implementations), paper=paper)
        own = {graph: row for graph, row in cells.items() if graph in DIRECTED_EDGES}
        if sum(map(len, own.values())) > sum(map(len, fullest[1].values())):
            fullest = (platform, own)
    return fullest


def _graphs(measurements: Measurements) -> PaperTable:
    measured = {graph.name: graph for graph in measurements.graphs()}
    rows: list[tuple[str, Sequence[Value]]] = []
    for graph in papers_graphs():
        edges = 2 * graph.undirected_edges if graph.undirected_edges else None
        values: list[Value] = [graph.paper, graph.family, graph.vertices, edges]
        counterpart = measured.get(graph.name)
        if counterpart is None:
            values += [None, None, None]
        else:
            values.append("stand-in" if counterpart.stand_in else "original")
            values += [counterpart.vertices or None, counterpart.entries or None]
        rows.append((graph.name, values))
    return PaperTable(
        id="papers-graphs",
        paper="ECL-CC",
        where="Table 2 and others",
        title="Graphs",
        note="The graphs of the papers and the graphs that were measured: the original, or a "
        "generated stand-in of the same family.",
        columns=[
            *(Column(name) for name in ("paper", "family", "vertices", "directed edges")),
            *(Column(name, measured=True) for name in ("graph", "vertices", "directed edges")),
        ],
        rows=rows,
        missing=""
        if set(measured) & set(DIRECTED_EDGES)
        else "None of the papers' graphs was measured.",
    )


def _path_lengths(measurements: Measurements) -> PaperTable:
    tables = [
        (platform, path_cells(measurements, platform)) for platform in measurements.platforms()
    ]
    tables = [(platform, cells) for platform, cells in tables if cells]
    columns = [Column("average"), Column("longest")]
    for platform, _ in tables:
        columns += [
            Column(f"{name}, {platform.name}", measured=True) for name in ("average", "longest")
        ]
    graphs = dict.fromkeys(
        [*published.path_lengths(), *(graph for _, cells in tables for graph in cells)]
    )
    rows: list[tuple[str, Sequence[Value]]] = []
    for graph in graphs:
        values: list[Value] = [*published.path_lengths().get(graph, (None, None))]
        for _, cells in tables:
            statistics: Mapping[str, float] = {}
            if graph in cells:
                statistics = cells[graph].result.statistics or {}
            values += [statistics.get("average_path"), statistics.get("longest_path")]
        rows.append((graph, values))
    return PaperTable(
        id="eclcc-table4-numbers",
        paper="ECL-CC",
        where="Table 4",
        title="Path lengths",
        note="Published on a GTX Titan X, 2018.",
        columns=columns,
        rows=rows,
        missing="" if tables else "Path lengths were not measured: run the study paths.",
    )


JUMPS = ("ecl[jump=multiple]", "ecl[jump=single]", "ecl[jump=none]")
"""Jump1 to Jump3 of the paper; Jump4 is the baseline."""


def _l2_accesses(measurements: Measurements) -> PaperTable:
    counters: dict[str, dict[str, Mapping[str, float]]] = {}
    for cell in measurements.cells:
        if "l2_reads" in (cell.result.statistics or {}):
            by_jump = counters.setdefault(cell.graph.name, {})
            by_jump[cell.implementation] = cell.result.statistics or {}
    keys = [(access, jump) for access in ("reads", "writes") for jump in JUMPS]
    columns = []
    for access, jump in keys:
        name = f"{access}, Jump{JUMPS.index(jump) + 1}"
        columns += [Column(name), *([Column(name, measured=True)] if counters else [])]
    measured: dict[tuple[str, str], list[float]] = {}
    rows: list[tuple[str, Sequence[Value]]] = []
    for graph, numbers in published.l2_accesses().items():
        values: list[Value] = []
        for access, jump in keys:
            values.append(numbers[f"{access[:-1]}_jump{JUMPS.index(jump) + 1}"])
            if counters:
                # The row of the means comes last in the table.
                known = measured.get((access, jump)) if graph == published.MEAN else None
                ratio = _over_jump4(counters.get(graph, {}), jump, f"l2_{access}")
                if ratio is not None:
                    measured.setdefault((access, jump), []).append(ratio)
                values.append(geometric_mean(known) if known else ratio)
        rows.append((graph, values))
    return PaperTable(
        id="eclcc-table3",
        paper="ECL-CC",
        where="Table 3",
        title="L2 accesses relative to Jump4",
        note="Published on a GTX Titan X, 2018.",
        columns=columns,
        rows=rows,
        missing=""
        if counters
        else "L2 accesses were not measured: run the study l2, which needs Nsight Compute.",
    )


def _over_jump4(
    counters: Mapping[str, Mapping[str, float]], jump: str, counter: str
) -> float | None:
    if jump not in counters or not counters.get("ecl", {}).get(counter):
        return None
    return counters[jump][counter] / counters["ecl"][counter]


def _mappings(measurements: Measurements) -> PaperTable:
    platform, cells = _fullest_table(measurements, "cuda", list(MAPPINGS), "Gerasimou")
    rows: list[tuple[str, Sequence[Value]]] = []
    any_measured = False
    for graph, (mapping, rate, _) in published.best_mappings().items():
        row = [cells[graph][name] for name in MAPPINGS[:3] if name in cells.get(graph, {})]
        values: list[Value] = [mapping, rate / 1e9]
        if row:
            any_measured = True
            best = min(row, key=lambda cell: cell.milliseconds)
            best_rate = best.graph.entries / best.milliseconds / 1e6
            values += [_relative_size(best), best.implementation, best_rate]
        else:
            values += [None, None, None]
        rows.append((graph, values))
    return PaperTable(
        id="gerasimou-table2",
        paper="Gerasimou",
        where="Table 2",
        title="Best mapping of each graph",
        note="Billions of directed edges per second; published on a Tesla T4, 2026"
        + (f"; measured on {platform.name}." if platform else "."),
        columns=[
            Column("best mapping"),
            Column("edges/s"),
            Column("size", measured=True),
            Column("best mapping", measured=True),
            Column("edges/s", measured=True),
        ],
        rows=rows,
        missing="" if any_measured else "The mappings were not measured on the paper's graphs.",
    )
