"""Labels of images, by the kernel that joins runs of pixels."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.graph.grid import check_numbers, read_pixels
from skerry.graph.grid_rule import VALUES, Rule
from skerry.threads import THREADS_FROM, resolve_threads

Array = npt.NDArray[Any]


def label_into(
    image: Array,
    leading: int,
    rule: Rule,
    labels: Array,
    threads: int | None,
    smallest: bool = False,
) -> npt.NDArray[np.int64]:
    """Writes labels to a contiguous array of 32 or 64 bits; returns the number of each image.

    ``smallest``: the label of an object is its first pixel, and that of a pixel of the background
    the pixel itself.
    """
    sizes = np.array(image.shape[leading:] or (1,), np.uint64)
    counts = np.zeros(int(np.prod(image.shape[:leading], dtype=np.int64)), np.uint64)
    pixels, background, delta = read_pixels(image, rule)
    structure = rule.structure.reshape(-1) if rule.structure.ndim else np.zeros(3, np.uint8)
    if image.size:
        *_, invalid = _native.label_images(
            pixels,
            background,
            delta,
            VALUES.index(rule.values),
            sizes,
            structure,
            rule.wrap,
            smallest,
            labels.reshape(-1),
            counts,
            threads_of_image(image.size, threads),
        )
        check_numbers(np.nan if invalid else 0)
    return counts.view(np.int64)


def threads_of_image(size: int, threads: int | None) -> int:
    """How many threads label an image of so many pixels."""
    return 1 if threads is None and size < THREADS_FROM else resolve_threads(threads)
