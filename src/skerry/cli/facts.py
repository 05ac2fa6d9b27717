"""What there is to say about a result, as numbers: shown by `summary`, or printed as JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from skerry.algorithms.check import Verification
from skerry.components import Component, Components

__all__ = ["Facts", "SizeClass", "gather"]


@dataclass(frozen=True, slots=True)
class SizeClass:
    """The components whose sizes have the same power of two above them."""

    smallest: int
    """The smallest size that occurs, not the lower end of the class."""
    largest: int
    components: int
    vertices: int
    power: int
    """Sizes are above ``2**(power-1)`` and at most ``2**power``."""


@dataclass(frozen=True, slots=True)
class Facts:
    """A result, counted."""

    result: Components
    largest: Component | None
    """None in a graph without vertices."""
    alone: int
    """Components of one vertex."""
    classes: tuple[SizeClass, ...]
    """Ascending by size; without empty classes."""
    verification: Verification | None
    """None where no check was asked for."""

    @property
    def edges_per_second(self) -> float | None:
        """Input edges, or stored entries of a CSR, by the time of all passes."""
        plan = self.result.plan
        return plan.edges / plan.seconds if plan.seconds > 0 else None

    def as_json(self) -> dict[str, Any]:
        """The facts as plain values; all sizes by class, no labels."""
        plan, checked, largest = self.result.plan, self.verification, self.largest
        return {
            "vertices": plan.vertices,
            "edges": plan.edges,
            "components": self.result.count,
            "alone": self.alone,
            "largest": {"size": largest.size, "label": largest.label} if largest else None,
            "sizes": [
                {
                    "from": each.smallest,
                    "to": each.largest,
                    "components": each.components,
                    "vertices": each.vertices,
                }
                for each in self.classes
            ],
            "plan": {
                "algorithm": plan.algorithm,
                "device": plan.device,
                "threads": plan.threads,
                "reason": plan.reason,
                "form": plan.form,
                "seconds": plan.seconds,
                "passes": [asdict(step) for step in plan.passes],
                "notes": list(plan.notes),
            },
            "edges_per_second": self.edges_per_second,
            "verified": None if checked is None else checked.ok,
            "verification": None if checked is None else checked.message,
        }


def gather(result: Components, *, verify: bool) -> Facts:
    """Counts what `Facts` holds; ``verify`` reads the whole graph once more."""
    sizes, how_many = np.unique(result.sizes(), return_counts=True)
    pairs = list(zip(sizes.tolist(), how_many.tolist(), strict=True))
    return Facts(
        result,
        result.largest() if result.count else None,
        dict(pairs).get(1, 0),
        tuple(_classes(pairs)),
        result.verify() if verify else None,
    )


def _classes(pairs: list[tuple[int, int]]) -> list[SizeClass]:
    by_power: dict[int, list[tuple[int, int]]] = {}
    for size, count in pairs:
        by_power.setdefault((size - 1).bit_length(), []).append((size, count))
    return [
        SizeClass(
            smallest=inside[0][0],
            largest=inside[-1][0],
            components=sum(count for _, count in inside),
            vertices=sum(size * count for size, count in inside),
            power=power,
        )
        for power, inside in by_power.items()
    ]
