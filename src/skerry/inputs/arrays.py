"""Plain arrays to `Edges` and `Csr`, with every check a kernel relies on."""

from __future__ import annotations

import sys
import warnings
from operator import index
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from skerry import _native
from skerry.errors import InputError, SkerryWarning
from skerry.graph.csr import Csr
from skerry.graph.edges import Edges, vertex_dtype
from skerry.inputs.ids import (
    MAX_VERTICES,
    NUMBER_FIRST,
    as_ids,
    check_range,
    largest_id,
    read_array,
    widen,
)
from skerry.inputs.names import (
    NotVerticesError,
    column_of,
    holds_integers,
    is_arrow,
    is_names,
    refuse_sparse,
)

__all__ = [
    "Adapted",
    "agree",
    "csr_from_arrays",
    "edges_from_arrays",
    "vertex_count",
    "warn_of_two_by_two",
]


class Adapted(NamedTuple):
    """A validated graph, and what was done to get it."""

    graph: Edges | Csr
    notes: tuple[str, ...]


def edges_from_arrays(
    src: Any,
    dst: Any,
    num_vertices: int | None,
    threads: int,
    names: tuple[str, str] = ("src", "dst"),
    dense: bool = False,
) -> Adapted:
    """Two columns of ids as `Edges`; the number of vertices is the largest id + 1 unless given.

    ``names`` are what the caller calls the columns, for messages. Ids that may be names are a
    `NotVerticesError`; so are those with wide gaps, unless the caller says that they are ``dense``.
    """
    if num_vertices is None and not dense:
        for values, name in ((src, names[0]), (dst, names[1])):
            if _holds_names(values, name):
                raise NotVerticesError(f"{name} holds no integers", src, dst)
    sources, targets = as_ids(src, names[0]), as_ids(dst, names[1])
    if len(sources) != len(targets):
        raise InputError(
            f"{names[0]} has {len(sources):,} ids and {names[1]} {len(targets):,}: "
            "an edge needs one of each"
        )
    columns = tuple(zip((sources, targets), names, strict=True))
    try:
        highest = [largest_id(ids, name, threads) for ids, name in columns]
    except InputError as error:
        if num_vertices is not None:
            raise
        raise NotVerticesError(str(error), src, dst) from None
    if num_vertices is None and not dense:
        refuse_sparse(max(highest), len(sources), sources, targets)
    n = max(highest) + 1 if num_vertices is None else vertex_count(num_vertices)
    for (ids, name), high in zip(columns, highest, strict=True):
        if high >= MAX_VERTICES and num_vertices is None:
            where = int(np.argmax(ids == high))
            raise InputError(f"{name}[{where}] is {high}: ids must be below 2**59; {NUMBER_FIRST}")
        check_range(ids, name, high, n)
    notes: tuple[str, ...] = ()
    sources, targets = widen(sources), widen(targets)
    if sources.itemsize != targets.itemsize:
        notes = (
            f"{names[0]} is {sources.dtype} and {names[1]} {targets.dtype}: "
            "the narrower was copied",
        )
        sources = sources.astype(np.uint64, copy=False)
        targets = targets.astype(np.uint64, copy=False)
    return Adapted(Edges(sources, targets, n), notes)


def _holds_names(values: Any, name: str) -> bool:
    """Whether a column holds ids, but no integers."""
    if not isinstance(values, np.ndarray) and is_arrow(values):
        return not holds_integers(column_of(values, name))
    return is_names(values if isinstance(values, np.ndarray) else read_array(values, name))


def csr_from_arrays(
    offsets: Any,
    neighbors: Any,
    num_vertices: int | None,
    symmetric: bool | None,
    sorted_rows: bool | None,
    threads: int,
    names: tuple[str, str] = ("indptr", "indices"),
) -> Adapted:
    """The arrays of a CSR as `Csr`, after checking that every offset and index is in place.

    Without ``num_vertices``, the offsets say it. ``names`` are what the caller calls the arrays,
    for messages.
    """
    notes: list[str] = []
    starts = np.ascontiguousarray(as_ids(offsets, names[0]))
    entries = as_ids(neighbors, names[1])
    n = max(len(starts) - 1, 0) if num_vertices is None else num_vertices
    if len(starts) != n + 1:
        raise InputError(f"{names[0]} has {len(starts):,} entries; {n:,} vertices need {n + 1:,}")
    _check_offsets(starts, len(entries), names, threads)
    entries = entries[: int(starts[-1])]
    check_range(entries, names[1], largest_id(entries, names[1], threads), n)
    if starts.dtype.itemsize != 8:
        notes.append(f"{names[0]} copied from {starts.dtype} to uint64")
        starts = starts.astype(np.uint64)
    dtype = vertex_dtype(n)
    if entries.itemsize == dtype.itemsize and entries.flags.c_contiguous:
        entries = entries.view(dtype)
    else:
        notes.append(f"{names[1]} copied from {entries.dtype} to {dtype}")
        entries = np.ascontiguousarray(entries, dtype)
    graph = Csr(starts.view(np.uint64), entries, symmetric=symmetric, sorted_rows=sorted_rows)
    return Adapted(graph, tuple(notes))


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


def vertex_count(num_vertices: Any) -> int:
    """The caller's number of vertices, checked."""
    try:
        if isinstance(num_vertices, bool):
            raise TypeError
        n = index(num_vertices)
    except TypeError:
        raise InputError(f"num_vertices must be a whole number, got {num_vertices!r}") from None
    if not 0 <= n <= MAX_VERTICES:
        raise InputError(f"num_vertices must be in 0..2**59, got {n}")
    return n


def agree(given: int | None, own: int) -> int:
    """A graph's own number of vertices, which the caller's must not contradict."""
    if given is not None and vertex_count(given) != own:
        raise InputError(f"num_vertices={given:,}, but the graph itself says {own:,}")
    return own


def warn_of_two_by_two() -> None:
    """Tells whoever called skerry how a table that could be read in two ways is read."""
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
