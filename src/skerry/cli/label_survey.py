"""What `skerry label` sees of labels as they are written: sizes of components, and a picture."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from rich.color import Color
from rich.console import Console, Group
from rich.style import Style
from rich.text import Text

from skerry.formats.memory import resident
from skerry.ndimage.png import color_numbers, palette_of_labels, write_png
from skerry.ndimage.slabs import MARGIN

Array = npt.NDArray[Any]
LARGEST_PICTURE = 1024
"""Pixels along the longer side of a picture."""
BATCH = 1 << 20
"""Labels that are counted at once."""
SHOWN_COLUMNS, SHOWN_LINES = 64, 14
"""The picture in a terminal: a column has one pixel, a line two."""


class Survey:
    """Sizes of components, and the sampled middle plane."""

    def __init__(self, shape: tuple[int, ...], limit: int | None) -> None:
        self.sizes: npt.NDArray[np.int64] | None = np.zeros(1, np.int64)
        """By label; None if they did not fit under the limit."""
        self.seen_from: int | None = None
        """The first plane that was seen."""
        self._limit = limit
        self._middle = tuple(size // 2 for size in shape[:-2])
        plane = shape[-2:] if len(shape) > 1 else (1, *shape)
        self._rows, self._columns = (_sampled(size, max(plane)) for size in plane)
        self._is_line = len(shape) == 1
        self.picture: Array = np.zeros((len(self._rows), len(self._columns)), np.uint8)
        """Numbers of colors; see `color_numbers`."""

    def see(self, begin: int, labels: Array) -> None:
        """Counts the labels of some planes, the first of which has this number."""
        if self.seen_from is None:
            self.seen_from = begin
        if labels.size:
            self._count(labels.reshape(-1))
            self._sample(begin, labels)

    def _count(self, labels: Array) -> None:
        largest = int(labels.max())
        for first in range(0, len(labels), BATCH):
            if self.sizes is None:
                return
            more = 8 * max(0, largest + 1 - len(self.sizes))
            if self._limit is not None and resident() + 2 * more + MARGIN // 2 > self._limit:
                self.sizes = None
                return
            self.sizes = np.pad(self.sizes, (0, more // 8))
            part = labels[first : first + BATCH].astype(np.int64)
            self.sizes += np.bincount(part, minlength=len(self.sizes))

    def _sample(self, begin: int, labels: Array) -> None:
        if self._middle:
            if not begin <= self._middle[0] < begin + len(labels):
                return
            plane, rows = labels[(self._middle[0] - begin, *self._middle[1:])], self._rows
            self.picture[:] = color_numbers(plane[np.ix_(rows, self._columns)])
        elif self._is_line:
            inside = (self._columns >= begin) & (self._columns < begin + len(labels))
            self.picture[0, inside] = color_numbers(labels[self._columns[inside] - begin])
        else:
            inside = (self._rows >= begin) & (self._rows < begin + len(labels))
            rows = self._rows[inside] - begin
            self.picture[inside] = color_numbers(labels[np.ix_(rows, self._columns)])

    def write(self, path: str) -> None:
        """Writes the picture as a PNG file."""
        write_png(path, self.picture, palette_of_labels())


def _sampled(size: int, longest: int) -> npt.NDArray[np.int64]:
    """The positions along an axis that a picture shows."""
    count = max(1, min(size, size * LARGEST_PICTURE // max(longest, LARGEST_PICTURE)))
    return np.arange(count if size else 0) * size // count


def drawn(picture: Array, out: Console) -> Group:
    """The picture in a terminal: blocks of half a line."""
    height, width = picture.shape
    columns = min(SHOWN_COLUMNS, out.width - 3, width)
    lines = min(2 * SHOWN_LINES, max(1, round(height * columns / max(width, 1))), height)
    columns = max(1, min(columns, round(width * lines / max(height, 1))))
    pixels = picture[
        np.ix_(np.arange(lines) * height // lines, np.arange(columns) * width // columns)
    ]
    if lines % 2:
        pixels = np.pad(pixels, ((0, 1), (0, 0)))
    palette = np.frombuffer(palette_of_labels(), np.uint8).reshape(-1, 3)
    styles = [Style(color=Color.from_rgb(*map(int, color))) for color in palette]
    return Group(*(_line(pair[0], pair[1], styles, out) for pair in pixels.reshape(-1, 2, columns)))


def _line(upper: Array, lower: Array, styles: list[Style], out: Console) -> Text:
    line = Text(" ")
    for above, below in zip(upper.tolist(), lower.tolist(), strict=True):
        if out.options.ascii_only:
            line.append("#" if above or below else ".")
        elif above and below and above != below and out.color_system is not None:
            line.append("\u2580", styles[above] + Style(bgcolor=styles[below].color))
        else:
            block = (
                "\u2588" if above and below else "\u2580" if above else "\u2584" if below else " "
            )
            line.append(block, styles[above or below] if above or below else "")
    return line
