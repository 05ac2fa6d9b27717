"""The kernel, and arrays as it reads them: pixels, the background and a difference of one type."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.errors import InputError
from skerry.ndimage.arguments import VALUES, Rule
from skerry.threads import THREADS_FROM, resolve_threads

Array = npt.NDArray[Any]
WIDE_FROM = 2**31 - 2
"""Pixels of an image from which labels are 64-bit; scipy's number."""


def label_type(size: int) -> np.dtype[Any]:
    """The type of labels of an image with so many pixels, unless another is asked for."""
    return np.dtype(np.int32 if size < WIDE_FROM else np.int64)


def label_into(
    image: Array, leading: int, rule: Rule, labels: Array, threads: int | None
) -> npt.NDArray[np.int64]:
    """Writes labels to a contiguous array of 32 or 64 bits; returns the number of each image."""
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
            labels.reshape(-1),
            counts,
            1 if threads is None and image.size < THREADS_FROM else resolve_threads(threads),
        )
        check_numbers(np.nan if invalid else 0)
    return counts.view(np.int64)


def read_pixels(image: Array, rule: Rule) -> tuple[Array, Array, Array]:
    """Pixels in raster order, the background (empty: there is none), and the largest difference."""
    if image.dtype.kind not in "biuf":
        raise InputError(
            f"input must be an array of real numbers or bool, got the type {image.dtype}"
        )
    if image.dtype.kind == "f" and image.dtype.itemsize > 8:
        if rule.values != "binary":
            raise InputError(f"input: pixels of the type {image.dtype} must be cast to float64")
        check_numbers(image.min(initial=0))
        image, rule = image != rule.background, rule._replace(background=0)
    if image.dtype == np.float16:
        image = image.astype(np.float32)
    elif image.dtype == np.bool_:
        image = image.view(np.uint8)
    pixels = np.ascontiguousarray(image, image.dtype.newbyteorder("="))
    return pixels.reshape(-1), background_of(rule, pixels.dtype), _delta(rule, pixels.dtype)


def check_numbers(value: Any) -> None:
    """Raises an error if the value, made of all pixels, is NaN."""
    if value != value:
        raise InputError("input has a NaN: replace it, for instance by numpy.nan_to_num")


def background_of(rule: Rule, dtype: np.dtype[Any]) -> Array:
    """The background in the type of the pixels; empty if no pixel has it."""
    background = rule.background
    if background is None:
        return np.empty(0, dtype)
    if np.ndim(background) != 0 or not np.isreal(background) or background != background:
        raise InputError(f"background must be a number or None, got {background!r}")
    if dtype.kind == "f":
        return np.array([background], dtype)
    limits = np.iinfo(dtype)
    if background != int(background) or not limits.min <= background <= limits.max:
        return np.empty(0, dtype)  # a value that no pixel has
    return np.array([int(background)], dtype)


def _delta(rule: Rule, dtype: np.dtype[Any]) -> Array:
    if dtype.kind == "f":
        return np.array([rule.delta or 0], dtype)
    unsigned = np.dtype(f"u{dtype.itemsize}")
    largest = np.iinfo(unsigned).max
    delta = 0 if rule.delta is None else largest if rule.delta >= largest else int(rule.delta)
    return np.array([delta], unsigned).view(dtype)
