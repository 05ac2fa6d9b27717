"""Days of clusters that change, and the rule of their names written as plainly as possible."""

from __future__ import annotations

import pickle
import random
from dataclasses import dataclass, field

import pyarrow as pa

import skerry


@dataclass
class Book:
    """The names of all clusters so far."""

    name_of: dict = field(default_factory=dict)  # of every record
    first_day: dict = field(default_factory=dict)  # of every name
    used: set = field(default_factory=set)
    day: int = 0
    number: int = 0

    def forget(self):
        """What a table of ids and names does not say."""
        self.first_day = dict.fromkeys(set(self.name_of.values()), 0)
        self.used = set(self.first_day)
        self.day = self.number = 0

    def begin(self, clusters, name):
        for cluster in clusters:
            self.name_of |= dict.fromkeys(cluster, name(cluster))
        self.forget()

    def turn(self, clusters):
        """Names the clusters of the next day by the rule, pair by pair."""
        self.day += 1
        old = {}
        for record, name in self.name_of.items():
            old.setdefault(name, set()).add(record)
        pairs = []
        for name, members in old.items():
            for cluster in clusters:
                shared = len(members & cluster)
                if shared:
                    pairs.append((-shared, self.first_day[name], name, min(cluster), cluster))
        names, gone = {}, set()
        for _, _, name, first, _ in sorted(pairs, key=lambda pair: pair[:4]):
            if name not in gone and first not in names:
                names[first] = name
                gone.add(name)
        new = sorted((c for c in clusters if min(c) not in names), key=min)
        numbers = all(isinstance(name, int) for name in old) and old
        self._name_new(new, names, bool(numbers))
        days = {n: self.first_day.get(n, self.day) for n in names.values()}
        self.name_of = {record: names[min(c)] for c in clusters for record in c}
        self.first_day = days
        self.used |= set(days)

    def _name_new(self, new, names, numbers):
        if numbers:
            self.number = max([self.number, 0, *(name + 1 for name in self.used)])
            for cluster in new:
                names[min(cluster)] = self.number
                self.number += 1
            return
        taken = [c for c in new if str(min(c)) in self.used]
        names |= {min(c): str(min(c)) for c in new if c not in taken}
        known = self.used | set(names.values())
        self.number = max(self.number, 2)
        for cluster in taken:
            while f"{min(cluster)}-{self.number}" in known:
                self.number += 1
            names[min(cluster)] = f"{min(cluster)}-{self.number}"
            known.add(names[min(cluster)])
            self.number += 1


def partition(pairs):
    """The clusters of pairs, by the textbook."""
    clusters = []
    for pair in pairs:
        joined = set(pair).union(*(c for c in clusters if c & set(pair)))
        clusters = [c for c in clusters if not c & joined] + [joined]
    return clusters


def random_days(seed, *, grows=False):
    """Lists of pairs of records 0..9, one for each of a few days; with grows, none goes away."""
    draw = random.Random(seed)
    pairs = [(draw.randrange(10), draw.randrange(10)) for _ in range(draw.randrange(1, 12))]
    for _ in range(draw.randrange(2, 6)):
        yield list(pairs)
        if not grows:
            pairs = [pair for pair in pairs if draw.random() < 0.7] or pairs[:1]
        pairs += [(draw.randrange(10), draw.randrange(10)) for _ in range(draw.randrange(1, 5))]
    yield pairs


def text(record):
    return f"r{record}"


def table_of(pairs, as_id):
    src, dst = ([as_id(pair[i]) for pair in pairs] for i in (0, 1))
    return pa.table({"src": src, "dst": dst})


def solve(pairs, as_id, **options):
    return skerry.connected_components(table_of(pairs, as_id), **options)


def named(result):
    columns = result.table().to_pydict()
    return dict(zip(columns["id"], columns["component"], strict=True))


def kept(result, how, folder):
    """The answer as it is kept until the next day; whether that is all that it knows."""
    if how in ("parquet", "arrow", "csv"):
        path = folder / f"day.{how}"
        result.write(path)
        return str(path), how != "csv"
    forms = {
        "result": lambda: (result, True),
        "pickle": lambda: (pickle.loads(pickle.dumps(result)), True),
        "table": lambda: (result.table(), True),
        "plain": lambda: (result.table().replace_schema_metadata(None), False),
    }
    return forms[how]()


WAYS = ("result", "pickle", "table", "plain", "parquet", "arrow", "csv")


def run_history(seed, folder, ways=WAYS, solve_day=None):
    """Solves each day, and compares the names with the rule; by default dense labels, too."""
    draw = random.Random(-seed)
    as_id, dense = draw.choice([text, int]), draw.random() < 0.3 and solve_day is None
    book, result = Book(), None
    for pairs in random_days(seed):
        clusters = [{as_id(record) for record in c} for c in partition(pairs)]
        today = (solve_day or solve)(pairs, as_id, **({"labels": "dense"} if dense else {}))
        if result is None:
            order = sorted(map(min, clusters))
            book.begin(clusters, lambda c: order.index(min(c)) if dense else min(c))  # noqa: B023
        else:
            previous, all_is_known = kept(result, draw.choice(ways), folder)
            if not all_is_known:
                book.forget()
            book.turn(clusters)
            today = today.named_after(previous)
        assert named(today) == book.name_of, seed
        result = today
