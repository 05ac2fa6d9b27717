"""All figures of the report, in the order of the page."""

from __future__ import annotations

from skerry_bench.report.figures.bars import bar_figure
from skerry_bench.report.figures.beyond_papers import (
    all_implementations,
    memory,
    peers,
    reordering,
    rounds,
)
from skerry_bench.report.figures.devices import cong_muzio_devices, gpu_and_cpu, throughput
from skerry_bench.report.figures.mappings import best_by_size, edge_rates, speedups
from skerry_bench.report.figures.model import Figure
from skerry_bench.report.figures.papers import PAPER_BARS
from skerry_bench.report.figures.stages import stages_over
from skerry_bench.report.figures.studies import STUDIES, kernels, paths, study_figure
from skerry_bench.report.measurements import Measurements

ORDER = (
    "all-implementations",
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


def all_figures(measurements: Measurements) -> list[Figure]:
    """Every figure, with the values that were measured."""
    figures = [
        *(bar_figure(spec, measurements) for spec in PAPER_BARS),
        all_implementations(measurements),
        peers(measurements, "solve"),
        peers(measurements, "end_to_end"),
        paths(measurements),
        kernels(measurements),
        gpu_and_cpu(measurements),
        throughput(measurements, "edges"),
        throughput(measurements, "nodes"),
        cong_muzio_devices(measurements, "Fig. 1"),
        cong_muzio_devices(measurements, "Fig. 7"),
        stages_over(measurements),
        speedups(measurements),
        edge_rates(measurements),
        best_by_size(measurements),
        *(study_figure(spec, measurements) for spec in STUDIES),
        rounds(measurements),
        reordering(measurements),
        memory(measurements),
    ]
    position = {name: number for number, name in enumerate(ORDER)}
    return sorted(figures, key=lambda figure: position.get(figure.id, len(ORDER)))
