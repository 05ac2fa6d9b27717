"""The order of many ids, and of keys that are spread unevenly."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skerry.errors import InputError
from skerry.ids.content_sum import ContentSum
from skerry.ids.external import External
from skerry.ids.numbering import Numbering
from support.numbering import by_bytes, check, type_of


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("distinct", [1, 1000, 300_000])
def test_many_integers(distinct, threads):
    random = np.random.default_rng(distinct)
    pool = random.integers(-(2**63), 2**63 - 1, distinct)
    column = pool[random.integers(0, distinct, 400_000)]
    numbering = Numbering()
    numbers = np.concatenate(
        [numbering.number(part, threads) for part in np.array_split(column, 3)]
    )
    truth, inverse = np.unique(column, return_inverse=True)
    ids, order = numbering.take_in_order(threads)
    assert np.array_equal(ids, truth)
    assert np.array_equal(order[inverse], numbers)
    if threads == 1:
        firsts = np.unique(numbers, return_index=True)[1]
        assert (np.diff(firsts) > 0).all()  # numbers follow first appearance


@pytest.mark.parametrize(
    "keys",
    [
        np.arange(100_000),
        np.arange(100_000)[::-1] << 40,
        np.concatenate([np.arange(50_000), [2**62]]),
        np.concatenate([[-(2**63), 2**63 - 1], np.arange(50_000) * 2 + 2**50]),
        (np.arange(300)[:, None] * 2**44 + np.arange(300)).reshape(-1),
        2 ** np.arange(63),
    ],
    ids=["small", "shifted", "outlier", "ends", "clusters", "powers"],
)
def test_order_of_uneven_keys(keys):
    shuffled = np.random.default_rng(1).permutation(keys.astype(np.int64))
    numbering = Numbering()
    numbers = numbering.number(shuffled, 2)
    by_number = np.empty_like(shuffled)
    by_number[numbers] = shuffled
    ids, order = numbering.in_order(2)
    assert np.array_equal(ids, np.sort(keys))
    assert np.array_equal(by_number[order], ids)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("common", ["", "https://example.org/a/very/long/way/to/"])
def test_many_strings(common, threads):
    random = np.random.default_rng(1)
    numbers = random.integers(0, 120_000, 300_000)
    texts = [common * (n % 3 != 0) + "\0" * (n % 5) + str(n) for n in numbers.tolist()]
    numbering = Numbering()
    got = numbering.number(pa.array(texts), threads)
    truth = sorted(set(texts), key=by_bytes)
    ids, order = numbering.take_in_order(threads)
    assert ids.to_pylist() == truth
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    assert [truth[i] for i in rank[got].tolist()] == texts


# Ids of several columns.

THREADS = st.sampled_from([1, 2, 3])


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(-2, 2), st.text("ab", max_size=2), st.integers(0, 3)), max_size=60
    ),
    st.integers(1, 3),
    THREADS,
)
def test_numbering(values, width, threads):
    kinds = [pa.int64(), pa.string(), pa.uint8()]
    columns = tuple(pa.array([row[i] for row in values], kinds[i]) for i in range(width))
    ids = check(columns, tuple(column.slice(1) for column in columns), threads=threads)
    assert [type_of(column) for column in ids] == kinds[:width]


@given(st.data(), st.booleans())
def test_lookup(data, as_rows):
    rows = st.tuples(st.integers(-2, 2), st.sampled_from(["", "a", "b"]), st.integers(0, 3))
    ids = sorted(data.draw(st.sets(rows, min_size=1, max_size=20)))
    queries = data.draw(st.lists(rows, max_size=20))
    kinds = (pa.int64(), pa.string(), pa.uint8())
    columns, wanted = (
        tuple(pa.array([row[i] for row in values], kinds[i]) for i in range(3))
        for values in (ids, queries)
    )
    space = External(columns, ("a", "b", "c"))
    positions = space.positions(queries if as_rows else wanted)
    assert positions.tolist() == [ids.index(row) if row in ids else -1 for row in queries]


def test_keys_of_many_columns_do_not_collide():
    """The product of the columns' sizes is far beyond 64 bits."""
    n = 20_000
    columns = tuple(np.random.default_rng(i).permutation(n) for i in range(6))
    space = External(columns, tuple("abcdef"))
    assert np.array_equal(space.positions(columns), np.arange(n))
    shifted = (*columns[:5], np.roll(columns[5], 1))
    assert (space.positions(shifted) == -1).all()


# The sum that says what a run goes on with: of pairs, whatever their order and their holders.

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
