"""Which program stands for a name in a paper's claim: the original, ours by the letter, or ours.

A claim names a program of its paper. Where the original was measured, it is judged; else ours by
the letter of the paper; else our default. So no verdict is that of a departure of ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product

from skerry_bench.implementation import Device
from skerry_bench.microbenchmarks.gpu_peers import IN_TURN
from skerry_bench.originals.pairs import LETTERS, ORIGINALS
from skerry_bench.report.display_names import display_name
from skerry_bench.report.measurements import Cell, Measurements, Platform
from skerry_bench.suites import SUITES

REPLACED = (None, IN_TURN, "init", "jump", "finish", "devices")
"""Studies that compare times of programs; all others look into one of ours."""

DEVICES: tuple[Device, ...] = ("cpu", "cuda")


@dataclass(frozen=True, slots=True)
class Substitute:
    """A program that stands for one of the catalog in claims."""

    platform: Platform
    name: str
    """In the catalog."""
    program: str
    """In the record: an original, or ours by the letter."""
    graphs: int

    @property
    def original(self) -> bool:
        """Whether it is the paper's own program."""
        return any(each.name == self.program for each in ORIGINALS)


def candidates(name: str, device: Device) -> Iterator[str]:
    """The programs that may stand for one of the catalog, itself too, the best first."""
    for each in ORIGINALS:
        if each.rewrite == name and each.device == device and not each.race_free:
            yield each.name
    if name in LETTERS[device]:
        yield LETTERS[device][name]
    yield name


def papers_programs(measurements: Measurements) -> tuple[Measurements, list[Substitute]]:
    """The measurements with substitutes under the names of the catalog, and what was substituted.

    A program stands for a name on a platform if it was measured on at least half of the papers'
    graphs that any candidate was. Then the default's times do not count, on other graphs either:
    a claim compares the same programs on all.
    """
    substitutes = list(_substitutes(measurements))
    program_of = {(each.platform, each.name): each.program for each in substitutes}
    name_of = {(each.platform, each.program): each.name for each in substitutes}
    cells = []
    for cell in measurements.cells:
        key = (cell.platform, cell.implementation)
        if cell.result.study not in REPLACED:
            cells.append(cell)
        elif key in name_of or (cell.result.study == IN_TURN and key not in program_of):
            if _counts(cell):
                name = name_of.get(key, cell.implementation)
                result = replace(cell.result, implementation=name, study=None)
                cells.append(replace(cell, result=result))
        elif key not in program_of:
            cells.append(cell)
    return measurements.with_cells(cells), substitutes


def _substitutes(measurements: Measurements) -> Iterator[Substitute]:
    graphs: dict[tuple[Platform, str], set[str]] = {}
    for cell in measurements.cells:
        if _counts(cell):
            graphs.setdefault((cell.platform, cell.implementation), set()).add(cell.graph.name)
    for platform, device in product(measurements.platforms(), DEVICES):
        own = [each.rewrite for each in ORIGINALS if each.device == device]
        for name in dict.fromkeys((*own, *LETTERS[device])):
            known = {each: graphs.get((platform, each), ()) for each in candidates(name, device)}
            largest = max(map(len, known.values()))
            program = next(each for each in known if 2 * len(known[each]) >= largest)
            if largest and device == platform.device and program != name:
                yield Substitute(platform, name, program, len(known[program]))


def _counts(cell: Cell) -> bool:
    """Whether a measurement compares programs, by the clock of its suite."""
    result = cell.result
    if result.scope != "solve" or result.study not in REPLACED or cell.graph.paper is None:
        return False
    suite = SUITES.get(result.suite)
    return result.device != "cuda" or suite is None or result.clock in ("wall", suite.gpu_clock)


def describe(substitutes: Iterable[Substitute]) -> list[str]:
    """A sentence for each platform and kind of substitute."""
    kinds: dict[tuple[str, bool], list[str]] = {}
    for each in substitutes:
        shown = f"{display_name(each.name)} ({each.program}, {each.graphs} graphs)"
        kinds.setdefault((each.platform.name, each.original), []).append(shown)
    words = {True: "by the original programs", False: "by ours to the letter of the paper"}
    return [
        f"On {platform} claims are judged {words[original]} for {', '.join(names)}."
        for (platform, original), names in kinds.items()
    ]
