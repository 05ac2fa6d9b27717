"""Ids of any type, copied into unsigned ones by a team; what does not fit is no vertex."""

from __future__ import annotations

import numpy as np
import pytest

from skerry import _native

KINDS = ("u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8")


def expected(ids, out):
    top = np.iinfo(out).max
    return [int(id) if 0 <= id <= top else top for id in ids.tolist()]


@pytest.mark.parametrize("out", ["u4", "u8"])
@pytest.mark.parametrize("kind", KINDS)
def test_what_does_not_fit_becomes_the_largest_number(kind, out):
    info = np.iinfo(kind)
    ids = np.array([0, 1, info.max, info.min, info.max // 2, 7, 100] * 11, kind)
    if kind == "i8":
        ids[::5] = 2**32 + 3
    for column in (ids, ids[::-1], ids[::3]):
        copies, others = np.zeros((2, len(column)), out)
        _native.copy_ids(column, copies, 2)
        if out == "u8" and kind.startswith("i"):
            assert copies.tolist() == [id % 2**64 for id in column.tolist()]  # no vertices either
        else:
            assert copies.tolist() == expected(column, out)
        both = np.zeros(len(column), out)
        _native.copy_edges(column, column[::-1], both, others, 2)
        assert both.tolist() == copies.tolist() == others[::-1].tolist()


def test_large_columns_are_copied_by_a_team():
    table = np.random.default_rng(0).integers(0, 2**31, (1 << 20, 2))
    src, dst = np.empty((2, len(table)), np.uint32)
    _native.copy_edges(table[:, 0], table[:, 1], src, dst, 2)
    assert np.array_equal(src, table[:, 0]) and np.array_equal(dst, table[:, 1])


def test_columns_that_do_not_match_are_refused():
    ids, copies = np.zeros(3, np.int64), np.zeros(4, np.uint32)
    with pytest.raises(ValueError, match="lengths differ"):
        _native.copy_ids(ids, copies, 1)
    with pytest.raises(ValueError, match="types differ"):
        _native.copy_edges(ids, ids.astype("i4"), copies[:3], copies[:3], 1)
    with pytest.raises(ValueError, match="lengths differ"):
        _native.copy_edges(ids, ids[:2], copies[:3], copies[:3], 1)
