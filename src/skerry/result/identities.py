"""The names of a result that is named after an earlier answer: which cluster goes on as which.

The rule: of all pairs of an old and a new cluster with records in common, the pair with the most
common records is matched first, and both leave the rest. Of equal pairs, that with the oldest old
cluster comes first, then that with the smaller name of the old cluster, then that with the smaller
first member of the new one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from skerry.result.answer import Answer
from skerry.result.names import Names, check_names, names_after
from skerry.result.previous import Previous

Numbers = npt.NDArray[np.int64]

ROUNDS = 16
"""Rounds of matching with arrays; what is left after them is matched pair by pair."""


class Pairs(NamedTuple):
    """Old and new clusters with records in common, in the order of the old ones."""

    old: Numbers
    new: Numbers
    shared: Numbers
    """The number of records that both have."""


def cluster_pairs(old: npt.NDArray[Any], new: npt.NDArray[Any], counts: tuple[int, int]) -> Pairs:
    """The pairs of old and new clusters of records, and how many records each has.

    Most old clusters go to one new one, so only records that went elsewhere are sorted.
    """
    target = np.full(counts[0], -1, np.int64)
    target[old] = new
    apart = np.flatnonzero(target[old] != new)
    olds = np.flatnonzero(target >= 0)
    shared = np.bincount(old, minlength=counts[0])[olds]
    if not len(apart):
        return Pairs(olds, target[olds], shared)
    keys, others = np.unique(
        old[apart].astype(np.int64) * counts[1] + new[apart], return_counts=True
    )
    more = np.divmod(keys, counts[1])
    shared -= np.bincount(more[0], others, counts[0]).astype(np.int64)[olds]
    both = [np.concatenate(parts) for parts in ((olds, more[0]), (target[olds], more[1]))]
    order = np.lexsort((both[1], both[0]))
    return Pairs(both[0][order], both[1][order], np.concatenate([shared, others])[order])


def match_clusters(
    pairs: Pairs,
    counts: tuple[int, int],
    first_days: npt.NDArray[Any],
    ranks: Callable[[Numbers], Numbers],
) -> Numbers:
    """The old cluster that each new one goes on as; -1 for those that are new.

    ``ranks`` orders some old clusters by name. New clusters are numbered in the order of their
    first members.
    """
    matched = np.full(counts[1], -1, np.int64)
    alone = np.bincount(pairs.old, minlength=counts[0])[pairs.old] == 1
    alone &= np.bincount(pairs.new, minlength=counts[1])[pairs.new] == 1
    matched[pairs.new[alone]] = pairs.old[alone]
    olds, news, shared = (column[~alone] for column in pairs)
    if not len(olds):
        return matched
    names = np.zeros(counts[0], np.int64)
    names[olds] = 1
    distinct = np.flatnonzero(names)
    names[distinct] = ranks(distinct)
    order = np.lexsort((news, names[olds], first_days[olds], -shared))
    _match_in_order(olds[order], news[order], matched, counts)
    return matched


def _match_in_order(
    olds: Numbers, news: Numbers, matched: Numbers, counts: tuple[int, int]
) -> None:
    """Matches each pair whose clusters are both free, from the first pair on.

    A pair that is the first left of both its clusters is matched whatever comes before it, so that
    a round matches all of these.
    """
    first_old, first_new = np.empty(counts[0], np.int64), np.empty(counts[1], np.int64)
    taken_old, taken_new = np.zeros(counts[0], np.bool_), np.zeros(counts[1], np.bool_)
    for _ in range(ROUNDS):
        if not len(olds):
            return
        rows = np.arange(len(olds))
        first_old[olds[::-1]] = rows[::-1]
        first_new[news[::-1]] = rows[::-1]
        best = (first_old[olds] == rows) & (first_new[news] == rows)
        matched[news[best]] = olds[best]
        taken_old[olds[best]] = True
        taken_new[news[best]] = True
        free = ~(taken_old[olds] | taken_new[news])
        olds, news = olds[free], news[free]
    used_old: set[int] = set()
    used_new: set[int] = set()
    for old, new in zip(olds.tolist(), news.tolist(), strict=True):
        if old not in used_old and new not in used_new:
            used_old.add(old)
            used_new.add(new)
            matched[new] = old


class Matched(NamedTuple):
    """Which clusters go on as which."""

    clusters: Numbers
    """The old cluster of each new one; -1: there is none."""
    pairs: Pairs
    """Old and new clusters with records in common."""
    positions: Numbers
    """The new position of each old id; -1: there is none."""


class NameCounts(NamedTuple):
    """How many clusters go on."""

    kept: int
    """Clusters that have the name of an earlier one."""
    new: int
    """Clusters that have a name of their own."""
    ended: int
    """Earlier names that no cluster has."""

    def __str__(self) -> str:
        return f"{self.kept:,} kept, {self.new:,} new, {self.ended:,} ended"


class Identities:
    """The names of a result after those of an earlier answer: found when they are needed.

    Parameters
    ----------
    result
        Its own names are not looked at.
    previous
        The earlier answer.
    positions
        The position of each old id in the result, where the clusters of the earlier answer were
        joined there, so that each is in one new cluster. None: they may have split.
    """

    def __init__(
        self, result: Answer, previous: Previous, positions: Numbers | None = None
    ) -> None:
        check_names(previous.names)
        self.previous = previous
        self._result = result
        self._positions = positions

    def __call__(self) -> Names:
        """The names, in the order of the first members."""
        return self._names

    @cached_property
    def _names(self) -> Names:
        smallest = self._result._to_host(self._result._smallest)
        roots = np.flatnonzero(smallest == np.arange(len(smallest), dtype=smallest.dtype))
        return names_after(self.previous.names, self.matched.clusters, self._result._ids, roots)

    @cached_property
    def matched(self) -> Matched:
        """How old and new clusters are matched."""
        result, previous = self._result, self.previous
        old, old_count = previous.dense
        new = result._to_host(result._dense[0])
        counts = old_count, result.count
        if self._positions is not None:
            positions = self._positions
            targets = new[positions[previous.roots]].astype(np.int64)
            pairs = Pairs(np.arange(old_count), targets, previous.sizes)
        else:
            positions = previous.positions_in(result._ids, max(result._threads, 1))
            kept = positions >= 0
            both = (old, new[positions]) if kept.all() else (old[kept], new[positions[kept]])
            pairs = cluster_pairs(*both, counts)
        names = previous.names
        clusters = match_clusters(pairs, counts, names.first_days, names.ranks)
        return Matched(clusters, pairs, positions)


def name_counts(result: Answer) -> NameCounts | None:
    """How many names of a result are those of an earlier one; None if it is not named after one."""
    own = result._make_names
    if not isinstance(own, Identities):
        return None
    clusters = own.matched.clusters
    kept = int(np.count_nonzero(clusters >= 0))
    return NameCounts(kept, len(clusters) - kept, own.previous.dense[1] - kept)


def identities(result: Answer, previous: Previous) -> Identities:
    """The identities after an earlier answer: its own if the result is named after that one."""
    own = result._make_names
    if isinstance(own, Identities) and own.previous is previous:
        return own
    return Identities(result, previous)
