"""All figures of the page, in its order: one for every figure of the papers, then our own."""

from __future__ import annotations

from skerry_bench.report.figures.across import across, cc_across, throughput
from skerry_bench.report.figures.bars import bars
from skerry_bench.report.figures.mappings import best_by_size, edge_rates, speedups
from skerry_bench.report.figures.model import Figure, Mark, Panel
from skerry_bench.report.figures.ours import everybody, memory, peers, reordering, rounds
from skerry_bench.report.figures.papers import PAPER_BARS
from skerry_bench.report.figures.stages import stages_over
from skerry_bench.report.figures.studies import STUDIES, kernels, paths, study
from skerry_bench.report.measured import Measured

__all__ = ["Figure", "Mark", "Panel", "figures"]

ORDER = (
    "everybody",
    "peers-solve",
    "peers-end-to-end",
    "eclcc-fig7",
    "eclcc-fig8",
    "eclcc-table4",
    "eclcc-fig9",
    "eclcc-fig10",
    "eclcc-fig11",
    "eclcc-fig13",
    "eclcc-fig15",
    "eclcc-fig17",
    "thesis-fig6-1",
    "thesis-fig6-3",
    "thesis-fig6-5",
    "thesis-fig6-8",
    "thesis-fig6-9",
    "thesis-fig6-10",
    "thesis-fig6-12",
    "cong-muzio-fig1",
    "cong-muzio-fig2",
    "cong-muzio-fig3",
    "cong-muzio-fig4",
    "cong-muzio-fig5",
    "cong-muzio-fig7",
    "gerasimou-fig1",
    "gerasimou-fig2",
    "gerasimou-fig3",
)


def figures(measured: Measured) -> list[Figure]:
    """Every figure, filled as far as there are results."""
    made = [
        *(bars(spec, measured) for spec in PAPER_BARS),
        everybody(measured),
        peers(measured, "solve"),
        peers(measured, "end_to_end"),
        paths(measured),
        kernels(measured),
        across(measured),
        throughput(measured, "edges"),
        throughput(measured, "nodes"),
        cc_across(measured, "Fig. 1"),
        cc_across(measured, "Fig. 7"),
        stages_over(measured),
        speedups(measured),
        edge_rates(measured),
        best_by_size(measured),
        *(study(spec, measured) for spec in STUDIES),
        rounds(measured),
        reordering(measured),
        memory(measured),
    ]
    place = {name: number for number, name in enumerate(ORDER)}
    return sorted(made, key=lambda figure: place.get(figure.id, len(ORDER)))
