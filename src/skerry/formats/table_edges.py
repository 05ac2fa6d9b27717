"""Batches of edges made of the chosen columns of record batches."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.formats.columns import ColumnChoice
from skerry.formats.id_types import is_text
from skerry.graph.arrow import numpy_view, plain_array, text_offsets
from skerry.graph.edge_source import Batch, GroupedIds, IdKind
from skerry.optional import require_arrow

if TYPE_CHECKING:
    import pyarrow as pa


PURPOSE = "reading tables"


def edges_of(
    choice: ColumnChoice,
    batch: pa.RecordBatch,
    location: str,
    consumed: int,
    id_kind: IdKind = "external",
) -> Batch:
    """The edges of a record batch that holds `ColumnChoice.columns`, in that order."""
    if choice.lists:
        return _lists(choice, batch, location, consumed)
    numbers = choice.columns
    columns = [
        _without_blanks(choice, number, _decoded(choice, column, location), location)
        for number, column in zip(numbers, batch.columns, strict=True)
    ]
    dropped, rows = 0, None
    if choice.drop_nulls:
        columns, dropped, rows = _without_nulls(choice, columns)
    else:
        for number, column in zip(numbers, columns, strict=True):
            if column.null_count:
                raise _null_error(choice, number, column, location)
    by_number = dict(zip(numbers, columns, strict=True))
    ends = [
        tuple(
            _ids(choice, by_number[number], number, kind, location)
            for number, kind in zip(end, choice.types, strict=True)
        )
        for end in (choice.source, choice.target)
    ]
    if choice.keys:
        grouped = GroupedIds(*(_one_or_several(end) for end in _cut(ends[0], choice.keys)))
        return Batch(grouped, grouped, None, location, consumed, dropped, rows=rows)
    src, dst = map(_one_or_several, ends)
    if id_kind == "vertices":
        src, dst = (numpy_view(end) if len(end) else np.empty(0, np.int64) for end in (src, dst))
    weight = None if choice.weight is None else _weights(by_number[choice.weight])
    return Batch(src, dst, weight, location, consumed, dropped, rows=rows)


def _cut(columns: tuple[Any, ...], keys: int) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The columns of ids, and those of keys."""
    return columns[:-keys], columns[-keys:]


def _one_or_several(columns: tuple[Any, ...]) -> Any:
    return columns[0] if len(columns) == 1 else columns


def _lists(choice: ColumnChoice, batch: pa.RecordBatch, location: str, consumed: int) -> Batch:
    """The elements of lists; the key of each is the row of its list."""
    pc = require_arrow(PURPOSE, "pyarrow.compute")
    column = batch.columns[0]
    number = choice.columns[0]
    rows = numpy_view(pc.list_parent_indices(column).cast("int64"))
    values = _decoded(choice, pc.list_flatten(column), location)
    if choice.drop_nulls or not values.null_count:
        values = _without_blanks(choice, number, values, location, rows)
    dropped = column.null_count + values.null_count
    if dropped and not choice.drop_nulls:
        if column.null_count:
            raise _null_error(choice, number, column, location)
        row = int(rows[int(pc.index(pc.is_null(values), True).as_py())])
        raise InputError(
            f"{choice.file}: {location}: the list of column {choice.names[number]} in row {row:,} "
            'of it has a null; on_null="drop" leaves such ids out'
        )
    if values.null_count:
        kept = values.is_valid()
        rows = rows[kept.to_numpy(zero_copy_only=False)]
        values = values.filter(kept)
    ids = _ids(choice, values, number, choice.types[0], location)
    grouped = GroupedIds(ids, rows, within=True)
    return Batch(
        grouped, grouped, None, location, consumed, dropped, rows=rows, num_rows=len(column)
    )


def _decoded(choice: ColumnChoice, array: Any, location: str) -> Any:
    """A column without a dictionary, a view or an extension around its values."""
    pa = require_arrow(PURPOSE)
    try:
        return plain_array(array)
    except pa.ArrowIndexError as error:
        raise InputError(f"{choice.file}: {location}: the file is damaged: {error}") from None


def _without_blanks(
    choice: ColumnChoice,
    number: int,
    array: Any,
    location: str,
    rows: npt.NDArray[Any] | None = None,
) -> Any:
    """A column of ids with nulls for empty texts, as in delimited text, or an error for them.

    ``rows`` are those of the batch that the texts are in; None: one each.
    """
    if number == choice.weight or not is_text(array.type):
        return array
    empty = _empty_texts(array)
    if not empty.any():
        return array
    row = int(empty.argmax())
    if not choice.drop_nulls:
        row = row if rows is None else int(rows[row])
        raise InputError(
            f"{choice.file}: {location}: column {choice.names[number]} has an empty text in row "
            f'{row:,} of it, which counts as a null; on_null="drop" leaves such rows out'
        )
    pa, pc = require_arrow(PURPOSE), require_arrow(PURPOSE, "pyarrow.compute")
    return pc.if_else(pa.array(empty), pa.scalar(None, array.type), array)


def _empty_texts(array: Any) -> npt.NDArray[np.bool_]:
    """Which texts are empty, without what importing `pyarrow.compute` takes."""
    offsets = text_offsets(array)
    empty: npt.NDArray[np.bool_] = offsets[:-1] == offsets[1:]
    if array.null_count and empty.any():
        bits = np.unpackbits(np.frombuffer(array.buffers()[0], np.uint8), bitorder="little")
        empty &= bits[array.offset : array.offset + len(array)].view(bool)
    return empty


def _without_nulls(
    choice: ColumnChoice, columns: list[Any]
) -> tuple[list[Any], int, npt.NDArray[np.int64] | None]:
    """The rows in which no column is null and no weight is NaN, and how many others there were.

    If there were some, also the numbers of the rows.
    """
    pc = require_arrow(PURPOSE, "pyarrow.compute")
    types = require_arrow(PURPOSE, "pyarrow.types")
    valid = [column.is_valid() for column in columns if column.null_count]
    if choice.weight is not None:
        weight = columns[choice.columns.index(choice.weight)]
        if types.is_floating(weight.type):
            numbers = pc.fill_null(pc.invert(pc.is_nan(weight)), True)
            if not pc.all(numbers).as_py():
                valid.append(numbers)
    if not valid or not len(columns[0]):
        return columns, 0, None
    keep = reduce(pc.and_, valid)
    kept = [column.filter(keep) for column in columns]
    rows = np.flatnonzero(keep.to_numpy(zero_copy_only=False))
    return kept, len(keep) - len(kept[0]), rows


def _null_error(choice: ColumnChoice, number: int, array: Any, location: str) -> InputError:
    pc = require_arrow(PURPOSE, "pyarrow.compute")
    row = int(pc.index(pc.is_null(array), True).as_py())
    name = choice.names[number]
    ends = (*choice.source, *choice.target)
    what = f"column {name}" if number in ends else f"the weight {name}"
    return InputError(
        f'{choice.file}: {location}: {what} is null in row {row:,} of it; on_null="drop" leaves '
        "such rows out"
    )


def _ids(choice: ColumnChoice, array: Any, number: int, kind: pa.DataType, location: str) -> Any:
    """A column in the type that both ends have."""
    pa = require_arrow(PURPOSE)
    if is_text(array.type):
        _check_text(choice, array, number, location)
    try:
        return array if array.type.equals(kind) else array.cast(kind)
    except pa.ArrowInvalid as error:
        if kind == pa.uint64() and pa.types.is_signed_integer(array.type):
            return array  # negative: whether one type holds both ends is for the values to say
        raise InputError(
            f"{choice.file}: {location}: column {choice.names[number]} does not fit the type of "
            f"the other end, {kind}: {error}"
        ) from None


def _check_text(choice: ColumnChoice, array: Any, number: int, location: str) -> None:
    """Raises if a text is not UTF-8: a reader of Parquet does not look at the bytes."""
    pa = require_arrow(PURPOSE)
    try:
        array.validate(full=True)
    except pa.ArrowInvalid as error:
        for row, text in enumerate(array.cast(pa.large_binary())):
            try:
                (text.as_py() or b"").decode()
            except UnicodeDecodeError:
                raise InputError(
                    f"{choice.file}: {location}: column {choice.names[number]}, row {row:,} of it: "
                    f"{text.as_py()[:40]!r} is not text in UTF-8; mend it where it is written, or "
                    "store the column as binary"
                ) from None
        raise InputError(f"{choice.file}: {location}: the file is damaged: {error}") from None


def _weights(array: Any) -> npt.NDArray[Any]:
    pa = require_arrow(PURPOSE)
    if pa.types.is_decimal(array.type) or pa.types.is_null(array.type):
        array = array.cast(pa.float64())
    if pa.types.is_boolean(array.type) or array.null_count:
        weights: npt.NDArray[Any] = array.to_numpy(zero_copy_only=False)
        return weights
    return numpy_view(array)  # to_numpy would import pandas
