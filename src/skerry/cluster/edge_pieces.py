"""The edges of a task in tables that have room, the same whatever order the edges come in.

A task of Spark that runs again may get its edges in another order. If tables were filled in the
order of edges, the trees of its second run would not go with those of its first, part of which
others already have. So edges are also written to the local disk. If their ids turn out not to fit,
they are divided there by a hash, and each table joins what the hash gives it. Nothing here depends
on more than the set of edges: that ids do not fit, too, is known by their final number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np

from skerry.cluster.joiner import TaskJoiner
from skerry.cluster.pairs import Pairs
from skerry.config import temporary_folder
from skerry.formats.spill_file import SpillFile, SpillFolder

ROOM_SHARE = 8
"""A table is full when less than this part of its room is left."""
LEAST_ROOM = 8
"""An edge alone never fills a table, or no division would end."""
BUCKETS = 64
"""Files that edges are divided into at a time."""
BUCKETS_OF_TABLE = 4
"""So many of them at least make a table, so that little room is left over."""
READ_WORDS = 1 << 17
"""Words of a file that are read at a time."""
FACTORS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)

_FOLDER: ContextVar[str | None] = ContextVar("skerry_task_folder", default=None)


@contextmanager
def spilling_to(folder: str | None) -> Iterator[None]:
    """Within the block, tasks write what does not fit here; None: to the folder for temporaries."""
    before = _FOLDER.set(folder)
    try:
        yield
    finally:
        _FOLDER.reset(before)


def add_while_room(joiner: TaskJoiner, pairs: Pairs, room: int) -> int:
    """Joins edges until the table is full; returns how many words were joined.

    A table that is full may have taken all words: ask `is_full`.
    """
    begin = 0
    while begin < len(pairs) and not is_full(joiner, room):
        step = max(2, (room - joiner.size) // 2 * 2)  # each word may be a new id
        joiner.add(pairs[begin : begin + step])
        begin += step
    return min(begin, len(pairs))


def is_full(joiner: TaskJoiner, room: int) -> bool:
    """Whether a table is almost full."""
    return joiner.size > 0 and room - joiner.size < max(2, room // ROOM_SHARE)


class EdgePieces:
    """Divides edges between tables of at most so many ids."""

    def __init__(self, room: int) -> None:
        self._room = max(room, LEAST_ROOM)
        self._folder = SpillFolder(_FOLDER.get() or temporary_folder())

    def joiners(self, edges: Iterable[Pairs]) -> Iterator[TaskJoiner]:
        """All edges, joined in as many tables as have room for them."""
        raw = self._folder.file(np.uint64)
        yield from self._joined_or_divided(_kept(edges, raw), raw, 0)

    def _joined_or_divided(
        self, edges: Iterator[Pairs], raw: SpillFile, depth: int
    ) -> Iterator[TaskJoiner]:
        """One table if all ids fit into it. ``raw`` holds all edges once they are read."""
        joiner: TaskJoiner | None = TaskJoiner()
        for pairs in edges:
            if joiner is not None:
                add_while_room(joiner, pairs, self._room)
                if is_full(joiner, self._room):
                    joiner = None  # what it holds depends on the order
        if joiner is not None:
            raw.close()
            yield joiner
        else:
            yield from self._divided(raw, depth)

    def _divided(self, raw: SpillFile, depth: int) -> Iterator[TaskJoiner]:
        """Tables of whole buckets, in their order."""
        joiner = TaskJoiner()
        for bucket in self._buckets(raw, depth):
            if bucket.size > self._room:  # its ids, too, may have no room
                yield from self._joined_or_divided(_read(bucket), bucket, depth + 1)
                continue
            if joiner.size + bucket.size > self._room:
                yield joiner
                joiner = TaskJoiner()
            for pairs in _read(bucket):
                joiner.add(pairs)
            bucket.close()
        if joiner.size:
            yield joiner

    def _buckets(self, raw: SpillFile, depth: int) -> list[SpillFile]:
        count = min(BUCKETS, max(2, -(-BUCKETS_OF_TABLE * raw.size // self._room)))
        buckets = [self._folder.file(np.uint64) for _ in range(count)]
        for pairs in _read(raw):
            numbers = _bucket_of(pairs, count, depth)
            order = np.argsort(numbers, kind="stable")
            ends = np.cumsum(np.bincount(numbers, minlength=count))
            grouped = np.split(pairs.reshape(-1, 2)[order], ends[:-1])
            for bucket, some in zip(buckets, grouped, strict=True):
                bucket.append(some.reshape(-1))
        raw.close()
        return buckets


def _kept(edges: Iterable[Pairs], raw: SpillFile) -> Iterator[Pairs]:
    for pairs in edges:
        raw.append(pairs)
        yield pairs


def _read(file: SpillFile) -> Iterator[Pairs]:
    for _, words in file.pieces(READ_WORDS):
        yield words


def _bucket_of(pairs: Pairs, count: int, depth: int) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """By a hash of both ends, so that the edges of a hub are divided; another at each depth."""
    first, second, third = (np.uint64(factor) for factor in FACTORS)
    mixed = pairs[0::2] * first + (pairs[1::2] + np.uint64(depth)) * second
    for _ in range(2):
        mixed ^= mixed >> np.uint64(32)
        mixed *= third
    return ((mixed >> np.uint64(32)) * np.uint64(count) >> np.uint64(32)).astype(np.uint8)
