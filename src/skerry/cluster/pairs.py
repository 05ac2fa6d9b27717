"""Packed pairs of 64-bit words, and the blobs they travel in.

Pairs lie in one flat array, first word and second word in turn. What leaves a task is sorted and
cut into blobs of 16 MB at most, so that the same input gives the same bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

import skerry._native as _native

Pairs = npt.NDArray[np.uint64]
"""Words, two for each pair."""
Blob = npt.NDArray[np.uint8]
"""Bytes that are sent from one task to another."""

MAX_BLOB_BYTES = 16 << 20
OWNER_KEY = 0x3C6EF372FE94F82B
"""Decides which part owns an id; the ranks of a round use other keys."""


def interleaved(first: npt.NDArray[np.uint64], second: npt.NDArray[np.uint64]) -> Pairs:
    """Pairs of two columns."""
    pairs = np.empty(2 * len(first), np.uint64)
    pairs[0::2], pairs[1::2] = first, second
    return pairs


def blobs_of(pairs: Pairs) -> Iterator[Blob]:
    """Pairs as blobs; none for no pairs."""
    step = MAX_BLOB_BYTES // 8
    for begin in range(0, len(pairs), step):
        yield pairs[begin : begin + step].view(np.uint8)


def pairs_of(blob: Blob) -> Pairs:
    """The pairs of a blob, without a copy."""
    return blob.view(np.uint64)


def concatenated(blobs: Iterable[Blob]) -> Pairs:
    """All pairs of blobs, as an array of their own."""
    parts = [pairs_of(blob) for blob in blobs]
    return np.concatenate(parts) if parts else np.empty(0, np.uint64)


def sorted_pairs(pairs: Pairs) -> Pairs:
    """The distinct pairs in ascending order. The array is used up."""
    return pairs[: 2 * _native.sort_pairs(pairs, np.empty_like(pairs))]


def keep_first(pairs: Pairs) -> Pairs:
    """Of sorted pairs, the smallest for each first word. The array is used up."""
    return pairs[: 2 * _native.keep_first_pairs(pairs)]


def overlay(base: Pairs, top: Pairs) -> Pairs:
    """Unites tables sorted by distinct first words; ``top`` holds where both have a word."""
    table = np.empty(len(base) + len(top), np.uint64)
    return table[: 2 * _native.overlay_pairs(base, top, table)]


def split_by_owner(pairs: Pairs, parts: int) -> list[Pairs]:
    """For each part, the distinct pairs whose first word it owns, in ascending order."""
    return [sorted_pairs(part) for part in grouped_by_owner(pairs, parts)]


def grouped_by_owner(pairs: Pairs, parts: int) -> list[Pairs]:
    """For each part, the pairs whose first word it owns, in their order."""
    grouped, counts = np.empty_like(pairs), np.empty(parts, np.uint64)
    _native.split_pairs(pairs, OWNER_KEY, grouped, counts)
    ends = 2 * np.cumsum(counts.astype(np.int64))
    return np.split(grouped, ends[:-1])


def swapped(pairs: Pairs) -> Pairs:
    """Pairs with their words in the other order."""
    return interleaved(pairs[1::2], pairs[0::2])
