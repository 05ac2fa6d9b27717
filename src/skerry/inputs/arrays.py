"""Plain arrays to `Edges` and `Csr`, with every check a kernel relies on."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from skerry import _native
from skerry.errors import InputError
from skerry.graph.csr import Csr
from skerry.graph.edges import Edges
from skerry.inputs.ids import (
    MAX_VERTICES,
    as_ids,
    check_range,
    id_dtype,
    largest_id,
    widen,
)

__all__ = ["Adapted", "csr_from_arrays", "edges_from_arrays"]


class Adapted(NamedTuple):
    """A validated graph, and what was done to get it."""

    graph: Edges | Csr
    notes: tuple[str, ...]


def edges_from_arrays(src: Any, dst: Any, num_vertices: int | None, threads: int) -> Adapted:
    """Two columns of ids as `Edges`; the number of vertices is the largest id + 1 unless given."""
    sources, targets = as_ids(src, "src"), as_ids(dst, "dst")
    if len(sources) != len(targets):
        raise InputError(
            f"src has {len(sources):,} ids and dst {len(targets):,}: an edge needs one of each"
        )
    high_src = largest_id(sources, "src", threads)
    high_dst = largest_id(targets, "dst", threads)
    if num_vertices is None:
        n = max(high_src, high_dst) + 1
        if n > MAX_VERTICES:
            raise InputError(f"the largest vertex id is {n - 1}: ids must be below 2**63 - 1")
    else:
        n = _vertex_count(num_vertices)
        check_range(sources, "src", high_src, n)
        check_range(targets, "dst", high_dst, n)
    notes: tuple[str, ...] = ()
    sources, targets = widen(sources), widen(targets)
    if sources.itemsize != targets.itemsize:
        notes = (f"src is {sources.dtype} and dst {targets.dtype}: the narrower was copied",)
        sources = sources.astype(np.uint64, copy=False)
        targets = targets.astype(np.uint64, copy=False)
    return Adapted(Edges(sources, targets, n), notes)


def csr_from_arrays(
    offsets: Any,
    neighbours: Any,
    num_vertices: int,
    symmetric: bool | None,
    sorted_rows: bool | None,
    threads: int,
) -> Adapted:
    """The arrays of a CSR as `Csr`, after checking that every offset and index is in place."""
    notes: list[str] = []
    starts = np.ascontiguousarray(as_ids(offsets, "indptr"))
    entries = as_ids(neighbours, "indices")
    if len(starts) != num_vertices + 1:
        raise InputError(
            f"indptr has {len(starts):,} entries; {num_vertices:,} vertices need "
            f"{num_vertices + 1:,}"
        )
    if starts[0] != 0:
        raise InputError(f"indptr[0] is {starts[0]}; it must be 0")
    row = _native.first_falling_offset(starts, threads)
    if row is not None:
        raise InputError(
            f"indptr falls from {starts[row]} to {starts[row + 1]} at row {row}: "
            "each row must end at or after its start"
        )
    stored = int(starts[-1])
    if stored > len(entries):
        raise InputError(f"indptr ends at {stored:,}, but indices has only {len(entries):,}")
    entries = entries[:stored]
    check_range(entries, "indices", largest_id(entries, "indices", threads), num_vertices)
    if starts.dtype.itemsize != 8:
        notes.append(f"indptr copied from {starts.dtype} to uint64")
        starts = starts.astype(np.uint64)
    entries = _as_vertices(entries, id_dtype(num_vertices), notes)
    graph = Csr(starts.view(np.uint64), entries, symmetric=symmetric, sorted_rows=sorted_rows)
    return Adapted(graph, tuple(notes))


def _as_vertices(
    entries: npt.NDArray[Any], dtype: np.dtype[Any], notes: list[str]
) -> npt.NDArray[Any]:
    if entries.itemsize == dtype.itemsize and entries.flags.c_contiguous:
        return entries.view(dtype)
    notes.append(f"indices copied from {entries.dtype} to {dtype}")
    return np.ascontiguousarray(entries, dtype)


def _vertex_count(num_vertices: Any) -> int:
    try:
        n = num_vertices.__index__()
    except AttributeError:
        raise InputError(f"num_vertices must be a whole number, got {num_vertices!r}") from None
    if not 0 <= n <= MAX_VERTICES:
        raise InputError(f"num_vertices must be in 0..2**63 - 1, got {n}")
    return int(n)
