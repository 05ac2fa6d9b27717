"""The inverse of an order."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

Number = TypeVar("Number", bound=np.unsignedinteger)


def ranks_of(order: npt.NDArray[Number]) -> npt.NDArray[Number]:
    """The rank of each number, by the numbers in ascending order of what they stand for."""
    ranks = np.empty_like(order)
    ranks[order] = np.arange(len(order), dtype=order.dtype)
    return ranks
