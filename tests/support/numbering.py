"""Columns of ids, and a check of `Numbering` against Python's dict and sorted."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from skerry.ids.numbering import Numbering


def rows(column):
    """The ids of a column as Python objects."""
    if isinstance(column, tuple):
        return list(zip(*map(rows, column), strict=True))
    return column.tolist() if isinstance(column, np.ndarray) else pa.array(column).to_pylist()


def check(*batches, threads=2, key=None, kind=None):
    """Numbers all batches and compares everything that is promised with Python's dict and sorted.

    ``kind`` is the type expected of the ids, as an Arrow type.
    """
    numbering = Numbering()
    number_of = {}
    for batch in batches:
        numbers = numbering.number(batch, threads)
        ids = rows(batch)
        assert numbers.dtype == np.uint32
        assert len(numbers) == len(ids)
        for value, number in zip(ids, numbers.tolist(), strict=True):
            assert number_of.setdefault(value, number) == number
    assert sorted(number_of.values()) == list(range(len(number_of)))
    assert numbering.size == len(number_of)
    expected = sorted(number_of, key=key)
    for take in (numbering.in_order, numbering.take_in_order):
        ids, order = take(threads)
        assert rows(ids) == expected
        if not isinstance(ids, tuple):
            check_column(ids)
            assert kind is None or type_of(ids) == kind
        assert order.tolist() == [number_of[value] for value in expected]
    assert numbering.size == numbering.nbytes == 0
    return ids


def check_column(ids):
    """Integers are NumPy's, and all others Arrow's."""
    if isinstance(ids, np.ndarray):
        assert ids.dtype.kind in "iu"
    else:
        assert not pa.types.is_integer(ids.type)
        ids.validate(full=True)


def type_of(column):
    """The Arrow type of a column of NumPy or Arrow."""
    return pa.from_numpy_dtype(column.dtype) if isinstance(column, np.ndarray) else column.type


def by_bytes(text):
    return text.encode()
