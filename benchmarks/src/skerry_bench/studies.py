"""The studies of what is inside: variants of an algorithm on the graphs of a suite. A row each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import skerry
from skerry.generators import recipes
from skerry_bench.cases import Case, recipe_case
from skerry_bench.implementation import Device
from skerry_bench.suites import SUITES, Places

__all__ = ["STUDIES", "Study", "Variant", "suite_of"]


@dataclass(frozen=True, slots=True)
class Variant:
    """One thing that a study measures on a graph."""

    implementation: str
    parameter: Mapping[str, Any] | None = None
    statistics: bool = False
    """Count rounds, hooks and paths; on a GPU, also time every kernel."""
    threads: int | None = None
    """Instead of those of the run."""
    by_degree: bool = False
    """On the graph with its vertices sorted by degree."""
    repeat: int = 3
    """Samples at most; 0: one call, where its counts are what is asked for."""
    counters: bool = False
    """With the hardware's counters, by a profiler."""


@dataclass(frozen=True, slots=True)
class Study:
    """A row of the table."""

    name: str
    summary: str
    paper: str
    variants: Callable[[Device, int], Iterable[Variant]]
    """What is measured on a device, with so many threads at most."""
    cases: Callable[[Places], Iterable[Case]] | None = None
    """Graphs of its own, instead of those of a suite."""
    devices: tuple[Device, ...] = ("cpu", "cuda")
    elsewhere: str = ""
    """Why it does not apply to the other device."""
    by_name_only: str = ""
    """Why it is measured only where it is asked for by its name."""


def suite_of(study: str) -> str:
    """The suite that a study belongs to."""
    return next(suite.name for suite in SUITES.values() if study in suite.studies)


def _choices(row: str, choice: str, values: Iterable[Any], **told: Any) -> list[Variant]:
    """A row with each value of a choice; without brackets where the value is the row's own."""
    own = skerry.algorithm(row)
    found = []
    for value in values:
        changed = own.replace(**{choice: value})
        same = changed.passes == own.passes and changed.gpu == own.gpu
        found.append(Variant(row if same else str(changed), {choice: value}, **told))
    return found


def _jumps(device: Device, threads: int) -> list[Variant]:
    del device, threads
    return _choices("ecl", "jump", ("multiple", "single", "none", "halving"))


def _kernels(device: Device, threads: int) -> list[Variant]:
    del threads
    # A GPU times each kernel only while it counts; a CPU's passes are timed anyway.
    return [Variant(name, None, device == "cuda") for name in ("auto", "ecl")]


def _thresholds(device: Device, threads: int) -> list[Variant]:
    del device, threads
    row = skerry.algorithm("ecl")
    pairs = [(warp, 353) for warp in (5, 9, 17, 33, 65)]
    pairs += [(17, block) for block in (89, 177, 705, 1409)]
    return [
        Variant(
            str(row if pair == (17, 353) else row.replace(warp_from=pair[0], block_from=pair[1])),
            {"warp_from": pair[0], "block_from": pair[1]},
        )
        for pair in pairs
    ]


def _stages(device: Device, threads: int) -> list[Variant]:
    del threads
    rows = ("stages-cc", "stages-sv") if device == "cpu" else ("stages-cc", "stages-cc-updt")
    return [one for row in rows for one in _choices(row, "q", (0.25, 0.5, 1.0, 2.0, 4.0))]


def _threads(device: Device, threads: int) -> list[Variant]:
    del device
    teams = [1]
    while 2 * teams[-1] < threads:
        teams.append(2 * teams[-1])
    return [
        Variant(name, {"threads": team}, threads=team)
        for name in ("auto", "ecl", "afforest")
        for team in dict.fromkeys([*teams, threads])
    ]


ROUNDS = (
    *("cc", "cc-updt", "stages-cc", "stages-cc-updt", "sv", "sv-updt", "stages-sv", "rem", "schd"),
    *("eclaf", "crono-sv", "label-propagation", "galois-sync", "soman", "groute", "gunrock"),
)


def _rounds(device: Device, threads: int) -> list[Variant]:
    del threads
    rows = [name for name in ROUNDS if device in skerry.algorithm(name).devices]
    return [Variant(name, None, True, repeat=0) for name in rows]


def _orders(device: Device, threads: int) -> list[Variant]:
    del threads
    rows = ["auto", "ecl", "afforest"]
    rows += ["thread-per-vertex", "warp-per-row", "block-per-row"] if device == "cuda" else []
    return [
        Variant(name, {"order": "degree" if by_degree else "given"}, by_degree=by_degree)
        for by_degree in (False, True)
        for name in rows
    ]


def _growing(places: Places) -> Iterable[Case]:
    """Four edges a vertex with more and more vertices, then more and more edges."""
    full = round(20_000_000 * places.scale)
    sizes = [max(16, full >> shift) for shift in (6, 4, 2, 0)]
    pairs = [(max(4, m // 4), m) for m in sizes]
    pairs += [(max(4, full // 16), m) for m in (full // 16, full // 4, full) if m]
    for n, m in dict.fromkeys(pairs):
        yield recipe_case(f"uniform-{n}-{m}", recipes.uniform(n, m))


def _fixed(*names: str, **told: Any) -> Callable[[Device, int], list[Variant]]:
    def variants(device: Device, threads: int) -> list[Variant]:
        del threads
        rows = [one for one in names if one == "auto" or device in skerry.algorithm(one).devices]
        return [Variant(name, None, **told) for name in rows]

    return variants


_ECL = "Jaiganesh & Burtscher 2018"

STUDIES: Mapping[str, Study] = {
    study.name: study
    for study in (
        Study(
            "init",
            "Init1 to Init3: what a vertex' first parent is",
            f"{_ECL}, Fig. 7",
            lambda *_: _choices("ecl", "init", ("own", "smallest", "first_smaller")),
        ),
        Study("jump", "Jump1 to Jump4: pointer jumping in finds", f"{_ECL}, Fig. 8", _jumps),
        Study(
            "finish",
            "Fini1 to Fini3, and ours: how the last pass finds roots",
            f"{_ECL}, Fig. 9",
            lambda device, _: _choices(
                "ecl",
                "finish",
                ("halving", "multiple", "single") + (("ordered",) if device == "cpu" else ()),
            ),
        ),
        Study(
            "paths",
            "Path lengths of finds, on average and at most",
            f"{_ECL}, Table 4",
            _fixed("ecl", statistics=True, repeat=0),
        ),
        Study("kernels", "The times of all passes", f"{_ECL}, Fig. 10", _kernels),
        Study(
            "thresholds",
            "Degrees from which a row is shared by a warp, and by a block",
            f"{_ECL}, section 3",
            _thresholds,
            devices=("cuda",),
            elsewhere="a CPU has no warps and blocks: these thresholds are a GPU's",
        ),
        Study(
            "l2",
            "Reads and writes of the L2 cache with Jump1 to Jump4",
            f"{_ECL}, Table 3",
            lambda *_: _choices(
                "ecl", "jump", ("multiple", "single", "none", "halving"), counters=True, repeat=0
            ),
            devices=("cuda",),
            elsewhere="the counters are read by Nsight Compute, on a GPU",
            by_name_only="Nsight Compute takes about 5 s for each of its measurements",
        ),
        Study(
            "devices",
            "GPU against CPU, in edges and vertices a second",
            f"{_ECL}, Fig. 17; Jaiganesh 2017, Figs. 6.7 to 6.9",
            _fixed("auto", "ecl"),
        ),
        Study(
            "stages-q",
            "Stages with groups of q n edges",
            "Cong & Muzio 2014, section 5",
            _stages,
        ),
        Study(
            "rounds",
            "Iterations to convergence",
            "Cong & Muzio 2014, section 3",
            _rounds,
        ),
        Study(
            "reorder",
            "Vertices sorted by degree, against their given order",
            "Gerasimou 2026, future work",
            _orders,
        ),
        Study(
            "threads",
            "One thread, two, four, ... all",
            f"{_ECL}, section 4",
            _threads,
            devices=("cpu",),
            elsewhere="a GPU has its own number of threads",
        ),
        Study(
            "growth",
            "Cost as n and m grow",
            "Jaiganesh 2017, section 6",
            _fixed("auto", "ecl", "afforest"),
            _growing,
        ),
    )
}
