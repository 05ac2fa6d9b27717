"""Compare the stand-ins of the papers' graphs with the published figures.

``python tools/stand_ins.py [NAME ...] [--scale S] [--memory GIB] [--csv FILE]``

Each graph is generated, its rows are built without loops and repeats, and its vertices, edges,
degrees and components are counted. A row of the table has the published figure, the measured one
and their ratio; what is not published is empty. Exits with 1 if a figure of a graph at full scale
is more than 10 percent away. It wrote ``tests/unit/datasets/stand-ins-2026-11-16.csv``, a graph a
process; ``test_stand_ins.py`` beside it compares that file with the table of the papers.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from pathlib import Path

import numpy as np

import skerry
from skerry.datasets import PaperGraph, paper_graph, papers_graphs, stand_in
from skerry.generators import make
from skerry.graph.build import csr_from_edges

TOLERANCE = 0.1
FIGURES = ("vertices", "edges", "least_degree", "mean_degree", "largest_degree", "components")
COLUMNS = ("graph", "stand_in", "scale", *FIGURES, "hub_at", "near_share")


def published(graph: PaperGraph) -> dict[str, float | None]:
    """The figures of the paper, an edge counted once."""
    edges = graph.undirected_edges
    return {
        "vertices": graph.vertices,
        "edges": edges,
        "least_degree": graph.least_degree,
        "mean_degree": None if edges is None else 2 * edges / graph.vertices,
        "largest_degree": graph.largest_degree,
        "components": graph.components,
    }


def measured(name: str, scale: float) -> dict[str, float]:
    """The figures of a stand-in, where its largest hub lies, and how many edges are near.

    ``hub_at`` is the hub's id as a share of the ids; ``near_share`` that of the edges between ids
    less than a percent of the vertices apart.
    """
    edges = make(stand_in(name, scale))
    count = skerry.connected_components(edges).count
    near = _near_share(edges)
    rows = csr_from_edges(edges)
    del edges
    degrees = rows.degrees()
    return {
        "vertices": rows.num_vertices,
        "edges": rows.num_entries // 2,
        "least_degree": int(degrees.min()),
        "mean_degree": rows.num_entries / rows.num_vertices,
        "largest_degree": int(degrees.max()),
        "components": count,
        "hub_at": int(degrees.argmax()) / rows.num_vertices,
        "near_share": near,
    }


def _near_share(edges: skerry.Edges, piece: int = 1 << 24) -> float:
    limit = edges.num_vertices / 100
    near = 0
    for begin in range(0, edges.num_edges, piece):
        src = edges.src[begin : begin + piece].astype(np.int64)
        near += int((np.abs(src - edges.dst[begin : begin + piece]) < limit).sum())
    return near / max(edges.num_edges, 1)


def differences(graph: PaperGraph, figures: dict[str, float]) -> dict[str, float]:
    """Measured over published, where it is more than `TOLERANCE` away from 1."""
    wrong = {}
    for name, expected in published(graph).items():
        if expected is not None and abs(figures[name] - expected) > TOLERANCE * expected:
            wrong[name] = figures[name] / expected if expected else figures[name]
    return wrong


def main() -> int:
    """Prints a row for each graph and returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="all graphs if there is none")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--memory", type=float, default=16.0, help="GiB; larger graphs are skipped")
    parser.add_argument("--csv", type=Path, help="append the rows to this file")
    options = parser.parse_args()
    failed = False
    for name in options.names or [graph.name for graph in papers_graphs()]:
        failed |= compare(name, options.scale, options.memory, options.csv)
    return int(failed)


def compare(name: str, scale: float, memory: float, file: Path | None) -> bool:
    """Prints the row of a graph; returns whether a figure is too far away."""
    graph = paper_graph(name)
    recipe = stand_in(name, scale)
    needed = 30 * scale * (graph.undirected_edges or 2 * graph.vertices) / 2**30
    if recipe.family == "delaunay":
        needed = 700 * recipe.parameters[0] / 2**30
    if needed > memory:
        print(f"{name}: needs {needed:.0f} GiB, skipped", flush=True)
        return False
    begun = time.perf_counter()
    figures = measured(name, scale)
    wrong = differences(graph, figures) if scale == 1 else {}
    seconds = time.perf_counter() - begun
    cells = ", ".join(f"{key} {value:.6g}" for key, value in figures.items())
    verdict = (
        ", ".join(f"{key} {ratio:.2f} times" for key, ratio in wrong.items()) or "as published"
    )
    print(f"{name}: {cells}: {verdict} ({seconds:.0f} s)", flush=True)
    if file is not None:
        append(file, {"graph": name, "stand_in": graph.stand_in, "scale": scale, **figures})
    return bool(wrong)


def append(file: Path, row: dict[str, object]) -> None:
    """Adds a row, after the header of a new file."""
    new = not file.exists()
    with file.open("a", newline="") as opened:
        writer = csv.DictWriter(opened, COLUMNS, lineterminator="\n")
        if new:
            writer.writeheader()
        writer.writerow(
            {k: f"{v:.6g}" if isinstance(v, float) else v for k, v in row.items() if k in COLUMNS}
        )


if __name__ == "__main__":
    sys.exit(main())
