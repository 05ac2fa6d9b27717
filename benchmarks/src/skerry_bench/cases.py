"""The graphs that are measured on, before they are made: recipes and files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skerry import _native
from skerry.datasets.papers import PaperGraph, papers_graphs, stand_in
from skerry.errors import InputError
from skerry.generators import FAMILIES, recipes
from skerry.generators.builder import make
from skerry.generators.recipes import Recipe
from skerry.graph.edges import Edges

__all__ = ["Case", "family_cases", "folder_cases", "paper_cases", "recipe_case"]

MOST_POINTS = 1 << 22
"""Of a triangulation, which is made by one thread of the host: more take minutes."""

EXPECTED_OF_FILES = 8  # bytes of a file for each stored entry, roughly: to put files in order


@dataclass(frozen=True, slots=True)
class Case:
    """A graph: a recipe, or a file."""

    name: str
    family: str
    source: Recipe | Path
    size: float
    """Entries of its CSR that are to be expected, roughly: to put graphs in order."""
    stand_in: bool = False
    published: Mapping[str, int | None] | None = None

    @property
    def recipe(self) -> str | None:
        """As a text for the record."""
        if not isinstance(self.source, Recipe):
            return None
        shuffled = "" if self.source.shuffle is None else f", shuffled by {self.source.shuffle}"
        return f"{self.source.family}({', '.join(map(str, self.source.parameters))}{shuffled})"

    def make(self, threads: int) -> Edges:
        """The graph, in the host's memory."""
        if isinstance(self.source, Recipe):
            return make(self.source, threads)
        from skerry.engines.streaming.gather import gather
        from skerry.formats.open import open_edges

        edges = gather(open_edges(self.source), threads=threads).edges
        if self.published is not None:
            _check_published(self, edges)
        return edges


def _check_published(case: Case, edges: Edges) -> None:
    """A file under the name of a paper's graph that is another graph would be worse than none."""
    vertices = (case.published or {}).get("vertices")
    if vertices and abs(edges.num_vertices - vertices) > vertices / 100:
        raise InputError(
            f"{case.source} is not the graph of the paper: it has {edges.num_vertices:,} vertices "
            f"instead of {vertices:,}"
        )


def recipe_case(name: str, recipe: Recipe, **told: Any) -> Case:
    """A graph that is made."""
    return Case(name, recipe.family, recipe, expected_entries(recipe), **told)


def family_cases(scale: float) -> Iterator[Case]:
    """The ten families."""
    for name, family in FAMILIES.items():
        yield recipe_case(name, family.recipe(scale))


def paper_cases(paper: str, scale: float, folder: Path | None) -> Iterator[Case]:
    """The graphs of a paper: the original where the folder has it, else its stand-in."""
    for graph in papers_graphs():
        if graph.paper == paper:
            original = None if folder is None else _find_original(graph, folder)
            yield _paper_case(graph, scale, original)


def _paper_case(graph: PaperGraph, scale: float, original: Path | None) -> Case:
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
        recipe = recipes.delaunay(min(recipe.parameters[0], MOST_POINTS))
    size = expected_entries(recipe)
    return Case(graph.name, graph.family, recipe, size, True, published)


def _find_original(graph: PaperGraph, folder: Path) -> Path | None:
    """The file called as it is when it is downloaded, or by the graph's name in another format."""
    wanted = {source.file_name for source in graph.sources}
    found = sorted(path for path in _files_in(folder) if _is_graph(path))
    exact = [path for path in found if path.name in wanted]
    named = [path for path in found if path.name.startswith(f"{graph.name}.")]
    return next(iter([*exact, *named]), None)


def folder_cases(paths: list[Path]) -> Iterator[Case]:
    """The graphs of folders, a file each, and single files."""
    for path in paths:
        files = sorted(filter(_is_graph, _files_in(path))) if path.is_dir() else [path]
        if not files:
            raise InputError(f"{path}: the folder holds no graph of a known format")
        for file in files:
            if not file.exists():
                raise InputError(f"{file}: there is no such file")
            name = file.name.partition(".edges.")[0] if ".edges." in file.name else file.name
            yield Case(name, "real", file, file.stat().st_size / EXPECTED_OF_FILES)


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
    """How many entries its CSR has, repeats included; without making it."""
    if recipe.family in _EXPECTED:
        return _EXPECTED[recipe.family](recipe.parameters)
    return 2.0 * _native.family_size(recipe.family, recipe.parameters)[1]


_EXPECTED: Mapping[str, Callable[[tuple[int, ...]], float]] = {
    "road": lambda p: 4.0 * p[0] ** 2 * (p[1] + 1) * p[2] / 2**32,
    "delaunay": lambda p: 6.0 * p[0],
    "geometric": lambda p: 3.15 * (p[1] / 2**31) ** 2 * p[0] ** 2,
    "planted": lambda p: 2.0 * sum(n * s for n, s in zip(p[2::2], p[3::2], strict=True)),
}
"""Of families whose size is not a function of their parameters alone."""
