"""Conversions between the forms of a graph in device memory, as `skerry.graph.build` on a host.

They use the sorts and searches of the array module. Entries are sorted as 64-bit keys, each a pair
of ids; other temporary arrays hold a part of the entries at a time. So the keys and the copy that
the sort makes determine the memory: 16 bytes an entry.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.cuda.runtime import Runtime
from skerry.errors import InputError, UnsupportedError
from skerry.graph.build import _neighbor_type
from skerry.graph.device import DeviceCsr, DeviceEdges
from skerry.graph.edges import vertex_dtype
from skerry.graph.vertex_ids import uneven

KEYED_BELOW = 2**32  # vertices: two ids below it fit into one key
NARROW_BELOW = 2**31  # entries: offsets are 32 bits wide up to it, as other libraries' are signed
SORTED_BELOW = 2**31  # entries: older CuPy may leave more unsorted (NVIDIA/cccl issue 1951)
PART = 2**27  # entries processed at a time: temporary arrays of 1 GiB
ID_TYPES = (np.dtype(np.uint32), np.dtype(np.uint64))


def csr_from_edges(
    runtime: Runtime,
    edges: DeviceEdges,
    offset_bits: int | None = None,
    dtype: npt.DTypeLike | None = None,
) -> DeviceCsr:
    """Both directions of every edge as sorted rows, without loops and repeats.

    ``dtype`` is the type of the neighbors, ``uint32`` while it suffices unless given; offsets have
    32 bits while the entries number less than 2**31 unless ``offset_bits`` says otherwise.
    """
    _check_columns(edges)
    kind = _neighbor_type(dtype, edges.num_vertices)
    entries = _Entries(runtime, 2 * edges.num_entries, edges.num_vertices)
    entries.put(0, edges.src, edges.dst)
    entries.put(edges.num_entries, edges.dst, edges.src)
    return _rows_of(entries, edges.num_vertices, kind, offset_bits)


def edges_from_csr(runtime: Runtime, csr: DeviceCsr, one_direction: bool = False) -> DeviceEdges:
    """Every entry as an edge, or of a symmetric graph every edge once, as ``(u, v)`` with u < v.

    In one direction, loops are left out. All entries share their targets with the graph: the array
    ``dst`` is the graph's own, unless its ids are too narrow for the rows' numbers.
    """
    count = _check_rows(csr)
    if not one_direction:
        src = runtime.empty(count, _id_type(csr))
        for begin, end in _parts(count):
            src[begin:end] = _sources(runtime, csr, begin, end)
        dst = csr.neighbors[:count].astype(src.dtype, copy=False)
        return DeviceEdges(src, dst, csr.num_vertices)
    if csr.symmetric is False or (csr.symmetric is None and not is_symmetric(runtime, csr)):
        raise InputError("one direction is enough of a symmetric graph only; symmetrize it first")
    src, dst = _copy_side(runtime, csr, count, upper=True, dtype=_id_type(csr))
    return DeviceEdges(src, dst, csr.num_vertices)


def lower_rows(runtime: Runtime, csr: DeviceCsr) -> DeviceCsr:
    """Of each row of a symmetric graph, the neighbors that are smaller, in their order."""
    count = _check_rows(csr)
    rows, neighbors = _copy_side(runtime, csr, count, upper=False, dtype=csr.neighbors.dtype)
    offsets = runtime.empty(csr.num_vertices + 1, csr.offsets.dtype)
    for begin, end in _parts(csr.num_vertices + 1):
        offsets[begin:end] = runtime.xp.searchsorted(rows, runtime.xp.arange(begin, end))
    return DeviceCsr(offsets, neighbors, symmetric=False)


def symmetrize(runtime: Runtime, csr: DeviceCsr) -> DeviceCsr:
    """Every entry and its reverse as sorted rows, without loops and repeats."""
    count = _check_rows(csr)
    entries = _Entries(runtime, 2 * count, csr.num_vertices)
    for begin, end in _parts(count):
        sources, targets = _sources(runtime, csr, begin, end), csr.neighbors[begin:end]
        entries.put(begin, sources, targets)
        entries.put(count + begin, targets, sources)
    return _rows_of(entries, csr.num_vertices, _id_type(csr), None)


def is_symmetric(runtime: Runtime, csr: DeviceCsr) -> bool:
    """Whether every entry ``(u, v)`` has its reverse, however often each is repeated.

    Compares the entries, whatever ``csr.symmetric`` says: those above the diagonal must equal those
    below it.
    """
    count = _check_rows(csr)
    above, below = (_distinct_side(runtime, csr, count, upper) for upper in (True, False))
    return len(above) == len(below) and all(
        bool((left == right).all()) for left, right in zip(above.words, below.words, strict=True)
    )


class _Entries:
    """Pairs of ids to be sorted: an array of keys while two ids fit into one, else two columns."""

    def __init__(self, runtime: Runtime, count: int, num_vertices: int) -> None:
        self.runtime = runtime
        self.keyed = num_vertices < KEYED_BELOW
        self.words = [runtime.empty(count, np.uint64) for _ in range(1 if self.keyed else 2)]

    def __len__(self) -> int:
        return len(self.words[0])

    def put(self, begin: int, sources: Any, targets: Any) -> None:
        """Writes pairs from position ``begin`` on."""
        parts = [word[begin : begin + len(sources)] for word in self.words]
        parts[0][:] = sources
        if self.keyed:
            parts[0] <<= 32
            parts[0] |= targets
        else:
            parts[1][:] = targets

    def sort(self) -> None:
        """By source, then by target."""
        if self.keyed:
            self.words[0].sort()
            if len(self) >= SORTED_BELOW and not self._ascends():
                raise UnsupportedError(
                    f"this version of CuPy cannot sort {len(self):,} entries; 14 and newer can"
                )
        elif len(self):
            order = self.runtime.xp.lexsort(self.runtime.xp.stack(self.words[::-1]))
            self.words = [word[order] for word in self.words]

    def _ascends(self) -> bool:
        before, after = self.words[0][:-1], self.words[0][1:]
        return all(
            bool((before[begin:end] <= after[begin:end]).all()) for begin, end in _parts(len(after))
        )

    def drop_loops_and_repeats(self) -> None:
        """Of sorted pairs; those that stay move forward."""
        kept = 0
        for begin, end in _parts(len(self)):
            stays = self._is_new(begin, end) & ~self._is_loop(begin, end)
            for word in self.words:
                remaining = word[begin:end][stays]
                word[kept : kept + len(remaining)] = remaining
            kept += len(remaining)
        self.words = [word[:kept] for word in self.words]

    def _is_new(self, begin: int, end: int) -> Any:
        """Whether each pair differs from the pair before it.

        That pair is unchanged even at the start of a part: `drop_loops_and_repeats` overwrites it
        only if all pairs before it stay, and then with itself.
        """
        new = self.runtime.zeros(end - begin, np.bool_)
        if begin == 0:
            new[:1] = True
        first = max(begin, 1)
        later = new[first - begin :]
        for word in self.words:
            later |= word[first:end] != word[first - 1 : end - 1]
        return new

    def _is_loop(self, begin: int, end: int) -> Any:
        parts = [word[begin:end] for word in self.words]
        if self.keyed:
            return (parts[0] >> 32) == (parts[0] & 0xFFFFFFFF)
        return parts[0] == parts[1]

    def starts(self, begin: int, end: int) -> Any:
        """How many of the sorted pairs come before those of each vertex in a range."""
        vertices = self.runtime.xp.arange(begin, end, dtype=np.uint64)
        if self.keyed:
            vertices <<= 32
        return self.runtime.xp.searchsorted(self.words[0], vertices)

    def copy_targets(self, targets: Any) -> None:
        """Of all pairs, into an array of 32- or 64-bit ids."""
        targets[:] = self.words[-1]  # into 32 bits goes the lower half
        if self.keyed and targets.itemsize == 8:
            targets &= 0xFFFFFFFF


def _rows_of(
    entries: _Entries, num_vertices: int, dtype: npt.DTypeLike, offset_bits: int | None
) -> DeviceCsr:
    """Rows of the pairs, which are sorted here and are a symmetric graph's."""
    entries.sort()
    entries.drop_loops_and_repeats()
    kind = _offset_type(offset_bits, len(entries))
    offsets = entries.runtime.empty(num_vertices + 1, kind)
    for begin, end in _parts(num_vertices + 1):
        offsets[begin:end] = entries.starts(begin, end)
    neighbors = entries.runtime.empty(len(entries), dtype)
    entries.copy_targets(neighbors)
    return DeviceCsr(offsets, neighbors, symmetric=True)


def _distinct_side(runtime: Runtime, csr: DeviceCsr, count: int, upper: bool) -> _Entries:
    """The entries on one side of the diagonal, each once and with its smaller id first."""
    total = _count_side(runtime, csr, count, upper)
    entries = _Entries(runtime, total, csr.num_vertices)
    begin = 0
    for sources, targets, chosen in _side(runtime, csr, count, upper):
        ends = sources[chosen], targets[chosen]
        entries.put(begin, *(ends if upper else reversed(ends)))
        begin += len(ends[0])
    entries.sort()
    entries.drop_loops_and_repeats()
    return entries


def _copy_side(
    runtime: Runtime, csr: DeviceCsr, count: int, upper: bool, dtype: npt.DTypeLike
) -> tuple[Any, Any]:
    """The entries on one side of the diagonal: their rows, and their neighbors of this type."""
    total = _count_side(runtime, csr, count, upper)
    rows, neighbors = runtime.empty(total, _id_type(csr)), runtime.empty(total, dtype)
    begin = 0
    for sources, targets, chosen in _side(runtime, csr, count, upper):
        part = sources[chosen]
        end = begin + len(part)
        rows[begin:end] = part
        neighbors[begin:end] = targets[chosen]
        begin = end
    return rows, neighbors


def _count_side(runtime: Runtime, csr: DeviceCsr, count: int, upper: bool) -> int:
    sides = _side(runtime, csr, count, upper)
    return sum(int(runtime.xp.count_nonzero(chosen)) for _, _, chosen in sides)


def _side(
    runtime: Runtime, csr: DeviceCsr, count: int, upper: bool
) -> Iterator[tuple[Any, Any, Any]]:
    """Sources, targets and which of them are above (or below) the diagonal, part by part."""
    for begin, end in _parts(count):
        sources, targets = _sources(runtime, csr, begin, end), csr.neighbors[begin:end]
        yield sources, targets, sources < targets if upper else sources > targets


def _sources(runtime: Runtime, csr: DeviceCsr, begin: int, end: int) -> Any:
    """The row numbers of a range of entries."""
    positions = runtime.xp.arange(begin, end, dtype=csr.offsets.dtype)
    rows = runtime.xp.searchsorted(csr.offsets, positions, side="right")
    rows -= 1
    return rows.astype(_id_type(csr))


def _id_type(csr: DeviceCsr) -> np.dtype[Any]:
    """The type of the entries, unless it is too narrow for a row number."""
    own, smallest = csr.neighbors.dtype, vertex_dtype(csr.num_vertices)
    return own if own.itemsize >= smallest.itemsize else smallest


def _parts(count: int) -> Iterator[tuple[int, int]]:
    for begin in range(0, count, PART):
        yield begin, min(begin + PART, count)


def _offset_type(bits: int | None, entries: int) -> np.dtype[Any]:
    if bits is None:
        bits = 32 if entries < NARROW_BELOW else 64
    if bits not in (32, 64) or entries >= 2**bits:
        raise InputError(f"offsets of {entries:,} entries cannot have {bits} bits")
    return np.dtype(np.uint32 if bits == 32 else np.uint64)


def _check_columns(edges: DeviceEdges) -> None:
    for name, ids in (("src", edges.src), ("dst", edges.dst)):
        _check_type(name, ids)
    if len(edges.src) != len(edges.dst):
        raise uneven(len(edges.src), len(edges.dst))
    for name, ids in (("src", edges.src), ("dst", edges.dst)):
        _check_range(name, ids, edges.num_vertices)


def _check_rows(csr: DeviceCsr) -> int:
    """The number of entries, if all offsets and neighbors are valid."""
    offsets = csr.offsets
    _check_type("offsets", offsets)
    _check_type("neighbors", csr.neighbors)
    if not len(offsets):
        raise InputError("offsets is empty; it must have num_vertices + 1 elements")
    if int(offsets[0]):
        raise InputError(f"offsets[0] is {_signed(offsets, 0)}; it must be 0")
    falls = offsets[1:] < offsets[:-1]
    if bool(falls.any()):
        row = int(falls.argmax())
        begin, end = _signed(offsets, row), int(offsets[row + 1])
        if begin < 0:
            raise InputError(f"offsets[{row}] is {begin}; it must not be negative")
        raise InputError(f"offsets falls from {begin} to {end} at row {row}")
    entries = int(offsets[-1])
    if entries > len(csr.neighbors):
        raise InputError(f"offsets ends at {entries:,}, but neighbors has {len(csr.neighbors):,}")
    _check_range("neighbors", csr.neighbors[:entries], csr.num_vertices)
    return entries


def _check_type(name: str, array: Any) -> None:
    if array.ndim != 1 or array.dtype not in ID_TYPES:
        raise InputError(
            f"{name} must be a column of unsigned 32- or 64-bit integers, "
            f"got {array.dtype} of shape {array.shape}"
        )


def _check_range(name: str, ids: Any, num_vertices: int) -> None:
    if len(ids) and int(ids.max()) >= num_vertices:
        position = int((ids >= num_vertices).argmax())
        raise InputError(
            f"{name}[{position}] is {_signed(ids, position)}, "
            f"but the graph has {num_vertices:,} vertices (ids 0..{num_vertices - 1})"
        )


def _signed(values: Any, position: int) -> int:
    """A value as the caller wrote it: a huge unsigned value was most likely negative."""
    return int(values[position : position + 1].view(f"i{values.itemsize}")[0])
