"""Figures as data: panels of marks, ready to be drawn, listed or tested."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from skerry_bench.report.measurements import Cell


@dataclass(frozen=True, slots=True)
class Mark:
    """One bar or point: a measured or a published value."""

    series: str
    """Its entry in the legend."""
    implementation: str
    """Determines its color and whether the filters show it."""
    graph: str = ""
    """Empty where a mark combines several graphs."""
    group: str = ""
    """The row that contains it, where rows are not graphs."""
    x: float | None = None
    value: float | None = None
    over_auto: float | None = None
    """Its time divided by that of ``auto``."""
    over_baseline: float | None = None
    """Its time divided by that of the paper's baseline."""
    range_over_auto: tuple[float, float] | None = None
    """Least and largest, where a mark is the median over several graphs."""
    range_over_baseline: tuple[float, float] | None = None
    cell: Cell | None = None
    source: str = ""
    """Device and year of a published value; empty for a measured one."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """The part of a figure that was measured on one platform."""

    platform: str
    device: str
    marks: tuple[Mark, ...]
    title: str = ""
    """Replaces the name of the platform."""


@dataclass(frozen=True, slots=True)
class Figure:
    """The counterpart of one or more figures of a paper, or a figure of skerry's own."""

    id: str
    paper: str
    """A key of `skerry_bench.report.published.PAPERS`, or ``"skerry"``."""
    where: str
    title: str
    caption: str
    kind: str
    """``"ratio"``, ``"range"``, ``"value"``, ``"stack"``, ``"line"`` or ``"points"``."""
    panels: Sequence[Panel]
    baseline: str = ""
    """The implementation that is the paper's baseline. Its own ratio is always 1."""
    baseline_name: str = ""
    """The name of the baseline in text."""
    x_title: str = ""
    value_title: str = ""
    origin: float | None = None
    """Where bars start: 1 on a logarithmic axis, 0 on a linear one. None draws points."""
    missing: Sequence[str] = ()
    """Sentences on what was not measured."""
    needs: str = ""
    """How to measure what is missing."""
    stated_only: bool = False
    """Whether its published values are single numbers from a text, which have no mean."""
    sources: Sequence[str] = ()
    """Sources of the published values; the first is shown by default."""

    @property
    def has_measurements(self) -> bool:
        """Whether it contains a measured value."""
        return any(not mark.source for panel in self.panels for mark in panel.marks)
