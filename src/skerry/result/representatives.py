"""The best record of each component, by a column of a table of records."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError, UnsupportedError
from skerry.formats.records import Records, open_records, write_records
from skerry.graph.arrow import arrow_view, numpy_view, plain_array
from skerry.optional import require_arrow
from skerry.result.answer import Answer
from skerry.result.earlier_tables import IDS

if TYPE_CHECKING:
    import pyarrow as pa

FLAG = "is_representative"
NO_ROW = -1
ROWS = 1 << 20
"""Rows whose ids are looked up together, or more."""


class Representatives:
    """The records to keep: one of each component, and all that are in none.

    Made by `Components.representatives`, not by hand. Reads the records again for `table` and
    `write`; threads may share it.
    """

    def __init__(self, records: Records, rows: npt.NDArray[np.int64]) -> None:
        rows.setflags(write=False)
        self._records = records
        self._rows = rows

    @property
    def rows(self) -> npt.NDArray[np.int64]:
        """The rows of the records to keep, counted from 0, ascending; read-only."""
        return self._rows

    def table(self) -> pa.Table:
        """The records to keep, in their order.

        Returns
        -------
        pyarrow.Table
            With all columns of the records.
        """
        arrow = require_arrow("a table of records")
        return arrow.Table.from_batches(self._kept(), self._records.schema)

    def write(
        self, path: str | os.PathLike[str], format: str | None = None, *, flag: bool = False
    ) -> int:
        """Writes the records to keep, in batches; the file is complete or not there at all.

        Parameters
        ----------
        path
            The file: ``.parquet``, ``.arrow``, ``.csv`` or ``.tsv``.
        format
            The name of a format; by default the suffix decides.
        flag
            Write all records instead, with a column ``is_representative``.

        Returns
        -------
        int
            The number of rows.

        Raises
        ------
        InputError
            If the records already have a column of that name.
        UnsupportedError
            If the format is another, or the records can be read only once.
        OutputError
            If the disk is full, for instance.
        """
        schema = self._records.schema
        if not flag:
            return write_records(self._kept(), schema, path, format)
        if FLAG in schema.names:
            raise InputError(f"{self._records.name}: there is a column {FLAG} already")
        arrow = require_arrow("a table of records")
        flagged = schema.append(arrow.field(FLAG, arrow.bool_()))
        return write_records(self._flagged(flagged), flagged, path, format)

    def _masks(self) -> Iterator[tuple[Any, npt.NDArray[np.bool_]]]:
        """All batches, and which of their rows are kept."""
        begin = 0
        for batch in self._records.batches(None):
            low, high = np.searchsorted(self._rows, [begin, begin + batch.num_rows])
            mask = np.zeros(batch.num_rows, np.bool_)
            mask[self._rows[low:high] - begin] = True
            begin += batch.num_rows
            yield batch, mask

    def _kept(self) -> Iterator[Any]:
        for batch, mask in self._masks():
            if mask.any():
                yield batch if mask.all() else batch.filter(arrow_view(mask))

    def _flagged(self, schema: Any) -> Iterator[Any]:
        arrow = require_arrow("a table of records")
        for batch, mask in self._masks():
            columns = [*batch.columns, arrow_view(mask)]
            yield arrow.RecordBatch.from_arrays(columns, schema=schema)

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        return f"Representatives({len(self):,} rows of {self._records.name})"


def representatives_of(
    answer: Answer, records: Any, by: str, descending: bool, id: str | None
) -> Representatives:
    """See `Components.representatives`."""
    of_text = () if answer._ids.are_integers else (IDS if id is None else (id,))
    opened = open_records(records, of_text)
    column = _id_column(opened, id)
    if by not in opened.schema.names:
        names = ", ".join(opened.schema.names)
        raise InputError(f"{opened.name}: there is no column {by}; there are: {names}")
    best = _Best(answer, descending)
    begin = 0
    columns = [column, by] if column != by else [column]
    for batch in _joined(opened.batches(columns), max(ROWS, answer.num_vertices // 2)):
        positions = answer._ids.positions(batch.column(column))
        best.add(positions, *_values(batch.column(by), by, opened.name), begin)
        begin += batch.num_rows
    return Representatives(opened, best.rows())


def _joined(batches: Iterator[Any], rows: int) -> Iterator[Any]:
    """Batches of at least so many rows: to look ids up takes a pass over those of the result."""
    arrow = require_arrow("values of records")
    waiting: list[Any] = []
    for batch in batches:
        waiting.append(batch)
        if sum(each.num_rows for each in waiting) >= rows:
            yield from _combined(arrow, waiting)
            waiting = []
    if waiting:
        yield from _combined(arrow, waiting)


def _combined(arrow: Any, batches: list[Any]) -> list[Any]:
    if len(batches) == 1:
        return batches
    combined: list[Any] = arrow.Table.from_batches(batches).combine_chunks().to_batches()
    return combined


def _id_column(records: Records, id: str | None) -> str:
    names: list[str] = list(records.schema.names)
    if id is not None:
        if id in names:
            return id
        raise InputError(f"{records.name}: there is no column {id}; there are: {', '.join(names)}")
    for usual in IDS:
        matches = [name for name in names if name.lower() == usual]
        if len(matches) == 1:
            return matches[0]
    raise InputError(
        f"{records.name}: which column has the ids is not clear; name it: id=; there are: "
        f"{', '.join(names)}"
    )


def _values(column: Any, name: str, origin: str) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
    """Numbers in the order of the values, and which of them are there."""
    pa = require_arrow("values of records")
    column = plain_array(column)
    valid = np.asarray(column.is_valid())
    kind = column.type
    if pa.types.is_boolean(kind):
        column = column.cast(pa.uint8())
    elif pa.types.is_temporal(kind):
        column = column.view(pa.int32() if kind.bit_width == 32 else pa.int64())
    elif pa.types.is_null(kind):
        return np.zeros(len(column)), valid
    elif not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        raise UnsupportedError(
            f"{origin}: the best is found by numbers, dates or times, but column {name} is {kind}"
        )
    values = numpy_view(column.fill_null(0) if column.null_count else column)
    if values.dtype.kind == "f":
        valid = valid & ~np.isnan(values)
    return values, valid


class _Best:
    """The best row of each component so far: by value, then by id, then the first."""

    def __init__(self, answer: Answer, descending: bool) -> None:
        self._numbers = answer._to_host(answer._dense[0])
        count = answer.count
        self._better: Any = np.maximum if descending else np.minimum
        self._value: npt.NDArray[Any] | None = None
        self._has = np.zeros(count, np.bool_)
        self._position = np.full(count, np.iinfo(np.int64).max)
        self._row = np.full(count, NO_ROW, np.int64)
        self._others: list[npt.NDArray[np.int64]] = []

    def add(
        self,
        positions: npt.NDArray[np.int64],
        values: npt.NDArray[Any],
        valid: npt.NDArray[np.bool_],
        begin: int,
    ) -> None:
        """Compares the rows of a batch, which begins at row ``begin``, with those before."""
        rows = np.arange(begin, begin + len(positions))
        known = positions >= 0
        self._others.append(rows[~known])
        if not known.all():
            rows, positions = rows[known], positions[known]
            values, valid = values[known], valid[known]
        clusters = self._numbers[positions].astype(np.intp)
        if self._value is None:
            self._value = np.zeros(len(self._has), values.dtype)
        if not valid.all():
            present = np.flatnonzero(valid)
            self._add_valued(clusters[present], positions[present], values[present], rows[present])
            missing = np.flatnonzero(~valid & ~self._has[clusters])
            self._take_smallest(clusters[missing], positions[missing], rows[missing])
        else:
            self._add_valued(clusters, positions, values, rows)

    def _add_valued(
        self,
        clusters: npt.NDArray[Any],
        positions: npt.NDArray[np.int64],
        values: npt.NDArray[Any],
        rows: npt.NDArray[np.int64],
    ) -> None:
        assert self._value is not None
        new = ~self._has[clusters]
        self._value[clusters[new]] = values[new]
        earlier = self._value[clusters]
        self._better.at(self._value, clusters, values)
        best = self._value[clusters]
        wins = np.flatnonzero(values == best)
        improved = clusters[wins][(best[wins] != earlier[wins]) | new[wins]]
        self._position[improved] = np.iinfo(np.int64).max
        self._has[clusters] = True
        self._take_smallest(clusters[wins], positions[wins], rows[wins])

    def _take_smallest(
        self,
        clusters: npt.NDArray[Any],
        positions: npt.NDArray[np.int64],
        rows: npt.NDArray[np.int64],
    ) -> None:
        """Of equal rows takes that with the smallest id; of those, the first."""
        earlier = self._position[clusters]
        np.minimum.at(self._position, clusters, positions)
        chosen = np.flatnonzero((positions == self._position[clusters]) & (positions < earlier))
        self._row[clusters[chosen[::-1]]] = rows[chosen[::-1]]

    def rows(self) -> npt.NDArray[np.int64]:
        """The rows to keep, ascending."""
        return np.sort(np.concatenate([self._row[self._row >= 0], *self._others]))
