"""From ids on disk to numbers: bucket by bucket, then by rank among all ids.

The ids of a bucket are numbered by a table, which fits in memory, and sorted. Then the sorted ids
of all buckets are merged, a range of values at a time, which gives the rank of each. The number of
a vertex is its rank: the smallest number of a component is then that of its smallest id.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.engines.spilling.partition import PartitionedIds
from skerry.engines.spilling.room import MARGIN, PassReport, Room
from skerry.formats.spill_file import SpillFile, SpillFolder
from skerry.graph.edges import vertex_dtype
from skerry.ids.status_codes import check_status

HIGH_BIT = 1 << 63


class NumberedIds(NamedTuple):
    """The ids of all edges as numbers."""

    ids: SpillFile
    """The distinct ids, ascending."""
    numbers: SpillFile
    """The rank of each id of the partition, at the same position."""
    partition: PartitionedIds

    def edges(self) -> Iterator[tuple[npt.NDArray[Any], npt.NDArray[Any]]]:
        """The edges between numbers, once, in their order; arrays are valid until the next."""
        size = max((chunk.edges for chunk in self.partition.chunks), default=0)
        routes = np.empty(2 * size, np.uint8)
        numbers = np.empty(2 * size, self.numbers.dtype)
        gathered = np.empty(2 * size, self.numbers.dtype)
        for chunk in self.partition.chunks:
            count = 2 * chunk.edges
            self.partition.routes.read(chunk.begin, routes[:count])
            self.numbers.read(chunk.begin, numbers[:count])
            _native.gather_numbers(routes[:count], chunk.counts, numbers[:count], gathered[:count])
            yield gathered[: chunk.edges], gathered[chunk.edges : count]
        self.partition.routes.close()
        self.numbers.close()


class _Buckets(NamedTuple):
    """The distinct ids of all buckets, one after the other, each ascending."""

    keys: SpillFile
    order: SpillFile
    """Which number in its bucket each of them had."""
    starts: list[int]


def number_ids(
    partition: PartitionedIds,
    dtype: np.dtype[Any],
    folder: SpillFolder,
    room: Room,
    threads: int,
    report: PassReport,
) -> NumberedIds:
    """Numbers the ids of a partition, which are of type ``dtype``."""
    flip = HIGH_BIT if dtype.kind == "i" else 0
    numbers = folder.file(np.uint32)
    with report.begin("number ids"):
        buckets = _number_buckets(partition, numbers, flip, folder, room, threads, report)
    partition.words.close()
    with report.begin("sort ids"):
        ids, ranks = _merge(buckets, dtype, flip, folder, room, threads, report)
    with report.begin("rank ids"):
        numbers = _rank(partition, numbers, buckets, ranks, folder, room, report)
    return NumberedIds(ids, numbers, partition)


def _slices(partition: PartitionedIds, bucket: int, size: int) -> Iterator[list[tuple[int, int]]]:
    """The slices of a bucket, in groups of at most ``size`` ids."""
    group: list[tuple[int, int]] = []
    held = 0
    for chunk in partition.chunks:
        begin, end = chunk.slice_of(bucket)
        while begin < end:
            stop = min(end, begin + size - held)
            group.append((begin, stop))
            held += stop - begin
            begin = stop
            if held == size:
                yield group
                group, held = [], 0
    if group:
        yield group


def _read(file: SpillFile, slices: list[tuple[int, int]], buffer: npt.NDArray[Any]) -> int:
    held = 0
    for begin, end in slices:
        file.read(begin, buffer[held : held + end - begin])
        held += end - begin
    return held


def _write(file: SpillFile, slices: list[tuple[int, int]], values: npt.NDArray[Any]) -> None:
    held = 0
    for begin, end in slices:
        file.write(begin, values[held : held + end - begin])
        held += end - begin


def _number_buckets(
    partition: PartitionedIds,
    numbers: SpillFile,
    flip: int,
    folder: SpillFolder,
    room: Room,
    threads: int,
    report: PassReport,
) -> _Buckets:
    buckets = _Buckets(folder.file(np.uint64), folder.file(np.uint32), [0])
    piece = room.piece()
    words, numbers_read = np.empty(piece, np.uint64), np.empty(piece, np.uint32)
    done = 0
    for bucket in range(partition.buckets):
        for chunk in partition.chunks:
            begin, end = chunk.slice_of(bucket)
            partition.words.will_read(begin, end - begin)
        table = _native.KeyTable()
        for slices in _slices(partition, bucket, piece):
            count = _read(partition.words, slices, words)
            _check_room(table, count, room, partition.buckets)
            status = table.number(words[:count], numbers_read[:count], threads)
            check_status(status, table.size, table.nbytes)
            _write(numbers, slices, numbers_read[:count])
            done += count
            report.advance(done, partition.words.size)
        keys = np.empty(table.size, np.uint64)
        table.keys_by_number(keys, threads)
        del table
        ascending, order = np.empty_like(keys), np.empty(len(keys), np.uint32)
        _native.sort_keys(keys, flip, ascending, order, threads)
        del keys
        buckets.keys.append(ascending)
        buckets.order.append(order)
        buckets.starts.append(buckets.keys.size)
    return buckets


def _check_room(table: Any, count: int, room: Room, buckets: int) -> None:
    """Raises if the table of a bucket no longer fits with so many more ids."""
    if not room.fits_table(table.nbytes, count):
        raise MemoryError(
            f"the ids of one of {buckets} buckets do not fit below limit={room.limit:,}; spilling "
            f"this graph takes at least limit={room.limit + table.nbytes + MARGIN:,}"
        )


class _Cursor:
    """Reads the ascending ids of a bucket."""

    def __init__(self, file: SpillFile, begin: int, end: int, signed: bool) -> None:
        self._file = file
        self.position, self._end = begin, end
        self._type = np.int64 if signed else np.uint64

    def below(self, bound: Any, expected: int) -> npt.NDArray[np.uint64]:
        """The next ids below a bound, or all that are left for None."""
        parts = []
        while self.position < self._end:
            part = self._file.part(self.position, min(self._end, self.position + expected))
            count = len(part)
            if bound is not None:
                count = int(np.searchsorted(part.view(self._type), bound))
            parts.append(part[:count])
            self.position += count
            if count < len(part):
                break
        return parts[0] if len(parts) == 1 else np.concatenate([*parts, np.empty(0, np.uint64)])


def _merge(
    buckets: _Buckets,
    dtype: np.dtype[Any],
    flip: int,
    folder: SpillFolder,
    room: Room,
    threads: int,
    report: PassReport,
) -> tuple[SpillFile, SpillFile]:
    """All ids ascending, and the rank of each id of each bucket."""
    total = buckets.keys.size
    ids, ranks = folder.file(dtype), folder.file(vertex_dtype(total))
    size, count = room.sorted_ids(), len(buckets.starts) - 1
    expected = size // count + size // count // 4 + 64
    cursors = [
        _Cursor(buckets.keys, begin, end, bool(flip))
        for begin, end in zip(buckets.starts, buckets.starts[1:], strict=False)
    ]
    for bound in [*_bounds(buckets, bool(flip), size), None]:
        begins = [cursor.position for cursor in cursors]
        parts = [cursor.below(bound, expected) for cursor in cursors]
        keys = np.concatenate(parts)
        ascending, order = np.empty_like(keys), np.empty(len(keys), np.uint32)
        _native.sort_keys(keys, flip, ascending, order, threads)
        rank = np.empty(len(keys), ranks.dtype)
        rank[order] = np.arange(ids.size, ids.size + len(keys), dtype=ranks.dtype)
        held = 0
        for begin, part in zip(begins, parts, strict=True):
            ranks.write(begin, rank[held : held + len(part)])
            held += len(part)
        typed = ascending.view(np.int64) if flip else ascending
        ids.append(typed.astype(dtype, copy=False))
        report.advance(ids.size, total)
    return ids, ranks


def _bounds(buckets: _Buckets, signed: bool, size: int) -> npt.NDArray[Any]:
    """Values that cut all ids into ranges of at most ``size``, by a sample of every bucket."""
    count = len(buckets.starts) - 1
    step = max(1, size // (2 * count))
    samples = []
    for begin, end in zip(buckets.starts, buckets.starts[1:], strict=False):
        ids = buckets.keys.part(begin, end)
        samples.append(ids[step - 1 :: step].copy())
    sample = np.concatenate(samples)
    sample = np.sort(sample.view(np.int64) if signed else sample)
    each = max(1, size // (2 * step))
    return sample[each - 1 :: each]


def _rank(
    partition: PartitionedIds,
    numbers: SpillFile,
    buckets: _Buckets,
    ranks: SpillFile,
    folder: SpillFolder,
    room: Room,
    report: PassReport,
) -> SpillFile:
    """The ranks of all ids, for their numbers in the buckets; in place where both are as wide."""
    ranked = numbers if ranks.dtype == numbers.dtype else folder.file(ranks.dtype)
    piece = room.piece()
    numbers_read, mapped = np.empty(piece, numbers.dtype), np.empty(piece, ranks.dtype)
    done = 0
    for bucket, begin in enumerate(buckets.starts[:-1]):
        end = buckets.starts[bucket + 1]
        of_number = np.empty(end - begin, ranks.dtype)
        of_number[buckets.order.part(begin, end)] = ranks.part(begin, end)
        for chunk in partition.chunks:
            first, last = chunk.slice_of(bucket)
            numbers.will_read(first, last - first)
        for slices in _slices(partition, bucket, piece):
            count = _read(numbers, slices, numbers_read)
            np.take(of_number, numbers_read[:count], out=mapped[:count], mode="clip")
            _write(ranked, slices, mapped[:count])
            done += count
            report.advance(done, numbers.size)
    if ranked is not numbers:
        numbers.close()
    return ranked
