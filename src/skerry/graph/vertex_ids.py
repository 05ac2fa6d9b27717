"""Arrays of vertex ids: what is accepted, what is converted, and the range they span."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.errors import InputError

MAX_VERTICES = 2**59  # an array of so many labels or offsets still has a size that can be written
STEPS = {np.dtype(f"{kind}{size}"): (size,) for kind in "iu" for size in (1, 2, 4, 8)}
"""Strides of one-dimensional arrays of integers whose values lie one after the other."""
CHANGED = "the arrays were changed while they were read; no other thread may write to them"
NUMBER_FIRST = 'pass ids="external" if these are not vertex numbers'


def as_ids(values: Any, name: str) -> npt.NDArray[Any]:
    """A one-dimensional integer array that native code can read; a copy only where it cannot."""
    if (  # most arrays end here
        type(values) is np.ndarray
        and values.strides == STEPS.get(values.dtype)
        and values.flags.aligned
    ):
        return values
    array = read_array(values, name)
    if array.ndim != 1:
        hint = "" if array.ndim or array.dtype.kind in "iu" else f"; {NUMBER_FIRST}"
        raise InputError(f"{name} must be one-dimensional, got shape {array.shape}{hint}")
    if array.size == 0 and array.dtype.kind in "fO":
        return np.empty(0, np.int64)  # an empty list has no type of its own
    check_integers(array, name)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if not array.flags.aligned or array.strides[0] % array.itemsize:
        array = array.copy()
    return array


def read_array(values: Any, name: str) -> npt.NDArray[Any]:
    """Anything as an array of any shape and type, if it has one."""
    if not hasattr(values, "__array__") and hasattr(values, "__dlpack__"):
        values = np.from_dlpack(values)
    array = as_array(values, name)
    if isinstance(values, np.ndarray) and type(values) is not np.ndarray:
        masked = np.ma.getmaskarray(values)  # for subclasses only: numpy.ma is slow to import
        if masked.any():
            raise InputError(f"{name}{_first(masked)} is masked; drop or fill missing ids first")
    return array


def as_array(values: Any, name: str, dtype: Any = None) -> npt.NDArray[Any]:
    """What `numpy.asarray` makes of values, or an error that names them."""
    try:
        return np.asarray(values, dtype)
    except ValueError:
        raise InputError(f"{name} is ragged: its rows differ in length") from None


def is_array(values: Any) -> bool:
    """Whether this is an array of some library whose memory NumPy can read: torch, JAX, ..."""
    return hasattr(values, "__dlpack__") or hasattr(values, "__array_interface__")


def check_integers(array: npt.NDArray[Any], name: str) -> None:
    """Raises if the array does not hold integers, and says what could be done about it."""
    kind = array.dtype.kind
    if kind in "iu":
        return
    hint = ""
    if kind == "f" and np.isnan(array).any():
        hint = f": {name}{_first(np.isnan(array))} is NaN; drop or fill the missing ids first"
    elif kind == "f":
        hint = "; convert with .astype(numpy.int64) if every value is a whole number"
    elif kind in "OUS":
        hint = f"; {NUMBER_FIRST}"
    raise InputError(f"{name} must hold integers, got {array.dtype}{hint}")


def uneven(sources: int, targets: int, names: tuple[str, str] = ("src", "dst")) -> InputError:
    """The error of two columns of ids that differ in length."""
    return InputError(
        f"{names[0]} has {sources:,} ids and {names[1]} {targets:,}: an edge needs one of each"
    )


def _first(flags: npt.NDArray[Any]) -> list[int]:
    """The place of the first true flag, as it is written in brackets."""
    return [int(i) for i in np.argwhere(flags)[0]]


def largest_id(array: npt.NDArray[Any], name: str, threads: int, hint: str = "") -> int:
    """The largest id, or -1 where there is none; a negative id is an error."""
    if not len(array):
        return -1
    low, high = _native.bounds(array, threads)
    if low < 0:
        where = int(np.argmax(array < 0))
        raise InputError(
            f"{name}[{where}] is {array[where]}: vertex numbers must not be negative{hint}"
        )
    return int(high)


def check_range(array: npt.NDArray[Any], name: str, high: int, num_vertices: int) -> None:
    """Raises if ``high``, the largest of ``array``, is not below ``num_vertices``."""
    if high >= num_vertices:
        where = int(np.argmax(array >= num_vertices))
        raise InputError(
            f"{name}[{where}] is {array[where]}, but the graph has {num_vertices:,} vertices "
            f"(ids 0..{num_vertices - 1})"
        )


def check_later(array: npt.NDArray[Any], num_vertices: int) -> bool:
    """Whether kernels can check these ids as they read them.

    They see unsigned numbers: a negative one must not be a vertex.
    """
    bits = 8 * array.itemsize
    return bits >= 32 and (array.dtype.kind == "u" or num_vertices <= 1 << (bits - 1))


def widen(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """8- and 16-bit ids as 32-bit ones; others as they are."""
    return array.astype(np.uint32) if array.itemsize < 4 else array


def vertex_count(num_vertices: Any) -> int:
    """The caller's number of vertices, checked."""
    try:
        if isinstance(num_vertices, bool):
            raise TypeError
        n = index(num_vertices)
    except TypeError:
        raise InputError(f"num_vertices must be an integer, got {num_vertices!r}") from None
    if not 0 <= n <= MAX_VERTICES:
        raise InputError(f"num_vertices must be in 0..2**59, got {n}")
    return n
