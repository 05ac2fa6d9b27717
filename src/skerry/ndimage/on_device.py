"""Images in the memory of a GPU: labels and counts stay there, and the host does not wait."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from skerry.cuda.devices import find_runtime
from skerry.cuda.runtime import BLOCK, LANES, Runtime, Widths
from skerry.errors import InputError, UnsupportedError
from skerry.ndimage.arguments import Rule
from skerry.ndimage.pixels import background_of

AXES = 3
CHUNK = 32 * LANES
"""Pixels that are numbered together: kChunk of ``kernels/gpu/images/label_images.cu``."""
NEIGHBORS = 13
"""Of 26, those that come first in raster order."""


def label_arrays(runtime: Runtime, images: Any, leading: int, rule: Rule) -> tuple[Any, Any]:
    """Labels and the number of each image, both arrays on the device.

    A NaN is an object there: to find it, the host would have to wait.
    """
    if rule.wrap or rule.values == "within":
        raise UnsupportedError("wrap and delta are not for arrays on a GPU: copy them to the host")
    if images.dtype.kind not in "biuf" or images.dtype.itemsize > 8:
        raise InputError(f"input must be an array of real numbers, got the type {images.dtype}")
    shape = images.shape[leading:]
    if len(shape) > AXES:
        raise UnsupportedError(f"an image on a GPU has at most {AXES} axes, got {len(shape)}")
    count = int(np.prod(images.shape[:leading], dtype=np.int64))
    size = int(np.prod(shape, dtype=np.int64))
    wide = count * size >= 2**32 or size >= 2**31 - 2
    vertex = np.dtype(np.uint64 if wide else np.uint32)
    labels = runtime.empty(count * size, vertex)
    numbers = runtime.zeros(count, np.uint64)
    if count * size:
        numbers = _launch(runtime, images, rule, (count, size), labels)
    signed = labels.view(np.int64 if wide else np.int32)
    return signed.reshape(images.shape), numbers.view(np.int64).reshape(images.shape[:leading])


def count_pixels(runtime: Runtime, labels: Any, leading: int) -> Any:
    """The pixels of the component of each pixel, ``int32``, from labels of 32 bits."""
    size = int(np.prod(labels.shape[leading:], dtype=np.int64))
    total = labels.size
    counts = runtime.empty(total, np.uint32)
    if total:
        sizes = runtime.zeros(total, np.uint32)
        blocks = min(-(-total // BLOCK), runtime.max_blocks)
        for name, arrays in (("count_pixels", (sizes,)), ("write_sizes", (sizes, counts))):
            kernel = runtime.kernel("label_images", name, Widths(32, 32, 32).defines)
            kernel((blocks,), (BLOCK,), (labels, size, total, *arrays))
    return counts.view(np.int32).reshape(labels.shape)


@contextmanager
def arrays_of(images: Any, number: int) -> Iterator[tuple[Runtime, Any, Callable[[Any], Any]]]:
    """The runtime of a GPU, an array of it, and what makes the caller's kind of array of one.

    A tensor of torch is read and answered in the stream that is torch's current one.
    """
    runtime = find_runtime(f"cuda:{number}")
    with runtime.active():
        if not type(images).__module__.startswith("torch"):
            yield runtime, runtime.xp.asarray(images), lambda array: array
            return
        import torch

        stream = torch.cuda.current_stream(images.device)
        with runtime.xp.cuda.ExternalStream(stream.cuda_stream):
            tensor = images.detach().contiguous()
            is_bool = tensor.dtype == torch.bool
            array = runtime.xp.from_dlpack(tensor.view(torch.uint8) if is_bool else tensor)
            yield runtime, array, torch.from_dlpack


def _launch(runtime: Runtime, images: Any, rule: Rule, counts: tuple[int, int], labels: Any) -> Any:
    count, size = counts
    vertex = labels.dtype
    parent = runtime.empty(count * size, vertex)
    chunks = -(-size // CHUNK)
    roots = runtime.empty(count * chunks, np.uint64)
    common = (runtime.xp.ascontiguousarray(images), *_numbers(images, rule), count)
    bits = 8 * vertex.itemsize
    defines = Widths(bits, bits, bits).defines

    def launch(name: str, threads: int, *arguments: Any) -> None:
        blocks = min(-(-threads // BLOCK), runtime.max_blocks)
        runtime.kernel("label_images", name, defines)((blocks,), (BLOCK,), (*common, *arguments))

    launch("link_runs", count * size, parent)
    launch("join_runs", count * size, parent)
    launch("count_roots", count * chunks * LANES, parent, chunks, roots)
    sums = runtime.xp.cumsum(roots.reshape(count, chunks), axis=1)
    launch("number_roots", count * chunks * LANES, parent, chunks, roots, sums, labels)
    launch("write_labels", count * size, parent, labels)
    return runtime.xp.ascontiguousarray(sums[:, -1])


def _numbers(images: Any, rule: Rule) -> tuple[int, ...]:
    """The numbers of the struct Images, from the bytes of a pixel to the width."""
    dtype = np.dtype(np.uint8) if images.dtype.kind == "b" else images.dtype
    unsigned = f"u{dtype.itemsize}"
    background = background_of(rule, dtype)
    sign = 1 << (8 * dtype.itemsize - 1) if dtype.kind == "f" else 0
    value = int(background.view(unsigned)[0]) if len(background) else 0
    mode = (len(background) > 0) | (rule.values == "equal") << 1
    ndim = rule.structure.ndim
    flags = np.zeros((3, 3, 3), bool)
    flags[(1,) * (AXES - ndim)] = rule.structure
    structure = sum(1 << int(i) for i in np.flatnonzero(flags.reshape(-1)[:NEIGHBORS]))
    shape = (1,) * (AXES - ndim) + images.shape[images.ndim - ndim :]
    return dtype.itemsize, sign, 0 if value == sign else value, mode, structure, *shape
