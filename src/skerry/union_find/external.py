"""The face of `UnionFind` for external ids: any ids, of which those that occur are the vertices.

Ids get numbers as they come, and a forest joins the numbers. The representative of a set is its
smallest id all the same: for every root, the number of the smallest id of its tree is kept. Single
ids keep it up to date; after a batch of arrays it is found again when somebody asks, by a sort of
the ids (if there are new ones) and a pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

from skerry import _native
from skerry.errors import ArgumentError, InputError, UnsupportedError
from skerry.ids.external import External
from skerry.ids.id_space import IdSpace
from skerry.ids.numbering import Numbers
from skerry.ids.ranks import ranks_of
from skerry.optional import arrow_if_installed
from skerry.result.links import ForestEdges
from skerry.union_find.explained import checked_weight
from skerry.union_find.forest import EDGES_FROM, Forest
from skerry.union_find.id_arguments import (
    as_table_column,
    copied_ids,
    id_columns,
    is_plain,
    plain,
    rows,
)
from skerry.union_find.object_ids import ObjectIds, column_of, kind_of
from skerry.union_find.recording_forest import RecordingForest
from skerry.union_find.smallest_ids import SmallestIds
from skerry.union_find.snapshot import checked_labels
from skerry.union_find.table_ids import TableIds, is_many, length, unknown_error
from skerry.union_find.union_find import Pairs, UnionFind, recorded_of

__all__ = ["ExternalUnionFind"]

TABLE_FROM = 1 << 14  # ids of a list from which a table is faster than a dict

NOTHING = np.empty(0, np.uint32)


class ExternalUnionFind(UnionFind):
    """`UnionFind` of external ids; its methods are described there."""

    __slots__ = ("_canonical", "_ids", "_smallest")

    def __init__(
        self,
        num_vertices: int = 0,
        *,
        ids: Literal["vertices", "external"] = "external",
        threads: int | None = None,
        dtype: npt.DTypeLike | None = None,
        device: str = "cpu",
        forest: bool = False,
    ) -> None:
        if num_vertices:
            raise ArgumentError(
                "num_vertices= is for vertex numbers: external ids are added by add() and union()"
            )
        super().__init__(ids=ids, threads=threads, dtype=dtype, device=device, forest=forest)
        self._ids: ObjectIds | TableIds = ObjectIds(self._forest)
        self._smallest: SmallestIds | None = SmallestIds(NOTHING)
        self._canonical: npt.NDArray[Any] | None = None

    def _start(self, ids: Any, labels: npt.NDArray[Any]) -> None:
        numbers = self._number_all(ids, len(labels))
        if len(labels):
            self._forest.join(numbers, numbers[labels], self._forest.team(len(labels)))

    def _number_all(self, ids: Any, count: int) -> Numbers:
        """Numbers the ids of an object that is new."""
        if not count and not length(ids):
            return NOTHING  # no ids, and no kind: any may follow
        if isinstance(ids, list) and all(kind_of(value) is not None for value in ids):
            self._ids.check(*ids)
            for value in ids:
                self._ids.number_one(value)
            numbers: Numbers = np.arange(len(ids), dtype=np.uint32)
        else:
            self._replace(TableIds(self._forest))
            assert isinstance(self._ids, TableIds)
            numbers = self._ids.number(as_table_column(ids))
        if self._ids.size != count or len(numbers) != count:
            raise InputError(f"{count:,} labels for {self._ids.size:,} different ids: one for each")
        self._forest.grow(count)
        self._smallest = None
        return numbers

    def _replace(self, ids: ObjectIds | TableIds) -> None:
        """Another numbering and its forest; readers without a lock keep the one they have."""
        self._forest, self._reader = ids.forest, ids.forest.reader
        self._ids = ids
        self._smallest, self._canonical = None, None

    def _table(self) -> TableIds:
        """The table of the ids; those of the dict so far are moved there."""
        ids = self._ids
        if isinstance(ids, TableIds):
            return ids
        old = self._forest
        table = TableIds(Forest(0, old.threads, old.dtype))
        numbers: Numbers = NOTHING
        if ids.size:
            numbers = table.number(column_of(ids.values))
            table.forest.grow(table.size)
            if not isinstance(old, RecordingForest):
                table.forest.join(numbers, numbers[old.labels()], old.team(ids.size))
        if isinstance(old, RecordingForest):
            table.forest = old.renumbered(numbers, table.size)
        self._replace(table)
        return table

    # What changes it

    def union(self, src: Any, dst: Any, *, weight: Any = None) -> int:
        """See `UnionFind.union`."""
        recording = self._recording
        if is_plain(src) and is_plain(dst) and not recording and weight is None:
            return self._exclusive.run(self._join_ids, src, dst)
        if not is_many(src) and not is_many(dst):
            weight = checked_weight(weight, None, recording)
            ends = plain(src), plain(dst)
            if recording:
                return self._exclusive.run(self._record_ids, *ends, weight)
            return self._exclusive.run(self._join_ids, *ends)
        if not is_many(src) or not is_many(dst):
            raise InputError("one of src and dst holds many ids, the other a single one")
        sources, targets = id_columns(src), id_columns(dst)
        if length(sources) != length(targets):
            raise InputError(
                f"src has {length(sources):,} ids and dst {length(targets):,}: an edge needs one "
                "of each"
            )
        weight = checked_weight(weight, length(sources), recording)
        return self._exclusive.run(self._join_columns, sources, targets, weight, recording)

    def _join_columns(self, src: Any, dst: Any, weight: Any = None, recording: bool = False) -> int:
        if not length(src):
            return 0
        if recording:
            self._recorder.check_weighted(weight is not None)
        if self._takes_list(src) and self._takes_list(dst):
            self._ids.check(*src, *dst)
            if recording:
                weights = [None] * len(src) if weight is None else weight.tolist()
                return sum(map(self._record_ids, src, dst, weights))
            return sum(self._join_ids(u, v) for u, v in zip(src, dst, strict=True))
        sources, targets = as_table_column(src), as_table_column(dst)
        table = self._table()
        table.check_column(sources, "src")  # before anything is added
        table.check_column(targets, "dst")
        numbers = table.number(sources), table.number(targets)
        before = self._forest.size
        self._forest.grow(table.size)
        if recording:
            merges = self._recorder.record(*numbers, weight)
        else:
            merges = self._forest.join(*numbers, self._forest.team(length(src), EDGES_FROM))
        if merges or table.size > before:
            self._smallest, self._canonical = None, None
        return merges

    @property
    def _recorder(self) -> RecordingForest:
        assert isinstance(self._forest, RecordingForest)
        return self._forest

    def _record_ids(self, u: Any, v: Any, weight: Any) -> int:
        self._recorder.check_weighted(weight is not None)
        joined = self._join_ids(u, v)
        self._recorder.note_pair(self._number(u), self._number(v), weight, joined)
        return joined

    def _recorded_edges(self, forest: RecordingForest) -> ForestEdges:
        ranks, edges = ranks_of(self._ids.order()), forest.edges()
        return edges._replace(source=ranks[edges.source], target=ranks[edges.target])

    def _takes_list(self, column: Any) -> bool:
        """Whether to number a list by the dict: while there is no table, or no pyarrow for one."""
        if not isinstance(column, list) or not isinstance(self._ids, ObjectIds):
            return False
        if any(kind_of(value) is None for value in column):
            return not column or any(value is None for value in column)
        small = len(column) < TABLE_FROM
        return small or (kind_of(column[0]) is not int and arrow_if_installed() is None)

    def _join_ids(self, u: Any, v: Any) -> int:
        ids, forest = self._ids, self._forest
        first = second = None
        if type(u) is type(v) is ids.kind:  # the usual case, without a check of what is known
            first, second = ids.numbers.get(u), ids.numbers.get(v)
        if first is None or second is None:
            if kind_of(u) is None or kind_of(v) is None:
                self._fit(u, v)
                ids, forest = self._ids, self._forest
            first, second = ids.number_pair(u, v)
            size = ids.size
            if size > forest.size:
                forest.grow(size)
                self._canonical = None
        first, second = forest.root(first), forest.root(second)
        if first == second:
            return 0
        smallest = self._smallest
        if smallest is not None:
            a, b = smallest.of(first), smallest.of(second)
            smallest.set(min(first, second), a if ids.value(a) < ids.value(b) else b)
        self._canonical = None
        forest.hook(first, second)
        return 1

    def _fit(self, *values: Any) -> None:
        """Moves to a table where there are ids that a dict does not take: dates, bytes, UUIDs."""
        if isinstance(self._ids, ObjectIds):
            for value in values:
                if kind_of(value) is None and not isinstance(value, float) and value is not None:
                    self._table()
                    return

    def _copied_edges(self, src: Any, dst: Any) -> Pairs:
        return Pairs(copied_ids(src, "src"), copied_ids(dst, "dst"))

    def _join_and_contract(self, batches: list[Pairs]) -> list[Pairs]:
        """As for vertex numbers; an id that is new in a batch is joined with itself too."""
        table = self._table()
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
            added.append(
                [np.concatenate([roots[merged], new]), np.concatenate([after[merged], new])]
            )
        space, ranks = table.space(), table.ranks()  # one sort for all of them
        return [Pairs(*(space.take(ranks[numbers]) for numbers in pair)) for pair in added]

    def add(self, ids: Any) -> int:
        """See `UnionFind.add`."""
        if is_many(ids):
            column = id_columns(ids)
            return self._exclusive.run(self._added, self._join_columns, column)
        return self._exclusive.run(self._added, self._join_ids, plain(ids))

    def _added(self, join: Callable[[Any, Any], int], ids: Any) -> int:
        """Joins ids with themselves; returns how many are new."""
        before = self._ids.size
        join(ids, ids)
        return self._ids.size - before

    def grow(self, num_vertices: int) -> int:
        """Refused: see `UnionFind.grow`."""
        del num_vertices
        raise UnsupportedError("grow() is for vertex numbers; add(ids) adds external ids")

    def _merge(self, other: Self) -> int:
        if self._recording:
            return self._merge_recorded(other, recorded_of(other))
        ids = other._ids
        if isinstance(ids, ObjectIds):
            roots = other._forest.labels().tolist()
            return self._join_columns(ids.values, [ids.values[root] for root in roots])
        space = ids.space()
        return self._join_columns(space.columns, space.take(other._labels()))

    def _merge_recorded(self, other: Self, recorded: RecordingForest) -> int:
        if not recorded.size:
            return 0
        edges, space, table = other._recorded_edges(recorded), other._space(), self._table()
        numbers = table.number(as_table_column(space.columns))
        table.forest.grow(table.size)
        self._smallest, self._canonical = None, None
        ends = edges._replace(source=numbers[edges.source], target=numbers[edges.target])
        return self._recorder.record_merged(recorded, ends)

    # What asks it

    def find(self, v: Any) -> Any:
        """See `UnionFind.find`."""
        if is_plain(v):
            return self._exclusive.run(self._find_id, v)
        if is_many(v):
            return self._exclusive.run(self._find_column, id_columns(v))
        return self._exclusive.run(self._find_id, plain(v))

    def _find_id(self, value: Any) -> Any:
        self._settle()
        number = self._number(value)
        assert self._smallest is not None
        return self._ids.value(self._smallest.of(self._forest.root(number)))

    def _number(self, value: Any) -> int:
        number = self._ids.find_one(value)
        if number < 0:
            raise unknown_error(value)
        return number

    def _find_column(self, column: Any) -> Any:
        self._settle()
        assert self._smallest is not None
        smallest = self._smallest.of_many(self._forest.find(self._numbers(column)))
        if isinstance(self._ids, ObjectIds):
            return column_of([self._ids.value(number) for number in smallest.tolist()])
        return self._ids.space().take(self._ids.ranks()[smallest])

    def _numbers(self, column: Any) -> Numbers:
        """The number of each id of a column; an error names one that was never added."""
        if isinstance(self._ids, TableIds):
            return self._ids.find(as_table_column(column))
        values = column if isinstance(column, list) else rows(column)
        return np.array([self._number(value) for value in values], np.uint32)

    def connected(self, u: Any, v: Any) -> Any:
        """See `UnionFind.connected`."""
        ids = self._ids  # with its forest: nothing is locked
        if type(u) is type(v) is ids.kind:
            known = ids.forest.reader.connected(ids.numbers.get(u), ids.numbers.get(v))
            if known is not None:
                return known
        many = is_many(u), is_many(v)
        if any(many):
            ends = (id_columns(end) if many[i] else [plain(end)] for i, end in enumerate((u, v)))
            return self._exclusive.run(self._compare_columns, *ends)
        first, second = ids.find_one(plain(u)), ids.find_one(plain(v))
        if first < 0 or second < 0:
            raise unknown_error(u if first < 0 else v)
        known = ids.forest.reader.connected(first, second)
        return self._exclusive.run(self._same_root, u, v) if known is None else known

    def _same_root(self, u: Any, v: Any) -> bool:
        first, second = self._number(plain(u)), self._number(plain(v))
        return self._forest.root(first) == self._forest.root(second)

    def _compare_columns(self, u: Any, v: Any) -> npt.NDArray[np.bool_]:
        first, second = self._forest.find(self._numbers(u)), self._forest.find(self._numbers(v))
        try:
            return np.asarray(first == second)
        except ValueError:
            raise InputError(f"u has {len(first):,} ids and v {len(second):,}") from None

    def _labels(self) -> npt.NDArray[Any]:
        """For each id in ascending order, the position of the smallest of its set."""
        if self._canonical is None:
            order = self._ids.order()
            roots = self._forest.labels()[order]
            labels = roots.copy()
            _native.make_canonical(labels, self._forest.team(len(labels)))
            if self._smallest is None:
                base = np.empty(len(order), order.dtype)
                base[roots] = order[labels]
                self._smallest = SmallestIds(base)
            labels.setflags(write=False)
            self._canonical = labels
        return self._canonical

    def _settle(self) -> None:
        if self._smallest is None:
            self._canonical = None
            self._labels()

    def _space(self) -> IdSpace:
        """The ids in ascending order."""
        ids = self._ids
        return ids.space() if isinstance(ids, TableIds) else External(column_of(ids.objects()))

    @property
    def ids(self) -> Any:
        """See `UnionFind.ids`."""
        return self._exclusive.run(self._space).columns

    @property
    def labels(self) -> npt.NDArray[Any]:
        """See `UnionFind.labels`."""
        labels = self._canonical
        return self._exclusive.run(self._labels) if labels is None else labels

    def sizes(self) -> npt.NDArray[np.int64]:
        """See `UnionFind.sizes`."""
        counts = np.bincount(self.labels.astype(np.int64))
        return counts[counts > 0].astype(np.int64, copy=False)

    def _snapshot(self) -> tuple[npt.NDArray[Any], IdSpace]:
        return self._labels(), self._space()

    def _labeled_objects(self) -> tuple[npt.NDArray[Any], list[Any]]:
        return self._labels(), self._ids.objects()

    @property
    def nbytes(self) -> int:
        """See `UnionFind.nbytes`."""
        return self._forest.nbytes + self._ids.nbytes

    def __iter__(self) -> Iterator[Any]:
        return iter(self._exclusive.run(self._ids.objects))

    def __contains__(self, id: Any) -> bool:
        try:
            return not is_many(id) and self._ids.find_one(plain(id)) >= 0
        except (InputError, UnsupportedError):  # of another kind than these
            return False

    def __repr__(self) -> str:
        return f"UnionFind({self._forest.size:,} external ids)"

    def __getstate__(self) -> dict[str, Any]:
        ids, labels = self._exclusive.run(self._state)
        state = {
            "ids": ids,
            "labels": labels,
            "threads": self._forest.threads,
            "dtype": self._forest.dtype,
        }
        return state | self._exclusive.run(self._recorded_state)

    def _state(self) -> tuple[Any, npt.NDArray[Any]]:
        ids = self._ids
        return ids.space().columns if isinstance(ids, TableIds) else ids.objects(), self._labels()

    def __setstate__(self, state: dict[str, Any]) -> None:
        edges = state.get("edges")
        self.__init__(threads=state["threads"], dtype=state["dtype"], forest=edges is not None)  # type: ignore[misc]
        labels = checked_labels(state["labels"], "invalid state of a UnionFind")
        if edges is None:
            self._start(state["ids"], labels)
            return
        numbers = self._number_all(state["ids"], len(labels))
        ends = edges._replace(source=numbers[edges.source], target=numbers[edges.target])
        self._recorder.restore(ends, state["rows"])
