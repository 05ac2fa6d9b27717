"""The best record of each component, by a column of a table of records."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.errors import InputError, UnsupportedError
from skerry.formats.records import Records, check_column, open_records, write_records
from skerry.graph.arrow import arrow_view, numpy_view, plain_array
from skerry.ids.external import External
from skerry.optional import require_arrow
from skerry.result.answer import Answer
from skerry.result.earlier_tables import IDS
from skerry.result.id_finder import UNKNOWN, Located, SpaceFinder, id_finder

if TYPE_CHECKING:
    import pyarrow as pa

FLAG = "is_representative"
NO_ROW = -1
SIGN = np.uint64(1 << 63)
ROWS = 1 << 16
"""Rows that are compared at a time: what is computed of them stays in the cache."""


class Representatives:
    """The records to keep: one of each component, and all that are in none.

    Made by `Components.representatives`, not by hand. Reads the records again for `table` and
    `write`; threads may share it.
    """

    def __init__(self, records: Records, rows: npt.NDArray[np.int64], unclustered: int) -> None:
        rows.setflags(write=False)
        self._records = records
        self._rows = rows
        self._unclustered = unclustered

    @property
    def rows(self) -> npt.NDArray[np.int64]:
        """The rows of the records to keep, counted from 0, ascending; read-only."""
        return self._rows

    @property
    def unclustered(self) -> int:
        """The number of these records that are in no component: ids without an edge, and nulls."""
        return self._unclustered

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
    check_column(opened, by)
    best = _Best(answer, descending)
    begin = 0
    for batch in opened.batches([column, by] if column != by else [column]):
        for first in range(0, batch.num_rows, ROWS):
            part = batch.slice(first, ROWS)
            keys, present = _keys(part.column(by), by, opened.name)
            best.add(part.column(column), keys, present, begin + first)
        begin += batch.num_rows
    return best.chosen(opened)


def _id_column(records: Records, id: str | None) -> str:
    if id is not None:
        check_column(records, id)
        return id
    names: list[str] = list(records.schema.names)
    for usual in IDS:
        matches = [name for name in names if name.lower() == usual]
        if len(matches) == 1:
            return matches[0]
    raise InputError(
        f"{records.name}: which column has the ids is not clear; name it: id=; there are: "
        f"{', '.join(names)}"
    )


def _keys(
    column: Any, name: str, origin: str
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.bool_]]:
    """Unsigned integers in the order of the values, and which of the values are there."""
    pa = require_arrow("values of records")
    column = plain_array(column)
    present = np.asarray(column.is_valid())
    kind = column.type
    if pa.types.is_boolean(kind):
        column = column.cast(pa.uint8())
    elif pa.types.is_temporal(kind):
        column = column.view(pa.int32() if kind.bit_width == 32 else pa.int64())
    elif pa.types.is_null(kind):
        return np.zeros(len(column), np.uint64), present
    elif not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        raise UnsupportedError(
            f"{origin}: the best is found by numbers, dates or times, but column {name} is {kind}"
        )
    values = numpy_view(column.fill_null(0) if column.null_count else column)
    if values.dtype.kind == "u":
        return values.astype(np.uint64), present
    if values.dtype.kind == "i":
        return values.astype(np.int64).view(np.uint64) ^ SIGN, present
    present = present & ~np.isnan(values)
    bits = (values.astype(np.float64) + 0.0).view(np.uint64)  # no negative zero
    return np.where(bits & SIGN, ~bits, bits | SIGN), present


class _Best:
    """The best row of each component so far: by value, then by id, then the first."""

    def __init__(self, answer: Answer, descending: bool) -> None:
        self._numbers = np.ascontiguousarray(answer._to_host(answer._dense[0]))
        self._threads = answer._threads
        self._descending = descending
        ids = answer._ids
        # Composite ids and vertex numbers say themselves what is wrong with a column.
        has_column = isinstance(ids, External) and len(ids.names) == 1
        self._finder = id_finder(ids, self._threads) if has_column else SpaceFinder(ids)
        self._best = np.full((answer.count, 3), NO_ROW, np.int64)
        self._others: list[npt.NDArray[np.int64]] = []

    def add(
        self,
        ids: Any,
        keys: npt.NDArray[np.uint64],
        present: npt.NDArray[np.bool_],
        begin: int,
    ) -> None:
        """Compares the rows of a batch, which begins at row ``begin``, with those before."""
        others = np.empty(len(keys), np.int64)
        keys = ~keys if self._descending else keys
        best = self._best.reshape(-1)
        positions = self._positions(ids)
        count = _native.best_rows(positions, keys, present, self._numbers, begin, best, others)
        self._others.append(others[:count].copy())

    def _positions(self, ids: Any) -> Located:
        if not ids.null_count:
            return self._finder.find(ids, self._threads)
        positions = np.full(len(ids), UNKNOWN)
        positions[np.asarray(ids.is_valid())] = self._finder.find(ids.drop_null(), self._threads)
        return positions

    def chosen(self, records: Records) -> Representatives:
        """The rows to keep, ascending, of the records that were added."""
        best = self._best[:, 2]
        rows = np.sort(np.concatenate([best[best >= 0], *self._others]))
        return Representatives(records, rows, sum(map(len, self._others)))
