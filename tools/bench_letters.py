"""Times each choice by the letter of a paper beside our default, alternating, in one run.

Usage: python tools/bench_letters.py [--device cuda] [--scale 20] [--kernels NAME[,NAME]]

Prints for every graph the median milliseconds of the passes (CPU) or of all kernels with the host's
part between them (GPU), by default and by the letter, their ratio, and the rounds of both. With
--kernels the time of each kernel of some algorithms, and their counts.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from statistics import median
from typing import Any

import skerry
from skerry.graph.build import csr_from_edges

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

TURNS = 7


def graphs(scale: int) -> dict[str, skerry.Edges]:
    """Of the same number of vertices: random, a ring with chords, R-MAT, a road, a path."""
    n, make = 1 << scale, skerry.generators
    return {
        "uniform": make.uniform(n, 4 * n),
        "ring with chords": make.ring(n, chords=3 * n, shuffled=True),
        "rmat": make.rmat(scale, 16),
        "grid": make.grid(1 << scale // 2, 1 << (scale + 1) // 2),
        "path": make.path(n),
    }


def to_device(graph: Any, device: str) -> Any:
    """The graph with its arrays on the device."""
    if device == "cpu":
        return graph
    import cupy

    if isinstance(graph, skerry.Edges):
        return skerry.Edges(cupy.asarray(graph.src), cupy.asarray(graph.dst), graph.num_vertices)
    return skerry.Csr(cupy.asarray(graph.offsets), cupy.asarray(graph.neighbors), True)


def solve(graph: Any, name: str, **options: Any) -> Any:
    """The plan of a run whose labels are ready."""
    result = skerry.connected_components(graph, algorithm=name, **options)
    assert len(result.labels)
    return result.plan


def seconds(graph: Any, name: str) -> float:
    """Of all passes of a run."""
    return sum(step.seconds for step in solve(graph, name).passes)


def compare(name: str, forms: dict[str, Any]) -> str:
    """The line of a letter on one graph."""
    base = name.partition("[")[0]
    graph = forms["edges" if skerry.algorithm(base).form == "edges" else "rows"]
    times: dict[str, list[float]] = {base: [], name: []}
    for each in times:
        solve(graph, each)
    for _ in range(TURNS):
        for each, known in times.items():
            known.append(seconds(graph, each))
    default, letter = (1e3 * median(known) for known in times.values())
    rounds = [solve(graph, each, statistics=True).statistics.rounds for each in times]
    times_shown = f"{default:9.3f} {letter:9.3f} {letter / default:7.2f}"
    return f"{name:36} {times_shown} {rounds[0]:6} {rounds[1]:6}"


def kernels(name: str, forms: dict[str, Any]) -> str:
    """The time of each kernel of a run, and its counts."""
    graph = forms["edges" if skerry.algorithm(name).form == "edges" else "rows"]
    solve(graph, name, statistics=True)
    plan = solve(graph, name, statistics=True)
    times = ", ".join(f"{step.name} {1e3 * step.seconds:.3f}" for step in plan.passes)
    return f"{name}: {times}; {plan.statistics}"


def main() -> None:
    """Goes over graphs and letters."""
    from support.specs import letters

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
    parser.add_argument("--scale", type=int, default=20)
    parser.add_argument("--graphs", default="", help="names, separated by commas")
    parser.add_argument("--kernels", default="", help="names, separated by semicolons")
    arguments = parser.parse_args()
    for label, edges in graphs(arguments.scale).items():
        if arguments.graphs and label not in arguments.graphs.split(","):
            continue
        forms = {
            "edges": to_device(edges, arguments.device),
            "rows": to_device(csr_from_edges(edges), arguments.device),
        }
        print(f"\n{label}: {edges.num_vertices:,} vertices, {edges.num_edges:,} edges", flush=True)
        for name in filter(None, arguments.kernels.split(";")):
            print(kernels(name, forms), flush=True)
        if arguments.kernels:
            continue
        print(f"{'':36} {'default':>9} {'letter':>9} {'ratio':>7} rounds of both")
        for name in letters(arguments.device):
            if name.partition("[")[0] not in ("rows", "stream"):
                print(compare(name, forms), flush=True)


if __name__ == "__main__":
    main()
