"""What there is to say about a result, as numbers: shown by `summary`, or printed as JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from skerry.result.components import Component, Components
from skerry.result.verify import Verification

__all__ = ["LISTED", "Facts", "SizeClass", "first_members", "gather"]

LISTED = 10
"""Largest components to list."""
SWALLOWED = 0.5
"""Share of the vertices above which one component of duplicates is suspicious."""
SUSPICIOUS_FROM = 100
"""Members below which it is not."""


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
    listed: tuple[Component, ...]
    """The largest, largest first; none in a graph without vertices."""
    alone: int
    """Components of one vertex."""
    classes: tuple[SizeClass, ...]
    """Ascending by size; without empty classes."""
    verification: Verification | None
    """None where no check was asked for."""
    bytes: int = 0
    """What was read of files."""

    @property
    def largest(self) -> Component | None:
        """None in a graph without vertices."""
        return self.listed[0] if self.listed else None

    @property
    def edges_per_second(self) -> float | None:
        """Input edges, or stored entries of a CSR, by the time of all passes."""
        plan = self.result.plan
        return plan.edges / plan.seconds if plan.seconds > 0 else None

    @property
    def bytes_per_second(self) -> float | None:
        """What was read of files by the time of all passes."""
        seconds = self.result.plan.seconds
        return self.bytes / seconds if seconds > 0 and self.bytes else None

    @property
    def share(self) -> float:
        """The part of all vertices that the largest component has."""
        return self.listed[0].size / self.result.num_vertices if self.listed else 0.0

    @property
    def swallowed(self) -> bool:
        """Whether one component holds so much that no list of duplicates would be like it."""
        return self.share > SWALLOWED and self.listed[0].size >= SUSPICIOUS_FROM

    def as_json(self) -> dict[str, Any]:
        """The facts as plain values; all sizes by class, no labels."""
        plan, checked, largest = self.result.plan, self.verification, self.largest
        return {
            "vertices": plan.vertices,
            "edges": plan.edges,
            "components": self.result.count,
            "alone": self.alone,
            "largest": {"size": largest.size, "label": largest.label} if largest else None,
            "largest_components": [
                {"size": one.size, "label": one.label, "members": first_members(one, 5)}
                for one in self.listed
            ],
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
            "bytes": self.bytes,
            "bytes_per_second": self.bytes_per_second,
            "verified": None if checked is None else checked.ok,
            "verification": None if checked is None else checked.message,
        }


def gather(
    result: Components,
    verification: Verification | None = None,
    largest: int = LISTED,
    min_size: int = 1,
    read: int = 0,
) -> Facts:
    """Counts what `Facts` holds."""
    sizes, how_many = np.unique(result.sizes(), return_counts=True)
    pairs = list(zip(sizes.tolist(), how_many.tolist(), strict=True))
    listed = result.largest(max(1, largest))
    return Facts(
        result,
        tuple(one for one in listed if one.size >= min_size or one is listed[0]),
        dict(pairs).get(1, 0),
        tuple(_classes(pairs)),
        verification,
        read,
    )


def first_members(component: Component, most: int) -> list[Any]:
    """The first of its ids, as plain values; ids of several columns are tuples."""
    members = component.members
    if isinstance(members, tuple):
        return list(zip(*(part[:most].tolist() for part in members), strict=True))
    some = members[:most]
    return list(some.tolist())


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
