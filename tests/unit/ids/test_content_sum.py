"""The sum that says what a run goes on with: of pairs, whatever their order and their holders."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

from skerry.errors import InputError
from skerry.ids.content_sum import ContentSum

RNG = np.random.default_rng(2)
INTEGERS = RNG.integers(-50, 50, (2, 300))
TEXTS = [[f"id {end}" * (end % 4) for end in column] for column in INTEGERS.tolist()]
COLUMNS = {
    "integers": tuple(INTEGERS),
    "texts": tuple(pa.array(column) for column in TEXTS),
    "dates": tuple(pa.array(column.astype("i4"), pa.date32()) for column in INTEGERS),
    "several": tuple(
        (column, pa.array(text)) for column, text in zip(INTEGERS, TEXTS, strict=True)
    ),
}


def taken(column, rows):
    if isinstance(column, tuple):
        return tuple(taken(part, rows) for part in column)
    return column[rows] if isinstance(column, np.ndarray) else column.take(pa.array(rows))


def rows_of(column):
    if isinstance(column, tuple):
        return list(zip(*map(rows_of, column), strict=True))
    return column.tolist()


def sum_of(kind, rows):
    return ContentSum.of(*(taken(column, np.asarray(rows)) for column in COLUMNS[kind]))


@pytest.mark.parametrize("kind", COLUMNS)
def test_sums_are_equal_where_the_pairs_are(kind):
    """Against counted pairs: subsets in any order, with one pair exchanged, lost or repeated."""
    pairs = list(zip(*map(rows_of, COLUMNS[kind]), strict=True))
    seen = {}
    for _ in range(60):
        rows = RNG.permutation(300)[: RNG.integers(5, 9)]
        for some in (rows, rows[::-1], rows[1:], np.append(rows, rows[:1]), np.append(rows[1:], 7)):
            bag = frozenset(Counter(pairs[row] for row in some).items())
            assert seen.setdefault(bag, sum_of(kind, some)) == sum_of(kind, some)
    assert len(set(seen.values())) == len(seen) > 200


@pytest.mark.parametrize("kind", COLUMNS)
def test_sums_of_parts_add_up(kind):
    parts = [sum_of(kind, rows) for rows in np.array_split(RNG.permutation(300), 7)]
    total = ContentSum()
    for part in parts:
        total = total.plus(tuple(part))
    assert total == sum_of(kind, range(300)) == ContentSum.of(*COLUMNS[kind], threads=3)


def test_the_same_ids_in_other_holders_have_one_sum():
    src, dst = INTEGERS
    wanted = ContentSum.of(src, dst)
    assert ContentSum.of(src.astype("i2"), pa.array(dst)) == wanted
    assert ContentSum.of(np.repeat(src, 2)[::2], dst.astype(">i8")) == wanted
    texts = [pa.array(column) for column in TEXTS]
    wanted = ContentSum.of(*texts)
    assert ContentSum.of(*(text.dictionary_encode() for text in texts)) == wanted
    assert ContentSum.of(*(pa.chunked_array([t[:9], t[9:]], pa.string()) for t in texts)) == wanted
    assert ContentSum.of(*(text.cast(pa.large_string()) for text in texts)) == wanted


def test_the_same_bits_of_another_type_have_another_sum():
    columns = [
        np.array([-1, 3]),
        np.array([2**64 - 1, 3], np.uint64),
        pa.array([-1, 3], pa.timestamp("us")),
        pa.array([-1, 3], pa.timestamp("ns")),
        pa.array(["-1", "3"]),
        pa.array([b"-1", b"3"]),
    ]
    assert len({ContentSum.of(column, column) for column in columns}) == len(columns)


def test_a_direction_is_kept_and_missing_ids_are_refused():
    src, dst = INTEGERS
    assert ContentSum.of(src, dst) != ContentSum.of(dst, src)
    with pytest.raises(InputError, match="missing"):
        ContentSum.of(pa.array([1, None]), pa.array([1, 2]))
    assert ContentSum.of(src[:0], dst[:0]) == ContentSum() == (0, 0)
