"""The papers' numbers, from ``skerry_bench/published``, by names of skerry's catalog.

``codes.csv`` maps each code of a paper to the nearest algorithm of the catalog, or to a peer;
published bars are drawn beside the measured bars of that implementation. Codes without a
counterpart keep their own name.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

MEAN = "geometric mean"

PAPERS: Mapping[str, str] = {
    "ECL-CC": "Jaiganesh & Burtscher, A High-Performance Connected Components Implementation for "
    "GPUs, HPDC 2018",
    "thesis": "Jaiganesh, thesis on ECL and ECLaf, Texas State University 2017",
    "Cong & Muzio": "Cong & Muzio, Fast Parallel Connected Components Algorithms on GPUs, 2014",
    "Gerasimou": "Gerasimou, Connected Components Detection on GPUs Using CUDA, 2026",
}
"""Titles of the papers by their short names."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of run times in a paper."""

    paper: str
    year: int
    table: str
    figure: str
    group: str
    """``"gpu"``, ``"parallel"`` or ``"serial"``."""
    device: str
    names: Mapping[str, str]
    """The name of each code in the paper, by implementation."""
    milliseconds: Mapping[str, Mapping[str, float]]
    """By graph and implementation, both in the paper's order, without missing values."""

    @property
    def source(self) -> str:
        """The device and the year, for legends."""
        return f"{self.device}, {self.year}"


@dataclass(frozen=True, slots=True)
class StatedValue:
    """A single number from the text of a paper."""

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
    """A range of speedups from the text of Cong & Muzio."""

    claim: str
    platform: str
    low: float
    high: float
    inputs: str


def _rows(name: str) -> Iterator[dict[str, str]]:
    text = files("skerry_bench").joinpath(f"published/{name}").read_text("ascii")
    yield from csv.DictReader(text.splitlines())


@cache
def codes() -> tuple[tuple[str, str, str, str], ...]:
    """Each code with its group and our counterpart, else ours of the same algorithm."""
    keys = ("code", "group", "implementation", "algorithm")
    rows = [tuple(row[key] for key in keys) for row in _rows("codes.csv")]
    return tuple((code, group, own, same) for code, group, own, same in rows)


@cache
def tables() -> tuple[Table, ...]:
    """All tables of run times."""
    counterparts = {(code, group): implementation for code, group, implementation, _ in codes()}
    return tuple(_table(row, counterparts) for row in _rows("index.csv"))


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
    """The table of run times with a given number in a paper.

    >>> table("ECL-CC", "Table 5").milliseconds["europe_osm"]["groute"]
    21.7
    """
    return next(table for table in tables() if (table.paper, table.table) == (paper, name))


@cache
def stated() -> tuple[StatedValue, ...]:
    """All single numbers from texts."""
    return tuple(
        StatedValue(
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
    """The ranges of speedups of Cong & Muzio."""
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
    """L2 reads and writes relative to Jump4 (ECL-CC, table 3), by graph and column."""
    accesses = {}
    for row in _rows("eclcc_l2_accesses.csv"):
        name = row.pop("graph")
        accesses[MEAN if name == "Geometric Mean" else name] = {
            column: float(value) for column, value in row.items()
        }
    return accesses


@cache
def best_mappings() -> Mapping[str, tuple[str, float, float]]:
    """The best mapping, edges per second and speedup by graph (Gerasimou, table 2)."""
    return {
        row["graph"]: (
            row["best_mapping"],
            float(row["giga_edges_per_s"]) * 1e9,
            float(row["speedup_over_sequential"]),
        )
        for row in _rows("gerasimou_t4.csv")
    }
