"""Arrays of vertex ids: what is accepted, what is converted, and the range they span."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from skerry import _native
from skerry.errors import InputError

__all__ = ["MAX_VERTICES", "as_ids", "check_range", "id_dtype", "largest_id", "widen"]

MAX_VERTICES = 2**63 - 1


def id_dtype(num_vertices: int) -> np.dtype[Any]:
    """The type of labels: 32 bits while they suffice."""
    return np.dtype(np.uint32 if num_vertices < 2**32 else np.uint64)


def as_ids(values: Any, name: str) -> npt.NDArray[Any]:
    """A one-dimensional integer array that native code can read; a copy only where it cannot."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise InputError(f"{name} must be one-dimensional, got shape {array.shape}")
    kind = array.dtype.kind
    if kind not in "iu":
        if array.size == 0 and kind in "fO":
            return np.empty(0, np.int64)  # an empty list has no type of its own
        raise InputError(f"{name} must hold integers, got {array.dtype}{_float_hint(array)}")
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if not array.flags.aligned or array.strides[0] % array.itemsize:
        array = array.copy()
    return array


def _float_hint(array: npt.NDArray[Any]) -> str:
    if array.dtype.kind == "f":
        if np.isnan(array).any():
            where = int(np.flatnonzero(np.isnan(array))[0])
            return f" with NaN at position {where}; drop or fill the missing ids first"
        return "; convert with .astype(numpy.int64) if every value is a whole number"
    if array.dtype.kind in "OUS":
        return "; number the ids 0..n-1 first, for instance with numpy.unique(return_inverse=True)"
    return ""


def largest_id(array: npt.NDArray[Any], name: str, threads: int) -> int:
    """The largest id, or -1 where there is none; a negative id is an error."""
    if not len(array):
        return -1
    low, high = _native.bounds(array, threads)
    if low < 0:
        where = int(np.argmax(array < 0))
        raise InputError(f"{name}[{where}] is {array[where]}: vertex ids must not be negative")
    return int(high)


def check_range(array: npt.NDArray[Any], name: str, high: int, num_vertices: int) -> None:
    """Raises if ``high``, the largest of ``array``, is not below ``num_vertices``."""
    if high >= num_vertices:
        where = int(np.argmax(array >= num_vertices))
        raise InputError(
            f"{name}[{where}] is {array[where]}, but the graph has {num_vertices:,} vertices "
            f"(ids 0..{num_vertices - 1})"
        )


def widen(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """8- and 16-bit ids as 32-bit ones; others as they are."""
    return array.astype(np.uint32) if array.itemsize < 4 else array
