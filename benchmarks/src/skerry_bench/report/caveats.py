"""What weakens a set of times: noise, single samples, graphs smaller than the originals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from skerry.datasets import papers_graphs
from skerry_bench.report.format_value import significant
from skerry_bench.report.measurements import Cell, Graph
from skerry_bench.report.spread import NOISY, is_noisy, is_single, spread

ORIGINAL_VERTICES = {graph.name: graph.vertices for graph in papers_graphs()}
SMALLER = 0.75
"""A stand-in with a smaller part of the original's vertices counts as scaled down."""
TOO_NOISY_TEXT = "Too noisy for a conclusion"
TOO_NOISY = 1 / 3
"""From this part of noisy or single times on, small differences say nothing."""


def relative_size(cell: Cell) -> float | None:
    """The size of a measured graph: of a paper's graph by its vertices, else the run's scale."""
    original = ORIGINAL_VERTICES.get(cell.graph.name)
    if original and cell.graph.vertices:
        return cell.graph.vertices / original
    scale = cell.run.options.get("scale")
    return float(scale) if isinstance(scale, int | float) and scale else None


def caveats_of(cells: Sequence[Cell]) -> list[str]:
    """Sentences, the gravest first; none for clean results."""
    return list(_caveats(cells)) if cells else []


def _caveats(cells: Sequence[Cell]) -> Iterator[str]:
    noisy = sum(map(is_noisy, cells))
    single = sum(map(is_single, cells))
    if noisy + single >= TOO_NOISY * len(cells):
        yield (
            f"{TOO_NOISY_TEXT}: differences below a factor of two may be chance. Repeat it on "
            "a quiet machine with a larger --scale or --repeat."
        )
    if noisy:
        middle = median(spread(cell) for cell in cells if is_noisy(cell))
        yield (
            f"Noisy: the samples of {noisy} of {len(cells)} times lie more than {NOISY:.0%} of "
            f"their median apart ({significant(100 * middle, 2)}% in the middle of these); "
            "marked ~."
        )
    if single:
        yield f"Single: {single} of {len(cells)} times are one sample, of unknown noise; marked 1x."
    sizes: dict[Graph, float] = {}
    for cell in cells:
        size = relative_size(cell)
        if size is not None and size < SMALLER:
            sizes[cell.graph] = size
    if sizes:
        graphs = len({cell.graph for cell in cells})
        yield (
            f"Scaled down: {len(sizes)} of {graphs} graphs are smaller than the originals, to "
            f"{significant(100 * median(sizes.values()), 2)}% of their size in the median."
        )
