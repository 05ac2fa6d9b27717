"""What "auto" runs on a GPU, and why: the numbers that decide, and the rules made of them.

The form and the size of the graph decide here, so that nothing waits for the device. Where the size
leaves a choice, it depends on the share of trees that first links leave among the vertices with
entries. The device counts them and selects by itself (``kernels/gpu/own/strategy.h``).

The thresholds of strategies were set with 757 graphs of the corpus on an H200 (2026-11-18). Over
the best of five strategies on the same graph, runs took 1.091 times as long in the geometric mean
of the half that they were set with, and 1.080 on the other half.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cache
from typing import NamedTuple

from skerry.algorithms.catalog import Algorithm, algorithm
from skerry.graph.device import DeviceGraph
from skerry.graph.graph import GraphForm

GPU_ALGORITHMS: dict[GraphForm, str] = {"edges": "stream", "csr": "rows"}

# The numbers that decide: which launches there are, which strategy is taken, and how many threads
# a row has. "Degree": entries a vertex.
ONE_BLOCK = 1 << 11  # vertices and entries up to which one launch of one block labels all
HARDLY_ANY = 1.2  # degree below which rows are PLAIN
TREE_DEGREE = 2.06  # degree below which they are, if first links leave many trees
LOW_DEGREE = 3  # degree from which rows may be LINKS, and not all second neighbors are joined
HIGH_DEGREE = 4.5  # degree from which first links may be over larger neighbors, and few trees LINKS
LINKS_FROM = 1 << 16  # entries above which rows of a high degree may be LINKS
MANY_ENTRIES = 1 << 22  # entries above which rows are LINKS, unless of low degree
FEW_TREES = 0.001  # share of trees up to which nearly all vertices are joined: not LINKS
MANY_TREES = 0.1  # share of trees from which no tree would soon be large: not LINKS
SMALL_TREES = 0.2  # share of trees from which a copy of the roots saves little: PLAIN
CHECKED_FROM = 1 << 17  # entries above which it pays to find out whether they have their reverses
FEW_ENTRIES = 3 << 18  # entries up to which first links are over larger neighbors at any degree
FEW_VERTICES = 1 << 20  # vertices up to which they are at a high one, and have a thread each
COPIED_VERTICES = 3 << 19  # vertices up to which LINKS has a copy of the roots
LARGE_SHARE = 8  # kLargeShare of own/largest_tree.h: one of how many vertices a large tree has
OTHER_TREES = 2  # kOtherTrees of own/largest_tree.h: eighths from which other trees are too many
UNKNOWN_SHARE = 16  # kUnknownShare of own/largest_tree.h: one of how many roots may be unknown
SHORT_ROWS = 5  # degree up to which a row has one thread, at least
ROW_TEAM = 4  # threads of a row that is not short, at least

LANES = 32
PLAN_BITS = 12  # kPlanBits of own/strategy.h
TREE_UNIT = 1000  # kTreeUnit of own/strategy.h


class Strategy(IntEnum):
    """How rows are joined after the first links: Strategy of own/strategy.h."""

    LINKS = 1
    """Some vertices are joined with a second neighbor; then all rows outside of the largest tree.

    Right only where every entry has its reverse. If no tree is large, as DIRECT.
    """
    DIRECT = 2
    """All rows, with a copy of the roots that first links have made."""
    PLAIN = 3
    """All rows, on the links themselves; for one direction of each edge."""


class RowPlan(NamedTuple):
    """A strategy for each share of trees that first links may leave."""

    few: Strategy
    """For few of them."""
    some: Strategy
    many: Strategy
    many_from: float = MANY_TREES
    """The share from which they are many."""

    @property
    def depends(self) -> bool:
        """Whether the device counts trees."""
        return len(set(self[:3])) > 1

    @property
    def word(self) -> int:
        """The plan as a kernel takes it: ``own/strategy.h``."""
        bounds = (round(TREE_UNIT * bound) for bound in (FEW_TREES, self.many_from))
        return sum(part << PLAN_BITS * i for i, part in enumerate((*self[:3], *bounds)))

    def select(self, trees: int, filled: int) -> Strategy:
        """What the device selects; ``filled``: vertices with entries."""
        if TREE_UNIT * trees <= round(TREE_UNIT * FEW_TREES) * filled:
            return self.few
        many = TREE_UNIT * trees >= round(TREE_UNIT * self.many_from) * filled
        return self.many if many else self.some


class RowCounts(NamedTuple):
    """What the device has found out about rows, as far as it had to."""

    trees: int = 0
    """Vertices with entries that first links left a root."""
    empty: int = 0
    """Vertices without entries."""
    any_large: bool = False
    """A large tree was found."""
    one_way: bool = False
    """Entries may lack their reverses, or one was found that does."""

    def share(self, n: int) -> float:
        """Of trees among the vertices with entries."""
        return self.trees / max(n - self.empty, 1)


@cache
def choose_for_gpu(form: GraphForm) -> Algorithm:
    """What "auto" runs on a GPU."""
    return algorithm(GPU_ALGORITHMS[form])


def fits_one_block(num_vertices: int, num_entries: int) -> bool:
    """Whether "auto" labels a graph of this size on a GPU in a single launch of one block."""
    return num_vertices + num_entries <= ONE_BLOCK


def row_plan(
    n: int, entries: int, symmetric: bool | None, forced: Strategy | None = None
) -> RowPlan:
    """The strategies for rows of this size, or the one that is ``forced``.

    Where it is not known whether entries have their reverses, the device checks that if it has
    selected LINKS. All else reads both directions, which takes less time than to find out.
    """
    plan = RowPlan(forced, forced, forced) if forced else _plan_of_size(n, entries)
    if symmetric:
        return plan
    checked = symmetric is None and (bool(forced) or entries > max(CHECKED_FROM, n))
    few, some, many = (
        strategy if checked and strategy is Strategy.LINKS else Strategy.DIRECT
        for strategy in plan[:3]
    )
    return RowPlan(few, some, many, plan.many_from)


def _plan_of_size(n: int, entries: int) -> RowPlan:
    degree = entries / max(n, 1)
    links, direct, plain = Strategy
    if degree < HARDLY_ANY:
        return RowPlan(plain, plain, plain)
    if degree < TREE_DEGREE:
        return RowPlan(direct, direct, plain, SMALL_TREES)
    if entries > MANY_ENTRIES and degree >= LOW_DEGREE:
        return RowPlan(links, links, links)
    if entries > LINKS_FROM and degree >= HIGH_DEGREE:
        return RowPlan(direct, links, direct)
    return RowPlan(direct, direct, direct)


def links_over(n: int, entries: int) -> bool:
    """Whether vertices without a smaller neighbor are linked over a larger one."""
    return entries <= FEW_ENTRIES or (entries >= HIGH_DEGREE * n and n <= FEW_VERTICES)


def share_of_seconds(degree: float) -> int:
    """The k for which one of k vertices joins its second neighbor.

    First links leave about one tree for degree + 1 vertices. One join for each tree makes the
    average degree of the contracted graph 2, and most of it a single tree. Where rows are short,
    all vertices join it: second neighbors are then most of the remaining entries.
    """
    return round(degree + 1) if degree >= LOW_DEGREE else 1


def team_of_row(n: int, entries: int, resident: int) -> int:
    """Threads for a row: a power of 2, while rows have entries and the device threads for them."""
    team = 1 if entries <= SHORT_ROWS * n else ROW_TEAM
    while team < LANES and 2 * team * n <= min(resident, entries):
        team *= 2
    return team


def gpu_reason(graph: DeviceGraph, counts: RowCounts, ordered: bool = False) -> str:
    """Why "auto" ran as it did on a GPU.

    ``ordered``: the device has found an edge list to be in the order of its ends.
    """
    n, entries = graph.num_vertices, graph.num_entries
    if fits_one_block(n, entries):
        return "small: one launch does it all"
    if graph.form == "edges":
        if ordered:
            return "an edge list in the order of its ends: each edge is linked, then joined"
        return "an edge list: a sample finds the largest component, then each edge is read once"
    plan = row_plan(n, entries, graph.symmetric)
    filled = n - counts.empty
    strategy = plan.select(counts.trees, filled)
    known = "symmetric" if graph.symmetric else "not known to be symmetric"
    if graph.symmetric is None and strategy is Strategy.LINKS:
        known = "found not to be symmetric" if counts.one_way else "found to be symmetric"
    why = "all rows are read"
    if strategy is Strategy.LINKS and not counts.one_way:
        why = "the rows of the largest tree are skipped"
        if not counts.any_large:
            why = "no tree is large: all rows are read"
    elif strategy is Strategy.PLAIN:
        why = "all rows are read, on the links themselves"
    if plan.depends:
        why = f"first links leave {counts.share(n):.1%} trees: {why}"
    return f"CSR, {known}, {entries / max(n, 1):.1f} entries a vertex; {why}"
