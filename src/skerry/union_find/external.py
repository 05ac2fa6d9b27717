"""The face of `UnionFind` for external ids: any ids, of which those that occur are the vertices.

Ids get numbers as they come, and a forest joins the numbers. The representative of a set is its
smallest id all the same: for every root, the number of the smallest id of its tree is kept. Single
ids keep it up to date; after a batch of arrays it is found again when somebody asks, by a sort of
the ids (if there are new ones) and a pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, Self, Unpack

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.errors import InputError, UnsupportedError
from skerry.graph.edge_source import length
from skerry.graph.vertex_ids import uneven
from skerry.ids.id_space import IdSpace
from skerry.ids.numbering import Numbers
from skerry.ids.ranks import ranks_of
from skerry.keywords import TableKeywords
from skerry.result.links import ForestEdges
from skerry.union_find.added_tables import is_table
from skerry.union_find.explained import checked_weight
from skerry.union_find.forest import EDGES_FROM, Forest
from skerry.union_find.id_arguments import (
    as_table_column,
    copied_ids,
    id_columns,
    is_many,
    is_plain,
    plain,
    rows,
    takes_list,
)
from skerry.union_find.object_ids import ObjectIds, column_of, kind_of
from skerry.union_find.recording_forest import RecordingForest, recorded_of
from skerry.union_find.smallest_ids import SmallestIds
from skerry.union_find.table_ids import TableIds, unknown_error
from skerry.union_find.union_find import Pairs, UnionFind

NOTHING = np.empty(0, np.uint32)


class Kept(NamedTuple):
    """The labels, and the state that they belong to."""

    state: tuple[Any, int]
    labels: npt.NDArray[Any]


class ExternalUnionFind(UnionFind):
    """`UnionFind` of external ids; its methods are described there."""

    __slots__ = ("_canonical", "_smallest")
    _public = UnionFind
    _id_kind = "external"

    def _take(self, forest: Forest) -> None:
        self._sets: ObjectIds | TableIds = ObjectIds(forest)
        self._smallest = SmallestIds(self._sets, NOTHING)
        self._canonical: Kept | None = None

    @property
    def _forest(self) -> Forest:
        return self._sets.forest

    def _settle(self) -> None:
        self._forest.settle()
        self._sets.settle()

    def _start(self, ids: Any, labels: npt.NDArray[Any]) -> None:
        numbers = self._number_all(ids, len(labels))
        if len(labels):
            self._forest.join(numbers, numbers[labels], self._forest.team(len(labels)))

    def _number_all(self, ids: Any, count: int) -> Numbers:
        """Numbers the ids of an object that is new."""
        if not count and not length(ids):
            return NOTHING  # no ids, and no kind: any may follow
        known = self._sets
        if isinstance(known, ObjectIds) and takes_list(ids):
            known.number_list(ids)
            numbers: Numbers = np.arange(len(ids), dtype=np.uint32)
        else:
            table = TableIds(self._forest)
            numbers = table.number_ascending(as_table_column(ids))
            self._sets = table
        if self._sets.size != count or len(numbers) != count:
            raise InputError(
                f"{count:,} labels for {self._sets.size:,} different ids: one for each"
            )
        self._forest.grow(count)
        return numbers

    def _table(self) -> TableIds:
        """The table of the ids; or one of those of the dict so far, to take its place."""
        ids = self._sets
        if isinstance(ids, TableIds):
            return ids
        old = ids.forest
        table = TableIds(type(old)(0, old.threads, old.dtype))
        numbers: Numbers = NOTHING
        if ids.size:
            numbers = table.number(column_of(ids.values))
            table.forest.grow(table.size)
        if isinstance(old, RecordingForest):
            table.forest = old.renumbered(numbers, table.size)
        elif ids.size:
            table.forest.join(numbers, numbers[old.labels()], old.team(ids.size))
        return table

    # What changes it

    def union(
        self, src: Any, dst: Any = None, *, weight: Any = None, **options: Unpack[TableKeywords]
    ) -> int:
        """See `UnionFind.union`."""
        recording = self._recording
        if is_plain(src) and is_plain(dst) and not (recording or options) and weight is None:
            return self._change(self._join_ids, src, dst)
        if is_table(self.union, src, dst, options):
            return super().union(src, weight=weight, **options)
        if not is_many(src) and not is_many(dst):
            weight = checked_weight(weight, None, recording)
            return self._change(self._join_ids, plain(src), plain(dst), weight)
        if not is_many(src) or not is_many(dst):
            raise InputError("one of src and dst holds many ids, the other a single one")
        sources, targets = id_columns(src), id_columns(dst)
        if length(sources) != length(targets):
            raise uneven(length(sources), length(targets))
        weight = checked_weight(weight, length(sources), recording)
        return self._change(self._join_columns, sources, targets, weight)

    def _join_columns(self, src: Any, dst: Any, weight: Any = None) -> int:
        if not length(src):
            return 0
        ids = self._dict_for(src, dst)
        if ids is not None:
            return self._join_lists(ids, src, dst, weight)
        table = self._table()
        sources, targets = table.number_columns(src=src, dst=dst)
        merges = table.forest.add_edges(sources, targets, weight, table.size)
        self._sets = table
        return merges

    def _join_lists(self, ids: ObjectIds, src: list[Any], dst: list[Any], weight: Any) -> int:
        """Joins short lists of ids; the smallest ids of sets are kept up to date."""
        forest, smallest = ids.forest, self._smallest
        known = smallest.is_of(ids)
        numbers = ids.number_list(src + dst)
        roots = set(map(forest.root, numbers))
        sources, targets = np.array(numbers, np.uint32).reshape(2, -1)
        merges = forest.add_edges(sources, targets, weight, ids.size)
        if known:
            for old in roots:
                smallest.hook(old, forest.root(old))
            smallest.version = forest.version
        return merges

    def _dict_for(self, *columns: Any) -> ObjectIds | None:
        """The dict, if it numbers these: while there is no table, or no pyarrow for one."""
        ids = self._sets
        return ids if isinstance(ids, ObjectIds) and all(map(takes_list, columns)) else None

    def _join_ids(self, u: Any, v: Any, weight: Any = None) -> int:
        ids, forest = self._sets, self._sets.forest
        first = second = None
        size = forest.size
        if type(u) is type(v) is ids.kind:  # the usual case, without a check of what is known
            first, second = ids.numbers.get(u), ids.numbers.get(v)
        if first is None or second is None:
            ids = self._fitting(u, v)
            forest = ids.forest
            first, second = ids.number_pair(u, v)
            size = ids.size
        if isinstance(forest, RecordingForest):
            merges = forest.add_edge(first, second, weight, size)
            self._sets = ids
            return merges
        reader, smallest = forest.reader, self._smallest
        a, b = reader.root(first), reader.root(second)
        if a == b and size == reader.size:
            return 0
        known = smallest.is_of(ids)
        forest.reserve(size)
        merges = reader.unite(a, b, size)
        self._sets = ids
        if known:
            if merges:
                smallest.hook(max(a, b), min(a, b))
            smallest.version = reader.version
        return merges

    def _fitting(self, *values: Any) -> ObjectIds | TableIds:
        """The ids; a table where there come ids that a dict does not take: dates, bytes, UUIDs."""
        if isinstance(self._sets, ObjectIds):
            for value in values:
                if kind_of(value) is None and not isinstance(value, float) and value is not None:
                    return self._table()
        return self._sets

    def _recorded_edges(self, forest: RecordingForest) -> ForestEdges:
        ranks, edges = ranks_of(self._sets.order()), forest.edges()
        return edges._replace(source=ranks[edges.source], target=ranks[edges.target])

    def _copied_edges(self, src: Any, dst: Any) -> Pairs:
        return Pairs(copied_ids(src, "src"), copied_ids(dst, "dst"))

    def _join_and_contract(self, batches: list[Pairs]) -> list[Pairs]:
        """As for vertex numbers; an id that is new in a batch is joined with itself too."""
        self._sets = table = self._table()
        forest = table.forest
        added = []
        for batch in batches:
            before = table.size
            src: Numbers = NOTHING
            dst: Numbers = NOTHING  # which is of no kind, even where its column has one
            if length(batch.src):
                src, dst = (table.number(as_table_column(column)) for column in batch)
            forest.grow(table.size)
            roots = np.unique(forest.find(np.concatenate([src, dst])))
            forest.join(src, dst, forest.team(len(src), EDGES_FROM))
            after = forest.find(roots)
            merged = roots != after
            new = np.arange(before, table.size)
            added.append([np.concatenate([ends, new]) for ends in (roots[merged], after[merged])])
        return [Pairs(*map(table.take, pair)) for pair in added]  # one sort for all of them

    def add(self, ids: Any) -> int:
        """See `UnionFind.add`."""
        if is_many(ids):
            column = id_columns(ids)
            return self._change(self._add_column, column)
        return self._change(self._add_one, plain(ids))

    def _add_column(self, column: Any) -> int:
        if not length(column):
            return 0
        ids = self._dict_for(column)
        if ids is not None:
            ids.number_list(column)
            return self._admit(ids)
        table = self._table()
        table.number_columns(ids=column)
        return self._admit(table)

    def _add_one(self, value: Any) -> int:
        ids = self._fitting(value)
        ids.number_pair(value, value)
        return self._admit(ids)

    def _admit(self, ids: ObjectIds | TableIds) -> int:
        """Makes all ids so far belong to the sets, new ones alone; returns how many are new."""
        smallest, before = self._smallest, ids.forest.size
        known = smallest.is_of(ids)
        ids.forest.grow(ids.size)
        self._sets = ids
        if known:
            smallest.version = ids.forest.version
        return ids.size - before

    def grow(self, num_vertices: int) -> int:
        """Refused: see `UnionFind.grow`."""
        del num_vertices
        raise UnsupportedError("grow() is for vertex numbers; add(ids) adds external ids")

    def _merge(self, other: Self) -> int:
        if self._recording:
            return self._merge_recorded(other, recorded_of(other._forest))
        ids = other._sets
        if isinstance(ids, ObjectIds):
            roots = other._forest.labels().tolist()
            return self._join_columns(ids.values, [ids.values[root] for root in roots])
        space = ids.space()
        return self._join_columns(space.columns, space.take(other._labels()))

    def _merge_recorded(self, other: Self, recorded: RecordingForest) -> int:
        if not recorded.size:
            return 0
        edges, table = other._recorded_edges(recorded), self._table()
        (numbers,) = table.number_columns(ids=other._space().columns)
        ends = edges._replace(source=numbers[edges.source], target=numbers[edges.target])
        merges = recorded_of(table.forest).record_merged(recorded, ends, table.size)
        self._sets = table
        return merges

    # What asks it

    def find(self, v: Any) -> Any:
        """See `UnionFind.find`."""
        if not is_plain(v) and is_many(v):
            return self._call(self._find_column, id_columns(v))
        return self._call(self._find_id, plain(v))

    def _find_id(self, value: Any) -> Any:
        smallest = self._settled()
        number = self._number(value)
        return self._sets.value(smallest.of(self._forest.root(number)))

    def _number(self, value: Any) -> int:
        number = self._sets.find_one(value)
        if number < 0:
            raise unknown_error(value)
        return number

    def _find_column(self, column: Any) -> Any:
        smallest = self._settled().of_many(self._forest.find(self._numbers(column)))
        return self._sets.take(smallest)

    def _numbers(self, column: Any) -> Numbers:
        """The number of each id of a column; an error names one that was never added."""
        if isinstance(self._sets, TableIds):
            return self._sets.find(as_table_column(column))
        values = column if isinstance(column, list) else rows(column)
        return np.array([self._number(value) for value in values], np.uint32)

    def connected(self, u: Any, v: Any) -> Any:
        """See `UnionFind.connected`."""
        ids = self._sets  # with its forest: nothing is locked
        if type(u) is type(v) is ids.kind:
            known = ids.forest.reader.connected(ids.numbers.get(u), ids.numbers.get(v))
            if known is not None:
                return known
        many = is_many(u), is_many(v)
        if any(many):
            ends = (id_columns(end) if many[i] else [plain(end)] for i, end in enumerate((u, v)))
            return self._compare(*ends)
        first, second = ids.find_one(plain(u)), ids.find_one(plain(v))
        known = ids.forest.reader.connected(first, second)
        return self._call(self._same_root, u, v) if known is None else known

    def _same_root(self, u: Any, v: Any) -> bool:
        first, second = self._number(plain(u)), self._number(plain(v))
        return self._forest.root(first) == self._forest.root(second)

    def _find_both(self, u: Any, v: Any) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        return self._forest.find(self._numbers(u)), self._forest.find(self._numbers(v))

    def _known_labels(self) -> npt.NDArray[Any] | None:
        kept = self._canonical
        return kept.labels if kept is not None and kept.state == self._state_of() else None

    def _labels(self) -> npt.NDArray[Any]:
        known, state = self._known_labels(), self._state_of()
        if known is not None:
            return known
        order = self._sets.order()
        roots = self._forest.labels()[order]
        labels = roots.copy()
        _native.make_canonical(labels, self._forest.team(len(labels)))
        if not self._smallest.is_of(self._sets):
            base = np.empty(len(order), order.dtype)
            base[roots] = order[labels]
            self._smallest = SmallestIds(self._sets, base)
        labels.setflags(write=False)
        self._canonical = Kept(state, labels)
        return labels

    def _settled(self) -> SmallestIds:
        """The smallest id of every set."""
        if not self._smallest.is_of(self._sets):
            self._canonical = None
            self._labels()
        return self._smallest

    def _space(self) -> IdSpace:
        return self._sets.space()

    def _labeled_objects(self) -> tuple[npt.NDArray[Any], list[Any]]:
        return self._labels(), self._sets.objects()

    @property
    def nbytes(self) -> int:
        """See `UnionFind.nbytes`."""
        return self._forest.nbytes + self._sets.nbytes

    def __iter__(self) -> Iterator[Any]:
        return iter(self._call(self._sets.objects))

    def __contains__(self, id: Any) -> bool:
        ids = self._sets  # those of a call that is under way have numbers, but are no vertices
        try:
            return not is_many(id) and 0 <= ids.find_one(plain(id)) < ids.forest.size
        except (InputError, UnsupportedError):  # of another kind than these
            return False

    def __repr__(self) -> str:
        return f"UnionFind({self._forest.size:,} external ids)"

    def _state(self) -> tuple[Any, npt.NDArray[Any]]:
        ids = self._sets
        return ids.space().columns if isinstance(ids, TableIds) else ids.objects(), self._labels()
