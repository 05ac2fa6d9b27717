"""Conversions between NumPy's and Arrow's arrays of numbers, without a copy.

pyarrow's own functions (`pyarrow.array`, ``to_numpy``) import pandas where it is installed, which
takes longer than to solve a small graph.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.optional import require_arrow

__all__ = ["arrow_view", "numpy_view"]


def arrow_view(values: npt.NDArray[Any]) -> Any:
    """The same numbers as an Arrow array."""
    pa = require_arrow("an Arrow array")
    values = np.ascontiguousarray(values)
    kind = pa.from_numpy_dtype(values.dtype)
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(values)])


def numpy_view(array: Any) -> npt.NDArray[Any]:
    """The same numbers as a NumPy array; the Arrow array has integers or floats, none missing."""
    dtype = np.dtype(array.type.to_pandas_dtype())
    data = array.buffers()[1]
    if data is None or not len(array):
        return np.empty(0, dtype)
    return np.frombuffer(data, dtype, len(array), array.offset * dtype.itemsize)
