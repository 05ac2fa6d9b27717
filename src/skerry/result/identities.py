"""The names of a result that is named after an earlier answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.result.answer import Answer
from skerry.result.names import Names, check_names, names_after
from skerry.result.previous import Previous

Numbers = npt.NDArray[np.int64]

ROUNDS = 16
"""Rounds of matching with arrays; what is left after them is matched pair by pair."""


def match_clusters(
    old: npt.NDArray[Any],
    new: npt.NDArray[Any],
    counts: tuple[int, int],
    first_days: npt.NDArray[Any],
    ranks: Callable[[Numbers], Numbers],
) -> Numbers:
    """The old cluster that each new one goes on as; -1 for those that are new.

    ``old`` and ``new`` are the clusters of the records that both have. ``ranks`` orders some old
    clusters by name. New clusters are numbered in the order of their first members.
    """
    matched = np.full(counts[1], -1, np.int64)
    contested = contested_records(old, new, counts)
    easy = ~contested
    matched[new[easy]] = old[easy]
    pairs, shared = np.unique(
        old[contested].astype(np.int64) * counts[1] + new[contested], return_counts=True
    )
    if not len(pairs):
        return matched
    olds, news = np.divmod(pairs, counts[1])
    names = np.empty(counts[0], np.int64)
    distinct = np.unique(olds)
    names[distinct] = ranks(distinct)
    order = np.lexsort((news, names[olds], first_days[olds], -shared))
    _match_in_order(olds[order], news[order], matched, counts)
    return matched


def contested_records(
    old: npt.NDArray[Any], new: npt.NDArray[Any], counts: tuple[int, int]
) -> npt.NDArray[np.bool_]:
    """Records whose old cluster went to several new ones, or whose new one came from several."""
    target: npt.NDArray[Any] = np.zeros(counts[0], new.dtype)
    origin: npt.NDArray[Any] = np.zeros(counts[1], old.dtype)
    target[old], origin[new] = new, old
    split, merged = np.zeros(counts[0], np.bool_), np.zeros(counts[1], np.bool_)
    split[old[target[old] != new]] = True
    merged[new[origin[new] != old]] = True
    contested: npt.NDArray[np.bool_] = split[old] | merged[new]
    return contested


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


def identities(result: Answer, previous: Previous) -> Names:
    """The names of a result's components after those of an earlier answer."""
    check_names(previous.names)
    matched = matched_clusters(result, previous)[0]
    smallest = result._to_host(result._smallest)
    roots = np.flatnonzero(smallest == np.arange(len(smallest), dtype=smallest.dtype))
    return names_after(previous.names, matched, result._ids, roots)


def matched_clusters(
    result: Answer, previous: Previous
) -> tuple[npt.NDArray[np.int64], npt.NDArray[Any]]:
    """The old cluster of each new one, and the new position of each old id; -1: there is none."""
    positions = previous.positions_in(result._ids)
    old, old_count = previous.dense
    new = result._to_host(result._dense[0])
    kept = positions >= 0
    both = (old, new[positions]) if kept.all() else (old[kept], new[positions[kept]])
    names = previous.names
    counts = old_count, result.count
    return match_clusters(*both, counts, names.first_days, names.ranks), positions
