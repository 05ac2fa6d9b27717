"""Ids with the most edges, against counts in plain Python."""

from __future__ import annotations

import random
from collections import Counter

import pyarrow as pa
import pytest

import skerry


@pytest.mark.parametrize("seed", range(20))
def test_random_graphs(seed):
    draw = random.Random(seed)
    pairs = [(f"r{draw.randrange(9)}", f"r{draw.randrange(9)}") for _ in range(12)]
    src, dst = zip(*pairs, strict=True)
    result = skerry.connected_components(pa.table({"src": src, "dst": dst}))
    counts = Counter(end for pair in pairs if pair[0] != pair[1] for end in pair)
    for label in set(result.table()["component"].to_pylist()):
        ids = [id for id in counts if result.component_of(id) == label]
        right = sorted(((id, counts[id]) for id in ids), key=lambda hub: (-hub[1], hub[0]))
        for k in (0, 2, 10):
            assert result.hubs(k, label) == right[:k]


def test_the_largest_by_default_and_what_is_refused():
    result = skerry.connected_components([(0, 1), (1, 2), (5, 6)])
    assert result.hubs(1) == [(1, 2)]
    with pytest.raises(skerry.InputError, match="k must be an integer"):
        result.hubs(-1)
    once = skerry.connected_components(iter([([0], [1])]))
    with pytest.raises(skerry.UnsupportedError):
        once.hubs()
