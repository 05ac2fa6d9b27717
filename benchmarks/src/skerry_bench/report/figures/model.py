"""Figures as data: marks by place, ready to be drawn, listed or tested."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from skerry_bench.report.measured import Cell

__all__ = ["Figure", "Mark", "Panel"]


@dataclass(frozen=True, slots=True)
class Mark:
    """One bar or point: a measurement of ours, or the ghost of a published one."""

    series: str
    """What the legend says."""
    implementation: str
    """What filters and colors go by."""
    graph: str = ""
    """Empty where a mark stands for several graphs."""
    group: str = ""
    """The row that it is drawn in, where that is not a graph."""
    x: float | None = None
    value: float | None = None
    by_auto: float | None = None
    """Its time over that of ``auto``."""
    by_base: float | None = None
    """Its time over that of the paper's baseline."""
    cell: Cell | None = None
    source: str = ""
    """The device and the year of a ghost; empty for ours."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """The part of a figure that was measured in one place."""

    place: str
    device: str
    marks: tuple[Mark, ...]
    title: str = ""
    """Where it is not the place."""


@dataclass(frozen=True, slots=True)
class Figure:
    """The counterpart of one or more figures of a paper, or one of our own."""

    id: str
    paper: str
    """A key of `skerry_bench.report.published.PAPERS`, or ``"skerry"``."""
    where: str
    title: str
    caption: str
    kind: str
    """``"ratio"``, ``"value"``, ``"stack"``, ``"line"`` or ``"points"``."""
    panels: Sequence[Panel]
    base: str = ""
    """The baseline of the paper, for people."""
    baseline: str = ""
    """The implementation that it is; its own bars would all be 1."""
    x_title: str = ""
    value_title: str = ""
    origin: float | None = None
    """Where bars start: 1 on a logarithmic axis, 0 on a linear one; None draws points."""
    missing: Sequence[str] = ()
    """What was not measured, in words."""
    needs: str = ""
    """How to measure what is missing."""
    told: bool = False
    """Whether its ghosts are single numbers told in a text: no mean can be made of them."""
    ghosts: Sequence[str] = ()
    """The sources of ghosts, the one to show first in front."""

    @property
    def measured(self) -> bool:
        """Whether anything of ours is in it."""
        return any(not mark.source for panel in self.panels for mark in panel.marks)
