"""NumPy's structured arrays: tables whose columns are the fields."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.ids.columns import array_from_numpy
from skerry.inputs.queries import Query


def are_records(table: Any) -> bool:
    """Whether this is an array with named fields."""
    return isinstance(table, np.ndarray) and table.dtype.names is not None


def query_of_records(records: npt.NDArray[Any]) -> Query:
    """The fields as columns, each converted when it is read."""
    import pyarrow as pa

    if records.ndim != 1:
        raise InputError(f"a structured array of edges has one dimension, got {records.shape}")
    names = records.dtype.names or ()
    if type(records) is not np.ndarray:
        masked: Any = np.ma.getmaskarray(records)
        for name in names:
            if masked[name].any():
                row = int(np.argmax(masked[name]))
                raise InputError(f"field {name} is masked in row {row}: drop such rows first")
    fields = [np.asarray(records[name]) for name in names]
    schema = pa.schema([(name, _type(field)) for name, field in zip(names, fields, strict=True)])

    def run(numbers: list[int]) -> Any:
        arrays = [_column(fields[number]) for number in numbers]
        return [pa.record_batch(arrays, [names[number] for number in numbers])]

    return Query(schema, run)


def _type(field: npt.NDArray[Any]) -> Any:
    """The type that a field becomes in Arrow; null where it cannot hold ids."""
    import pyarrow as pa

    if field.ndim != 1 or field.dtype.names is not None:
        return pa.null()
    return _column(field if field.dtype.kind == "O" else field[:0]).type


def _column(values: npt.NDArray[Any]) -> Any:
    """The values of a field, which lie apart, as an Arrow array."""
    import pyarrow as pa

    if values.dtype.kind in "iufb":
        return pa.array(np.ascontiguousarray(values, values.dtype.newbyteorder("=")))
    return array_from_numpy(values)
