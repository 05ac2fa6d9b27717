"""The graphs of the suites, before they are made: recipes and files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from skerry import Edges, InputError, _native
from skerry.datasets import PaperGraph, papers_graphs, stand_in
from skerry.generators import FAMILIES, Recipe, make

MAX_POINTS = 1 << 21
"""Points of a triangulation at most: one thread of the host makes it, and more take minutes."""

FILE_BYTES_PER_ENTRY = 8  # a rough estimate, to order files by size


@dataclass(frozen=True, slots=True)
class CaseOptions:
    """Which graphs a suite takes, and how large they are."""

    scale: float = 1.0
    folder: Path | None = None
    """A folder that may hold originals of the papers' graphs."""
    files: tuple[Path, ...] = ()
    """Folders and files of the suite `real`."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Options of the suite's own."""


@dataclass(frozen=True, slots=True)
class Case:
    """A graph: a recipe, a file, or a workload that a microbenchmark makes itself."""

    name: str
    family: str
    source: Recipe | Path | Callable[..., Any]
    """A callable takes a number of threads and returns a workload."""
    size: float
    """A rough estimate of the entries of its CSR, to order graphs by size."""
    stand_in: bool = False
    published: Mapping[str, int | None] | None = None
    on_device: bool = False
    """Whether a callable takes the runtime of a device, or None, as well."""
    host_bytes: float | None = None
    """Memory that it needs on the host, where no rows are built there; with a GPU, none."""

    @property
    def recipe(self) -> str | None:
        """The recipe as text for the record."""
        if not isinstance(self.source, Recipe):
            return None
        shuffled = "" if self.source.shuffle is None else f", shuffled by {self.source.shuffle}"
        return f"{self.source.family}({', '.join(map(str, self.source.parameters))}{shuffled})"

    def make(self, threads: int) -> Edges:
        """The edge list in host memory."""
        if isinstance(self.source, Recipe):
            return make(self.source, threads)
        from skerry.engines.streaming.gather import gather
        from skerry.formats.open import open_edges

        assert isinstance(self.source, Path)
        edges = gather(open_edges(self.source), threads=threads).edges
        if self.published is not None:
            _check_published(self, edges)
        return edges


def _check_published(case: Case, edges: Edges) -> None:
    """Refuses a file that has the name of a paper's graph but is another graph."""
    vertices = (case.published or {}).get("vertices")
    if vertices and abs(edges.num_vertices - vertices) > vertices / 100:
        raise InputError(
            f"{case.source} is not the graph of the paper: it has {edges.num_vertices:,} vertices "
            f"instead of {vertices:,}"
        )


def recipe_case(name: str, recipe: Recipe, **fields: Any) -> Case:
    """A graph that is generated."""
    return Case(name, recipe.family, recipe, expected_entries(recipe), **fields)


def family_cases(scale: float) -> Iterator[Case]:
    """The families of `skerry.generators.families`."""
    for name, family in FAMILIES.items():
        yield recipe_case(name, family.recipe(scale))


def paper_cases(paper: str, scale: float, folder: Path | None) -> Iterator[Case]:
    """The graphs of a paper: the original if the folder has it, else a stand-in."""
    for graph in papers_graphs():
        if graph.paper == paper:
            original = None if folder is None else _find_original(graph, folder)
            yield paper_case(graph, scale, original)


def paper_case(graph: PaperGraph, scale: float, original: Path | None) -> Case:
    """A graph of a paper: its file, or its stand-in."""
    published = {
        "vertices": graph.vertices,
        "edges": graph.undirected_edges,
        "components": graph.components,
    }
    if original is not None:
        size = 2.0 * (graph.undirected_edges or graph.vertices)
        return Case(graph.name, graph.family, original, size, False, published)
    recipe = stand_in(graph.name, scale)
    if recipe.family == "delaunay":
        recipe = stand_in(graph.name, min(scale, MAX_POINTS / graph.vertices))
    size = expected_entries(recipe)
    return Case(graph.name, graph.family, recipe, size, True, published)


def _find_original(graph: PaperGraph, folder: Path) -> Path | None:
    """The file with the name of the download, or with the graph's name in any format."""
    downloads = {source.file_name for source in graph.sources}
    files = sorted(path for path in _files_in(folder) if _is_graph(path))
    exact = [path for path in files if path.name in downloads]
    named = [path for path in files if path.name.startswith(f"{graph.name}.")]
    return next(iter([*exact, *named]), None)


def folder_cases(paths: list[Path]) -> Iterator[Case]:
    """The graphs of folders, one per file, and of single files."""
    for path in paths:
        files = sorted(filter(_is_graph, _files_in(path))) if path.is_dir() else [path]
        if not files:
            raise InputError(f"{path}: the folder has no graph in a known format")
        for file in files:
            if not file.exists():
                raise InputError(f"{file}: there is no such file")
            name = file.name.partition(".edges.")[0] if ".edges." in file.name else file.name
            yield Case(name, "real", file, file.stat().st_size / FILE_BYTES_PER_ENTRY)


def _files_in(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such folder")
    return [path for path in folder.iterdir() if path.is_file() and path.name[0] not in "._"]


def _is_graph(path: Path) -> bool:
    from skerry.formats.sniff import known_suffix
    from skerry.formats.source import COMPRESSIONS

    inner = Path(path.stem) if path.suffix.lower() in COMPRESSIONS else path
    return path.name.lower() != "readme.txt" and known_suffix(inner.suffix.lower())


def expected_entries(recipe: Recipe) -> float:
    """The expected entries of its CSR, with repeats, without making the graph."""
    if recipe.family in _EXPECTED:
        return _EXPECTED[recipe.family](recipe.parameters)
    return 2.0 * _native.family_size(recipe.family, recipe.parameters)[1]


_EXPECTED: Mapping[str, Callable[[tuple[int, ...]], float]] = {
    "graph500_reference": lambda p: 2.0 * p[1],
    "road": lambda p: 4.0 * p[0] ** 2 * (p[1] + 1) * p[2] / 2**32,
    "delaunay": lambda p: 6.0 * p[0],
    "geometric": lambda p: 3.15 * (p[1] / 2**31) ** 2 * p[0] ** 2,
    "planted": lambda p: 2.0 * sum(n * s for n, s in zip(p[2::2], p[3::2], strict=True)),
}
"""Families whose size is not a function of their parameters alone."""
