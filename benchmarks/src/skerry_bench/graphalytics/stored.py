"""A graph as the jobs of LDBC's driver keep it: rows and ids as NumPy files in a folder.

LDBC's load time is that of making this folder from text files; a job begins with reading it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry import Csr, Edges, InputError
from skerry.engines.streaming.gather import gather
from skerry.formats.readers.text.ldbc import read_pair
from skerry.formats.writers.integer_text import write_rows
from skerry.graph.build import csr_from_edges
from skerry.io import Batch, EdgeSource
from skerry.threads import resolve_threads

FILES = ("ids", "offsets", "neighbors")
COUNTS = "counts.json"
"""Written last: a folder without it is incomplete."""


@dataclass(frozen=True, slots=True, eq=False)
class StoredGraph:
    """A symmetric CSR over 0..n-1, and the ids of its vertices."""

    csr: Csr
    ids: npt.NDArray[Any]
    edges: int
    """Lines of the file of edges: loops and repeats count."""


def load_graph(
    vertices: str | os.PathLike[str],
    edges: str | os.PathLike[str],
    folder: Path,
    threads: int | None = None,
) -> StoredGraph:
    """Reads the text files of a graph and stores it in a folder, which must not hold one."""
    if (folder / COUNTS).exists():
        raise InputError(f"{folder}: holds a graph already; unload it first")
    team = resolve_threads(threads)
    source, lines = _counting(read_pair(vertices, edges))
    read = gather(source, threads=team)
    ids = np.empty(0, np.int64) if read.ids is None else np.asarray(read.ids)
    if len(ids) != sum(lines):
        raise InputError(
            f"{vertices}: has {sum(lines):,} lines, but there are {len(ids):,} vertices; "
            "an id is there twice, or an edge has an end that is not there"
        )
    csr = csr_from_edges(read.edges, team)
    folder.mkdir(parents=True, exist_ok=True)
    for name, array in zip(FILES, (ids, csr.offsets, csr.neighbors), strict=True):
        np.save(folder / f"{name}.npy", array)
    counts = {"vertices": len(ids), "edges": read.edges.num_edges, "entries": csr.num_entries}
    (folder / COUNTS).write_text(json.dumps(counts) + "\n")
    return StoredGraph(csr, ids, read.edges.num_edges)


def _counting(source: EdgeSource) -> tuple[EdgeSource, list[int]]:
    """The source, and a list that gets the number of vertices in each of its batches."""
    lines: list[int] = []

    def batches(threads: int) -> Iterator[Batch]:
        for batch in source.open(threads):
            if batch.only_vertices:
                lines.append(len(batch.src))
            yield batch

    return replace(source, open=batches), lines


def read_stored(folder: Path) -> StoredGraph:
    """The graph of a folder, its arrays mapped into memory."""
    try:
        counts = json.loads((folder / COUNTS).read_text())
        arrays = [np.load(folder / f"{name}.npy", mmap_mode="r") for name in FILES]
    except (OSError, ValueError) as error:
        raise InputError(f"{folder}: holds no graph that was loaded: {error}") from None
    ids, offsets, neighbors = arrays
    graph = Csr(offsets, neighbors, symmetric=True, sorted_rows=True)
    if (len(ids), graph.num_vertices, graph.num_entries) != (
        counts["vertices"],
        counts["vertices"],
        counts["entries"],
    ):
        raise InputError(f"{folder}: its files are not of one graph; load it again")
    return StoredGraph(graph, ids, counts["edges"])


def write_ldbc(folder: Path, name: str, ids: npt.NDArray[Any], edges: Edges) -> Path:
    """Writes a graph as LDBC's three text files; returns the path of the properties."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{name}.v").open("wb") as file:
        write_rows(file, [ids], " ")
    with (folder / f"{name}.e").open("wb") as file:
        for src, dst in edges.batches(1 << 20):
            write_rows(file, [ids[src], ids[dst]], " ")
    lines = [
        f"graph.{name}.vertex-file = {name}.v",
        f"graph.{name}.edge-file = {name}.e",
        f"graph.{name}.meta.vertices = {len(ids)}",
        f"graph.{name}.meta.edges = {edges.num_edges}",
        f"graph.{name}.directed = false",
    ]
    path = folder / f"{name}.properties"
    path.write_text("\n".join(lines) + "\n")
    return path
