"""Columns of ids in batches, whatever holds them: NumPy, Arrow, or several of those."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.graph.arrow import arrow_view, byte_count, numpy_view, plain_array
from skerry.graph.edge_source import Batch, IdColumn, length
from skerry.graph.threshold import Threshold
from skerry.graph.vertex_ids import as_ids, widen


def location(name: str, batch: Batch) -> str:
    """What messages call a batch."""
    return f"{name}, {batch.location}" if batch.location else name


def check_ends(batch: Batch, name: str) -> None:
    """Raises if the edges of a batch of source ``name`` have not two ends each."""
    sources, targets = length(batch.src), length(batch.dst)
    if sources != targets:
        raise InputError(
            f"{location(name, batch)}: {sources:,} sources and {targets:,} targets: an edge needs "
            "one of each"
        )


def bytes_of(column: IdColumn) -> int:
    """Bytes of the ids."""
    if isinstance(column, tuple):
        return sum(map(bytes_of, column))
    return column.nbytes if isinstance(column, np.ndarray) else byte_count(column)


def rows_of(batch: Batch, mask: npt.NDArray[np.bool_] | None) -> npt.NDArray[Any] | None:
    """Which of these rows the edges are that the mask keeps, counted from 0; None: all."""
    if mask is None:
        return batch.rows
    return np.flatnonzero(mask) if batch.rows is None else batch.rows[mask]


def select(column: IdColumn, mask: npt.NDArray[np.bool_]) -> IdColumn:
    """The ids where the mask is true."""
    if isinstance(column, tuple):
        return tuple(select(part, mask) for part in column)
    if isinstance(column, np.ndarray):
        return column[mask]
    return plain_array(column).filter(arrow_view(mask))


def as_integers(column: IdColumn, name: str) -> npt.NDArray[Any] | None:
    """A column of integers as a NumPy array, without a copy; None for any other column."""
    if isinstance(column, tuple):
        return as_integers(column[0], name) if len(column) == 1 else None
    if isinstance(column, np.ndarray):
        return as_ids(column, name) if column.dtype.kind in "iu" else None
    import pyarrow as pa

    if not pa.types.is_integer(column.type) or column.null_count:
        return None
    return numpy_view(column)


def same_width(
    src: npt.NDArray[Any], dst: npt.NDArray[Any]
) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Non-negative integers as kernels read them: both 32 bits wide, or both 64."""
    src, dst = widen(src), widen(dst)
    if src.itemsize != dst.itemsize:
        src, dst = src.astype(np.uint64, copy=False), dst.astype(np.uint64, copy=False)
    return src, dst


def selected_edges(batch: Batch, threshold: Threshold | None, name: str) -> Batch:
    """The edges of a batch whose weight is on the side of the threshold that is kept."""
    mask = kept_mask(batch, threshold, name)
    return batch if mask is None else masked(batch, mask)


def masked(batch: Batch, mask: npt.NDArray[np.bool_]) -> Batch:
    """The edges of a batch where the mask is true, without their weights."""
    return Batch(
        select(batch.src, mask), select(batch.dst, mask), None, batch.location, batch.consumed
    )


def kept_mask(batch: Batch, threshold: Threshold | None, name: str) -> npt.NDArray[np.bool_] | None:
    """Which edges of a batch the threshold keeps; None: all."""
    if threshold is None:
        return None
    weight = checked_weights(batch, name)
    mask: npt.NDArray[np.bool_] = threshold.keeps(weight)
    if threshold.keep == "below":
        mask |= endless_loops(batch, weight)
    return None if mask.all() else mask


def checked_weights(batch: Batch, name: str) -> npt.NDArray[Any]:
    """The weights of a batch: numbers, of which none is NaN."""
    if batch.weight is None:
        raise InputError(
            f"{location(name, batch)}: there are no weights to compare with threshold=; "
            "name their column: weight="
        )
    weight = np.asarray(batch.weight)
    if weight.dtype.kind not in "iufb":
        raise InputError(f"{location(name, batch)}: weights must be numbers, got {weight.dtype}")
    if weight.dtype.kind == "f" and np.isnan(weight).any():
        row = int(np.argmax(np.isnan(weight)))
        raise InputError(
            f"{location(name, batch)}: the weight of edge {row} is NaN or missing; drop or fill it"
        )
    return weight


def endless_loops(batch: Batch, weight: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Which edges are loops of infinite weight: they stand for a vertex, which is always kept."""
    endless = np.zeros(len(weight), np.bool_)
    if weight.dtype.kind == "f":
        endless = weight == np.inf
        if endless.any():
            endless[endless] = _equal(select(batch.src, endless), select(batch.dst, endless))
    return endless


def _equal(src: IdColumn, dst: IdColumn) -> npt.NDArray[np.bool_]:
    if isinstance(src, tuple):
        parts = [_equal(*ends) for ends in zip(src, dst, strict=True)]
        return np.asarray(np.stack(parts).all(axis=0))
    if isinstance(src, np.ndarray) and isinstance(dst, np.ndarray):
        return np.asarray(src == dst)
    return np.array([a == b for a, b in zip(src.tolist(), dst.tolist(), strict=True)], np.bool_)
