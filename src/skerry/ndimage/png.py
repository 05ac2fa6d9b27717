"""PNG files: gray values of 8 or 16 bits, or the colors of a palette."""

from __future__ import annotations

import os
import struct
import zlib
from colorsys import hsv_to_rgb
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.formats.writers.atomic_file import atomic_file

COLORS = 255
GOLDEN = 0.618034
"""Successive labels differ by this part of the circle of hues, so that neighbors do."""


def write_png(
    path: str | os.PathLike[str], pixels: npt.NDArray[Any], palette: bytes | None = None
) -> None:
    """Writes an image of uint8 or uint16; with a palette, pixels are numbers of its colors."""
    height, width = pixels.shape
    bits = 8 * pixels.itemsize
    rows = np.ascontiguousarray(pixels, f">u{pixels.itemsize}").view(np.uint8)
    filtered = np.zeros((height, 1 + rows.shape[1]), np.uint8)  # no filter in front of each row
    filtered[:, 1:] = rows
    header = struct.pack(">IIBBBBB", width, height, bits, 0 if palette is None else 3, 0, 0, 0)
    with atomic_file(path) as file:
        file.write(b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header))
        if palette is not None:
            file.write(_chunk(b"PLTE", palette))
        file.write(_chunk(b"IDAT", zlib.compress(filtered.data, 6)) + _chunk(b"IEND", b""))


def palette_of_labels() -> bytes:
    """Black for 0, and bright colors for the numbers of `color_numbers`."""
    colors = [(0.0, 0.0, 0.0)]
    colors += [hsv_to_rgb(number * GOLDEN % 1, 0.65, 0.95) for number in range(COLORS)]
    return bytes(round(255 * part) for color in colors for part in color)


def color_numbers(labels: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """The color of each label; the background has 0."""
    return np.where(labels, 1 + (labels - 1) % COLORS, 0).astype(np.uint8)


def _chunk(kind: bytes, data: bytes) -> bytes:
    check = struct.pack(">I", zlib.crc32(kind + data))
    return struct.pack(">I", len(data)) + kind + data + check
