"""Ids of several columns."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from skerry.ids.external import External
from support.numbering import check, type_of

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
