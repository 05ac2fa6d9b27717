"""Compare the stand-ins of the papers' graphs with the published figures and with real graphs.

``python tools/stand_ins.py [NAME ...] [--scale S] [--entries E] [--memory GIB] [--csv FILE]``
``python tools/stand_ins.py --files FOLDER [--csv FILE]``

Each graph is generated, its rows are built without loops and repeats, and its vertices, edges,
degrees and components are counted. A row of the table has the published figure, the measured one
and their ratio; what is not published is empty. Exits with 1 if a figure of a graph at full scale
is more than 10 percent away. With ``--files``, real graphs are measured: the originals and
`RELATIVES` of the same kind that lie in a folder. It wrote
``tests/unit/datasets/stand-ins-2026-11-19.csv``, a graph a process; ``test_stand_ins.py`` beside it
compares that file with the table of the papers.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from math import floor, log2
from pathlib import Path

import numpy as np

import skerry
from skerry.datasets import PaperGraph, paper_graph, papers_graphs, stand_in
from skerry.generators import make
from skerry.graph.build import csr_from_edges
from skerry.graph.csr import Csr

TOLERANCE = 0.1
FIGURES = ("vertices", "edges", "least_degree", "mean_degree", "largest_degree", "components")
QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9, 0.99)
COLUMNS = (
    *("graph", "stand_in", "scale", *FIGURES, "hub_at", "near_share"),
    *(f"degree_{round(100 * quantile)}" for quantile in QUANTILES),
    *("smaller_share", "hooks", "levels"),
)
RELATIVES = {
    "USA-road-d.NY": ("USA-road-d.NY",),
    "USA-road-d.NE": ("USA-road-d.USA",),
    "luxembourg_osm": ("europe_osm",),
    "delaunay_n16": ("delaunay_n24",),
    "cnr-2000": ("in-2004", "uk-2002"),
    "cit-HepPh": ("citationCiteseer",),
    "ca-AstroPh": ("coPapersDBLP", "hollywood-2009"),
    "as-22july06": ("internet", "as-skitter"),
    "github-map-v2": ("amazon0601",),
    "soc-Slashdot0902": ("soc-LiveJournal1",),
    "ego-Twitter": ("twitter-35M", "com-LiveJournal", "com-Orkut"),
    "dictionary28": ("dictionary28",),
}
"""Real graphs -> the graphs of papers whose stand-ins follow their order of ids."""


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
    """The figures of a stand-in."""
    return figures_of(make(stand_in(name, scale)))


def figures_of(edges: skerry.Edges) -> dict[str, float]:
    """The figures of a graph.

    ``hub_at`` is the hub's id as a share of the ids; ``near_share`` that of the edges between ids
    less than a percent of the vertices apart; ``hooks`` the vertices with later neighbors only,
    less the first of each component, which Init3 leaves, as a share of all; ``smaller_share`` the
    vertices with a smaller neighbor, as a share of all but the first of each component; ``levels``
    the depth of a breadth-first search from the hub.
    """
    count = skerry.connected_components(edges).count
    near = _near_share(edges)
    earlier = _with_smaller_neighbor(edges)
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
        **{
            f"degree_{round(100 * quantile)}": float(value)
            for quantile, value in zip(QUANTILES, np.quantile(degrees, QUANTILES), strict=True)
        },
        "smaller_share": earlier / max(rows.num_vertices - count, 1),
        "hooks": (rows.num_vertices - earlier - count) / rows.num_vertices,
        "levels": _levels(rows, int(degrees.argmax())),
    }


def _with_smaller_neighbor(edges: skerry.Edges, piece: int = 1 << 24) -> int:
    has = np.zeros(edges.num_vertices, bool)
    for begin in range(0, edges.num_edges, piece):
        src, dst = edges.src[begin : begin + piece], edges.dst[begin : begin + piece]
        has[np.maximum(src, dst)[src != dst]] = True
    return int(has.sum())


def _levels(rows: Csr, start: int) -> int:
    """The depth of a breadth-first search; rows are read a million neighbors at a time."""
    offsets, neighbors = np.asarray(rows.offsets), np.asarray(rows.neighbors)
    seen = np.zeros(rows.num_vertices, bool)
    seen[start] = True
    front, depth = np.array([start]), 0
    while True:
        reached = [_neighbors_of(piece, offsets, neighbors, seen) for piece in _pieces(front)]
        front = np.concatenate(reached)
        if not len(front):
            return depth
        depth += 1


def _pieces(front: np.ndarray) -> list[np.ndarray]:
    return np.array_split(front, -(-len(front) // (1 << 20)))


def _neighbors_of(
    front: np.ndarray, offsets: np.ndarray, neighbors: np.ndarray, seen: np.ndarray
) -> np.ndarray:
    """Neighbors not seen before, which are marked."""
    lengths = (offsets[front + 1] - offsets[front]).astype(np.int64)
    ends = lengths.cumsum()
    places = np.repeat(offsets[front].astype(np.int64) - ends + lengths, lengths)
    reached = neighbors[places + np.arange(len(places))]
    fresh = np.unique(reached[~seen[reached]]).astype(np.int64)
    seen[fresh] = True
    return fresh


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
    parser.add_argument("--entries", type=float, help="scale larger graphs to so many entries")
    parser.add_argument("--files", type=Path, help="measure the real graphs of this folder")
    parser.add_argument("--memory", type=float, default=16.0, help="GiB; larger graphs are skipped")
    parser.add_argument("--csv", type=Path, help="append the rows to this file")
    options = parser.parse_args()
    failed = False
    if options.files is not None:
        compare_files(options.files, options.csv)
        return 0
    for name in options.names or [graph.name for graph in papers_graphs()]:
        scale = options.scale
        if options.entries is not None:
            graph = paper_graph(name)
            entries = 2 * (graph.undirected_edges or 2 * graph.vertices)
            scale = min(1.0, 2.0 ** floor(log2(options.entries / entries)))
        failed |= compare(name, scale, options.memory, options.csv)
    return int(failed)


def compare_files(folder: Path, file: Path | None) -> None:
    """Prints the row of each graph of `RELATIVES` that lies in the folder."""
    from pyarrow import parquet

    for name, relatives in RELATIVES.items():
        path = folder / f"{name}.edges.parquet"
        if not path.exists():
            print(f"{path}: missing", flush=True)
            continue
        table = parquet.read_table(path)
        src, dst = (table[column].to_numpy() for column in ("src", "dst"))
        vertices = int(table.schema.metadata[b"n_vertices"])
        figures = figures_of(skerry.Edges(src, dst, vertices))
        print(f"{name}: " + ", ".join(f"{key} {value:.6g}" for key, value in figures.items()))
        for relative in relatives if file is not None else ():
            append(file, {"graph": relative, "stand_in": f"file {name}", "scale": 1, **figures})


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
