"""The names of a result that is named after an earlier answer."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.result.answer import Answer
from skerry.result.matching import match_clusters
from skerry.result.names import Names, check_names, names_after
from skerry.result.previous import Previous


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
