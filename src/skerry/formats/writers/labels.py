"""The formats of labels: a component for every vertex, in slices, so that memory is bounded."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError, UnsupportedError
from skerry.formats.spill_file import StoredColumn
from skerry.formats.writers.integer_text import write_rows
from skerry.formats.writers.tables import parquet_writer, text_writer, write_header
from skerry.graph.arrow import as_arrow
from skerry.optional import arrow_if_installed, require_arrow

if TYPE_CHECKING:
    import pyarrow as pa

Slice = TypeVar("Slice")


Labels: TypeAlias = "npt.NDArray[Any] | Mapping[str, Any] | pa.Table"
"""The labels of vertices 0..n-1; columns by name (NumPy integers, or Arrow); a table."""

ROWS = 1 << 20
"""Rows that are written at a time."""

RowProgress = Callable[[int, int], None]
"""Called after every slice with the number of rows written so far and of all."""


def parquet(labels: Labels, file: Any, path: str, progress: RowProgress | None = None) -> None:
    """Apache Parquet."""
    require_arrow(f"{path}: writing Parquet files")
    schema, batches = _record_batches(labels)
    with parquet_writer(file, schema) as writer:
        for batch in _reported(batches, _num_rows(labels), progress):
            writer.write_batch(batch)


def arrow(labels: Labels, file: Any, path: str, progress: RowProgress | None = None) -> None:
    """An Arrow IPC file, which is Feather too."""
    ipc = require_arrow(f"{path}: writing Arrow files", "pyarrow.ipc")
    schema, batches = _record_batches(labels)
    with ipc.new_file(file, schema) as writer:
        for batch in _reported(batches, _num_rows(labels), progress):
            writer.write_batch(batch)


def csv(labels: Labels, file: Any, path: str, progress: RowProgress | None = None) -> None:
    """Commas, with a header."""
    _text(labels, file, path, ",", progress)


def tsv(labels: Labels, file: Any, path: str, progress: RowProgress | None = None) -> None:
    """Tabs, with a header."""
    _text(labels, file, path, "\t", progress)


def wcc(labels: Labels, file: Any, path: str, progress: RowProgress | None = None) -> None:
    """A vertex and its component a line, without a header, as LDBC Graphalytics has it."""
    labels = checked_labels(labels)
    if not _are_integers(labels):
        raise UnsupportedError(
            f"{path}: LDBC's form has vertices and components that are integers; write Parquet, "
            "Arrow or CSV"
        )
    names, slices = _integer_columns(labels)
    if len(names) != 2 or "size" in names:
        raise UnsupportedError(
            f"{path}: LDBC's form has two columns, a vertex and its component; there are: "
            f"{', '.join(names)}"
        )
    for columns in _reported(slices, _num_rows(labels), progress):
        write_rows(file, columns, " ")


def _text(
    labels: Labels, file: Any, path: str, delimiter: str, progress: RowProgress | None
) -> None:
    labels = checked_labels(labels)
    if _are_integers(labels):
        names, slices = _integer_columns(labels)
        write_header(file, names, delimiter)
        for columns in _reported(slices, _num_rows(labels), progress):
            write_rows(file, columns, delimiter)
        return
    pa = require_arrow(f"{path}: writing tables")
    schema, batches = _record_batches(labels)
    try:
        with text_writer(file, schema, delimiter, header=True) as writer:
            for batch in _reported(batches, _num_rows(labels), progress):
                writer.write_batch(batch)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise UnsupportedError(
            f"{path}: these ids cannot be written as text ({error}); write Parquet or Arrow"
        ) from None


def npy(labels: Labels, file: Any, path: str, progress: RowProgress | None = None) -> None:
    """The array of labels."""
    if not isinstance(labels, np.ndarray | StoredColumn):
        raise UnsupportedError(
            f"{path}: an array cannot hold the ids of vertices; write Parquet, Arrow or CSV, or "
            "write the array of labels"
        )
    np.lib.format.write_array_header_1_0(
        file, {"descr": labels.dtype.str, "fortran_order": False, "shape": labels.shape}
    )
    for begin in _reported(range(0, len(labels), ROWS), len(labels), progress):
        file.write(np.ascontiguousarray(labels[begin : begin + ROWS]).data.cast("B"))


def _num_rows(labels: Any) -> int:
    columns = list(labels.values()) if isinstance(labels, Mapping) else [labels]
    return len(columns[0]) if columns else 0


def _reported(slices: Iterable[Slice], rows: int, progress: RowProgress | None) -> Iterator[Slice]:
    """The slices; each is reported when the next is asked for, and so is written."""
    for number, part in enumerate(slices, 1):
        yield part
        if progress is not None:
            progress(min(number * ROWS, rows), rows)


def rows_of(columns: Mapping[str, Any], path: str | os.PathLike[str]) -> npt.NDArray[np.int64]:
    """Columns of integers as an array with a row for each of theirs."""
    parts = [column for column in columns.values() if isinstance(column, np.ndarray)]
    wide = any(part.dtype == np.uint64 and len(part) and part.max() >= 2**63 for part in parts)
    if len(parts) < len(columns) or wide:
        raise UnsupportedError(
            f"{os.fspath(path)}: an array holds components that are 64-bit integers; write "
            "Parquet, Arrow or CSV"
        )
    return np.column_stack([part.astype(np.int64, copy=False) for part in parts])


def _is_table(labels: Any) -> bool:
    pa = arrow_if_installed()
    return pa is not None and isinstance(labels, pa.Table)


def _are_integers(labels: Any) -> bool:
    """Whether no column holds what only Arrow has."""
    columns = labels.values() if isinstance(labels, Mapping) else [labels]
    return not _is_table(labels) and all(isinstance(c.dtype, np.dtype) for c in columns)


def checked_labels(labels: Labels) -> Labels:
    """The labels, arrays as NumPy arrays; raises if they cannot be written."""
    if _is_table(labels):
        return labels
    if isinstance(labels, Mapping):
        if not all(map(_is_numpy_like, labels.values())):
            table: pa.Table = require_arrow("writing ids that are not integers").table(dict(labels))
            return table
        columns = {name: _integers(column, name) for name, column in labels.items()}
        if len({len(column) for column in columns.values()}) != 1:
            sizes = ", ".join(f"{name} has {len(column):,}" for name, column in columns.items())
            raise InputError(f"columns of labels must be equally long: {sizes or 'there are none'}")
        return columns
    return _integers(labels, "labels")


def _is_numpy_like(column: Any) -> bool:
    pa = arrow_if_installed()
    return pa is None or not isinstance(column, pa.Array | pa.ChunkedArray)


def _integers(values: Any, name: str) -> npt.NDArray[Any]:
    if isinstance(values, StoredColumn):
        return values  # type: ignore[return-value]  # writers take slices, which are arrays
    array = np.asarray(values)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise InputError(
            f"labels are a table or one-dimensional arrays of integers, but {name} is "
            f"{array.dtype} of shape {array.shape}"
        )
    return array


def _integer_columns(labels: Any) -> tuple[list[str], Iterator[list[npt.NDArray[Any]]]]:
    """The names of the columns, and slices of them."""
    if isinstance(labels, Mapping):
        columns = list(labels.values())
        begins = range(0, len(columns[0]), ROWS)
        slices = ([column[begin : begin + ROWS] for column in columns] for begin in begins)
        return list(labels), slices

    def numbered_slices() -> Iterator[list[npt.NDArray[Any]]]:
        for begin in range(0, len(labels), ROWS):
            part = labels[begin : begin + ROWS]
            yield [np.arange(begin, begin + len(part), dtype=labels.dtype), part]

    return ["vertex", "component"], numbered_slices()


def _record_batches(labels: Any) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
    pa = require_arrow("writing tables")
    if _is_table(labels):
        return labels.schema, iter(labels.to_batches(max_chunksize=ROWS))
    names, slices = _integer_columns(labels)
    arrays = list(labels.values()) if isinstance(labels, Mapping) else [labels, labels]
    types = [
        pa.from_numpy_dtype(array.dtype) if isinstance(array.dtype, np.dtype) else array.dtype
        for array in arrays
    ]
    schema = pa.schema(list(zip(names, types, strict=True)))
    batches = (
        pa.RecordBatch.from_arrays(list(map(as_arrow, columns)), schema=schema)
        for columns in slices
    )
    return schema, batches
