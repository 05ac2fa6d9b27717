"""The study ``codes``: the rankings that the papers report among their variants, on one GPU."""

from __future__ import annotations

from dataclasses import dataclass

from skerry_bench.microbenchmarks.gpu_graphs import GPU_GRAPHS

LEVELS = ("label-propagation", "bfs")
"""One round per level of the graph: not measured where the diameter is in the thousands."""

NOT_ON_DEEP = (*LEVELS, "ecl[jump=none]")
"""Without jumping, every edge walks a path as long as the graph is deep."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Variants that a paper compares, and the graphs to compare them on."""

    title: str
    algorithms: tuple[str, ...]
    graphs: tuple[str, ...]


_ECL_GRAPHS = ("grid1024", "random", "rmat22", "road")

RANKINGS = (
    Ranking(
        "ECL-CC's Init1 to Init3 (Fig. 7)",
        ("ecl[init=own]", "ecl[init=smallest]", "ecl"),
        _ECL_GRAPHS,
    ),
    Ranking(
        "ECL-CC's Jump1 to Jump4 (Fig. 8)",
        ("ecl[jump=multiple]", "ecl[jump=single]", "ecl[jump=none]", "ecl"),
        _ECL_GRAPHS,
    ),
    Ranking(
        "ECL-CC's Fini1 to Fini3 (Fig. 9)",
        ("ecl[finish=halving]", "ecl[finish=multiple]", "ecl"),
        _ECL_GRAPHS,
    ),
    Ranking(
        "Codes for GPUs (ECL-CC sect. 5.2, the thesis' ECLaf)",
        ("ecl", "eclaf", "soman", "groute", "gunrock", *LEVELS),
        ("grid1024", "grid4096", "random", "rmat22", "rmat21", "uniform", "road", "path"),
    ),
    Ranking(
        "Cong & Muzio: rewriting edges, and stages",
        ("cc", "cc-updt", "stages-cc", "stages-cc-updt", "sv", "sv-updt", "rem"),
        ("uniform", "rmat22"),
    ),
    Ranking(
        "Gerasimou: rows by threads, warps, blocks, and Afforest",
        ("thread-per-vertex", "warp-per-row", "block-per-row", "afforest", "afforest-random"),
        ("rmat21", "mawi"),
    ),
)


def algorithms() -> list[str]:
    """All variants, each once."""
    return list(dict.fromkeys(name for ranking in RANKINGS for name in ranking.algorithms))


def applies(graph: str, algorithm: str) -> bool:
    """Whether a ranking has the algorithm on the graph, and the graph is not too deep for it."""
    if GPU_GRAPHS[graph].deep and algorithm in NOT_ON_DEEP:
        return False
    return any(graph in ranking.graphs and algorithm in ranking.algorithms for ranking in RANKINGS)
