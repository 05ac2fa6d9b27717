"""Columns of ids as native code reads them: integers, bytes, or indices into a list of values.

A column is one chunk; only Arrow's chunked arrays are several.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError

if TYPE_CHECKING:
    import pyarrow


@dataclass(frozen=True, slots=True)
class IntegerChunk:
    """Ids that are integers, or are stored as integers."""

    values: npt.NDArray[Any]
    """Integers of native byte order, aligned, with any stride."""
    logical: pyarrow.DataType | None = None
    """The Arrow type that they stand for, if not integers: dates, times, booleans."""

    def __len__(self) -> int:
        return len(self.values)

    @property
    def type_name(self) -> str:
        """The type, for error messages."""
        return str(self.values.dtype if self.logical is None else self.logical)


@dataclass(frozen=True, slots=True)
class TextChunk:
    """Ids that are strings of bytes, side by side in one array."""

    data: npt.NDArray[np.uint8]
    offsets: npt.NDArray[Any] | None
    """Where each id begins, and where the last ends; None for ids of fixed width."""
    width: int
    """Bytes of an id of fixed width."""
    count: int
    kind: str
    """Chunks of equal kind can follow each other; their types may differ."""
    type: pyarrow.DataType
    """The Arrow type of the column, and of the ids that are returned."""

    def __len__(self) -> int:
        return self.count

    @property
    def type_name(self) -> str:
        """The type, for error messages."""
        return str(self.type)


@dataclass(frozen=True, slots=True)
class DictionaryChunk:
    """Ids that are given by indices into a list of values."""

    indices: npt.NDArray[Any]
    values: Any
    """The list, itself a column."""

    def __len__(self) -> int:
        return len(self.indices)


Chunk = IntegerChunk | TextChunk | DictionaryChunk


def missing_error(row: int, marker: str) -> InputError:
    """The error for a missing id; ``marker`` is what stands in its place: null, NaN."""
    return InputError(f"row {row} of the ids is missing ({marker}); drop or fill it first")


def float_error() -> InputError:
    """The error for a column of floats."""
    return InputError(
        "floats are not ids: two that look the same may differ; make them integers, or strings of "
        "a fixed number of digits"
    )


def ordered_decimals(data: npt.NDArray[np.uint8], width: int) -> npt.NDArray[np.uint8]:
    """Decimals as bytes that sort like numbers: big-endian, with the sign bit flipped."""
    flipped = data.reshape(-1, width)[:, ::-1].copy()
    flipped[:, 0] ^= 0x80
    return flipped.reshape(-1)


def plain_decimals(data: npt.NDArray[np.uint8], width: int) -> npt.NDArray[np.uint8]:
    """The inverse of `ordered_decimals`."""
    flipped = data.reshape(-1, width)[:, ::-1].copy()
    flipped[:, -1] ^= 0x80
    return flipped.reshape(-1)
