"""The variants that the studies measure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

import skerry
from skerry import generators
from skerry_bench.cases import Case, CaseOptions, recipe_case
from skerry_bench.implementation import ClockMode, Device, Implementation, Scope
from skerry_bench.microbenchmarks import gpu_calls, gpu_codes
from skerry_bench.skerry_algorithms import Form

GraphOrder = Literal["original", "degree", "shuffled-edges"]
"""``"degree"``: vertices renumbered by degree; ``"shuffled-edges"``: the edge list shuffled."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One thing that a study measures on a graph."""

    algorithm: str
    parameter: Mapping[str, Any] | None = None
    statistics: bool = False
    """Count rounds, hooks and path lengths; on a GPU, also time each kernel."""
    threads: int | None = None
    """Instead of those of the run."""
    order: GraphOrder = "original"
    repeat: int = 3
    """Samples at most; 0: one call, if only its counts matter."""
    samples: int | None = None
    """Samples instead of those of the suite, whatever ``repeat`` says."""
    counters: bool = False
    """Read hardware counters with a profiler."""
    scope: Scope = "solve"
    form: Form | None = None
    clock: ClockMode | None = None
    implementation: Implementation | None = None
    """Instead of the algorithm of skerry's."""


def choices(name: str, choice: str, values: Iterable[Any], **options: Any) -> list[Variant]:
    """An algorithm with each value of a choice; without brackets if the value is its default."""
    spec = skerry.algorithm(name)
    variants = []
    for value in values:
        changed = spec.replace(**{choice: value})
        same = changed.passes == spec.passes and changed.gpu == spec.gpu
        variants.append(Variant(name if same else str(changed), {choice: value}, **options))
    return variants


def kernels(device: Device, threads: int) -> list[Variant]:
    """`auto` and `ecl`, with the time of each pass."""
    del threads
    # On a GPU each kernel is timed only with statistics; on a CPU passes are always timed.
    return [Variant(name, None, device == "cuda") for name in ("auto", "ecl")]


def thresholds(device: Device, threads: int) -> list[Variant]:
    """Degrees from which warps and blocks share a row."""
    del device, threads
    spec = skerry.algorithm("ecl")
    pairs = [(warp, 353) for warp in (5, 9, 17, 33, 65)]
    pairs += [(17, block) for block in (89, 177, 705, 1409)]
    return [
        Variant(
            str(spec if pair == (17, 353) else spec.replace(warp_from=pair[0], block_from=pair[1])),
            {"warp_from": pair[0], "block_from": pair[1]},
        )
        for pair in pairs
    ]


def stages(device: Device, threads: int) -> list[Variant]:
    """Stages with groups of several sizes."""
    del threads
    names = ("stages-cc", "stages-sv") if device == "cpu" else ("stages-cc", "stages-cc-updt")
    values = (0.25, 0.5, 1.0, 2.0, 4.0)
    return [variant for name in names for variant in choices(name, "q", values)]


def teams(*names: str) -> Callable[[Device, int], list[Variant]]:
    """Algorithms with powers of two up to the number of threads."""

    def variants(device: Device, threads: int) -> list[Variant]:
        del device
        counts = [1]
        while 2 * counts[-1] < threads:
            counts.append(2 * counts[-1])
        return [
            Variant(name, {"threads": team}, threads=team)
            for name in names
            for team in dict.fromkeys([*counts, threads])
        ]

    return variants


def mapping_rounds(device: Device, threads: int) -> list[Variant]:
    """Gerasimou's mappings with one pass, as in his program, and until nothing changes."""
    del device, threads
    names = ("thread-per-vertex", "warp-per-row", "block-per-row")
    return [variant for name in names for variant in choices(name, "repeat", (0, 1))]


ROUNDS = (
    *("cc", "cc-updt", "stages-cc", "stages-cc-updt", "sv", "sv-updt", "stages-sv", "rem", "schd"),
    *("eclaf", "crono-sv", "label-propagation", "galois-sync", "soman", "groute", "gunrock"),
    *("thrifty", "fastsv"),
)


def rounds(device: Device, threads: int) -> list[Variant]:
    """Algorithms that run in rounds, counted."""
    del threads
    names = [name for name in ROUNDS if device in skerry.algorithm(name).devices]
    return [Variant(name, None, True, repeat=0) for name in names]


def orders(device: Device, threads: int) -> list[Variant]:
    """Vertices in their original order, and sorted by degree."""
    del threads
    names = ["auto", "ecl", "afforest"]
    names += ["thread-per-vertex", "warp-per-row", "block-per-row"] if device == "cuda" else []
    by_label: tuple[tuple[str, GraphOrder], ...] = (("given", "original"), ("degree", "degree"))
    return [
        Variant(name, {"order": label}, order=order) for label, order in by_label for name in names
    ]


def growing_cases(options: CaseOptions) -> Iterable[Case]:
    """Four edges per vertex with a growing number of vertices, then a growing number of edges."""
    full = round(20_000_000 * options.scale)
    sizes = [max(16, full >> shift) for shift in (6, 4, 2, 0)]
    pairs = [(max(4, m // 4), m) for m in sizes]
    pairs += [(max(4, full // 16), m) for m in (full // 16, full // 4, full) if m]
    for n, m in dict.fromkeys(pairs):
        yield recipe_case(f"uniform-{n}-{m}", generators.uniform.recipe(n, m))


def fixed(*names: str, **options: Any) -> Callable[[Device, int], list[Variant]]:
    """Algorithms as they are."""

    def variants(device: Device, threads: int) -> list[Variant]:
        del threads
        here = [
            name for name in names if name == "auto" or device in skerry.algorithm(name).devices
        ]
        return [Variant(name, None, **options) for name in here]

    return variants


def edge_orders(device: Device, threads: int) -> list[Variant]:
    """Edge lists in the order of the generator, and shuffled."""
    del device, threads
    by_label: tuple[tuple[str, GraphOrder], ...] = (
        ("generated", "original"),
        ("shuffled", "shuffled-edges"),
    )
    return [
        Variant("auto", {"order": label}, order=order, scope="end_to_end", repeat=11)
        for label, order in by_label
    ]


def calls(device: Device, threads: int) -> list[Variant]:
    """The host's part of a call, on both forms."""
    del device, threads
    forms: tuple[Form, ...] = ("edges", "csr")
    return [
        Variant("auto", {"input": form}, form=form, clock="wall", samples=gpu_calls.CALLS)
        for form in forms
    ]


def first_uses(device: Device, threads: int) -> list[Variant]:
    """The first call of a process, with compiled and with cached kernels."""
    del device, threads
    kinds: tuple[gpu_calls.Kernels, ...] = ("compiled", "cached")
    forms: tuple[Literal["csr", "edges"], ...] = ("edges", "csr")
    return [
        Variant(
            "auto",
            {"input": form, "kernels": kernels},
            implementation=gpu_calls.FirstUse(form, kernels),
        )
        for kernels, form in product(kinds, forms)
    ]


def codes(device: Device, threads: int) -> list[Variant]:
    """All variants of the papers' rankings."""
    del device, threads
    return [Variant(name, repeat=5) for name in gpu_codes.algorithms()]
