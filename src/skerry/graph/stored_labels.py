"""Labels that were stored: checked before kernels rely on them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError

PIECE = 1 << 20  # labels that are checked at a time


def checked_labels(labels: Any, origin: str) -> npt.NDArray[Any]:
    """Canonical labels that were stored; an error if they are not, since kernels rely on it."""
    if (
        not isinstance(labels, np.ndarray)
        or labels.ndim != 1
        or labels.dtype not in (np.dtype(np.uint32), np.dtype(np.uint64))
    ):
        raise InputError(f"{origin}: the labels are not an array of unsigned integers")
    for begin in range(0, len(labels), PIECE):
        part = labels[begin : begin + PIECE]
        if (part > np.arange(begin, begin + len(part), dtype=labels.dtype)).any():
            raise InputError(f"{origin}: a parent is above its vertex")
        if (labels[part] != part).any():
            raise InputError(f"{origin}: a label is not the label of its own vertex")
    return labels
