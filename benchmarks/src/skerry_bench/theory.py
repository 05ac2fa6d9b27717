"""The theorems of Cong & Muzio (2014), counted: accesses of their algorithms, edge by edge.

An access is that of a word of the parents D. It is random unless it is coalesced. Two rules say
when: by ``ends``, as in the proofs, the two accesses of an edge are coalesced once its ends have
met; by ``lines``, those of ``WIDTH`` consecutive edges count once for each line of as many words.
Of several grafts of a root in a round the last edge's stays, so that all algorithms choose alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import exp, lgamma, log, log2
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

import skerry
from skerry_bench.microbenchmarks.gpu_tables import markdown

Ids: TypeAlias = npt.NDArray[np.int64]

WIDTH = 32
"""The words of a line, and the threads of a warp: w of the paper."""


def lines(addresses: Ids, width: int = WIDTH) -> int:
    """Lines that groups of ``width`` accesses touch, each group counted alone.

    >>> lines(np.array([0, 1, 2, 3, 4, 0, 4, 8]), width=4)
    4
    """
    short = -len(addresses) % width
    padded = np.pad(addresses, (0, short), mode="edge") if short else addresses
    groups = np.sort(padded.reshape(-1, width) // width, axis=1)
    return int((np.diff(groups, axis=1) != 0).sum()) + len(groups)


class Round(NamedTuple):
    """The accesses of one graft-and-shortcut round to the parents of its edges."""

    all: int
    ends: int
    """Random ones: of edges whose ends had not met before the round."""
    lines: int
    """Lines that the accesses of CC touch: line 2 of Algorithm 1."""
    updated: int
    """Lines that those of CC-updt touch: line 12 of Algorithm 2, before this round."""


def rounds(src: Ids, dst: Ids, parents: Ids) -> Iterator[Round]:
    """Grafts and shortcuts until nothing changes; ``parents`` has the labels at the end.

    The last round finds nothing to graft.
    """
    here, there = src, dst  # as CC-updt has rewritten them
    while True:
        updated = lines(here) + lines(there)
        here, there = parents[src], parents[dst]
        open_ = here != there
        counts = int(open_.sum())
        yield Round(2 * len(src), 2 * counts, lines(src) + lines(dst), updated)
        if not counts:
            return
        parents[np.maximum(here, there)[open_]] = np.minimum(here, there)[open_]
        while (parents != (above := parents[parents])).any():
            parents[:] = above


def stages(src: Ids, dst: Ids, vertices: int, q: float, seed: int = 1) -> list[list[Round]]:
    """The rounds of each group of q n edges, drawn at random: Algorithm 3 with CC inside."""
    order = np.random.default_rng(seed).permutation(len(src))
    parents, size, groups = np.arange(vertices), round(q * vertices), []
    for begin in range(0, len(src), size):
        group = order[begin : begin + size]
        groups.append(list(rounds(parents[src[group]], parents[dst[group]], parents)))
    return groups


def giant(c: float) -> float:
    """Theorem 3's f(c): the share of vertices in the giant component of m = c n random edges.

    >>> round(giant(1.0), 4), round(giant(2.0), 4)
    (0.7968, 0.9802)
    """
    x = 2 * c * exp(-2 * c)
    terms = (exp((k - 1) * log(k) - lgamma(k + 1) + k * log(x)) for k in range(1, 2000))
    return 1 - sum(terms) / (2 * c)


def needed_width(vertices: int) -> float:
    """The w from which sorting may pay by the proof of Theorem 1: 8 (log n - log w) = w log w.

    >>> round(needed_width(200_000_000), 1)
    35.0
    """
    low, high = 1.0, float(vertices)
    while high - low > 1e-6 * high:
        middle = (low + high) / 2
        pays = 8 * (log2(vertices) - log2(middle)) < middle * log2(middle)
        low, high = (low, middle) if pays else (middle, high)
    return high


def sorted_access(src: Ids, dst: Ids, vertices: int, width: int) -> tuple[int, int]:
    """Lines that the accesses of one graft touch: as they come, and sorted by radix before.

    Sorting by blocks of ``width`` vertices takes passes of log2(width) bits. A pass reads four
    words an edge in order and writes them to their places; then the parents are read in order.
    """
    plain = lines(src, width) + lines(dst, width)
    bits, sorted_ = int(log2(width)), 0
    for ends in (src, dst):
        keys = ends // width
        for shift in range(0, max(1, (vertices // width - 1).bit_length()), bits):
            order = np.argsort(keys >> shift & (width - 1), kind="stable")
            target = np.empty_like(order)
            target[order] = np.arange(len(order))
            sorted_ += 4 * -(-len(keys) // width) + 4 * lines(target, width)
            keys, ends = keys[order], ends[order]
        sorted_ += lines(ends, width)
    return plain, sorted_


class Theory(NamedTuple):
    """What was counted on one random graph, beside what the theorems say."""

    vertices: int
    edges: int
    cc: Sequence[Round]
    groups: Sequence[Sequence[Round]]
    largest: float
    """The share of the largest component."""

    @property
    def saved(self) -> tuple[float, float]:
        """Theorem 2: accesses that CC-updt issues less an iteration, by ends and by lines."""
        count = len(self.cc)
        by_ends = sum(each.all - each.ends for each in self.cc)
        return by_ends / count, sum(each.lines - each.updated for each in self.cc) / count

    def lemma(self, depth: float) -> float:
        """Lemma 1's bound of what Stages saves, with ``depth`` in the place of log n."""
        n, m = self.vertices, self.edges
        return (2 * m - 2 * n - m / n * (1 - giant(1) ** 2)) * depth

    @property
    def staged(self) -> tuple[int, int]:
        """Lemma 1: random accesses of CC in the worst case of its rounds, and of Stages, q = 1."""
        return sum(each.all for each in self.cc), sum(
            each.ends for group in self.groups for each in group
        )


def count(vertices: int, degree: float) -> Theory:
    """Counts on a random graph with ``degree`` edges a vertex."""
    graph = skerry.generators.uniform(vertices, round(degree * vertices))
    src, dst = (np.asarray(ends, np.int64) for ends in (graph.src, graph.dst))
    parents = np.arange(vertices)
    cc = list(rounds(src, dst, parents))
    largest = np.bincount(parents).max() / vertices
    return Theory(vertices, len(src), cc, stages(src, dst, vertices, 1.0), float(largest))


DEGREES = (0.55, 0.75, 1.0, 2.0, 4.0)
WIDTHS = (8, 32, 64, 128, 256)


def report(vertices: int = 1 << 18) -> str:
    """The tables of benchmarks/docs/papers.md."""
    n, counted = vertices, [count(vertices, degree) for degree in DEGREES]
    saved = [[accesses / n for accesses in each.saved] for each in counted]
    rows = {
        "largest component / n": [f"{each.largest:.4f}" for each in counted],
        "Theorem 3: f(c)": [f"{giant(degree):.4f}" for degree in DEGREES],
        "rounds of CC": [str(len(each.cc)) for each in counted],
        "saved an iteration / n, by ends": [f"{by_ends:.2f}" for by_ends, _ in saved],
        "saved an iteration / n, by lines": [f"{by_lines:.2f}" for _, by_lines in saved],
        "(CC - Stages) / n": [f"{(each.staged[0] - each.staged[1]) / n:.1f}" for each in counted],
        "Lemma 1, rounds for log n": [f"{each.lemma(len(each.cc)) / n:.1f}" for each in counted],
        "Lemma 1": [f"{each.lemma(log2(n)) / n:.1f}" for each in counted],
    }
    graph = skerry.generators.uniform(n, 2 * n)
    src, dst = (np.asarray(ends, np.int64) for ends in (graph.src, graph.dst))
    pairs = [sorted_access(src, dst, n, width) for width in WIDTHS]
    sorting = {"lines, sorted / unsorted": [f"{after / before:.1f}" for before, after in pairs]}
    limits = f"Theorem 1 needs w > {needed_width(n):.1f} here, {needed_width(200_000_000):.1f} "
    parts = (
        markdown("Random graphs", ["edges a vertex", *map(str, DEGREES)], _table(rows)),
        markdown("Sorted access", ["w", *map(str, WIDTHS)], _table(sorting)),
        f"{limits}for n = 200M.",
    )
    return "\n\n".join(parts)


def _table(rows: Mapping[str, Sequence[str]]) -> list[list[str]]:
    return [[name, *values] for name, values in rows.items()]
