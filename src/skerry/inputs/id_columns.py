"""Columns of external ids: of any type, in any kind of array."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.graph.arrow import check_meaning, plain_array
from skerry.graph.edge_source import Batch, EdgeSource, IdColumn, InputFacts
from skerry.graph.vertex_ids import read_array, uneven
from skerry.ids.columns import array_from_numpy
from skerry.ids.lookup import is_column
from skerry.ids.python_objects import column_of_objects
from skerry.optional import require_arrow

WEIGHT_OF_ARRAYS = "threshold= for arrays needs weight=, an array with the weight of each edge"
TEXT = "OUSTMmV"  # kinds of NumPy types that can be ids, but never vertex numbers


def external_source(src: Any, dst: Any, weight: Any = None) -> EdgeSource:
    """Two columns of external ids, and perhaps their weights, as a source of one batch."""
    weights = None
    if weight is not None:
        if isinstance(weight, str | int):
            raise InputError(WEIGHT_OF_ARRAYS)
        weights = read_array(weight, "weight")
    batch = Batch(column_of(src, "src"), column_of(dst, "dst"), weights)
    lengths = [len(end[0] if isinstance(end, tuple) else end) for end in (batch.src, batch.dst)]
    if lengths[0] != lengths[1]:
        raise uneven(lengths[0], lengths[1])
    if weights is not None and weights.shape != (lengths[0],):
        raise InputError(f"src has {lengths[0]:,} ids and weight has shape {weights.shape}")

    def open_batch(threads: int) -> Iterator[Batch]:
        del threads
        yield batch

    facts = InputFacts("arrays")
    return EdgeSource("edges", "external", open_batch, num_edges=lengths[0], facts=facts)


def column_of(values: Any, name: str) -> IdColumn:
    """Anything that holds ids as a column: NumPy integers as they are, everything else as Arrow.

    A tuple, or a table, of several columns stays several: ids made of them. A tuple of ids is a
    column as a list of them is.
    """
    if isinstance(values, tuple):
        if not values:
            raise InputError(f"{name} is an empty tuple, which stands for ids of no column")
        if not any(map(is_column, values)):
            return _from_objects(values, name)
        parts = tuple(column_of(part, f"{name}[{i}]") for i, part in enumerate(values))
        return parts[0] if len(parts) == 1 else parts
    if is_arrow(values):
        return _from_arrow(values, name)
    if isinstance(values, list):
        return _from_objects(values, name)
    array = read_array(values, name)
    if array.ndim != 1:
        raise InputError(f"{name} must be one-dimensional, got shape {array.shape}")
    if array.size == 0 and array.dtype.kind in "fO":
        return np.empty(0, np.int64)
    if array.dtype.kind in "iu":
        return array
    if array.dtype.kind not in TEXT:
        raise InputError(f"{name} holds {array.dtype}: ids are integers, text, bytes or dates")
    if array.dtype.kind == "O":
        return _from_objects(array, name)
    require_arrow(f"{name}: reading ids that are not integers")
    try:
        column = array_from_numpy(array)
    except InputError as error:
        raise InputError(f"{name} must hold ids of one type: {error}") from None
    return _plain(column, name)


def _from_objects(values: Any, name: str) -> Any:
    """Objects go as they are: NumPy would make text of all that stands beside text."""
    if not len(values):
        return np.empty(0, np.int64)
    try:
        column = column_of_objects(values)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    if not isinstance(column, np.ndarray) and str(column.type) == "bool":
        raise InputError(f"{name} holds bool: ids are integers, text, bytes or dates")
    return column


def _from_arrow(values: Any, name: str) -> IdColumn:
    pa = require_arrow(f"{name}: reading a column of Arrow")

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
    except (pa.ArrowException, OSError, TypeError, ValueError) as error:
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
    """An Arrow array that can hold ids, without nulls, dictionaries, views and extensions."""
    import pyarrow as pa
    import pyarrow.compute as pc

    check_meaning(name, column.type)
    column = plain_array(column)
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


def holds_integers(values: Any, name: str) -> bool:
    """Whether an Arrow column holds integers."""
    column = column_of(values, name)
    if isinstance(column, np.ndarray):
        return column.dtype.kind in "iu"
    import pyarrow as pa

    return not isinstance(column, tuple) and bool(pa.types.is_integer(column.type))


def is_text(array: npt.NDArray[Any]) -> bool:
    """Whether an array is of a type that can only hold external ids."""
    return array.dtype.kind in TEXT and array.size > 0
