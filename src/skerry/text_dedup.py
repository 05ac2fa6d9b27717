"""What text-dedup (0.4) clusters documents with, by skerry.

``with skerry.text_dedup.use():`` around its ``main`` is all that changes: its union-find class, and
the merge of the buckets of its MinHash. text-dedup is imported then, not before.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from skerry.api import connected_components
from skerry.integer_sets import IntegerSets
from skerry.patch.swap import use_of

__all__ = ["UnionFind", "use"]

BAND = ("__band_idx__", "__band_val__")
"""The columns of text-dedup that name a bucket."""


class UnionFind(IntegerSets):
    """Replaces ``text_dedup.utils.union_find.UnionFind``.

    The root of a set is its smallest member.
    """

    @property
    def rank(self) -> dict[int, int]:
        """From every integer to 0, of a root to the logarithm of the size of its set."""
        parents = self.parent
        sizes = dict.fromkeys(parents, 0)
        for root in parents.values():
            sizes[root] += 1
        return {x: max(size.bit_length() - 1, 0) for x, size in sizes.items()}

    def get_clusters(self) -> dict[int, int]:
        """From every integer to the root of its set.

        Returns
        -------
        dict
            A new one.
        """
        return self.parent


class _SwappedUnionFind(UnionFind):
    """What `use` puts in, so that putting back does not touch the class above."""


def cluster(config: Any, ds: Any) -> dict[int, int]:
    """Replaces ``text_dedup.minhash.cluster``, which makes all pairs of each bucket.

    Parameters
    ----------
    config
        Of text-dedup: names the column of ids.
    ds
        Its dataset: a row for each document and band.

    Returns
    -------
    dict
        From each document that shares a bucket to the smallest of its cluster.
    """
    column = config.algorithm.internal_index_column
    rows = ds.select_columns([*BAND, column]).with_format("arrow")[:]
    result = connected_components(rows, source=column, groups=BAND)
    ids, labels = np.asarray(result.ids), result.labels
    several = np.bincount(labels, minlength=len(ids))[labels] > 1
    return dict(zip(ids[several].tolist(), ids[labels[several]].tolist(), strict=True))


use = use_of(
    "text-dedup",
    {
        "text_dedup.utils.union_find:UnionFind": _SwappedUnionFind,
        "text_dedup.minhash:cluster": cluster,
    },
)
