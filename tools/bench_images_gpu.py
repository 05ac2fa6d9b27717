"""Checks and times `skerry.ndimage.label` on a GPU, beside cupyx and the time of a copy.

Usage: python tools/bench_images_gpu.py

Needs CuPy and a GPU. Prints milliseconds, the least of 20 runs, by events of the device.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cupy
import cupyx.scipy.ndimage
import numpy as np

import skerry.ndimage


def milliseconds(run: Callable[[], Any], times: int = 20) -> float:
    """The least time of a run on the device; the first two do not count."""
    minimum = float("inf")
    for number in range(times + 2):
        begin, end = cupy.cuda.Event(), cupy.cuda.Event()
        begin.record()
        run()
        end.record()
        end.synchronize()
        if number >= 2:
            minimum = min(minimum, cupy.cuda.get_elapsed_time(begin, end))
    return minimum


def report(name: str, image: Any, leading: int, theirs: bool) -> None:
    """Compares the labels with those of the CPU, and prints one line."""
    options: dict[str, Any] = {"connectivity": 2, "batch_axes": leading}
    labels, counts = skerry.ndimage.label(image, **options)
    expected, numbers = skerry.ndimage.label(image.get(), **options)
    right = np.array_equal(labels.get(), expected) and np.array_equal(counts.get(), numbers)
    own = milliseconds(lambda: skerry.ndimage.label(image, **options))
    once = milliseconds(lambda: image.astype(cupy.int32))
    line = f"{name}: {'right' if right else 'WRONG'}, {own:.3f} ms, read and written {once:.3f} ms"
    if theirs:
        structure = cupy.ones((3,) * image.ndim)
        other = milliseconds(lambda: cupyx.scipy.ndimage.label(image, structure), 3)
        line += f", cupyx {other:.3f} ms ({other / own:.1f})"
    print(line, flush=True)


def main() -> None:
    """Run the command line."""
    cupy.random.seed(1)
    for density in (0.1, 0.5, 0.9):
        image = cupy.random.random((4096, 4096)) < density
        report(f"4096^2, random {density:.0%}", image, 0, True)
    noise = cupyx.scipy.ndimage.gaussian_filter(cupy.random.random((4096, 4096)), 5)
    blobs = noise > cupy.median(noise)
    report("4096^2, blobs", blobs, 0, True)
    masks = cupy.tile(blobs, (4, 1)).reshape(16, 1024, 4, 1024).swapaxes(1, 2)
    masks = cupy.ascontiguousarray(masks).reshape(64, 1024, 1024)
    report("64 masks of 1024^2, blobs", masks, 1, False)
    report("64 masks of 1024^2, random", cupy.random.random((64, 1024, 1024)) < 0.5, 1, False)


if __name__ == "__main__":
    main()
