"""A result as numbers: shown by `summary`, or printed as JSON."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from skerry.cli.wording import as_options
from skerry.graph.edge_source import InputFacts
from skerry.result.components import Components
from skerry.result.groups import Component
from skerry.result.identities import NameCounts, name_counts
from skerry.result.verify import Verification

LISTED = 10
"""Largest components to list."""
GIANT_SHARE = 0.5
"""Share of the vertices above which one component of duplicates is suspicious."""
GIANT_SIZE = 100
"""Members below which it is not."""
GIANT_TIMES, GIANT_LEAST = 100, 0.01
"""It is suspicious too if it has so many times the members of the second, and this share."""
CONTINUED = "continued from a checkpoint"
"""How the note of the plan begins."""


@dataclass(frozen=True, slots=True)
class SizeClass:
    """The components whose sizes lie between the same two powers of two."""

    smallest: int
    """The smallest size that occurs, not the lower end of the class."""
    largest: int
    components: int
    vertices: int
    power: int
    """Sizes are above ``2**(power-1)`` and at most ``2**power``."""


@dataclass(frozen=True, slots=True)
class ResultFacts:
    """A result and its counts."""

    result: Components
    listed: tuple[Component, ...]
    """The largest, largest first; none in a graph without vertices."""
    alone: int
    """Components of one vertex."""
    classes: tuple[SizeClass, ...]
    """Ascending by size; without empty classes."""
    verification: Verification | None
    """None where no verification was requested."""
    bytes: int = 0
    """Bytes that were read from files."""
    names: NameCounts | None = None
    """How many names go on; None for a result that is not named after another."""

    @property
    def largest(self) -> Component | None:
        """None in a graph without vertices."""
        return self.listed[0] if self.listed else None

    @property
    def is_continued(self) -> bool:
        """Whether another run read some of the edges, whose time is not known here."""
        return any(note.startswith(CONTINUED) for note in self.result.plan.notes)

    @property
    def edges_per_second(self) -> float | None:
        """Input edges, or stored entries of a CSR, by the time of all passes."""
        plan = self.result.plan
        return plan.edges / plan.seconds if plan.seconds > 0 and not self.is_continued else None

    @property
    def bytes_per_second(self) -> float | None:
        """Bytes read from files by the time of all passes."""
        seconds = self.result.plan.seconds
        known = seconds > 0 and self.bytes and not self.is_continued
        return self.bytes / seconds if known else None

    @property
    def share(self) -> float:
        """The share of all vertices that is in the largest component."""
        return self.listed[0].size / self.result.num_vertices if self.listed else 0.0

    @property
    def has_giant(self) -> bool:
        """Whether the largest component is larger than duplicates usually make it."""
        sizes = [each.size for each in self.listed[:2]]
        if not sizes or sizes[0] < GIANT_SIZE:
            return False
        stands_out = len(sizes) > 1 and sizes[0] > GIANT_TIMES * sizes[1]
        return self.share > GIANT_SHARE or (stands_out and self.share > GIANT_LEAST)

    def as_json(self) -> dict[str, Any]:
        """The facts as plain values; all sizes by class, no labels."""
        plan, verification, largest = self.result.plan, self.verification, self.largest
        return {
            "vertices": plan.vertices,
            "edges": plan.edges,
            "components": self.result.count,
            "names": None if self.names is None else self.names._asdict(),
            "alone": self.alone,
            "largest": {"size": largest.size, "label": largest.label} if largest else None,
            "largest_components": [
                {
                    "size": component.size,
                    "label": component.label,
                    "members": first_members(component, 5),
                }
                for component in self.listed
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
                "engine": plan.engine,
                "algorithm": plan.algorithm,
                "device": plan.device,
                "threads": plan.threads,
                "reason": as_options(plan.reason),
                "form": plan.form,
                "seconds": plan.seconds,
                "passes": [asdict(step) for step in plan.passes],
                "notes": list(map(as_options, plan.notes)),
                "bytes": plan.bytes,
            },
            "edges_per_second": self.edges_per_second,
            "bytes": self.bytes,
            "bytes_per_second": self.bytes_per_second,
            "verified": None if verification is None else verification.ok,
            "verification": None if verification is None else verification.message,
        }


def collect_facts(
    result: Components,
    verification: Verification | None = None,
    largest: int = LISTED,
    min_size: int = 1,
    bytes_read: int = 0,
) -> ResultFacts:
    """Counts what `ResultFacts` holds."""
    totals: Counter[int] = Counter()
    for piece in result._size_pieces():
        sizes, counts = np.unique(piece, return_counts=True)
        totals.update(dict(zip(sizes.tolist(), counts.tolist(), strict=True)))
    pairs = sorted(totals.items())
    listed = result.largest(max(1, largest))
    return ResultFacts(
        result,
        tuple(each for each in listed if each.size >= min_size or each is listed[0]),
        totals[1],
        tuple(size_classes(pairs)),
        verification,
        bytes_read,
        name_counts(result),
    )


def first_members(component: Component, limit: int) -> list[Any]:
    """The first of its ids, as plain values; ids of several columns are tuples."""
    members = component.members
    if isinstance(members, tuple):
        return list(zip(*(_values(part[:limit]) for part in members), strict=True))
    return _values(members[:limit])


def _values(column: Any) -> list[Any]:
    """A column of Arrow or NumPy as plain values."""
    return list(column.to_pylist() if hasattr(column, "to_pylist") else column.tolist())


def describe_input(facts: InputFacts) -> str:
    """Which columns were read, and how; empty where there was nothing to choose.

    >>> describe_input(InputFacts("csv", ("id_l",), ("id_r",), "score", header=True))
    'source id_l, target id_r, weight score; the first line is a header'
    """
    parts = []
    if facts.source:
        columns = [("source", " + ".join(facts.source))]
        other = ("groups", facts.groups) if facts.groups else ("target", facts.target)
        columns.append((other[0], " + ".join(other[1])))
        if facts.weight is not None:
            columns.append(("weight", facts.weight))
        parts.append(", ".join(f"{end} {names}" for end, names in columns))
    if facts.header is not None:
        parts.append("the first line is a header" if facts.header else "no header")
    if facts.delimiter is not None:
        parts.append(f"delimiter {facts.delimiter!r}")
    if facts.first_id:
        parts.append(f"vertices are numbered from {facts.first_id}, as in the file")
    return "; ".join(parts)


def size_classes(pairs: list[tuple[int, int]]) -> list[SizeClass]:
    """The classes of sizes and how often each occurs, ascending."""
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
