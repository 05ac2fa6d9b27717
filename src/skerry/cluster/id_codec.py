"""Integer ids as 64-bit words in the same order, and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError

SIGN = np.uint64(1 << 63)


@dataclass(frozen=True)
class IdCodec:
    """How ids of a run are words: the smallest word is the smallest id."""

    dtype: str
    """Type of the ids in the answer, as NumPy writes it."""

    @property
    def unsigned(self) -> bool:
        """Whether ids of 2^63 and more are meant, and none is negative."""
        return self.dtype == "uint64"

    def encode(self, ids: npt.NDArray[Any], name: str) -> npt.NDArray[np.uint64]:
        """The words of ids.

        Raises
        ------
        InputError
            If an id does not fit the type of the run's ids.
        """
        if self.unsigned:
            if ids.dtype.kind == "i" and len(ids) and int(ids.min()) < 0:
                raise InputError(f"{name}: the id {int(ids.min())} among ids of type uint64")
            return ids.astype(np.uint64)
        if ids.dtype == np.uint64 and len(ids) and int(ids.max()) >= 1 << 63:
            raise InputError(
                f"{name}: the id {int(ids.max())} does not fit int64, the type of the ids before"
            )
        return ids.astype(np.int64).view(np.uint64) ^ SIGN

    def decode(self, words: npt.NDArray[np.uint64]) -> npt.NDArray[Any]:
        """The ids of words."""
        if self.unsigned:
            return words
        return (words ^ SIGN).view(np.int64).astype(self.dtype, copy=False)


def codec_of(*dtypes: np.dtype[Any]) -> IdCodec:
    """For ids of these types."""
    if any(dtype == np.uint64 for dtype in dtypes):
        return IdCodec("uint64")
    return IdCodec(str(np.result_type(*dtypes)))
