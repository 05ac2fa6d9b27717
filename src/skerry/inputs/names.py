"""Ids that are no numbers of vertices: columns of any type, and when plain arrays hold such."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.graph.edge_source import Batch, EdgeSource, IdColumn
from skerry.inputs.ids import read_array

__all__ = [
    "SPARSE",
    "NotVerticesError",
    "column_of",
    "holds_integers",
    "is_arrow",
    "is_names",
    "names_stream",
    "refuse_sparse",
]

SPARSE = (1 << 24, 32)
"""Arrays whose largest id is beyond both that and so many times their edges hold names: what the
labels of the ids between them take would be most of the memory."""

NAMES = "OUSMV"  # kinds of NumPy types that can be ids but never numbers of vertices


class NotVerticesError(InputError):
    """These ids are no numbers of vertices; they may be names."""

    def __init__(self, message: str, src: Any, dst: Any) -> None:
        super().__init__(message)
        self.src, self.dst = src, dst


def refuse_sparse(high: int, edges: int, src: Any, dst: Any) -> None:
    """Raises where most of the vertices up to the largest id cannot have an edge."""
    least, times = SPARSE
    if high >= max(least, times * edges):
        raise NotVerticesError(f"the largest id is {high:,}, with {edges:,} edges", src, dst)


def names_stream(src: Any, dst: Any, name: str = "edges") -> EdgeSource:
    """Two columns of names as a stream of one batch."""
    batch = Batch(column_of(src, "src"), column_of(dst, "dst"))
    sizes = [len(end[0]) if isinstance(end, tuple) else len(end) for end in (batch.src, batch.dst)]
    if sizes[0] != sizes[1]:
        raise InputError(
            f"src has {sizes[0]:,} ids and dst {sizes[1]:,}: an edge needs one of each"
        )

    def open_batch(threads: int) -> Iterator[Batch]:
        del threads
        yield batch

    return EdgeSource(name, "external", open_batch, num_edges=sizes[0])


def column_of(values: Any, name: str) -> IdColumn:
    """Anything that holds ids as a column: NumPy integers as they are, everything else as Arrow.

    A tuple, or a table, of several columns stays several: ids made of them.
    """
    if isinstance(values, tuple):
        parts = tuple(column_of(one, f"{name}[{i}]") for i, one in enumerate(values))
        return parts[0] if len(parts) == 1 else parts
    if is_arrow(values):
        return _from_arrow(values, name)
    array = read_array(values, name)
    if array.ndim != 1:
        raise InputError(f"{name} must be one-dimensional, got shape {array.shape}")
    if array.size == 0 and array.dtype.kind in "fO":
        return np.empty(0, np.int64)
    if array.dtype.kind in "iu":
        return array
    if array.dtype.kind not in NAMES:
        raise InputError(f"{name} holds {array.dtype}: ids are integers, text, bytes or dates")
    # A list goes as it is: NumPy would make text of all that stands beside text.
    return _from_objects(values if isinstance(values, list) else array, name)


def _from_objects(values: Any, name: str) -> Any:
    import pyarrow as pa

    try:
        column = pa.array(values)
    except (pa.ArrowException, OverflowError, TypeError) as error:
        raise InputError(f"{name} must hold ids of one type: {error}") from None
    return _plain(column, name)


def _from_arrow(values: Any, name: str) -> IdColumn:
    import pyarrow as pa

    try:
        if isinstance(values, pa.Array):
            return _plain(values, name)
        if isinstance(values, pa.Table | pa.RecordBatch):
            table = pa.table(values)
        else:
            column = values if isinstance(values, pa.ChunkedArray) else pa.chunked_array(values)
            if not pa.types.is_struct(column.type):
                return _plain(_combined(column), name)
            table = pa.table(values)
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise InputError(f"{name} cannot be read as a column: {error}") from None
    parts = tuple(_plain(_combined(column), name) for column in table.columns)
    if not parts:
        raise InputError(f"{name} has no columns")
    return parts[0] if len(parts) == 1 else parts


def _combined(column: Any) -> Any:
    import pyarrow as pa

    joined = column.combine_chunks()
    return pa.concat_arrays(joined.chunks) if isinstance(joined, pa.ChunkedArray) else joined


def _plain(column: Any, name: str) -> Any:
    """An Arrow array that can hold ids, without nulls, dictionaries and extensions."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if isinstance(column, pa.ExtensionArray):
        column = column.storage
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if column.null_count:
        row = int(pc.index(pc.is_null(column), pa.scalar(True)).as_py())
        raise InputError(f"{name}[{row}] is null; drop or fill missing ids first")
    kind = column.type
    if pa.types.is_floating(kind) or pa.types.is_boolean(kind) or pa.types.is_nested(kind):
        raise InputError(f"{name} holds {kind}: ids are integers, text, bytes or dates")
    return column if len(column) or not pa.types.is_null(kind) else pa.array([], pa.int64())


def is_arrow(values: Any) -> bool:
    """Whether this is a column, or a table, of Arrow."""
    return hasattr(values, "__arrow_c_stream__") or hasattr(values, "__arrow_c_array__")


def holds_integers(column: IdColumn) -> bool:
    """Whether the ids of a column are integers."""
    if isinstance(column, np.ndarray):
        return column.dtype.kind in "iu"
    import pyarrow as pa

    return not isinstance(column, tuple) and bool(pa.types.is_integer(column.type))


def is_names(array: npt.NDArray[Any]) -> bool:
    """Whether an array holds what can be ids, but no integers."""
    return array.dtype.kind in NAMES and array.size > 0
