"""`IntegerSets`: a union-find class as Python programs have it, which joins pairs in batches."""

from __future__ import annotations

import pickle
import random

import pytest

from skerry import integer_sets
from skerry.data_juicer import UnionFind as ForDataJuicer
from skerry.integer_sets import IntegerSets
from skerry.text_dedup import UnionFind as ForTextDedup


class Plain:
    """The smallest member of each set, kept by hand."""

    def __init__(self):
        self.names = {}

    def union(self, x, y):
        smaller, larger = sorted((self.find(x), self.find(y)))
        self.names = {key: smaller if name == larger else name for key, name in self.names.items()}

    def find(self, x):
        return self.names.setdefault(x, x)


@pytest.mark.parametrize("asks", [0, 0.05, 0.5])
@pytest.mark.parametrize("pending", [4, 1 << 22])
def test_sets_are_those_of_a_plain_union_find(asks, pending, monkeypatch):
    monkeypatch.setattr(integer_sets, "PENDING", pending)
    dice = random.Random(1)
    sets, plain = IntegerSets(), Plain()
    for _ in range(300):
        x, y = dice.randrange(-200, 200), dice.randrange(-200, 200)
        if dice.random() < asks:
            assert sets.find(x) == plain.find(x)
        sets.union(x, y)
        plain.union(x, y)
    assert sets.parent == plain.names
    again = pickle.loads(pickle.dumps(sets))
    again.union(1000, 1001)
    assert again.find(1001) == 1000 and again.parent.items() >= plain.names.items()


def test_an_integer_that_is_asked_for_is_a_set():
    sets = IntegerSets()
    assert sets.parent == {} and sets.find(7) == 7 and sets.parent == {7: 7}
    sets.reset()
    assert sets.parent == {}


def test_what_is_no_integer_of_64_bits_is_refused():
    with pytest.raises(TypeError):
        IntegerSets().union("a", "b")
    with pytest.raises(OverflowError):
        IntegerSets().union(2**63, 1)


def test_the_classes_of_other_libraries_have_their_members():
    sets = ForTextDedup()
    for pair in ((4, 2), (3, 4), (9, 8)):
        sets.union(*pair)
    assert sets.get_clusters() == {2: 2, 3: 2, 4: 2, 8: 8, 9: 8}
    assert sets.rank == {2: 1, 3: 0, 4: 0, 8: 1, 9: 0}
    juicer = ForDataJuicer()
    juicer.union(5, 4)
    assert juicer.find(5) == 4 and juicer.parent == {4: 4, 5: 4}


@pytest.mark.parametrize("wrong", ["a", 2**63, None, 1.5])
def test_what_is_refused_leaves_no_trace(wrong):
    sets = IntegerSets()
    sets.union(1, 2)
    for refused in (
        lambda: sets.union(3, wrong),
        lambda: sets.union(wrong, 3),
        lambda: sets.find(wrong),
    ):
        with pytest.raises((TypeError, OverflowError)):
            refused()
    sets.union(4, 2)
    assert sets.parent == {1: 1, 2: 1, 4: 1}
