"""The numbers of the papers, from ``published/``, under the names of skerry's catalog.

Which row of the catalog is nearest to a code of a paper is data too (``codes.csv``): a published
bar is drawn as the ghost of that row. Codes without such a row keep their own name.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

__all__ = [
    "MEAN",
    "PAPERS",
    "Speedup",
    "Stated",
    "Table",
    "best_mappings",
    "l2_accesses",
    "path_lengths",
    "speedups",
    "stated",
    "table",
    "tables",
]

MEAN = "geometric mean"

PAPERS: Mapping[str, str] = {
    "ECL-CC": "Jaiganesh & Burtscher, A High-Performance Connected Components Implementation for "
    "GPUs, HPDC 2018",
    "thesis": "Jaiganesh, thesis on ECL and ECLaf, Texas State University 2017",
    "Cong & Muzio": "Cong & Muzio, Fast Parallel Connected Components Algorithms on GPUs, 2014",
    "Gerasimou": "Gerasimou, Connected Components Detection on GPUs Using CUDA, 2026",
}
"""The papers by the short names used in the data."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of times of a paper."""

    paper: str
    year: int
    table: str
    figure: str
    group: str
    """``"gpu"``, ``"parallel"`` or ``"serial"``."""
    device: str
    names: Mapping[str, str]
    """The paper's name of each code, by implementation."""
    milliseconds: Mapping[str, Mapping[str, float]]
    """By graph and implementation, both in the paper's order; n/a is left out."""

    @property
    def source(self) -> str:
        """The device and the year, for legends."""
        return f"{self.device}, {self.year}"


@dataclass(frozen=True, slots=True)
class Stated:
    """A number told in the text of a paper."""

    paper: str
    year: int
    where: str
    device: str
    graph: str
    implementation: str
    measure: str
    value: float

    @property
    def source(self) -> str:
        """The device and the year, for legends."""
        return f"{self.device}, {self.year}"


@dataclass(frozen=True, slots=True)
class Speedup:
    """A range of speedups told by Cong & Muzio."""

    claim: str
    platform: str
    low: float
    high: float
    inputs: str


def _rows(name: str) -> Iterator[dict[str, str]]:
    text = files("skerry_bench").joinpath(f"published/{name}").read_text("ascii")
    yield from csv.DictReader(text.splitlines())


@cache
def tables() -> tuple[Table, ...]:
    """All tables of times."""
    codes = {(row["code"], row["group"]): row["implementation"] for row in _rows("codes.csv")}
    return tuple(_table(row, codes) for row in _rows("index.csv"))


def _table(row: Mapping[str, str], codes: Mapping[tuple[str, str], str]) -> Table:
    names: dict[str, str] = {}
    times: dict[str, dict[str, float]] = {}
    for line in _rows(row["file"]):
        graph = line.pop("graph")
        for code, value in line.items():
            implementation = codes[code, row["group"]] or code
            names[implementation] = code
            if value:
                times.setdefault(graph, {})[implementation] = float(value)
    return Table(
        paper=row["paper"],
        year=int(row["year"]),
        table=row["table"],
        figure=row["figure"],
        group=row["group"],
        device=row["device"],
        names=names,
        milliseconds=times,
    )


def table(paper: str, name: str) -> Table:
    """A table of times by its number in its paper.

    >>> table("ECL-CC", "Table 5").milliseconds["europe_osm"]["groute"]
    21.7
    """
    return next(one for one in tables() if (one.paper, one.table) == (paper, name))


@cache
def stated() -> tuple[Stated, ...]:
    """All single numbers."""
    return tuple(
        Stated(
            paper=row["paper"],
            year=int(row["year"]),
            where=row["where"],
            device=row["device"],
            graph=row["graph"],
            implementation=row["implementation"],
            measure=row["measure"],
            value=float(row["value"]),
        )
        for row in _rows("stated.csv")
    )


@cache
def speedups() -> tuple[Speedup, ...]:
    """The ranges of Cong & Muzio."""
    return tuple(
        Speedup(row["claim"], row["platform"], float(row["low"]), float(row["high"]), row["inputs"])
        for row in _rows("cong_muzio_speedups.csv")
    )


@cache
def path_lengths() -> Mapping[str, tuple[float, float]]:
    """Average and longest path by graph (ECL-CC, table 4)."""
    rows = _rows("eclcc_path_lengths.csv")
    return {row["graph"]: (float(row["average"]), float(row["maximum"])) for row in rows}


@cache
def l2_accesses() -> Mapping[str, Mapping[str, float]]:
    """Reads and writes of the L2 relative to Jump4 (ECL-CC, table 3), by graph and column."""
    found = {}
    for row in _rows("eclcc_l2_accesses.csv"):
        name = row.pop("graph")
        found[MEAN if name == "Geometric Mean" else name] = {
            column: float(value) for column, value in row.items()
        }
    return found


@cache
def best_mappings() -> Mapping[str, tuple[str, float, float]]:
    """Gerasimou, table 2: best mapping, edges per second and speedup, by graph."""
    return {
        row["graph"]: (
            row["best_mapping"],
            float(row["giga_edges_per_s"]) * 1e9,
            float(row["speedup_over_sequential"]),
        )
        for row in _rows("gerasimou_t4.csv")
    }
