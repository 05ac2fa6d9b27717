"""The order of many ids, and of keys that are spread unevenly."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from skerry.ids.numbering import Numbering
from support.numbering import by_bytes


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
