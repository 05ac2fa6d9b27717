"""Images in arrays of dask: their labels are such an array, too, computed when they are asked for.

The chunks are slabs, as those of `label_slabs`. A slab is read and labeled twice, so that none must
stay in memory until all are joined.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from skerry.errors import InputError
from skerry.graph.grid_rule import Rule
from skerry.ndimage.slab_merge import Border, Merged, Merger, border_of, label_slab


def is_dask(image: Any) -> bool:
    """Whether this is an array of dask; imports nothing."""
    return type(image).__module__.partition(".")[0] == "dask"


def label_lazily(image: Any, rule: Rule, dtype: np.dtype[Any], threads: int | None) -> Any:
    """Labels and their number, as arrays of dask."""
    import dask
    import dask.array
    from dask.graph_manipulation import clone

    if not image.ndim or np.isnan(image.size):
        raise InputError("input: an array of dask must have one axis or more, of known sizes")
    planes = dict.fromkeys(range(1, image.ndim), -1)
    # Chunks of another name: dask reads them again, and does not keep those of the first reading.
    slabs, again = image.rechunk(planes), clone(image).rechunk(planes)
    border = dask.delayed(_border, pure=True)
    borders = [border(each, rule, threads) for each in slabs.to_delayed().ravel()]
    merger = dask.delayed(Merger)(rule)
    for each in borders:  # one by one: few planes are in memory at a time
        merger = dask.delayed(_added, pure=True)(merger, each)
    merged = merger.merged()
    final = dask.delayed(_final, pure=True)
    labels = [
        dask.array.from_delayed(
            final(each, number, merged, rule, dtype, threads), (size, *image.shape[1:]), dtype
        )
        for number, (each, size) in enumerate(
            zip(again.to_delayed().ravel(), slabs.chunks[0], strict=True)
        )
    ]
    return dask.array.concatenate(labels), dask.array.from_delayed(merged.components, (), np.int64)


def _border(pixels: Any, rule: Rule, threads: int | None) -> Border:
    return border_of(pixels, *label_slab(pixels, rule, threads), rule)


def _added(merger: Merger, border: Border) -> Merger:
    """A new merger: a task that is repeated must find the one before as it was."""
    longer = merger.copy()
    longer.add(border)
    return longer


def _final(
    pixels: Any, slab: int, merged: Merged, rule: Rule, dtype: np.dtype[Any], threads: int | None
) -> Any:
    labels, _ = label_slab(pixels, rule, threads)
    return merged.relabel(slab, labels, dtype)
