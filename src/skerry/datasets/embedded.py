"""The graph that is part of the package; files/README.md has its source and layout."""

from __future__ import annotations

from importlib.resources import as_file, files
from typing import NamedTuple

import numpy as np

from skerry.graph.edges import Edges


class NamedGraph(NamedTuple):
    """A graph whose vertices have names.

    Immutable; threads may share it.

    Attributes
    ----------
    names
        The names: vertex ``i`` is ``names[i]``.
    edges
        The edges, between vertex numbers.
    meta
        The origin of the graph, by field: source, date, checksum, counts.
    """

    names: list[str]
    edges: Edges
    meta: dict[str, str]


def debian() -> NamedGraph:
    """The package dependencies of Debian 12: an edge joins a package and a name it refers to.

    Returns
    -------
    NamedGraph
        Its names and edges.

    Examples
    --------
    >>> from skerry import datasets
    >>> graph = datasets.debian()
    >>> graph.names[:2], graph.edges
    (['0ad', '0ad-data'], Edges(vertices=71,995, edges=337,097, uint32))
    """
    with (
        as_file(files("skerry.datasets") / "files/debian-bookworm-deps.npz") as path,
        np.load(path) as archive,
    ):
        names = archive["names"].tobytes().decode().split("\n")
        bytes_of_gap = archive["gap"].astype(np.int64)
        lines = str(archive["meta"]).splitlines()
    # Edges are stored as differences of the sorted numbers src * n + dst, a row for each byte.
    gap = sum(row << 8 * position for position, row in enumerate(bytes_of_gap))
    src, dst = np.divmod(np.cumsum(gap), len(names))
    edges = Edges(src.astype(np.uint32), dst.astype(np.uint32), len(names))
    meta = {field: value for field, _, value in (line.partition(": ") for line in lines)}
    return NamedGraph(names, edges, meta)
