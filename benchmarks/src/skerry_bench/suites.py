"""The suites: graphs, what is compared on them, and the studies that belong to them. A row each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import skerry
from skerry.errors import InputError
from skerry.generators import recipes
from skerry_bench.cases import Case, family_cases, folder_cases, paper_cases, recipe_case
from skerry_bench.implementation import Device

__all__ = ["SUITES", "Places", "Suite"]


@dataclass(frozen=True, slots=True)
class Places:
    """Which graphs: how large they are made, and where files are."""

    scale: float = 1.0
    folder: Path | None = None
    """Where originals of the papers' graphs may be."""
    files: tuple[Path, ...] = ()
    """Folders and files of the suite `real`."""


@dataclass(frozen=True, slots=True)
class Suite:
    """A row of the table."""

    name: str
    summary: str
    cases: Callable[[Places], Iterable[Case]]
    algorithms: tuple[str, ...]
    """What is compared; on each device, those that run there."""
    studies: tuple[str, ...] = ()
    """Rows of `skerry_bench.studies` that belong to it."""
    repeat: int = 5

    def graphs(self, places: Places, names: Iterable[str] = ()) -> list[Case]:
        """The graphs, smallest first, so that what is known of a peer's speed grows with them."""
        found = sorted(self.cases(places), key=lambda case: case.size)
        known = {case.name for case in found}
        for name in names:
            if name not in known:
                raise InputError(
                    f"{self.name} has no graph {name!r}; there are: {', '.join(sorted(known))}"
                )
        chosen = set(names) or known
        return [case for case in found if case.name in chosen]

    def runs(self, device: Device) -> list[str]:
        """What is compared on a device."""
        return [
            name
            for name in self.algorithms
            if name == "auto" or device in skerry.algorithm(name).devices
        ]


def _smoke(places: Places) -> Iterable[Case]:
    scale = places.scale
    side = max(4, round(256 * scale**0.5))
    count = max(64, round(100_000 * scale))
    yield recipe_case("grid", recipes.grid(side, side))
    yield recipe_case("random", recipes.uniform(count, 4 * count))
    yield recipe_case("tiny", recipes.tiny(count // 4))
    yield recipe_case("path", recipes.path(count, shuffled=True))


def _real(places: Places) -> Iterable[Case]:
    if not places.files:
        raise InputError("say where the graphs are: skerry bench real FOLDER")
    return folder_cases(list(places.files))


SUITES: Mapping[str, Suite] = {
    suite.name: suite
    for suite in (
        Suite(
            "eclcc",
            "The 18 graphs of ECL-CC (Jaiganesh & Burtscher 2018, Table 2)",
            lambda places: paper_cases("ECL-CC", places.scale, places.folder),
            # Tables 5 to 10 and the thesis: our counterparts of the codes compared there.
            (
                *("auto", "ecl", "eclaf", "label-propagation", "bfscc", "crono-sv", "ndhybrid"),
                *("multistep", "galois-async", "galois-blocked", "galois-sync"),
                *("ecl-serial", "union-find", "dfs", "bfs", "groute", "gunrock", "soman"),
            ),
            ("init", "jump", "finish", "paths", "kernels", "thresholds", "l2", "devices"),
        ),
        Suite(
            "cong-muzio",
            "The five graphs of Cong & Muzio 2014: random, R-MAT, torus, twitter",
            lambda places: paper_cases("Cong & Muzio", places.scale, places.folder),
            (
                *("auto", "cc", "cc-updt", "stages-cc", "stages-cc-updt", "stages-sv"),
                *("stages-sv-updt", "stages-schd", "sv", "sv-updt", "rem", "rem-prefetch", "schd"),
            ),
            ("stages-q", "rounds"),
        ),
        Suite(
            "gerasimou",
            "The five graphs of Gerasimou 2026, from a dictionary to internet traffic",
            lambda places: paper_cases("Gerasimou", places.scale, places.folder),
            (
                *("auto", "thread-per-vertex", "warp-per-row", "block-per-row", "afforest"),
                *("afforest-random", "union-find"),
            ),
            ("reorder",),
        ),
        Suite(
            "families",
            "Ten families of graphs that differ in what makes them hard",
            lambda places: family_cases(places.scale),
            ("auto", "ecl", "afforest"),
            ("threads", "growth"),
        ),
        Suite(
            "real",
            "The graphs of a folder, in any format that skerry reads",
            _real,
            ("auto", "ecl", "afforest"),
        ),
        Suite(
            "smoke",
            "Four small graphs, to see in seconds that all of it works",
            _smoke,
            ("auto", "ecl", "afforest", "cc", "stages-cc"),
        ),
    )
}
