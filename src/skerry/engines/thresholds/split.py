"""Components of a largest size: those that are larger fall apart at a stricter threshold of theirs.

dedupe does so where a component is too large to be clustered (its ``max_components``): the
threshold becomes one unit of log-odds stricter than its weakest pair, again and again. Here the
steps are the weights themselves. An edge of the spanning forest is used if what it is part of, at
its own weight, is small enough. So the answer has the largest components that a threshold of their
own can give. It does not depend on the order of the edges: edges of one weight are used all or not
at all.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.engines.thresholds.collect import Keys, collect
from skerry.engines.thresholds.linkage import host_or_stream, merges_of
from skerry.engines.thresholds.ordered_forest import Forest
from skerry.engines.thresholds.sweep import components_of_forest, labels_of
from skerry.ids.id_space import IdSpace
from skerry.inputs.sources import Source
from skerry.request import Progress
from skerry.result.components import Components
from skerry.threads import resolve_threads

SHOWN = 3
"""Components that were cut, the largest, of which a note says how."""


def split(
    source: Source, max_size: int, threads: int | None = None, progress: Progress | None = None
) -> Components:
    """Reads a source once; its options have the threshold for components that are small enough."""
    read, team = host_or_stream(source, "splitting components"), resolve_threads(threads)
    selection = read.options.selection
    assert selection is not None
    sign = -1 if selection.keep == "above" else 1

    def key(weights: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
        return sign * weights.astype(np.float64), selection.keeps(weights)

    collected = collect(read, Keys(key, keeps_loops=selection.keep == "below"), team, progress)
    forest = collected.forest
    sizes = _sizes_at_own_weight(forest, collected.size)
    used = sizes <= max_size
    too_large = int(np.count_nonzero(~used))
    notes: tuple[str, ...] = ()
    if too_large:
        notes = (f"{too_large:,} edges of the forest would join more than {max_size:,} vertices",)
        ids = collected.id_space(read, collected.size)
        notes += _cuts(forest, used, sign, ids, team)
    return components_of_forest(
        read,
        collected,
        (forest.src[used], forest.dst[used]),
        collected.size,
        collected.num_edges,
        team,
        notes,
        checked=not too_large,
    )


def _cuts(
    forest: Forest, used: npt.NDArray[np.bool_], sign: int, ids: IdSpace, threads: int
) -> tuple[str, ...]:
    """Says of the largest components that were cut into how many, and at which weights."""
    count = len(ids)
    before = labels_of((forest.src, forest.dst), count, threads)
    after = labels_of((forest.src[used], forest.dst[used]), count, threads)
    left_out = before[forest.src[~used]].astype(np.int64)
    sizes = np.bincount(before, minlength=count)
    parts = np.bincount(before[after == np.arange(count)], minlength=count)
    labels = np.unique(left_out)
    notes = []
    for label in labels[np.argsort(-sizes[labels], kind="stable")][:SHOWN].tolist():
        weights = sign * forest.keys[~used][left_out == label]
        low, high = float(weights.min()), float(weights.max())
        at = f"weight {low:g}" if low == high else f"weights from {low:g} to {high:g}"
        notes.append(
            f"the component of {ids[label]!r} with {sizes[label]:,} vertices was cut into "
            f"{parts[label]:,}, without edges of {at}"
        )
    if len(labels) > SHOWN:
        notes.append(f"{len(labels) - SHOWN:,} smaller components were cut, too")
    return tuple(notes)


def _sizes_at_own_weight(forest: Forest, vertices: int) -> npt.NDArray[np.int64]:
    """For each edge of a forest, the size of its component when all edges of its weight are in."""
    left, right, sizes = merges_of(forest, vertices)
    count = len(sizes)
    # What an edge makes is part of what a later one makes; where that has the same weight, both
    # are made at once. Each step doubles how far one looks.
    above = np.arange(count)
    for clusters in (left, right):
        made = clusters >= vertices
        inner = clusters[made] - vertices
        outer = np.flatnonzero(made)
        same = forest.keys[inner] == forest.keys[outer]
        above[inner[same]] = outer[same]
    while True:
        further = above[above]
        if (further == above).all():
            return sizes[above]
        above = further
