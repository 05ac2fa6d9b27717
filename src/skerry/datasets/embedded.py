"""The graph that comes with the package; its source and layout are in the README.md beside it."""

from __future__ import annotations

from importlib.resources import as_file, files
from typing import NamedTuple

import numpy as np

from skerry.graph.edges import Edges

__all__ = ["NamedGraph", "debian"]


class NamedGraph(NamedTuple):
    """A graph whose vertices have names: vertex ``i`` is ``names[i]``."""

    names: list[str]
    edges: Edges
    meta: dict[str, str]
    """Where the graph comes from, by field: source, date, checksum, counts."""


def debian() -> NamedGraph:
    """The package dependencies of Debian 12: an edge joins a package and a name it refers to."""
    with (
        as_file(files("skerry.datasets") / "files/debian-bookworm-deps.npz") as path,
        np.load(path) as archive,
    ):
        names = archive["names"].tobytes().decode().split("\n")
        bytes_of_gap = archive["gap"].astype(np.int64)
        lines = str(archive["meta"]).splitlines()
    # Edges are stored as differences of the sorted numbers src * n + dst, a row for each byte.
    gap = sum(row << 8 * place for place, row in enumerate(bytes_of_gap))
    src, dst = np.divmod(np.cumsum(gap), len(names))
    edges = Edges(src.astype(np.uint32), dst.astype(np.uint32), len(names))
    meta = {field: value for field, _, value in (line.partition(": ") for line in lines)}
    return NamedGraph(names, edges, meta)
