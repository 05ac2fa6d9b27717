"""Which program stands for a name in a paper's claim: the original, ours by the letter, or ours.

A claim names a program of its paper. Where the original was measured, it is judged; else ours by
the letter of the paper; else our default. So no verdict is that of a departure of ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from skerry_bench.implementation import Device
from skerry_bench.microbenchmarks.gpu_peers import IN_TURN
from skerry_bench.originals.pairs import LETTERS, ORIGINALS, Original
from skerry_bench.report.display_names import display_name
from skerry_bench.report.measurements import Cell, Measurements, Platform
from skerry_bench.suites import SUITES

COMPARED = (None, IN_TURN, "devices")
"""Studies that compare programs; others but those of `VARIANTS` look into one of ours."""

VARIANTS: Mapping[str, tuple[str, ...]] = {
    "init": ("ecl", "ecl[init=own]", "ecl[init=smallest]"),
    "jump": ("ecl", "ecl[jump=multiple]", "ecl[jump=single]", "ecl[jump=none]"),
    "finish": ("ecl", "ecl[finish=halving]", "ecl[finish=multiple]"),
}
"""Studies of ECL-CC's alternatives: they are compared in one program, so all or none stand in."""

Key: TypeAlias = tuple[Platform, str | None]
"""A platform, and the paper of a graph."""


@dataclass(frozen=True, slots=True)
class Substitute:
    """The programs that stand for one of the catalog, or for all of a study of variants."""

    platform: Platform
    paper: str | None
    """Whose graphs it was measured on."""
    study: str | None
    programs: Mapping[str, str]
    """Originals, or ours by the letter, by the names in the catalog."""
    original: bool
    graphs: int


def papers_programs(measurements: Measurements) -> tuple[Measurements, list[Substitute]]:
    """The measurements with substitutes under the names of the catalog, and what was substituted.

    Programs stand in on the graphs of a paper if they were measured on at least half of those that
    ours were. Then our defaults do not count there, nor do graphs of a size that no substitute was
    measured on: a claim compares programs of the same runs.
    """
    substitutes = list(_substitutes(measurements))
    renamed: dict[tuple[Key, str], list[tuple[str, str | None]]] = {}
    dropped: set[tuple[Key, str, str | None]] = set()
    for each in substitutes:
        key = (each.platform, each.paper)
        for name, program in each.programs.items():
            renamed.setdefault((key, program), []).append((name, each.study))
            dropped.add((key, name, each.study))
    sizes: dict[tuple[Key, str], set[tuple[str, int, int]]] = {}
    for cell in measurements.cells:
        if _counts(cell) and (_key(cell), cell.implementation) in renamed:
            sizes.setdefault((_key(cell), cell.graph.name), set()).add(cell.graph.size)
    cells = []
    for cell in measurements.cells:
        key, name, study = _key(cell), cell.implementation, cell.result.study
        compared = study in COMPARED
        if _counts(cell):
            cells += [_named(cell, *names) for names in renamed.get((key, name), ())]
        if not compared and study not in VARIANTS:
            cells.append(cell)
        elif (key, name, None if compared else study) not in dropped:
            known = sizes.get((key, cell.graph.name), {cell.graph.size})
            if not compared or cell.graph.size in known:
                cells.append(_named(cell, name, None) if study == IN_TURN else cell)
    return measurements.with_cells(cells), substitutes


def _substitutes(measurements: Measurements) -> Iterator[Substitute]:
    graphs: dict[tuple[Key, str], set[str]] = {}
    for cell in measurements.cells:
        if _counts(cell):
            graphs.setdefault((_key(cell), cell.implementation), set()).add(cell.graph.name)
    for key in dict.fromkeys(key for key, _ in graphs):
        device: Device = "cuda" if key[0].device == "cuda" else "cpu"
        own = {each.rewrite: each.name for each in _originals(device)}
        alone = [(None, (name,)) for name in {**own, **LETTERS[device]} if "[" not in name]
        for study, names in (*alone, *(VARIANTS.items() if device == "cuda" else ())):
            sets = [
                {name: known[name] for name in names}
                for known in (own, LETTERS[device], dict.fromkeys(names, ""))
                if set(names) <= set(known)
            ]
            counts = [
                len(set.intersection(*(graphs.get((key, p or n), set()) for n, p in each.items())))
                for each in sets
            ]
            if not max(counts):
                continue
            best = next(i for i, count in enumerate(counts) if 2 * count >= max(counts))
            if all(sets[best].values()):
                original = set(sets[best].values()) <= set(own.values())
                yield Substitute(*key, study, sets[best], original, counts[best])


def _originals(device: Device) -> Iterator[Original]:
    return (each for each in ORIGINALS if each.device == device and not each.race_free)


def _key(cell: Cell) -> Key:
    return cell.platform, cell.graph.paper


def _named(cell: Cell, name: str, study: str | None) -> Cell:
    return replace(cell, result=replace(cell.result, implementation=name, study=study))


def _counts(cell: Cell) -> bool:
    """Whether a measurement compares programs of a paper, by the clock of its suite."""
    result = cell.result
    compared = result.study in COMPARED or result.study in VARIANTS
    if result.scope != "solve" or not compared or cell.graph.paper is None:
        return False
    suite = SUITES.get(result.suite)
    return result.device != "cuda" or suite is None or result.clock in ("wall", suite.gpu_clock)


def describe(substitutes: Iterable[Substitute]) -> list[str]:
    """A sentence for each platform and kind of substitute."""
    kinds: dict[tuple[str, bool], list[str]] = {}
    for each in substitutes:
        shown = ", ".join(each.programs.values())
        label = f"the study {each.study}" if each.study else display_name(*each.programs)
        kinds.setdefault((each.platform.name, each.original), []).append(
            f"{label} ({shown}; {each.graphs} graphs)"
        )
    words = {True: "by the original programs", False: "by ours to the letter of the paper"}
    return [
        f"On {platform} claims are judged {words[original]} for {', '.join(names)}."
        for (platform, original), names in kinds.items()
    ]
