"""The studies: variants of an algorithm, measured on the graphs of a suite or on their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from skerry_bench import variants
from skerry_bench.cases import Case, CaseOptions
from skerry_bench.implementation import Device
from skerry_bench.microbenchmarks import gpu_calls, gpu_codes
from skerry_bench.suites import SUITES
from skerry_bench.variants import Variant


@dataclass(frozen=True, slots=True)
class Study:
    """Variants, and where they come from."""

    name: str
    summary: str
    paper: str
    variants: Callable[[Device, int], Iterable[Variant]]
    """What is measured on a device, with at most so many threads."""
    cases: Callable[[CaseOptions], Iterable[Case]] | None = None
    """Graphs of its own, instead of those of a suite."""
    devices: tuple[Device, ...] = ("cpu", "cuda")
    elsewhere: str = ""
    """Why it does not apply to the other device."""
    by_name_only: str = ""
    """Why it is measured only if it is named."""
    applies: Callable[[str, str], bool] | None = None
    """Whether it measures an algorithm on a graph, by their names; by default all on all."""


def suite_of(study: str) -> str:
    """The first suite that a study belongs to."""
    return next(suite.name for suite in SUITES.values() if study in suite.studies)


JUMPS = ("multiple", "single", "none", "halving")
_ECL = "Jaiganesh & Burtscher 2018"
_GPU_ONLY: dict[str, Any] = {"devices": ("cuda",), "elsewhere": "it measures calls on a GPU"}

STUDIES: Mapping[str, Study] = {
    study.name: study
    for study in (
        Study(
            "init",
            "Init1 to Init3: the first parent of a vertex",
            f"{_ECL}, Fig. 7",
            lambda *_: variants.choices("ecl", "init", ("own", "smallest", "first_smaller")),
        ),
        Study(
            "jump",
            "Jump1 to Jump4: pointer jumping in finds",
            f"{_ECL}, Fig. 8",
            lambda *_: variants.choices("ecl", "jump", JUMPS),
        ),
        Study(
            "finish",
            "Fini1 to Fini3, and skerry's own: how the last pass finds roots",
            f"{_ECL}, Fig. 9",
            lambda device, _: variants.choices(
                "ecl",
                "finish",
                ("halving", "multiple", "single") + (("ordered",) if device == "cpu" else ()),
            ),
        ),
        Study(
            "paths",
            "Path lengths of finds, average and longest",
            f"{_ECL}, Table 4",
            variants.fixed("ecl", statistics=True, repeat=0),
        ),
        Study("kernels", "The time of each pass", f"{_ECL}, Fig. 10", variants.kernels),
        Study(
            "thresholds",
            "Degrees from which a row is shared by a warp, and by a block",
            f"{_ECL}, section 3",
            variants.thresholds,
            devices=("cuda",),
            elsewhere="a CPU has no warps and blocks: these thresholds are a GPU's",
        ),
        Study(
            "l2",
            "Reads and writes of the L2 cache with Jump1 to Jump4",
            f"{_ECL}, Table 3",
            lambda *_: variants.choices("ecl", "jump", JUMPS, counters=True, repeat=0),
            devices=("cuda",),
            elsewhere="the counters are read by Nsight Compute, on a GPU",
            by_name_only="Nsight Compute takes about 5 s for each of its measurements",
        ),
        Study(
            "devices",
            "GPU against CPU, in edges and vertices per second",
            f"{_ECL}, Fig. 17; Jaiganesh 2017, Figs. 6.7 to 6.9",
            variants.fixed("auto", "ecl"),
        ),
        Study(
            "stages-q",
            "Stages with groups of q n edges",
            "Cong & Muzio 2014, section 5",
            variants.stages,
        ),
        Study(
            "rounds",
            "Iterations to convergence",
            "Cong & Muzio 2014, section 3",
            variants.rounds,
        ),
        Study(
            "reorder",
            "Vertices sorted by degree, against their original order",
            "Gerasimou 2026, future work",
            variants.orders,
        ),
        Study(
            "threads",
            "One thread, two, four, ... all",
            f"{_ECL}, section 4",
            variants.teams("auto", "ecl", "afforest"),
            devices=("cpu",),
            elsewhere="a GPU has its own number of threads",
        ),
        Study(
            "cc-threads",
            "CC with one thread, two, four, ... all",
            "Cong & Muzio 2014, Fig. 1",
            variants.teams("cc", "cc-updt"),
            devices=("cpu",),
            elsewhere="the number of multiprocessors of a GPU cannot be chosen for a call",
        ),
        Study(
            "mapping-rounds",
            "One pass over the rows, and passes until nothing changes",
            "Gerasimou 2026, section 3",
            variants.mapping_rounds,
            devices=("cuda",),
            elsewhere="the mappings are of a GPU",
        ),
        Study(
            "growth",
            "Cost as n and m grow",
            "Jaiganesh 2017, section 6",
            variants.fixed("auto", "ecl", "afforest"),
            variants.growing_cases,
        ),
        Study(
            "queued",
            "The kernels of auto alone: calls queued behind other work",
            "docs/gpu.md",
            variants.fixed("auto", clock="queued", repeat=11),
            **_GPU_ONLY,
        ),
        Study(
            "edge-order",
            "Edge lists in the order of their generator, and shuffled",
            "docs/gpu.md",
            variants.edge_orders,
            **_GPU_ONLY,
        ),
        Study(
            "edge-kernels",
            "The time of each kernel on an edge list",
            "docs/gpu.md",
            variants.fixed("auto", statistics=True, scope="end_to_end"),
            **_GPU_ONLY,
        ),
        Study(
            "codes",
            "The rankings that the papers report, on one GPU",
            "docs/gpu.md",
            variants.codes,
            applies=gpu_codes.applies,
            **_GPU_ONLY,
        ),
        Study(
            "calls",
            "The host's part of a call on a GPU",
            "docs/gpu.md",
            variants.calls,
            gpu_calls.call_cases,
            **_GPU_ONLY,
        ),
        Study(
            "first-use",
            "The first call of a process: kernels compiled, or read from the disk cache",
            "docs/gpu.md",
            variants.first_uses,
            gpu_calls.first_use_cases,
            **_GPU_ONLY,
        ),
    )
}
