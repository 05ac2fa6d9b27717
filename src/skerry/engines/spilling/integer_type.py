"""The type of ids that are integers, as a run in memory would have it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.errors import InputError

INT64, UINT64 = np.dtype(np.int64), np.dtype(np.uint64)


class IdType:
    """The type that holds all ids so far."""

    def __init__(self) -> None:
        self._type: np.dtype[Any] | None = None
        self._negative = False
        self._high = False

    def note(self, ids: npt.NDArray[Any], threads: int) -> None:
        """Takes the type of some ids into account."""
        dtype, known = ids.dtype.newbyteorder("="), self._type
        if known is None or known == dtype:
            self._type = dtype
        elif UINT64 not in (known, dtype) or known.kind == dtype.kind:
            self._type = np.promote_types(known, dtype)
        else:  # no integer type holds all values of both
            self._type = UINT64 if known == UINT64 else INT64
        if len(ids) and (dtype.kind == "i" or dtype == UINT64):
            low, high = _native.bounds(ids, threads if len(ids) > 1 << 16 else 1)
            self._negative |= low < 0
            self._high |= high >= 1 << 63

    def result(self) -> np.dtype[Any]:
        """The type; ids are 64-bit patterns, of which negative and large ones are the same."""
        if self._negative and self._high:
            raise InputError(
                "negative ids and ids of 2^63 or more in one graph: no integer type holds both; "
                "make them strings"
            )
        if self._high:
            return UINT64
        if self._negative and self._type == UINT64:
            return INT64
        return self._type or INT64
