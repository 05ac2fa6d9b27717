"""The graphs of the papers that skerry follows: published figures, addresses, and stand-ins.

The table is ``files/papers_graphs.csv``: 18 graphs of ECL-CC (Jaiganesh & Burtscher, HPDC 2018), 5
of Cong & Muzio (2014) and 5 of Gerasimou (2026). A stand-in is a generated graph of the same family
with the published numbers of vertices, edges and components and the published degrees, for machines
without internet and graphs that were not published. ``tools/stand_ins.py`` compares them.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from math import log2, sqrt
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from skerry.datasets.fetch import Progress, extract_member, fetch
from skerry.errors import ArgumentError, DownloadError, TargetError, UnsupportedError
from skerry.generators.builder import Recipe
from skerry.generators.table import read_spec

Count = Callable[[Path], tuple[int, int | None, int | None]]
"""From a file to its numbers of vertices, edges and components; None for a number not counted.

An edge counts once, whatever its direction; loops and repeats do not count.
"""


@dataclass(frozen=True, slots=True)
class Source:
    """An address from which a graph can be downloaded.

    Immutable; threads may share it.

    Attributes
    ----------
    address
        The URL.
    format
        The name of the format.
    member
        The file in the archive; empty where the address is that of the file itself.
    """

    address: str
    format: str
    member: str = ""

    @property
    def file_name(self) -> str:
        """The name of the downloaded file."""
        return PurePosixPath(self.member or urlsplit(self.address).path).name


@dataclass(frozen=True, slots=True)
class PaperGraph:
    """A graph of a paper, with the numbers as they are published there.

    Immutable; threads may share it.

    Attributes
    ----------
    name
        Its name.
    paper
        The paper that uses it.
    family
        What kind of graph it is.
    vertices
        Number of vertices.
    edges
        Number of edges, where the paper has it.
    directed
        Whether ``edges`` counts both directions of an edge.
    exact
        Whether the paper has all digits; otherwise the numbers are right to 1 percent.
    components
        Number of components, where the paper has it.
    least_degree
        Smallest number of neighbors, where the paper has it.
    largest_degree
        Largest number of neighbors, where the paper has it.
    sources
        Where it can be downloaded: the original first, then a copy; empty if it was not published.
    stand_in
        A generated graph of the same family and numbers, for `skerry.generators.parse`.
    note
        Remarks.
    """

    name: str
    paper: str
    family: str
    vertices: int
    edges: int | None
    directed: bool
    exact: bool
    components: int | None
    least_degree: int | None
    largest_degree: int | None
    sources: tuple[Source, ...]
    stand_in: str
    note: str

    @property
    def undirected_edges(self) -> int | None:
        """The published edges, each counted once."""
        return self.edges // 2 if self.directed and self.edges is not None else self.edges


@cache
def _table() -> Mapping[str, PaperGraph]:
    text = files("skerry.datasets").joinpath("files/papers_graphs.csv").read_text("ascii")
    return {row["name"]: _graph(row) for row in csv.DictReader(text.splitlines())}


def _graph(row: Mapping[str, str]) -> PaperGraph:
    sources = (
        Source(row["address"], row["format"], row["member"]),
        Source(row["other_address"], row["other_format"]),
    )
    return PaperGraph(
        name=row["name"],
        paper=row["paper"],
        family=row["family"],
        vertices=int(row["vertices"]),
        edges=_count(row["edges"]),
        directed=row["edges_are"] == "directed",
        exact=row["figures"] == "exact",
        components=_count(row["components"]),
        least_degree=_count(row["least_degree"]),
        largest_degree=_count(row["largest_degree"]),
        sources=tuple(source for source in sources if source.address),
        stand_in=row["stand_in"],
        note=row["note"],
    )


def _count(text: str) -> int | None:
    return int(text) if text else None


def papers_graphs() -> list[PaperGraph]:
    """The graphs of all papers, in the order of the papers' tables.

    Returns
    -------
    list of PaperGraph
        18 graphs of ECL-CC, 5 of Cong and Muzio, 5 of Gerasimou.

    Examples
    --------
    >>> from skerry.datasets import papers_graphs
    >>> len(papers_graphs()), papers_graphs()[0].name
    (28, '2d-2e20.sym')
    """
    return list(_table().values())


def paper_graph(name: str) -> PaperGraph:
    """The graph of this name.

    Parameters
    ----------
    name
        As in `papers_graphs`.

    Returns
    -------
    PaperGraph
        The published numbers, addresses, and its stand-in.

    Raises
    ------
    InputError
        If there is no graph of this name.

    Examples
    --------
    >>> from skerry.datasets import paper_graph
    >>> graph = paper_graph("kron_g500-logn21")
    >>> graph.vertices, graph.components
    (2097152, 553159)
    """
    try:
        return _table()[name]
    except KeyError:
        close = get_close_matches(name, _table(), 1, 0.4)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise ArgumentError(f"no graph of a paper is called {name!r}{hint}") from None


def stand_in(name: str, scale: float = 1.0, *, seed: int = 1) -> Recipe:
    """The recipe of a generated graph of the same family, with the published numbers.

    At full scale the numbers of vertices, edges and components and the smallest and largest degree
    are within 10 percent of the published ones. At another scale the mean and the smallest degree
    stay, the number of components and the hub's share of the vertices too, and so does the largest
    degree of roads. The hub keeps at least four times the mean degree. What follows from the
    probabilities of R-MAT and Kronecker graphs depends on their size, there as here.

    Parameters
    ----------
    name
        As in `papers_graphs`.
    scale
        The size, as a multiple of the original's.
    seed
        Decides every draw, 0..2**64 - 1.

    Returns
    -------
    Recipe
        For `skerry.generators.make` and `skerry.generators.stream`.

    Raises
    ------
    InputError
        If there is no graph of this name, or the scale is not positive.

    Examples
    --------
    >>> from skerry.datasets import stand_in
    >>> stand_in("2d-2e20.sym")
    Recipe(family='grid', parameters=(1024, 1024), shuffle=None)
    """
    if not scale > 0:
        raise ArgumentError(f"scale must be positive, got {scale}")
    generator, parameters = read_spec(paper_graph(name).stand_in)
    if generator.name == "profile":
        parameters = _scaled_profile(parameters, scale)
    else:
        for key in parameters.keys() & SCALED.keys():
            parameters[key] = SCALED[key](parameters[key], scale)
    if any(parameter.name == "seed" for parameter in generator.parameters):
        parameters["seed"] = seed
    return generator.recipe(**parameters)


def _scaled_profile(parameters: Mapping[str, Any], scale: float) -> dict[str, Any]:
    mean_degree = 2 * parameters["m"] / parameters["n"]
    largest = parameters["largest_degree"]
    scaled = {key: _in_proportion(parameters[key], scale) for key in ("n", "m")}
    scaled["largest_degree"] = max(round(scale * largest), min(largest, round(4 * mean_degree)))
    scaled["components"] = 1 + round(scale * (parameters.get("components", 1) - 1))
    return {**parameters, **scaled}


def _in_proportion(size: int, scale: float) -> int:
    return max(4, round(size * scale))  # a triangulation of fewer does not exist


def _as_a_side(size: int, scale: float) -> int:
    return max(2, round(size * sqrt(scale)))


def _as_an_exponent(size: int, scale: float) -> int:
    return max(1, size + round(log2(scale)))


SCALED: Mapping[str, Callable[[int, float], int]] = {
    "n": _in_proportion,
    "m": _in_proportion,
    "chords": _in_proportion,
    "points": _in_proportion,
    "rows": _as_a_side,
    "columns": _as_a_side,
    "width": _as_a_side,
    "scale": _as_an_exponent,
}
"""How parameters of generators other than ``profile`` depend on the size of a graph, if they do."""


def download(
    name: str,
    folder: str | Path,
    *,
    source: int = 0,
    count: Count | None = None,
    progress: Progress | None = None,
    timeout: float = 60.0,
) -> Path:
    """Downloads the original of a paper's graph, and checks it against the paper.

    An interrupted transfer is continued by the next call; a complete file is not fetched again.

    Parameters
    ----------
    name
        As in `papers_graphs`.
    folder
        Where the file goes; it is created if needed.
    source
        Index of the address in `PaperGraph.sources`.
    count
        Reads the file and returns its numbers of vertices, edges and components, which must be
        those of the paper; otherwise the file is renamed, with ``.rejected`` added. By default
        nothing is checked.
    progress
        Called with the bytes so far, and the size of the file or None.
    timeout
        Seconds without an answer after which the transfer counts as interrupted.

    Returns
    -------
    pathlib.Path
        The file.

    Raises
    ------
    InputError
        If there is no such graph or source.
    UnsupportedError
        If the graph was not published.
    DownloadError
        If the transfer fails, or the file is not the graph of the paper.

    Examples
    --------
    >>> from skerry import datasets
    >>> datasets.download("USA-road-d.NY", "graphs")  # doctest: +SKIP
    PosixPath('graphs/USA-road-d.NY.gr.gz')
    """
    graph = paper_graph(name)
    if not graph.sources:
        raise UnsupportedError(f"{name} cannot be downloaded ({graph.note}); there is a stand-in")
    if not 0 <= source < len(graph.sources):
        raise ArgumentError(f"{name} has the sources 0..{len(graph.sources) - 1}, got {source}")
    path = _fetched(graph.sources[source], Path(folder), progress, timeout)
    if count is not None:
        wrong = _differences(graph, *count(path))
        if wrong:
            rejected = path.replace(path.with_name(path.name + ".rejected"))
            message = f"{name} is not the graph of the paper: {', '.join(wrong)}; see {rejected}"
            raise DownloadError(message)
    return path


def _fetched(source: Source, folder: Path, progress: Progress | None, timeout: float) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TargetError(f"{folder}: cannot be created: {error.strerror}") from error
    path = folder / source.file_name
    if path.exists():
        return path
    if not source.member:
        return fetch(source.address, path, progress=progress, timeout=timeout)
    archive = folder / PurePosixPath(urlsplit(source.address).path).name
    fetch(source.address, archive, progress=progress, timeout=timeout)
    extract_member(archive, source.member, path)
    archive.unlink()
    return path


def _differences(graph: PaperGraph, *counted: int | None) -> list[str]:
    published = (graph.vertices, graph.undirected_edges, graph.components)
    return [
        f"{have:,} {what} instead of {want:,}"
        for what, have, want in zip(
            ("vertices", "edges", "components"), counted, published, strict=True
        )
        if have is not None
        and want is not None
        and abs(have - want) > (0 if graph.exact else want / 100)
    ]
