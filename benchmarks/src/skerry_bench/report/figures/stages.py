"""Cong & Muzio's Fig. 4: what Stages gains over each algorithm that it may use inside."""

from __future__ import annotations

from skerry_bench.report import published
from skerry_bench.report.figures.model import Figure, Mark, Panel
from skerry_bench.report.measured import Measured
from skerry_bench.report.names import label_of

__all__ = ["INSIDE", "stages_over"]

INSIDE = (
    ("cc", "stages-cc"),
    ("cc-updt", "stages-cc-updt"),
    ("sv", "stages-sv"),
    ("sv-updt", "stages-sv-updt"),
    ("schd", "stages-schd"),
)
"""Algorithms, each with the row of Stages that has it inside."""


def stages_over(measured: Measured) -> Figure:
    """How many times faster an algorithm is inside of Stages."""
    panels = []
    for place in measured.places():
        wanted = [name for pair in INSIDE for name in pair]
        marks = []
        for graph, row in measured.table(place, wanted, paper="Cong & Muzio").items():
            for inner, staged in INSIDE:
                if inner in row and staged in row:
                    marks.append(
                        Mark(
                            series=f"over {label_of(inner)}",
                            implementation=inner,
                            graph=graph,
                            value=row[inner].milliseconds / row[staged].milliseconds,
                            cell=row[staged],
                            note=f"{label_of(inner)} takes {row[inner].milliseconds:.3g} ms",
                        )
                    )
        if marks:
            panels.append(Panel(place.name, place.device, tuple(marks)))
    ranges = [one for one in published.speedups() if one.claim.startswith("Stages over")]
    told = "; ".join(f"{one.claim} on {one.platform}: {one.low} to {one.high}" for one in ranges)
    return Figure(
        id="cong-muzio-fig4",
        paper="Cong & Muzio",
        where="Fig. 4",
        title="Stages over what it has inside",
        caption=f"How many times faster; beyond 1 Stages pays. Published ranges: {told}.",
        kind="value",
        value_title="times faster inside of Stages",
        origin=1.0,
        panels=panels,
        needs="the suite cong-muzio",
    )
