"""Plain arrays to `Edges` and `Csr`, with every check a kernel relies on."""

from __future__ import annotations

import sys
import warnings
from functools import cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.errors import InputError, SkerryWarning
from skerry.graph.csr import Csr
from skerry.graph.edges import Edges, vertex_dtype
from skerry.graph.vertex_ids import (
    MAX_VERTICES,
    NUMBER_FIRST,
    as_ids,
    check_later,
    check_range,
    is_array,
    largest_id,
    read_array,
    uneven,
    vertex_count,
    widen,
)

UINT64 = np.dtype(np.uint64)
SPARSE_FROM, SPARSE_TIMES = 1 << 24, 32
"""Without ``num_vertices=``, a largest id of at least the first number and the second times the
number of edges is refused: the labels of unused ids would take most of the memory."""


Loaded: TypeAlias = tuple[Edges | Csr, tuple[str, ...]]
"""A graph, validated unless that was left to whoever reads it, and what was done to get it."""


def edges_from_arrays(
    src: Any,
    dst: Any,
    num_vertices: int | None,
    threads: int,
    names: tuple[str, str] = ("src", "dst"),
    allow_gaps: bool = False,
    unchecked: bool = False,
) -> Loaded:
    """Two columns of vertex numbers as `Edges`.

    Without ``num_vertices`` there are as many vertices as the largest number + 1. Then numbers
    beyond `SPARSE_FROM` are refused, unless ``allow_gaps`` says that they are meant. ``names`` are
    what the caller calls the columns, for messages. ``unchecked``: whoever reads the edges checks
    them; then numbers are looked at only where that cannot be, or where there is no
    ``num_vertices``.
    """
    sources, targets = as_ids(src, names[0]), as_ids(dst, names[1])
    if len(sources) != len(targets):
        raise uneven(len(sources), len(targets), names)
    n = -1 if num_vertices is None else vertex_count(num_vertices)
    if n < 0 or not (unchecked and check_later(sources, n) and check_later(targets, n)):
        hint = f"; {NUMBER_FIRST}" if names[0] == "src" else ""  # a matrix has no external ids
        high_source = largest_id(sources, names[0], threads, hint)
        high_target = largest_id(targets, names[1], threads, hint)
        if n < 0:
            high = max(high_source, high_target)
            if high >= SPARSE_FROM:
                _check_gaps(high, sources, targets, names, allow_gaps)
            n = high + 1
        else:
            check_range(sources, names[0], high_source, n)
            check_range(targets, names[1], high_target, n)
    notes: tuple[str, ...] = ()
    sources, targets = widen(sources), widen(targets)
    if sources.itemsize != targets.itemsize:
        notes = (
            f"{names[0]} is {sources.dtype} and {names[1]} {targets.dtype}: "
            "the narrower was copied",
        )
        sources = sources.astype(np.uint64, copy=False)
        targets = targets.astype(np.uint64, copy=False)
    return Edges(sources, targets, n), notes


def _check_gaps(
    high: int,
    sources: npt.NDArray[Any],
    targets: npt.NDArray[Any],
    names: tuple[str, str],
    allow_gaps: bool,
) -> None:
    """Raises where ids cannot be vertex numbers, or leave most vertices without an edge."""
    if high >= MAX_VERTICES:
        ids, name = (sources, names[0]) if (sources == high).any() else (targets, names[1])
        position = int(np.argmax(ids == high))
        raise InputError(
            f"{name}[{position}] is {high}: vertex numbers must be below 2**59; {NUMBER_FIRST}"
        )
    if not allow_gaps and high >= SPARSE_TIMES * len(sources):
        raise InputError(sparse_message(high, len(sources)))


def sparse_message(high: int, edges: int) -> str:
    """What to do about ids of which most are not in use."""
    return (
        f"the largest id is {high:,}, but there are only {edges:,} edges: most vertices would "
        f'have none. Pass ids="external" if these are not vertex numbers, or '
        f"num_vertices={high + 1} if they are"
    )


def rows_from_arrays(
    offsets: Any,
    neighbors: Any,
    num_vertices: int | None,
    threads: int,
    names: tuple[str, str] = ("indptr", "indices"),
    unchecked: bool = False,
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[Any], tuple[str, ...]]:
    """The arrays of a `Csr`, after checking that every offset and index is in place, and notes.

    Without ``num_vertices``, the offsets say it. ``names`` are what the caller calls the arrays,
    for messages. ``unchecked``: whoever reads the rows checks them, but for what a few looks show;
    then all is looked at only where that cannot be.
    """
    notes: tuple[str, ...] = ()
    starts = np.ascontiguousarray(as_ids(offsets, names[0]))
    entries = as_ids(neighbors, names[1])
    n = max(len(starts) - 1, 0) if num_vertices is None else num_vertices
    if len(starts) != n + 1:
        raise InputError(f"{names[0]} has {len(starts):,} entries; {n:,} vertices need {n + 1:,}")
    dtype = vertex_dtype(n)
    begin, end = starts.item(0), starts.item(-1)
    if (
        unchecked
        and begin == 0
        and 0 < end <= len(entries)
        and entries.itemsize == dtype.itemsize
        and check_later(entries, n)
    ):
        if end < len(entries):
            entries = entries[:end]
    else:
        _check_offsets(starts, len(entries), names, threads)
        entries = entries[: int(starts[-1])]
        check_range(entries, names[1], largest_id(entries, names[1], threads), n)
    if starts.itemsize != 8:
        notes += (_copied(names[0], starts.dtype, UINT64),)
        starts = starts.astype(np.uint64)
    elif starts.dtype is not UINT64:
        starts = starts.view(UINT64)
    if entries.itemsize != dtype.itemsize or not entries.flags.c_contiguous:
        notes += (_copied(names[1], entries.dtype, dtype),)
        entries = np.ascontiguousarray(entries, dtype)
    elif entries.dtype is not dtype:
        entries = entries.view(dtype)
    return starts, entries, notes


@cache
def _copied(name: str, old: np.dtype[Any], new: np.dtype[Any]) -> str:
    """The note on an array of another type; NumPy takes microseconds to name a type."""
    return f"{name} copied from {old} to {new}"


def _check_offsets(
    starts: npt.NDArray[Any], entries: int, names: tuple[str, str], threads: int
) -> None:
    if starts[0] != 0:
        raise InputError(f"{names[0]}[0] is {starts[0]}; it must be 0")
    row = _native.first_falling_offset(starts, threads)
    if row is not None:
        raise InputError(
            f"{names[0]} falls from {starts[row]} to {starts[row + 1]} at row {row}: "
            "each row must end at or after its start"
        )
    if starts[-1] > entries:
        raise InputError(f"{names[0]} ends at {starts[-1]:,}, but {names[1]} has only {entries:,}")


def agree(num_vertices: int | None, own: int, name: str = "") -> int:
    """A graph's own number of vertices, which the caller's must not contradict."""
    if num_vertices is not None and num_vertices != own:
        raise InputError(f"{name}num_vertices={num_vertices:,}, but the graph itself says {own:,}")
    return own


def warn_of_two_by_two() -> None:
    """Warns the caller of skerry that a 2 x 2 array can be read in two ways."""
    depth = 2
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("skerry."):
        frame, depth = frame.f_back, depth + 1
    warnings.warn(
        "a 2 x 2 array could hold two edges in its rows or sources above targets; its rows "
        "are taken as edges. Pass (a[:, 0], a[:, 1]) or (a[0], a[1]) to say which",
        SkerryWarning,
        stacklevel=depth,
    )


def edges_in_rows(edges: Any) -> bool | None:
    """Whether an array or list has an edge in each row; None if its shape does not say."""
    if isinstance(edges, list):
        if edges and isinstance(edges[0], tuple):
            return True
        shape = (len(edges), *np.shape(edges[0])) if edges else (0,)
    else:
        shape = getattr(edges, "shape", ())
    if len(shape) != 2 or shape[0] == shape[1]:
        return None
    return bool(shape[1] == 2)


def pair_of(edges: Any, name: str, in_rows: bool | None = None) -> tuple[Any, Any]:
    """Sources and targets of a pair of arrays, an (m, 2) or (2, m) array, or a list of pairs.

    ``in_rows`` says what a 2 x 2 array is: edges in its rows, or sources above targets. Where
    neither this nor the array says it, its rows are edges, with a warning.
    """
    if isinstance(edges, tuple) and len(edges) == 2:
        return edges[0], edges[1]
    if isinstance(edges, np.ndarray | list) or is_array(edges):
        table = read_array(edges, name)
        if table.shape in ((0,), (0, 2), (2, 0)):
            return np.empty(0, np.int64), np.empty(0, np.int64)
        if table.shape == (2, 2):
            if in_rows is None and edges_in_rows(edges) is None:
                warn_of_two_by_two()
            elif in_rows is False:
                return table[0], table[1]
        if table.ndim == 2 and table.shape[1] == 2:
            return table[:, 0], table[:, 1]
        if table.ndim == 2 and table.shape[0] == 2:
            return table[0], table[1]
        raise InputError(f"{name}: an array of edges has shape (m, 2) or (2, m), got {table.shape}")
    kind = type(edges)
    raise InputError(
        f"{name} is {kind.__module__.partition('.')[0]}.{kind.__qualname__}: a batch is a pair "
        "(src, dst) of arrays, an (m, 2) array or a table; or the elements are pairs of ids"
    )
