"""What identifies pairs of ids by their content: their number and a sum of their hashes.

The sum does not depend on the order of the pairs, so it is the same however an input is divided
into batches, files or tasks. Sums of parts add up to that of the whole. It is kept modulo
2^64 for two hashes: a changed, lost or repeated pair is missed with a probability of 2^-64. It
guards against mistakes, not against inputs that were made to collide.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.errors import InputError
from skerry.ids.chunks import Chunk, DictionaryChunk, IntegerChunk
from skerry.ids.columns import read_column

HALF = 64
MASK = 2**HALF - 1
HIGH_IDS = np.uint64(0x9E3779B97F4A7C15)
"""Added to integers of 2^63 and more, whose words are those of negative ones."""

Words = npt.NDArray[np.uint64]


class ContentSum(NamedTuple):
    """How many pairs there are, and the sum of their hashes.

    Examples
    --------
    >>> import numpy as np
    >>> from skerry.ids.content_sum import ContentSum
    >>> first = ContentSum.of(np.array([1, 2]), np.array([5, 6]))
    >>> first == ContentSum.of(np.array([2, 1]), np.array([6, 5]))
    True
    >>> first == ContentSum.of(np.array([1, 2]), np.array([6, 5]))
    False
    """

    rows: int = 0
    checksum: int = 0

    @classmethod
    def of(cls, src: Any, dst: Any, threads: int = 1) -> ContentSum:
        """The sum of edges: columns of ids of any type, or tuples of columns.

        Raises
        ------
        InputError
            If ids are missing, or of a type that cannot be an id.
        """
        return cls._of_words(_words(src, threads), _words(dst, threads), threads)

    @classmethod
    def of_pairs(cls, pairs: Words) -> ContentSum:
        """The sum of packed pairs of words, first and second in turn."""
        return cls._of_words(pairs[0::2], pairs[1::2], 1)

    @classmethod
    def _of_words(cls, first: Words, second: Words, threads: int) -> ContentSum:
        low, high = _native.sum_pairs(first, second, threads)
        return cls(len(first), high << HALF | low)

    def plus(self, other: Sequence[int]) -> ContentSum:
        """The sum of both, as of all their pairs together."""
        rows, checksum = other
        low = (self.checksum & MASK) + (checksum & MASK) & MASK
        high = (self.checksum >> HALF) + (checksum >> HALF) & MASK
        return ContentSum(self.rows + rows, high << HALF | low)


def _words(column: Any, threads: int) -> Words:
    """A word for each id: the same for the same id, whatever holds it."""
    if isinstance(column, tuple):
        first, *rest = (_words(part, threads) for part in column)
        for other in rest:
            first = _mixed(first) + other
        return first
    parts = [_words_of(chunk, threads) for chunk in read_column(column)]
    if len(parts) == 1:
        return parts[0]
    return np.concatenate(parts) if parts else np.empty(0, np.uint64)


def _words_of(chunk: Chunk, threads: int) -> Words:
    if isinstance(chunk, DictionaryChunk):
        words = _words(chunk.values, threads)
        return np.asarray(words[chunk.indices])
    if isinstance(chunk, IntegerChunk):
        words = _words_of_integers(chunk.values)
        return words if chunk.logical is None else words + _salt(str(chunk.logical))
    hashes = np.empty(len(chunk), np.uint64)
    if not _native.hash_texts(chunk.data, chunk.offsets, chunk.width, hashes, threads):
        raise InputError(f"ids of type {chunk.type_name}: offsets lie outside of their data")
    return hashes + _salt(chunk.kind)


@cache
def _salt(kind: str) -> np.uint64:
    """A word for a type: the same bits are other ids in another type."""
    return np.uint64(int.from_bytes(blake2b(kind.encode(), digest_size=8).digest(), "little"))


def _words_of_integers(values: npt.NDArray[Any]) -> Words:
    if values.dtype != np.uint64:
        return values.astype(np.int64, copy=False).view(np.uint64)
    high = values > np.uint64(2**63 - 1)
    return np.where(high, values + HIGH_IDS, values) if high.any() else values


def _mixed(words: Words) -> Words:
    """Words of which no sum says what they were: the finalizer of SplitMix64."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))
