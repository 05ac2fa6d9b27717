"""One set of edges, the right partition of it, and the checks of an answer against that.

Every form is compared with one partition under one mapping from ids to vertex numbers, so any two
forms agree with each other.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Any
from uuid import UUID

import numpy as np

PAIRS = (
    *((7, 2), (2, 11), (11, 7), (7, 2), (2, 7)),  # a cycle, an edge of it three times
    *((11, 15), (15, 0), (16, 15), (16, 17), (17, 0)),  # a bridge to another cycle
    *((3, 9), (14, 9), (3, 1)),  # a tree
    *((5, 4), (4, 5)),  # both directions
    *((8, 8), (10, 10), (10, 10)),  # loops
    *((12, 13), (18, 13), (13, 6), (18, 6), (19, 19), (19, 18)),
)
"""Edges of vertices 0..COUNT-1, each of which has one, in an order that is not theirs."""
COUNT = 20

EPOCH, MICROSECOND = datetime(1970, 1, 1), timedelta(microseconds=1)


def partition(pairs: Iterable[tuple[Hashable, Hashable]]) -> frozenset[frozenset[Hashable]]:
    """The sets of ids that edges join, by a union-find in plain Python."""
    parent: dict[Hashable, Hashable] = {}

    def root(id: Hashable) -> Hashable:
        while parent.setdefault(id, id) != id:
            id = parent[id]
        return id

    for u, v in pairs:
        parent[root(u)] = root(v)
    members: dict[Hashable, set[Hashable]] = {}
    for id in parent:
        members.setdefault(root(id), set()).add(id)
    return frozenset(map(frozenset, members.values()))


@cache
def bridges() -> frozenset[frozenset[int]]:
    """The links whose removal splits a component, by removing each."""
    links = {frozenset(pair) for pair in PAIRS}
    loops = [(v, v) for v in range(COUNT)]

    def count(links: Iterable[frozenset[int]]) -> int:
        return len(partition([*loops, *((min(link), max(link)) for link in links)]))

    return frozenset(link for link in links if count(links - {link}) > count(links))


def plain(value: Any) -> Any:
    """A value that is equal for all that libraries call one id, and only for these."""
    if hasattr(value, "as_py"):
        value = value.as_py()
    if isinstance(value, np.datetime64 | np.timedelta64):
        days = np.datetime_data(value.dtype)[0] == "D" and isinstance(value, np.datetime64)
        ticks = int(value.astype(f"{value.dtype.kind}8[{'D' if days else 'ns'}]").astype(np.int64))
        return ("date" if days else value.dtype.kind, ticks)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, datetime):
        nanoseconds = getattr(value, "nanosecond", 0)
        value = value.to_pydatetime(warn=False) if hasattr(value, "to_pydatetime") else value
        kind = "M" if value.tzinfo is None else "instant"
        if value.tzinfo is not None:
            value = value.astimezone(UTC).replace(tzinfo=None)
        return (kind, (value - EPOCH) // MICROSECOND * 1000 + nanoseconds)
    if isinstance(value, date):
        return ("date", value.toordinal() - EPOCH.toordinal())
    if isinstance(value, timedelta):
        whole = timedelta(value.days, value.seconds, value.microseconds)
        return ("m", whole // MICROSECOND * 1000 + getattr(value, "nanoseconds", 0))
    if isinstance(value, UUID):
        return value.bytes
    if isinstance(value, dict):
        value = tuple(value.values())
    return tuple(map(plain, value)) if isinstance(value, tuple | list) else value


def rows(column: Any) -> list[Any]:
    """The ids of a column of a result."""
    if isinstance(column, tuple):
        return list(zip(*map(rows, column), strict=True))
    return [plain(value) for value in column]


class Vertices:
    """The numbers 0..COUNT-1 under the ids of one kind."""

    def __init__(self, ids: Iterable[Any]) -> None:
        self.ids = list(map(plain, ids))
        self.number = {id: number for number, id in enumerate(self.ids)}
        assert len(self.number) == COUNT, "the ids of a kind must differ"

    def numbers(self, ids: Any) -> list[int]:
        """The numbers of ids of a result; an id that nobody gave is a KeyError."""
        return [self.number[id] for id in rows(ids)]


RIGHT = partition(PAIRS)


def check(result: Any, vertices: Vertices, repeatable: bool = True) -> None:
    """Labels, ids, groups, table, questions and verification of one result."""
    ids = range(result.num_vertices) if result.ids is None else result.ids
    numbers = vertices.numbers(ids)
    assert sorted(numbers) == list(range(COUNT)), "an id occurs twice"
    labels = result.labels.tolist()
    assert partition((numbers[i], numbers[label]) for i, label in enumerate(labels)) == RIGHT
    assert all(label <= i and labels[label] == label for i, label in enumerate(labels))
    groups = [frozenset(vertices.numbers(group)) for group in result.groups()]
    assert frozenset(groups) == RIGHT
    assert (len(groups), result.count) == (len(RIGHT), len(RIGHT))
    assert sorted(result.sizes().tolist()) == sorted(map(len, RIGHT))
    check_table(result, vertices, [numbers[label] for label in labels])
    check_questions(result, vertices)
    if repeatable:
        assert result.verify(), result.verify()


def check_table(result: Any, vertices: Vertices, right: list[int]) -> None:
    columns = list(result.columns().values())
    half = len(columns) // 2
    ends = (part[0] if half == 1 else tuple(part) for part in (columns[:half], columns[half:]))
    ids, components = map(vertices.numbers, ends)
    assert sorted(ids) == list(range(COUNT))
    assert components == right


def check_questions(result: Any, vertices: Vertices) -> None:
    """Asks about every vertex by its id as the result gives it."""
    group = {number: group for group in RIGHT for number in group}
    lookup = np.arange(COUNT) if result.ids is None else result.ids
    numbers = vertices.numbers(lookup)
    expected = [group[number] is group[numbers[-1]] for number in numbers]
    assert result.connected(lookup, at(result, COUNT - 1)).tolist() == expected
    components = vertices.numbers(result.component_of(lookup))
    assert [group[number] for number in components] == [group[number] for number in numbers]


def check_edges(result: Any, vertices: Vertices, keeps: str) -> None:
    """The edges that an answer names, with their rows ("rows") or directions ("ends") if kept."""

    def kept(source: int, target: int, row: int) -> bool:
        if keeps == "rows":
            return PAIRS[row] == (source, target)
        both = {(source, target)} if keeps == "ends" else {(source, target), (target, source)}
        return source == target or not both.isdisjoint(PAIRS)  # a loop may name a vertex

    forest = result.spanning_forest()
    columns = list(zip(*map(vertices.numbers, (forest.source, forest.target)), strict=True))
    assert all(map(kept, *zip(*columns, strict=True), forest.row.tolist())), columns
    assert len(columns) == COUNT - len(RIGHT)
    assert partition([*columns, *((v, v) for v in range(COUNT))]) == RIGHT
    found = [(*vertices.numbers([b.source, b.target]), b.row) for b in result.bridges()]
    assert all(kept(*bridge) for bridge in found), found
    assert len(found) == len(bridges())
    assert {frozenset(bridge[:2]) for bridge in found} == bridges()
    for label in {int(result.labels[0]), int(result.labels[-1])}:
        part = result.subgraph(result.component_of(at(result, label)))
        numbers = vertices.numbers(part.ids)
        edges = [(numbers[u], numbers[v]) for u, v in zip(part.src, part.dst, strict=True)]
        assert all(kept(*edge, row) for edge, row in zip(edges, part.rows.tolist(), strict=True))
        inside = {frozenset(pair) for pair in PAIRS if pair[0] in numbers}
        links, right = (
            {e for e in ends if len(e) == 2} for ends in (map(frozenset, edges), inside)
        )
        assert links == right


def at(result: Any, position: int) -> Any:
    """The id at a position, as a caller would give it."""
    if result.ids is None:
        return position
    if isinstance(result.ids, tuple):
        return tuple(column[position] for column in result.ids)
    return result.ids[position]
