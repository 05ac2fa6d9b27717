"""What data-juicer (1.4) clusters documents with, by skerry.

``with skerry.data_juicer.use():`` around a run in this process is all that changes: its union-find
class, and the clusters of its operator ``document_minhash_deduplicator``. data-juicer is imported
then, not before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.api import connected_components
from skerry.integer_sets import IntegerSets
from skerry.optional import require_arrow
from skerry.patch.swap import use_of

__all__ = ["UnionFind", "use"]

MINHASH = "__dj__minhash"
"""The column of data-juicer with the hashes of a document: a value for each band."""
ROWS = 1 << 16  # documents that are read at once


class UnionFind(IntegerSets):
    """Replaces ``data_juicer.ops.common.helper_func.UnionFind``."""


class _SwappedUnionFind(UnionFind):
    """What `use` puts in, so that putting back does not touch the class above."""


def process(self: Any, dataset: Any, show_num: int = 0) -> tuple[Any, dict[int, list[Any]]]:
    """Replaces ``DocumentMinhashDeduplicator.process``.

    Parameters
    ----------
    self
        The operator.
    dataset
        Documents with their hashes.
    show_num
        How many pairs of duplicates to return at most.

    Returns
    -------
    tuple
        The first document of every cluster, and for some clusters that document and another.
    """
    del self  # its tables of hashes are not needed
    if len(dataset) <= 1:
        return dataset, {}
    labels = connected_components(
        _hashes(dataset.select_columns([MINHASH]).with_format("arrow")),
        source="document",
        groups=("band", "hash"),
        ids="vertices",
        num_vertices=len(dataset),
    ).labels
    dataset = dataset.remove_columns([MINHASH])
    first = labels == np.arange(len(labels))
    others = np.flatnonzero(~first)
    clusters, rows = np.unique(labels[others], return_index=True)
    order = np.argsort(rows)[:show_num]
    pairs = zip(clusters[order].tolist(), others[rows[order]].tolist(), strict=True)
    examples = {cluster: [dataset[cluster], dataset[other]] for cluster, other in pairs}
    return dataset.select(np.flatnonzero(first)), examples


def _hashes(dataset: Any) -> Iterator[Any]:
    """Tables with a row for each document and band."""
    arrow = require_arrow("hashes of data-juicer")
    for begin in range(0, len(dataset), ROWS):
        lists = dataset[begin : begin + ROWS][MINHASH]
        lists = lists.combine_chunks() if isinstance(lists, arrow.ChunkedArray) else lists
        counts: npt.NDArray[Any] = np.asarray(lists.value_lengths())
        starts = np.cumsum(counts) - counts
        document = np.repeat(np.arange(begin, begin + len(counts)), counts)
        band = np.arange(len(document)) - np.repeat(starts, counts)
        yield arrow.table({"document": document, "band": band, "hash": lists.flatten()})


use = use_of(
    "py-data-juicer",
    {
        "data_juicer.ops.common.helper_func:UnionFind": _SwappedUnionFind,
        "data_juicer.ops.deduplicator.document_minhash_deduplicator:"
        "DocumentMinhashDeduplicator.process": process,
    },
)
