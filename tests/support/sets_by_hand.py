"""Sets by hand, what is asked of `UnionFind` and `SlidingWindow`, and random changes of both."""

from __future__ import annotations

import copy
import datetime as dt
import pickle
import random
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pytest

import skerry
from support.interruptions import Interruption, failing_allocation

OPERATIONS = 8

LETTERS = [f"n{v:02}" for v in range(14)] + ["x" * 40]
NUMBERS = [v * 2**33 - 2**34 for v in range(14)]
DATES = [dt.date(2026, 1, 1 + v) for v in range(14)]
PAIRS = [(letter, v % 3) for v, letter in enumerate("abcdabcdabcd")]


@dataclass
class Model:
    """Sets by hand; for a window, its batches."""

    vertices: bool
    batches: list = field(default_factory=list)
    ids: set = field(default_factory=set)
    limit: int | None = None

    def copy(self):
        return Model(self.vertices, list(self.batches), set(self.ids), self.limit)

    def push(self, pairs):
        self.batches.append(list(pairs))
        ends = {end for pair in pairs for end in pair}
        if self.vertices:
            ends = set(range(max(ends, default=-1) + 1))
        self.ids |= ends
        if self.limit is not None and len(self.batches) > self.limit:
            self.pop()
        elif self.limit is not None:
            self.forget()

    def pop(self):
        self.batches.pop(0)
        self.forget()

    def forget(self):
        """External ids leave a window with their last edge."""
        if not self.vertices:
            self.ids = {end for batch in self.batches for pair in batch for end in pair}

    def sets(self):
        set_of = {id: {id} for id in self.ids}
        rows, row = [], 0
        for batch in self.batches:
            for u, v in batch:
                if set_of[u] is not set_of[v]:
                    both = set_of[u] | set_of[v]
                    set_of.update(dict.fromkeys(both, both))
                    rows.append(row)
                row += 1
        return set_of, rows

    def observed(self):
        set_of, rows = self.sets()
        ids = sorted(set_of)
        position = {id: i for i, id in enumerate(ids)}
        smallest = [min(set_of[id]) for id in ids]
        return {
            "ids": ids,
            "labels": [position[id] for id in smallest],
            "count": len(set(smallest)),
            "find": smallest,
            "rows": rows,
        }


def objects(ids):
    if isinstance(ids, tuple):
        return list(zip(*map(objects, ids), strict=True))
    return ids.tolist() if isinstance(ids, np.ndarray) else ids.to_pylist()


def observed(sets, universe, forest):
    """All answers, which must agree with one another."""
    window = isinstance(sets, skerry.SlidingWindow)
    size = sets.num_vertices if window else len(sets)
    ids = list(range(size)) if sets.ids is None else objects(sets.ids)
    labels, count = sets.labels.tolist(), sets.count
    assert len(ids) == size == len(labels) == int(sets.sizes().sum())
    find = [sets.find(id) for id in ids]
    assert [ids[label] for label in labels] == find
    if not window:
        assert list(sets) == ids
        assert [id in sets for id in universe] == [id in set(ids) for id in universe]
        assert [min(members) for members in sets.to_sets()] == list(dict.fromkeys(find))
    for u, v in zip(ids, ids[::-1], strict=True):
        assert sets.connected(u, v) == (find[ids.index(u)] == find[ids.index(v)])
    if ids and not window:
        column = ids if isinstance(ids[0], tuple) else np.array(ids)
        assert sets.connected(column, column).all()
    rows = sets.spanning_forest().row.tolist() if forest else []
    return {"ids": ids, "labels": labels, "count": count, "find": find, "rows": rows}


def matches(seen, model, forest):
    wanted = model.observed()
    return seen == wanted if forest else {**seen, "rows": 0} == {**wanted, "rows": 0}


@dataclass
class Kind:
    """A class, and how ids are handed to it."""

    name: str
    ids: list
    forms: tuple
    forest: bool = False
    window: bool = False

    @property
    def vertices(self):
        return self.ids is VERTICES

    def make(self):
        ids = "vertices" if self.vertices else "external"
        if self.window:
            return skerry.SlidingWindow(3, ids=ids)
        return skerry.UnionFind(ids=ids, forest=self.forest)

    def column(self, values, form):
        if self.ids is PAIRS and form != "list":
            parts = list(zip(*values, strict=True)) if values else [(), ()]
            return pa.array(parts[0], pa.string()), np.array(parts[1], np.int64)
        if form == "list":
            return list(values)
        if form == "array":
            return np.array(values, np.int64 if self.vertices or self.ids is NUMBERS else object)
        kind = {type(LETTERS[0]): pa.string(), dt.date: pa.date32()}.get(type(self.ids[0]))
        return pa.array(values, kind or pa.int64())


VERTICES = list(range(20))
KINDS = [
    Kind("vertices", VERTICES, ("single", "list", "array")),
    Kind("vertices, recorded", VERTICES, ("single", "array"), forest=True),
    Kind("text", LETTERS, ("single", "list", "arrow")),
    Kind("text, recorded", LETTERS, ("single", "list", "arrow"), forest=True),
    Kind("wide integers", NUMBERS, ("single", "list", "array", "arrow")),
    Kind("wide integers, recorded", NUMBERS, ("single", "array"), forest=True),
    Kind("dates", DATES, ("single", "arrow")),
    Kind("pairs", PAIRS, ("single", "list", "columns")),
    Kind("window of vertices", VERTICES, ("array",), window=True),
    Kind("window of text", LETTERS, ("list", "arrow"), window=True),
]


def operation(kind, model, dice):
    """A random change: a call, and what it makes of the model."""
    pairs = [tuple(dice.choices(kind.ids, k=2)) for _ in range(dice.choice((0, 1, 2, 5)))]
    form = dice.choice(kind.forms)
    after = model.copy()
    what = dice.random()
    if kind.window:
        if what < 0.2 and model.batches:
            after.pop()
            return lambda sets: sets.pop(), after
        after.push(pairs)
        ends = [kind.column([pair[end] for pair in pairs], form) for end in (0, 1)]
        return lambda sets: sets.push(*ends), after
    if form == "single":
        u, v = dice.choices(kind.ids, k=2)
        if what < 0.3:
            after.ids |= set(range(u + 1)) if kind.vertices else {u}
            return lambda sets: sets.add(u), after
        after.push([(u, v)])
        return lambda sets: sets.union(u, v), after
    if what < 0.3:
        other = kind.make()
        if pairs:
            other.union(*(kind.column([pair[end] for pair in pairs], form) for end in (0, 1)))
        after.push(pairs)
        return lambda sets: sets.merge(other), after
    after.push(pairs)
    ends = [kind.column([pair[end] for pair in pairs], form) for end in (0, 1)]
    return lambda sets: sets.union(*ends), after


def refused(kind, dice):
    """A call that must change nothing."""
    good = dice.choices(kind.ids, k=2)
    if kind.vertices:
        bad = [([good[0], -1], [30, 1]), ([40, 41], [1]), ([0.5], [1]), ([45, 2**60], [1, 2])]
    elif kind.ids is PAIRS:
        bad = [([*good], [good[0], "a"]), ([*good], good[:1]), ([("new", 1)], [("new", "x")])]
    else:
        other = [1] if isinstance(good[0], str) else ["other"]
        bad = [
            (pa.array(["new" if other == [1] else 77]), pa.array(other)),
            ([*good], [good[0], None]),
            (["new", "a"], [1, 2]),
            ([*good], good[:1]),
        ]
    return lambda sets: (sets.push if kind.window else sets.union)(*dice.choice(bad))


class History:
    """A random history of one object."""

    def __init__(self, seed, monkeypatch=None):
        self.dice = random.Random(seed)
        self.kind = KINDS[seed % len(KINDS)]
        self.sets = self.kind.make()
        self.model = Model(self.kind.vertices, limit=3 if self.kind.window else None)
        self.monkeypatch = monkeypatch
        self.fates = []

    def run(self):
        for _ in range(OPERATIONS):
            self.step()
            if self.dice.random() < 0.5:
                self.check((self.model,))
        self.check((self.model,))
        self.check_copies()

    def step(self):
        fate = self.dice.choice(("done", "refused", "interrupted", "interrupted", "no memory"))
        self.fates.append(fate)
        if fate == "refused":
            with pytest.raises(skerry.SkerryError):
                refused(self.kind, self.dice)(self.sets)
            return
        call, after = operation(self.kind, self.model, self.dice)
        if fate == "done":
            call(self.sets)
            self.model = after
            return
        try:
            if fate == "interrupted":
                with Interruption(1 + int(self.dice.expovariate(1 / 150))):
                    call(self.sets)
            else:
                with failing_allocation(self.dice.randint(1, 12), self.monkeypatch):
                    call(self.sets)
        except (KeyboardInterrupt, MemoryError):
            self.check((self.model, after))
        else:
            self.model = after

    def check(self, models):
        """It must be as one of these models, which is the one from here on."""
        kind = self.kind
        if self.dice.random() < 0.3 and not kind.window:  # without a lock, and first
            assert len(self.sets) in {len(model.ids) for model in models}
        seen = observed(self.sets, kind.ids, kind.forest)
        for model in models:
            if matches(seen, model, kind.forest):
                self.model = model
                return
        raise AssertionError(
            f"{kind.name}, {self.fates}: {seen}, not {[model.observed() for model in models]}"
        )

    def fail_each(self, failing, step=1):
        """One operation, whose kth call fails for every kth of ``step``, until it was done.

        Behind each the object must be as before or as after the operation. Returns how many failed.
        """
        call, after = operation(self.kind, self.model, self.dice)
        before, at, failed = self.model, 1 + self.dice.randrange(step), 0
        while True:
            try:
                with failing(at):
                    call(self.sets)
            except MemoryError:
                failed += 1
                self.check((before, after))
                if self.model is after:
                    return failed
            else:
                self.model = after
                self.check((after,))
                return failed
            at += step

    def check_copies(self):
        for made in (pickle.loads(pickle.dumps(self.sets)), copy.deepcopy(self.sets)):
            assert matches(
                observed(made, self.kind.ids, self.kind.forest), self.model, self.kind.forest
            )
