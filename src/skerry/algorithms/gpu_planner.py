"""What "auto" runs on a GPU, and why.

The form and the size of the graph decide here, so that nothing waits for the device. Where a sample
of the rows is needed, the device takes it and goes through the remaining rules by itself
(``kernels/gpu/own/strategy.h``). All that was measured stands in the table `ROWS`; the numbers come
from the tuning half of the corpus on an H200, 2026-11-17 (docs/benchmarks.md).
"""

from __future__ import annotations

from enum import IntEnum
from functools import cache
from typing import NamedTuple

from skerry.algorithms.catalog import Algorithm, algorithm
from skerry.graph.device import DeviceGraph
from skerry.graph.graph import GraphForm

__all__ = [
    "SKIPPING",
    "GpuRule",
    "RowSample",
    "Strategy",
    "choose_for_gpu",
    "fits_one_block",
    "gpu_reason",
    "possible_rules",
    "selected_rule",
]

GPU_ALGORITHMS: dict[GraphForm, str] = {"edges": "stream", "csr": "skip"}
ONE_BLOCK = 1 << 11
"""Vertices and entries together that one block labels in less time than several launches take."""


ORDERED_SAMPLE, ORDERED_SHARE = 256, 4
"""Sampled edges, and one of how many has adjacent ends in an ordered list: own/stream.cu."""
CHECKED_FROM = 1 << 17
"""Entries above which a check for their reverses takes less time than skipped rows save."""


class Strategy(IntEnum):
    """How rows are processed: Strategy of own/strategy.h."""

    SELECTED = 0
    """By the first rule that holds."""
    LINKS = 1
    """All rows outside of the largest tree, which first and some second neighbors make."""
    TILES = 2
    """Stretches of vertices whose neighbors are next to them."""
    HUB_LINKS = 3
    """As LINKS, with few second neighbors."""
    DIRECT = 4
    """All rows, with a copy of the first links."""
    PLAIN = 5
    """All rows, without it."""


SKIPPING = (Strategy.LINKS, Strategy.HUB_LINKS)
"""Right only where every entry has its reverse. The others read all rows, in both directions if
need be, which takes less time than to find out."""


class RowSample(NamedTuple):
    """What kernels have counted in a sample of the rows; all 0 where no sample was taken."""

    rows: int
    near: int
    """Rows with a neighbor whose id is near their own."""
    adjacent: int
    """Rows with a neighbor whose id is next to their own, in a stretch that pays for tiles."""
    long: int
    """Rows with more entries than tiles look at."""
    linked: int
    """Rows with a smaller neighbor among their first entries."""
    hubs: int
    """Rows whose first neighbor has very many entries."""
    triangles: int
    """Rows with two of the first neighbors adjacent to each other; 0 below 4.5 entries a vertex."""

    def fractions(self) -> dict[str, float]:
        """Each count as a fraction of the sampled rows."""
        return {name: count / max(self.rows, 1) for name, count in self._asdict().items()}


Bound = tuple[str, float, float]
"""A feature, from its smallest value to below its largest."""


class GpuRule(NamedTuple):
    """A row of the table: the first of which all bounds hold is taken."""

    strategy: Strategy
    reason: str
    size: tuple[Bound, ...] = ()
    """Bounds of what the host knows: ``vertices``, ``entries``, ``degree``."""
    sample: tuple[Bound, ...] = ()
    """Bounds of shares of the sampled rows: fields of `RowSample`; two at most."""


INF = float("inf")
TOO_FEW = "too few for a sample to pay: all rows are read"
FAR = "{linked:.0%} of sampled rows have a smaller neighbor, {near:.0%} a near one"
TRIANGLES = "{triangles:.0%} of sampled rows are in triangles: all rows are read"
SMALLER = "{linked:.0%} of sampled rows have a smaller neighbor: all rows are read"

SMALL_TREES = (("linked", 0, 0.8), ("hubs", 0, 0.05))
"""Of trees and less: first links make small trees, and a copy of the roots saves little."""

ONE_WAY = GpuRule(Strategy.DIRECT, "all rows are read")
"""For rows where an entry may lack its reverse."""

ROWS = (
    GpuRule(Strategy.DIRECT, TOO_FEW, (("entries", 0, (1 << 16) + 1),)),
    GpuRule(
        Strategy.PLAIN,  # most vertices have one neighbor or none
        f"hardly any edges, {TOO_FEW}",
        (("entries", 0, (5 << 20) + 1), ("degree", 0, 1.2)),
    ),
    GpuRule(
        Strategy.PLAIN,
        SMALLER,
        (("degree", 0, 2.06), ("entries", 3 << 18, (5 << 20) + 1)),
        SMALL_TREES,
    ),
    GpuRule(
        Strategy.DIRECT,
        f"short rows, {TOO_FEW}",
        (("entries", 0, (5 << 20) + 1), ("degree", 0, 4.5)),
    ),
    GpuRule(
        Strategy.LINKS,  # where no tree turns out to be large, looking for one took little of it
        "many long rows: those of the largest tree are skipped",
        (("entries", (1 << 25) + 1, INF), ("degree", 32.0, INF)),
    ),
    GpuRule(
        Strategy.TILES,  # they look at one direction of an edge, and keep two neighbors
        "{adjacent:.0%} of sampled rows are in stretches of adjacent ids: tiles",
        (("degree", 0, 4.5),),
        (("long", 0, 0.0625), ("adjacent", 0.5, INF)),
    ),
    GpuRule(
        Strategy.HUB_LINKS,
        "{hubs:.0%} of sampled rows begin with a hub: a small sample",
        (("entries", (1 << 22) + 1, INF),),
        (("hubs", 0.25, INF), ("near", 0, 0.4)),
    ),
    GpuRule(
        Strategy.PLAIN,
        SMALLER,
        (("degree", 0, 2.06),),
        SMALL_TREES,
    ),
    GpuRule(
        Strategy.HUB_LINKS,  # trees: their first links make most of the largest one
        FAR + ": a small sample",
        (("entries", (1 << 23) + 1, INF), ("degree", 0, 3.0)),
        (("linked", 0.97, INF), ("near", 0, 0.7)),
    ),
    GpuRule(
        Strategy.DIRECT,  # one large tree comes late where neighbors' neighbors are neighbors
        TRIANGLES,
        (("vertices", 0, (1 << 20) + 1), ("degree", 4.5, INF)),
        (("triangles", 0.13, INF), ("linked", 0.95, INF)),
    ),
    GpuRule(
        Strategy.DIRECT,
        TRIANGLES,
        (("entries", 0, (1 << 21) + 1), ("degree", 4.5, INF)),
        (("triangles", 0.5, INF),),
    ),
    GpuRule(
        Strategy.LINKS,  # links of so many vertices fill no cache, and most trees are one soon
        FAR,
        (("entries", (1 << 23) + 1, INF), ("degree", 3.5, INF)),
        (("linked", 0.8, INF), ("near", 0, 0.9)),
    ),
    GpuRule(
        Strategy.LINKS,  # groups of near ids with edges to all others are one tree soon, too
        "{linked:.0%} of sampled rows have a smaller neighbor",
        (("degree", 5.0, INF), ("entries", (1 << 21) + 1, INF)),
        (("linked", 0.8, 0.95), ("triangles", 0, 0.5)),
    ),
    GpuRule(Strategy.LINKS, FAR, (("degree", 4.5, INF),), (("near", 0, 0.5),)),
    GpuRule(Strategy.DIRECT, "all rows are read"),
)
"""For rows on a GPU whose entries have their reverses. The last one always holds."""


@cache
def choose_for_gpu(form: GraphForm) -> Algorithm:
    """What "auto" runs on a GPU."""
    return algorithm(GPU_ALGORITHMS[form])


def fits_one_block(num_vertices: int, num_entries: int) -> bool:
    """Whether "auto" labels a graph of this size on a GPU in a single launch of one block."""
    return num_vertices + num_entries <= ONE_BLOCK


def possible_rules(
    num_vertices: int, num_entries: int, symmetric: bool | None
) -> tuple[GpuRule, ...]:
    """The rules that may hold for rows of this size; the last one does if no other does.

    Where it is not known whether entries have their reverses, the device checks that if a rule
    that skips rows holds.
    """
    few = num_entries <= max(CHECKED_FROM, num_vertices)
    if symmetric is False or (symmetric is None and few):
        return (ONE_WAY,)
    known = {
        "vertices": num_vertices,
        "entries": num_entries,
        "degree": num_entries / max(num_vertices, 1),
    }
    rules = []
    for rule in ROWS:
        if _hold(rule.size, known):
            rules.append(rule)
            if not rule.sample:
                break
    if symmetric:
        return tuple(rules)
    if not any(rule.strategy in SKIPPING for rule in rules):
        return (ONE_WAY,)
    return tuple(
        rule if rule.strategy in SKIPPING else ONE_WAY._replace(size=rule.size, sample=rule.sample)
        for rule in rules
    )


def selected_rule(rules: tuple[GpuRule, ...], sample: RowSample) -> GpuRule:
    """The rule of `possible_rules` that the device takes."""
    fractions = sample.fractions()
    if not sample.rows:
        return rules[-1]
    return next(rule for rule in rules if _hold(rule.sample, fractions))


def _hold(bounds: tuple[Bound, ...], values: dict[str, float]) -> bool:
    return all(low <= values[name] < high for name, low, high in bounds)


def gpu_reason(graph: DeviceGraph, sample: RowSample, one_way: bool = False) -> str:
    """Why "auto" ran as it did on a GPU.

    ``one_way``: the device has found an entry without its reverse.
    """
    n, entries = graph.num_vertices, graph.num_entries
    if fits_one_block(n, entries):
        return "small: one launch does it all"
    if graph.form == "edges":
        if ORDERED_SHARE * sample.adjacent >= ORDERED_SAMPLE:
            return "an edge list in the order of its ends: each edge is linked, then joined"
        return "an edge list: a sample finds the largest component, then each edge is read once"
    known = "symmetric" if graph.symmetric else "not known to be symmetric"
    rule = selected_rule(possible_rules(n, entries, graph.symmetric), sample)
    if graph.symmetric is None and rule.strategy in SKIPPING:
        known = "found not to be symmetric" if one_way else "found to be symmetric"
        rule = ONE_WAY if one_way else rule
    why = rule.reason.format(**sample.fractions())
    return f"CSR, {known}, {entries / max(n, 1):.1f} entries a vertex; {why}"
