"""Conversions between edge lists and CSR; the result is the same for every number of threads."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.errors import InputError
from skerry.graph.csr import Csr
from skerry.graph.edges import Edges, vertex_dtype
from skerry.threads import THREADS_FROM, resolve_threads


def csr_from_edges(
    edges: Edges, threads: int | None = None, *, dtype: npt.DTypeLike | None = None
) -> Csr:
    """Both directions of every edge as sorted rows, without loops and repeats.

    ``dtype`` is the type of the neighbors, ``uint32`` while it suffices unless given. Beside the
    edges, this needs the memory of the result as it is before repeats are removed.
    """
    n = edges.num_vertices
    src, dst = edges.src, edges.dst
    _check_columns(src, dst)
    kind = _neighbor_type(dtype, n)
    offsets = np.empty(n + 1, np.uint64)
    neighbors = np.empty(2 * len(src), kind)
    entries, outside = _native.symmetric_rows_of_edges(
        src, dst, n, offsets, neighbors, _team(threads, n + len(src))
    )
    if outside is not None:
        raise InputError(
            f"edge {outside} joins {src[outside]} and {dst[outside]}, "
            f"but the graph has {n:,} vertices"
        )
    return _built(offsets, _shrunk(neighbors, entries), symmetric=True)


def edges_from_csr(csr: Csr, one_direction: bool = False, threads: int | None = None) -> Edges:
    """Every entry as an edge, or of a symmetric graph every edge once, as ``(u, v)`` with u < v.

    In one direction, loops are left out. All entries share their targets with the graph: the array
    ``dst`` is the graph's own.
    """
    team = _team(threads, csr.num_vertices + len(csr.neighbors))
    _check_rows(csr, team)
    if not one_direction:
        src = np.empty(csr.num_entries, csr.neighbors.dtype)
        _native.fill_sources(csr.offsets, csr.neighbors, src, team)
        return Edges(src, csr.neighbors[: csr.num_entries], csr.num_vertices)
    if csr.symmetric is False or (csr.symmetric is None and not is_symmetric(csr, team)):
        raise InputError(
            "one direction is enough only if the graph is symmetric; symmetrize it first"
        )
    count = _native.count_upper(csr.offsets, csr.neighbors, team)
    src, dst = (np.empty(count, csr.neighbors.dtype) for _ in range(2))
    _native.fill_upper(csr.offsets, csr.neighbors, src, dst, team)
    return Edges(src, dst, csr.num_vertices)


def symmetrize(csr: Csr, threads: int | None = None) -> Csr:
    """Every entry and its reverse as sorted rows, without loops and repeats."""
    offsets, neighbors = _rows_of_rows(_native.symmetric_rows_of_rows, csr, 2, threads)
    return _built(offsets, neighbors, symmetric=True)


def transpose(csr: Csr, threads: int | None = None) -> Csr:
    """The reverse of every entry as sorted rows; loops and repeats stay."""
    offsets, neighbors = _rows_of_rows(_native.transposed_rows, csr, 1, threads)
    return _built(offsets, neighbors, symmetric=csr.symmetric)


def sort_rows(csr: Csr, threads: int | None = None) -> Csr:
    """The same graph with sorted rows: itself if they are known to be, else a copy."""
    if csr.sorted_rows:
        return csr
    team = _team(threads, csr.num_vertices + len(csr.neighbors))
    _check_rows(csr, team)
    neighbors = csr.neighbors.copy()
    _native.sort_rows(csr.offsets, neighbors, team)
    return replace(csr, neighbors=neighbors, sorted_rows=True)


def has_sorted_rows(csr: Csr, threads: int | None = None) -> bool:
    """Whether the neighbors ascend within every row; repeats are allowed."""
    team = _team(threads, csr.num_vertices + len(csr.neighbors))
    _check_rows(csr, team)
    return bool(_native.rows_ascend(csr.offsets, csr.neighbors, team))


def is_symmetric(csr: Csr, threads: int | None = None) -> bool:
    """Whether every entry ``(u, v)`` has its reverse, however often each is repeated.

    Checks it, whatever ``csr.symmetric`` says. Rows that are not sorted are sorted in a copy.
    """
    return first_one_way(csr, threads) is None


def first_one_way(csr: Csr, threads: int | None = None) -> tuple[int, int] | None:
    """The first entry ``(u, v)`` without a reverse, in order of u, then v, or None."""
    team = _team(threads, csr.num_vertices + len(csr.neighbors))
    if not has_sorted_rows(csr, team):
        csr = sort_rows(replace(csr, sorted_rows=None), team)
    entry = _native.first_one_way(csr.offsets, csr.neighbors, team)
    if entry is None:
        return None
    row = int(np.searchsorted(csr.offsets, np.uint64(entry), side="right")) - 1
    return row, int(csr.neighbors[entry])


def _team(threads: int | None, size: int) -> int:
    """The threads to use on a graph of that many vertices and entries: 1 for small ones."""
    return resolve_threads(threads) if size >= THREADS_FROM else 1


def _rows_of_rows(
    native: Any, csr: Csr, growth: int, threads: int | None
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[Any]]:
    team = _team(threads, csr.num_vertices + len(csr.neighbors))
    _check_rows(csr, team)
    offsets = np.empty(csr.num_vertices + 1, np.uint64)
    neighbors = np.empty(growth * csr.num_entries, csr.neighbors.dtype)
    entries, outside = native(csr.offsets, csr.neighbors, offsets, neighbors, team)
    if outside is not None:
        raise InputError(
            f"neighbors[{outside}] is {csr.neighbors[outside]}, "
            f"but the graph has {csr.num_vertices:,} vertices"
        )
    return offsets, _shrunk(neighbors, entries)


def _built(
    offsets: npt.NDArray[np.uint64], neighbors: npt.NDArray[Any], symmetric: bool | None
) -> Csr:
    offsets.flags.writeable = neighbors.flags.writeable = False
    graph = Csr(offsets, neighbors, symmetric=symmetric, sorted_rows=True)
    object.__setattr__(graph, "checked", True)
    return graph


def _shrunk(array: npt.NDArray[Any], length: int) -> npt.NDArray[Any]:
    if length < len(array):
        array.resize(length, refcheck=False)  # frees the remaining memory without a copy
    return array


def _neighbor_type(dtype: npt.DTypeLike | None, num_vertices: int) -> np.dtype[Any]:
    smallest = vertex_dtype(num_vertices)
    if dtype is None:
        return smallest
    wanted = np.dtype(dtype)
    if wanted not in (np.uint32, np.uint64) or wanted.itemsize < smallest.itemsize:
        raise InputError(f"neighbors of {num_vertices:,} vertices cannot be {wanted}")
    return wanted


def _check_columns(src: npt.NDArray[Any], dst: npt.NDArray[Any]) -> None:
    for name, ids in (("src", src), ("dst", dst)):
        if ids.ndim != 1 or ids.dtype.kind not in "iu" or ids.itemsize < 4:
            raise InputError(
                f"{name} must be a column of 32- or 64-bit integers, "
                f"got {ids.dtype} of shape {ids.shape}"
            )
    if len(src) != len(dst) or src.itemsize != dst.itemsize:
        raise InputError(
            f"src has {len(src):,} ids of type {src.dtype} and dst {len(dst):,} of {dst.dtype}: "
            "they must match"
        )


def _check_rows(csr: Csr, threads: int) -> None:
    """Checks what native code relies on, except neighbors out of range, which it checks itself."""
    offsets = csr.offsets
    if offsets.dtype != np.uint64 or offsets.ndim != 1 or not len(offsets) or offsets[0]:
        raise InputError("offsets must be a uint64 array that begins with 0")
    row = _native.first_falling_offset(offsets, threads)
    if row is not None:
        raise InputError(f"offsets falls from {offsets[row]} to {offsets[row + 1]} at row {row}")
    if csr.num_entries > len(csr.neighbors):
        raise InputError(
            f"offsets ends at {csr.num_entries:,}, but neighbors has {len(csr.neighbors):,}"
        )
