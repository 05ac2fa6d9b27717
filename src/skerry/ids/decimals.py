"""Decimals as bytes that native code sorts and compares."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


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
