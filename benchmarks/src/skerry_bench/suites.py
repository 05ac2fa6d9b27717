"""The suites: their graphs, what is compared on them, and the studies that belong to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import skerry
from skerry import generators
from skerry.errors import ArgumentError
from skerry_bench.cases import (
    Case,
    CaseOptions,
    family_cases,
    folder_cases,
    paper_cases,
    recipe_case,
)
from skerry_bench.graphalytics import suite as graphalytics
from skerry_bench.implementation import (
    ClockMode,
    Device,
    Implementation,
    ImplementationOptions,
    Scope,
)
from skerry_bench.microbenchmarks import edges, files, gpu_graphs, gpu_tables, ids, latency, small
from skerry_bench.results import GraphLine, Result
from skerry_bench.skerry_algorithms import SkerryAlgorithm

Implementations = Callable[[Device, ImplementationOptions], Iterable[Implementation]]
Tables = Callable[[Sequence[Result], Sequence[GraphLine]], str]


@dataclass(frozen=True, slots=True)
class Suite:
    """Graphs, and what is compared on them."""

    name: str
    summary: str
    cases: Callable[[CaseOptions], Iterable[Case]]
    algorithms: tuple[str, ...] = ("auto",)
    """What is compared; on each device, those that run there."""
    studies: tuple[str, ...] = ()
    """Names in `skerry_bench.studies` of the studies that belong to it."""
    repeat: int = 5
    """Samples, unless the run says otherwise."""
    budget: float | None = None
    """Seconds for a measurement, unless the run says otherwise."""
    min_samples: int = 1
    """Samples that are taken even when the budget is spent."""
    device: Device = "cpu"
    """Where it runs by default."""
    gpu_clock: ClockMode = "device"
    """How calls on a GPU are timed, where an implementation does not say."""
    threads: int | None = None
    """A fixed number of threads."""
    peers: str = "none"
    """Peers by default, as for ``--peers``."""
    libraries: bool = False
    """Whether ``--peers`` may name a folder of shared libraries, measured on a GPU in turn."""
    scopes: tuple[Scope, ...] = ("solve", "end_to_end")
    """What is measured of ``auto`` and of peers."""
    implementations: Implementations | None = None
    """Instead of the algorithms."""
    tables: Tables | None = None
    """The tables that are printed at the end, instead of one per study and scope."""

    def graphs(self, options: CaseOptions, names: Iterable[str] = ()) -> list[Case]:
        """The graphs, smallest first: the time of a peer is predicted from smaller graphs."""
        cases = sorted(self.cases(options), key=lambda case: case.size)
        known = {case.name for case in cases}
        for name in names:
            if name not in known:
                raise ArgumentError(
                    f"{self.name} has no graph {name!r}; there are: {', '.join(sorted(known))}"
                )
        chosen = set(names) or known
        return [case for case in cases if case.name in chosen]

    def runs(self, device: Device) -> list[str]:
        """The algorithms that are compared on a device."""
        return [
            name
            for name in self.algorithms
            if name == "auto" or device in skerry.algorithm(name).devices
        ]

    def clock_on(self, device: Device) -> ClockMode | None:
        """The clock of calls on graphs in memory."""
        return self.gpu_clock if device == "cuda" else None

    def compared(
        self,
        device: Device,
        options: ImplementationOptions,
        algorithms: Sequence[str] | None = None,
    ) -> Iterator[Implementation]:
        """skerry's implementations on a device; ``algorithms`` instead of those of the suite."""
        if self.implementations is not None:
            yield from self.implementations(device, options)
            return
        names = self.runs(device) if algorithms is None else algorithms
        for name in names:
            yield SkerryAlgorithm(name, device, options.threads, clock_mode=self.clock_on(device))
        if "auto" in names and "end_to_end" in self.scopes:
            yield SkerryAlgorithm("auto", device, options.threads, "end_to_end")


def _smoke(options: CaseOptions) -> Iterable[Case]:
    scale = options.scale
    side = max(4, round(256 * scale**0.5))
    count = max(64, round(100_000 * scale))
    yield recipe_case("grid", generators.grid.recipe(side, side))
    yield recipe_case("random", generators.uniform.recipe(count, 4 * count))
    yield recipe_case("tiny", generators.tiny.recipe(count // 4))
    yield recipe_case("path", generators.path.recipe(count, shuffled=True))


def _real(options: CaseOptions) -> Iterable[Case]:
    if not options.files:
        raise ArgumentError("say where the graphs are: skerry bench real FOLDER")
    return folder_cases(list(options.files))


SUITES: Mapping[str, Suite] = {
    suite.name: suite
    for suite in (
        Suite(
            "eclcc",
            "The 18 graphs of ECL-CC (Jaiganesh & Burtscher 2018, Table 2)",
            lambda options: paper_cases("ECL-CC", options.scale, options.folder),
            # Tables 5 to 10 and the thesis: our counterparts of the codes compared there.
            (
                *("auto", "ecl", "eclaf", "label-propagation", "bfscc", "crono-sv", "ndhybrid"),
                *("multistep", "galois-async", "galois-blocked", "galois-sync"),
                *("ecl-serial", "union-find", "dfs", "bfs", "groute", "gunrock", "soman"),
            ),
            ("init", "jump", "finish", "paths", "kernels", "thresholds", "l2", "devices"),
            gpu_clock="queued",  # section 5.1: the times of kernels are added
            libraries=True,
        ),
        Suite(
            "cong-muzio",
            "The five graphs of Cong & Muzio 2014: random, R-MAT, torus, twitter",
            lambda options: paper_cases("Cong & Muzio", options.scale, options.folder),
            (
                *("auto", "cc", "cc-updt", "stages-cc", "stages-cc-updt", "stages-sv"),
                *("stages-sv-updt", "stages-schd", "sv", "sv-updt", "rem", "rem-prefetch", "schd"),
            ),
            ("stages-q", "rounds", "cc-threads"),
        ),
        Suite(
            "gerasimou",
            "The five graphs of Gerasimou 2026, from a dictionary to internet traffic",
            lambda options: paper_cases("Gerasimou", options.scale, options.folder),
            (
                *("auto", "thread-per-vertex", "warp-per-row", "block-per-row", "afforest"),
                *("adaptive-per-row", "afforest-random", "union-find"),
            ),
            ("reorder", "mapping-rounds"),
            libraries=True,
        ),
        Suite(
            "families",
            "Ten families of graphs that differ in what makes them hard",
            lambda options: family_cases(options.scale),
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
            "Four small graphs, to see in seconds whether everything works",
            _smoke,
            ("auto", "ecl", "afforest", "cc", "stages-cc"),
        ),
        Suite(
            "edges",
            "From (src, dst) arrays to labels, end to end, with peak memory",
            edges.cases,
            budget=600.0,
            peers="scipy,networkit,igraph",
            scopes=("end_to_end",),
            implementations=edges.implementations,
        ),
        Suite(
            "ids",
            "From a table of ids to (id, component), end to end, with peak memory",
            ids.cases,
            repeat=3,
            budget=600.0,
            scopes=("end_to_end",),
            implementations=ids.implementations,
        ),
        Suite(
            "files",
            "From a text file to components, end to end, with peak memory",
            files.cases,
            repeat=3,
            scopes=("end_to_end",),
            implementations=files.implementations,
        ),
        Suite(
            "graphalytics",
            "LDBC Graphalytics: its Graph500 graphs and metrics for components (WCC)",
            graphalytics.cases,
            repeat=11,
            budget=30.0,
            implementations=graphalytics.implementations,
            tables=graphalytics.tables,
        ),
        Suite(
            "latency",
            "A call on ten edges, and the import of the package",
            latency.cases,
            repeat=2000,
            scopes=("end_to_end",),
            implementations=latency.implementations,
        ),
        Suite(
            "small",
            "Small graphs on one thread: auto beside each algorithm it chooses from",
            small.cases,
            small.ALGORITHMS,
            repeat=101,
            budget=0.06,
            min_samples=5,
            threads=1,
            scopes=("solve",),
            tables=lambda results, _graphs: small.tables(results),
        ),
        Suite(
            "gpu",
            "Ten graphs made on an NVIDIA GPU: auto on symmetric CSR",
            gpu_graphs.cases,
            studies=(
                *("queued", "edge-order", "kernels", "edge-kernels", "paths", "codes"),
                *("calls", "first-use"),
            ),
            repeat=11,
            budget=5.0,
            device="cuda",
            scopes=("solve",),
            libraries=True,
            tables=gpu_tables.tables,
        ),
    )
}
