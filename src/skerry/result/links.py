"""Edges of the input that an answer names: those of a path, of a spanning forest, bridges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, overload

import numpy as np
import numpy.typing as npt

from skerry.ids.id_space import IdSpace
from skerry.result import tables

if TYPE_CHECKING:
    import pyarrow as pa


PIECE = 1 << 12  # edges whose ids are looked up at a time when all are iterated


class Link(NamedTuple):
    """An edge of the input. Immutable; threads may share it."""

    source: Any
    """One end: a vertex, or its id where the graph has external ids."""
    target: Any
    """The other end."""
    weight: float | int | None
    """Its weight; None if no weights were read."""
    row: int
    """Where it stands in the input, counted from 0; -1: no edge, but joined by ``previous=``."""


class Bridge(NamedTuple):
    """An edge of the input whose removal splits its component. Immutable; threads may share it."""

    source: Any
    """One end: a vertex, or its id where the graph has external ids."""
    target: Any
    """The other end."""
    weight: float | int | None
    """Its weight; None if no weights were read."""
    row: int
    """Where it stands in the input, counted from 0; of an edge that is stated several times, one of
    these."""
    source_size: int
    """Vertices on the side of ``source`` once the edge is gone."""
    target_size: int
    """Vertices on the side of ``target``."""


class CutVertex(NamedTuple):
    """A vertex whose removal splits its component. Immutable; threads may share it."""

    id: Any
    """A vertex, or its id where the graph has external ids."""
    parts: int
    """Components that the others of its component make once it is gone."""
    cut_off: int
    """Vertices outside of the largest of them."""


class ForestEdges(NamedTuple):
    """Edges by the positions of their ends."""

    source: npt.NDArray[Any]
    target: npt.NDArray[Any]
    row: npt.NDArray[np.int64]
    weight: npt.NDArray[Any] | None = None

    def take(self, numbers: npt.NDArray[Any]) -> ForestEdges:
        """Some of them."""
        weight = None if self.weight is None else self.weight[numbers]
        return ForestEdges(self.source[numbers], self.target[numbers], self.row[numbers], weight)


Item = TypeVar("Item", Link, Bridge)


class _EdgeSequence(Sequence[Item], Generic[Item]):
    """Edges as a sequence of tuples, as columns, and as a table."""

    _item: type[Item]

    def __init__(self, ids: IdSpace, edges: ForestEdges, *sizes: npt.NDArray[np.int64]) -> None:
        self._ids = ids
        self._edges = edges
        self._sizes = sizes
        for column in (edges.row, edges.weight, *sizes):
            if column is not None:
                column.setflags(write=False)

    @property
    def source(self) -> Any:
        """One end of each edge, in the form of ``ids`` of the result."""
        return self._ids.take(self._edges.source)

    @property
    def target(self) -> Any:
        """The other end of each edge."""
        return self._ids.take(self._edges.target)

    @property
    def weight(self) -> npt.NDArray[Any] | None:
        """The weight of each edge; None if no weights were read."""
        return self._edges.weight

    @property
    def row(self) -> npt.NDArray[np.int64]:
        """Where each edge stands in the input, counted from 0; -1 for links of ``previous=``."""
        return self._edges.row

    def table(self) -> pa.Table:
        """The edges as an Arrow table with the columns ``source``, ``target``, ``weight``, ``row``.

        There is a column ``weight`` where weights were read. Ids of several columns have a column
        for each, called ``source_`` and ``target_`` and its name.

        Returns
        -------
        pyarrow.Table
            A row for each edge.

        Raises
        ------
        UnsupportedError
            If pyarrow is not installed, or the ids are objects that Arrow cannot hold.
        """
        columns = [
            tables.end_columns(self._ids, positions, end)
            for end, positions in (("source", self._edges.source), ("target", self._edges.target))
        ]
        weight = {} if self._edges.weight is None else {"weight": self._edges.weight}
        names: tuple[str, ...] = self._item._fields[4:]
        sizes = dict(zip(names, self._sizes, strict=True))
        rows = {"row": self._edges.row}
        return tables.arrow_table(tables.joined(*columns, weight, rows, sizes), "a table of edges")

    def __len__(self) -> int:
        return len(self._edges.row)

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> list[Item]: ...
    def __getitem__(self, index: int | slice) -> Item | list[Item]:
        if isinstance(index, slice):
            return self._items(np.arange(len(self))[index])
        number = range(len(self))[index]
        return self._items(np.array([number]))[0]

    def __iter__(self) -> Iterator[Item]:
        for begin in range(0, len(self), PIECE):
            yield from self[begin : begin + PIECE]

    def _items(self, numbers: npt.NDArray[Any]) -> list[Item]:
        edges = self._edges.take(numbers)
        columns = [
            self._ids.objects(edges.source),
            self._ids.objects(edges.target),
            _weights(edges),
            edges.row.tolist(),
            *(sizes[numbers].tolist() for sizes in self._sizes),
        ]
        return [self._item(*values) for values in zip(*columns, strict=True)]

    def __repr__(self) -> str:
        noun = "edge" if len(self) == 1 else "edges"
        return f"{type(self).__name__}({len(self):,} {noun})"


def _weights(edges: ForestEdges) -> list[Any]:
    """The weight of each edge; None where there is none."""
    if edges.weight is None:
        return [None] * len(edges.row)
    pairs = zip(edges.weight.tolist(), edges.row.tolist(), strict=True)
    return [weight if row >= 0 else None for weight, row in pairs]


class Links(_EdgeSequence[Link]):
    """Edges of the input: a path of them, or a spanning forest.

    A sequence of `Link`; ``source``, ``target``, ``weight`` and ``row`` are columns of them.
    Immutable; threads may share it.

    Examples
    --------
    >>> import skerry
    >>> result = skerry.connected_components([(0, 1), (5, 6), (1, 2)], forest=True)
    >>> result.why(2, 0)[0]
    Link(source=2, target=1, weight=None, row=2)
    >>> result.why(2, 0).table().to_pydict()
    {'source': [2, 1], 'target': [1, 0], 'row': [2, 0]}
    """

    _item = Link


class Bridges(_EdgeSequence[Bridge]):
    """Edges whose removal splits a component, the most even splits first.

    A sequence of `Bridge`; ``source``, ``target``, ``weight``, ``row``, ``source_size`` and
    ``target_size`` are columns of them. Immutable; threads may share it.
    """

    _item = Bridge

    @property
    def source_size(self) -> npt.NDArray[np.int64]:
        """Vertices on the side of ``source`` once the edge is gone."""
        return self._sizes[0]

    @property
    def target_size(self) -> npt.NDArray[np.int64]:
        """Vertices on the side of ``target`` once the edge is gone."""
        return self._sizes[1]
