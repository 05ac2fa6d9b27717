"""Cong & Muzio's Fig. 4: the speedup of Stages over each algorithm that it can use inside."""

from __future__ import annotations

from skerry_bench.report import published
from skerry_bench.report.display_names import display_name
from skerry_bench.report.figures.model import Figure, Mark, Panel
from skerry_bench.report.measurements import Measurements

STAGES_OF = (
    ("cc", "stages-cc"),
    ("cc-updt", "stages-cc-updt"),
    ("sv", "stages-sv"),
    ("sv-updt", "stages-sv-updt"),
    ("schd", "stages-schd"),
)
"""Algorithms, each with the variant of Stages that uses it inside."""


def stages_over(measurements: Measurements) -> Figure:
    """How many times faster Stages is than the algorithm inside it."""
    panels = []
    for platform in measurements.platforms():
        wanted = [name for pair in STAGES_OF for name in pair]
        marks = []
        for graph, row in measurements.table(platform, wanted, paper="Cong & Muzio").items():
            for inner, staged in STAGES_OF:
                if inner in row and staged in row:
                    marks.append(
                        Mark(
                            series=f"over {display_name(inner)}",
                            implementation=inner,
                            graph=graph,
                            value=row[inner].milliseconds / row[staged].milliseconds,
                            cell=row[staged],
                            note=f"{display_name(inner)} takes {row[inner].milliseconds:.3g} ms",
                        )
                    )
        if marks:
            panels.append(Panel(platform.name, platform.device, tuple(marks)))
    ranges = "; ".join(
        f"{speedup.claim} on {speedup.platform}: {speedup.low} to {speedup.high}"
        for speedup in published.speedups()
        if speedup.claim.startswith("Stages over")
    )
    return Figure(
        id="cong-muzio-fig4",
        paper="Cong & Muzio",
        where="Fig. 4",
        title="Speedup of Stages over the algorithm inside it",
        caption=f"Above 1, Stages is faster. Published ranges: {ranges}.",
        kind="value",
        value_title="speedup by Stages",
        origin=1.0,
        panels=panels,
        needs="the suite cong-muzio",
    )
