"""Which ids may stand in one graph: on a cluster as on one machine, whatever the route.

Engines would cast: the union of a column of integers and one of texts makes "02" and 2 one id.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.graph.arrow import plain_array
from skerry.ids.numbering import Numbering
from skerry.optional import require_arrow

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


PURPOSE = "ids that are not integers"


def check_id_types(columns: Iterable[tuple[str, Any]]) -> None:
    """Raises unless columns of ids, which have names, may stand in one graph; reads no value.

    Raises
    ------
    InputError
        If a type cannot be an id (floats, structs), or two of them are never equal (integers and
        texts).
    """
    numbering = Numbering()
    first: tuple[str, Any] | None = None
    for name, column in columns:
        empty = plain_array(column[:0])
        try:
            numbering.number(empty, 1)
        except InputError as error:
            if first is None or str(empty.type) == str(first[1]):
                raise InputError(f"{name}: {error}") from None
            where = name if name == first[0] else f"{first[0]} and {name}"
            raise InputError(
                f"{where}: {error}; ids of different types are never equal: cast one of them"
            ) from None
        if first is None and str(empty.type) != "null":
            first = name, empty.type


def distinct_sorted(columns: Iterable[Any], name: str = "the ids") -> Any:
    """The distinct ids of Arrow arrays, ascending; None without an array.

    Raises
    ------
    InputError
        If they are not of one type, as on one machine, or cannot be sorted.
    """
    arrow = require_arrow(PURPOSE)
    compute = require_arrow(PURPOSE, "pyarrow.compute")
    parts = [compute.unique(plain_array(column)) for column in columns]
    if not parts:
        return None
    check_id_types((name, part) for part in parts)
    try:
        ids = compute.unique(arrow.concat_arrays([part.cast(parts[0].type) for part in parts]))
        return ids.take(compute.sort_indices(ids))
    except (arrow.ArrowNotImplementedError, arrow.ArrowInvalid) as error:
        raise InputError(f"ids of type {parts[0].type} cannot be sorted: {error}") from None
