"""How far the samples of a time lie apart, and which differences are larger than that."""

from __future__ import annotations

from statistics import quantiles
from typing import Literal

from skerry_bench.report.measurements import Cell

NOISY = 0.15
"""The spread, as a part of the median, from which a time counts as noisy."""
FEW = 5
"""With fewer samples, all of them are their range."""
TIE = 0.03
"""Two times that differ by less are the same."""
Order = Literal["faster", "slower", "undecided"]


def sample_range(cell: Cell) -> tuple[float, float]:
    """Between which times the middle half of the samples lies, in ms; of a few samples, all."""
    samples = [1e3 * seconds for seconds in cell.result.seconds]
    if len(samples) < FEW:
        return min(samples), max(samples)
    low, _, high = quantiles(samples, n=4, method="inclusive")
    return low, high


def spread(cell: Cell) -> float:
    """The width of that range, as a part of the median."""
    low, high = sample_range(cell)
    return (high - low) / cell.milliseconds


def is_single(cell: Cell) -> bool:
    """Whether there is only one sample, so that nothing is known of its noise."""
    return len(cell.result.seconds) == 1


def is_noisy(cell: Cell) -> bool:
    """Whether the samples lie far apart."""
    return spread(cell) > NOISY


def order_of(cell: Cell, other: Cell) -> Order:
    """Whether a time is faster than another by more than both spreads."""
    (low, high), (other_low, other_high) = _bounds(cell), _bounds(other)
    if high < other_low and cell.milliseconds < other.milliseconds * (1 - TIE):
        return "faster"
    if low > other_high and cell.milliseconds * (1 - TIE) > other.milliseconds:
        return "slower"
    return "undecided"


def _bounds(cell: Cell) -> tuple[float, float]:
    """The range; a single sample may be as far off as a noisy one."""
    if is_single(cell):
        return cell.milliseconds * (1 - NOISY), cell.milliseconds * (1 + NOISY)
    return sample_range(cell)
