"""The graphs of the papers that skerry follows: published figures, addresses, and stand-ins.

The table is ``data/papers_graphs.csv``: 18 graphs of ECL-CC (Jaiganesh & Burtscher, HPDC 2018), 5
of Cong & Muzio (2014) and 5 of Gerasimou (2026). A stand-in is a generated graph of the same family
and about the same size, for where there is no internet, or no original.
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
from urllib.parse import urlsplit

from skerry.datasets.download import Progress, download, extract_member
from skerry.errors import DownloadError, InputError, UnsupportedError
from skerry.generators import table as generator_table
from skerry.generators.recipes import Recipe

__all__ = ["Count", "PaperGraph", "Source", "get", "paper_graph", "papers_graphs", "stand_in"]

Count = Callable[[Path], tuple[int, int | None, int | None]]
"""From a file to its numbers of vertices, of edges and of components.

An edge counts once whichever direction it is given in, loops and repeats do not count. None where a
number was not counted.
"""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a graph can be downloaded."""

    address: str
    format: str
    """The name of the format in `skerry.formats`."""
    member: str = ""
    """The file that it is in an archive; empty where the address is that of the file itself."""

    @property
    def file_name(self) -> str:
        """What the file is called when it has arrived."""
        return PurePosixPath(self.member or urlsplit(self.address).path).name


@dataclass(frozen=True, slots=True)
class PaperGraph:
    """One graph of a paper, with the figures as they are published there."""

    name: str
    paper: str
    family: str
    vertices: int
    edges: int | None
    directed: bool
    """Whether ``edges`` counts both directions of an edge."""
    exact: bool
    """Whether the paper gives all digits; else figures are right to 1 percent."""
    components: int | None
    sources: tuple[Source, ...]
    """The original first, then a copy; none where it was never published."""
    stand_in: str
    """What `skerry.generators.table.parse` makes a recipe of."""
    note: str

    @property
    def undirected_edges(self) -> int | None:
        """The published edges, each counted once."""
        return self.edges // 2 if self.directed and self.edges is not None else self.edges


@cache
def _table() -> Mapping[str, PaperGraph]:
    # Not by the package skerry.datasets.embedded, which is above this one: only the file is wanted.
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
        edges=int(row["edges"]) if row["edges"] else None,
        directed=row["edges_are"] == "directed",
        exact=row["figures"] == "exact",
        components=int(row["components"]) if row["components"] else None,
        sources=tuple(one for one in sources if one.address),
        stand_in=row["stand_in"],
        note=row["note"],
    )


def papers_graphs() -> list[PaperGraph]:
    """All of them, in the order of the papers' tables.

    >>> len(papers_graphs()), papers_graphs()[0].name
    (28, '2d-2e20.sym')
    """
    return list(_table().values())


def paper_graph(name: str) -> PaperGraph:
    """The graph of this name."""
    try:
        return _table()[name]
    except KeyError:
        close = get_close_matches(name, _table(), 1, 0.4)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise InputError(f"no paper's graph is called {name!r}{hint}") from None


def stand_in(name: str, scale: float = 1.0, *, seed: int = 1) -> Recipe:
    """The recipe of a graph of the same family, with ``scale`` times the size of the original.

    >>> stand_in("2d-2e20.sym")
    Recipe(family='grid', parameters=(1024, 1024), shuffle=None)
    """
    if not scale > 0:
        raise InputError(f"scale must be positive, got {scale}")
    text = paper_graph(name).stand_in
    generator = generator_table.GENERATORS[text.partition(":")[0]]
    parameters = dict(one.split("=") for one in text.partition(":")[2].split(","))
    for parameter in generator.parameters:
        if parameter.name in parameters and parameter.name in SCALED:
            size = parameter.read(parameters[parameter.name])
            parameters[parameter.name] = str(SCALED[parameter.name](size, scale))
    if any(parameter.name == "seed" for parameter in generator.parameters):
        parameters["seed"] = str(seed)
    return generator.recipe(**parameters)


def _in_proportion(size: int, scale: float) -> int:
    return max(4, round(size * scale))  # a triangulation of fewer does not exist


def _as_a_side(size: int, scale: float) -> int:
    return max(2, round(size * sqrt(scale)))


def _as_an_exponent(size: int, scale: float) -> int:
    return max(1, size + round(log2(scale)))


SCALED: Mapping[str, Callable[[int, float], int]] = {
    "n": _in_proportion,
    "m": _in_proportion,
    "points": _in_proportion,
    "rows": _as_a_side,
    "columns": _as_a_side,
    "width": _as_a_side,
    "scale": _as_an_exponent,
}
"""How parameters of generators follow the size of a graph; the others do not."""


def get(
    name: str,
    folder: str | Path,
    *,
    source: int = 0,
    count: Count | None = None,
    progress: Progress | None = None,
    timeout: float = 60.0,
) -> Path:
    """Downloads the original into a folder, checks it against the paper, and gives its path.

    ``source`` chooses among `PaperGraph.sources`. A transfer that broke off is taken up where it
    ended; a file that is there is not fetched again. ``count`` reads the graph for the check;
    without it nothing is checked. A graph that fails it is renamed, with ``.rejected`` added.
    """
    graph = paper_graph(name)
    if not graph.sources:
        raise UnsupportedError(f"{name} cannot be downloaded ({graph.note}); there is a stand-in")
    if not 0 <= source < len(graph.sources):
        raise InputError(f"{name} has the sources 0..{len(graph.sources) - 1}, got {source}")
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
        raise DownloadError(f"{folder} cannot be made: {error.strerror}") from error
    path = folder / source.file_name
    if path.exists():
        return path
    if not source.member:
        return download(source.address, path, progress=progress, timeout=timeout)
    archive = folder / PurePosixPath(urlsplit(source.address).path).name
    download(source.address, archive, progress=progress, timeout=timeout)
    extract_member(archive, source.member, path)
    archive.unlink()
    return path


def _differences(graph: PaperGraph, *found: int | None) -> list[str]:
    published = (graph.vertices, graph.undirected_edges, graph.components)
    return [
        f"{have:,} {what} instead of {want:,}"
        for what, have, want in zip(
            ("vertices", "edges", "components"), found, published, strict=True
        )
        if have is not None
        and want is not None
        and abs(have - want) > (0 if graph.exact else want / 100)
    ]
