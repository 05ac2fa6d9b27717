"""Images in the memory of a GPU: labels and counts stay there, and the host does not wait."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from functools import cache, lru_cache
from math import prod
from typing import Any, NamedTuple

import numpy as np

from skerry.algorithms.gpu.job import Job
from skerry.cuda.devices import find_runtime
from skerry.cuda.recorded_launches import RecordedLaunch, RecordedLaunches, RecordedRun
from skerry.cuda.runtime import BLOCK, LANES, Runtime, Widths
from skerry.errors import InputError, UnsupportedError
from skerry.graph.device import DeviceEdges
from skerry.graph.grid import background_of, label_type
from skerry.graph.grid_rule import Rule

AXES = 3
NEIGHBORS = 13
"""Of 26, those that come first in raster order; the last one is in the same row."""
OTHER_ROWS = (1 << NEIGHBORS - 1) - 1
"""The bits of those in other rows."""
TILE = 256
"""Words of a tile, and of a chunk whose runs are counted together: a thread of a block each."""
CHUNK = 4 * BLOCK
"""Runs that are numbered together: kEachRun threads of ``kernels/gpu/images/label_images.cu``."""
FEW_BLOCKS = 8
"""Blocks of a multiprocessor where each takes one chunk after the other."""


class Slot(IntEnum):
    """Positions of the values of a run."""

    PIXELS = 0
    LABELS = 1
    COUNTS = 2
    STATE = 3
    RUN_STATES = 4
    ROOT_STATES = 5
    ROOTS_TAKEN = 6
    END = 7  # the word after the runs before each word
    MARKS = 8  # scratch memory, from here on
    BEFORE = 9
    PARENT = 10
    ENTERING = 11
    ITEM_BYTES = 12  # the struct Images, from here on
    TILE_WIDTH = 21
    TILE_HEIGHT = 22
    TILE_DEPTH = 23
    CHUNKS = 24  # numbers of blocks, from here on
    TILES = 25
    ROOT_CHUNKS = 26
    GROUPS = 27


IMAGES = (Slot.PIXELS, *range(Slot.ITEM_BYTES, Slot.TILE_WIDTH))
RUNS = (*IMAGES, Slot.MARKS, Slot.BEFORE)
TILED = (*RUNS, Slot.TILE_WIDTH, Slot.TILE_HEIGHT, Slot.TILE_DEPTH, Slot.PARENT, Slot.ENTERING)
LAUNCHES = RecordedLaunches(
    "label_images",
    (
        RecordedLaunch("find_runs", Slot.CHUNKS, BLOCK, (*RUNS, Slot.STATE, Slot.RUN_STATES)),
        RecordedLaunch("join_tiles", Slot.TILES, TILE, TILED),
        RecordedLaunch("join_borders", Slot.TILES, TILE, TILED),
        RecordedLaunch(
            "number_roots",
            Slot.ROOT_CHUNKS,
            BLOCK,
            (Slot.PARENT, Slot.END, Slot.ROOTS_TAKEN, Slot.ROOT_STATES),
        ),
        RecordedLaunch(
            "write_labels", Slot.GROUPS, BLOCK, (*RUNS, Slot.PARENT, Slot.LABELS, Slot.COUNTS)
        ),
    ),
)


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
    count, size = prod(images.shape[:leading]), prod(shape)
    label = label_type(size)
    if count * size:
        labels, numbers = _launch(runtime, images, rule, (count, size), label)
    else:
        labels, numbers = runtime.empty(0, label), runtime.zeros(count, np.int64)
    return labels.reshape(images.shape), numbers.reshape(images.shape[:leading])


def count_pixels(runtime: Runtime, labels: Any, leading: int) -> Any:
    """The pixels of the component of each pixel, ``int32``, from labels of 32 bits."""
    size = prod(labels.shape[leading:])
    total = labels.size
    counts = runtime.empty(total, np.uint32)
    if total:
        sizes = runtime.zeros(total, np.uint32)
        blocks = min(-(-total // BLOCK), runtime.max_blocks)
        for name, arrays in (("count_pixels", (sizes,)), ("write_sizes", (sizes, counts))):
            kernel = runtime.kernel("count_pixels", name, Widths(32, 32, 32).defines)
            kernel((blocks,), (BLOCK,), (labels, size, total, *arrays))
    return counts.view(np.int32).reshape(labels.shape)


def label_by_pixels(runtime: Runtime, image: Any, rule: Rule, dtype: np.dtype[Any]) -> Job:
    """A finished run whose labels are the first pixel of each object, as those of a graph are.

    Pixels of the background are labels of their own.
    """
    n = image.size
    own = runtime.empty(0, f"u{label_type(n).itemsize}")
    job = Job(runtime, DeviceEdges(own, own, n), dtype, False)
    numbers = label_arrays(runtime, image, 0, rule)[0].reshape(-1).view(own.dtype)
    first = runtime.zeros(n, job.dtype)
    job.bytes += first.nbytes + numbers.nbytes
    job.launch("count_pixels", "find_first", n, numbers, n, first)
    job.launch("count_pixels", "write_first", n, numbers, n, first, job.parent)
    job.finish()
    return job


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


class _Sizes(NamedTuple):
    """What the launches for images of one shape need."""

    run: RecordedRun
    chunks: int
    words: int
    states: int
    runs_of_word: int


@lru_cache(maxsize=256)
def _sizes(numbers: tuple[int, ...], item_bytes: int, resident: int, max_blocks: int) -> _Sizes:
    """``numbers``: the struct Images, from the bytes of a pixel on."""
    *_, mode, structure, depth, height, width, count = numbers
    columns = -(-width // LANES)
    rows = depth * height * count
    words = rows * columns
    by_value = mode >> 1
    joins_objects = structure >> NEIGHBORS - 1 and not by_value
    pixels_of_run = 2 if joins_objects else 1  # at least, with what ends it
    runs = rows * -(-width // pixels_of_run)
    tile = _tile(columns, depth)
    across, down, back = (
        -(-size // own) for size, own in zip((columns, height, depth), tile, strict=True)
    )
    chunks, root_chunks = -(-words // BLOCK), -(-runs // CHUNK)
    marks = 2 + (structure & OTHER_ROWS).bit_count() if by_value else 1
    parts = (
        4 * marks * words,
        item_bytes * (words + 1),
        item_bytes * (runs + 1),
        item_bytes * rows * across,
    )
    blocks = (
        min(chunks, FEW_BLOCKS * resident, max_blocks),
        min(across * down * back * count, max_blocks),
        min(root_chunks, FEW_BLOCKS * resident, max_blocks),
        min(-(-words // BLOCK), max_blocks),
    )
    run = RecordedRun.create(LAUNCHES, parts, (*numbers, *tile, *blocks))
    return _Sizes(run, chunks, words, 2 + chunks + root_chunks, LANES // pixels_of_run)


def _tile(columns: int, depth: int) -> tuple[int, int, int]:
    """Words, rows and layers of a tile: powers of two whose product is `TILE`."""
    width = min(8 if depth == 1 else 4, 1 << (columns - 1).bit_length())
    layers = min(8, 1 << (depth - 1).bit_length())
    return width, TILE // width // layers, layers


def _launch(
    runtime: Runtime, images: Any, rule: Rule, counts: tuple[int, int], label: np.dtype[Any]
) -> tuple[Any, Any]:
    count, size = counts
    item_bytes = 4 if count * size < 2**31 else 8  # of runs: the kernels need a bit for themselves
    pixels = images if images.flags.c_contiguous else runtime.xp.ascontiguousarray(images)
    numbers = (*_numbers(images, rule), count)
    sizes = _sizes(numbers, item_bytes, runtime.processors, runtime.max_blocks)
    labels, state = runtime.labels_and_state(count * size, label, sizes.states, True)
    of_images = runtime.empty(count, np.int64)
    _held, base = runtime.scratch(sizes.run.scratch_bytes)
    scratch = [base + offset for offset in sizes.run.scratch_offsets]
    address = runtime.address
    words = address(state)
    values = [
        address(pixels),
        address(labels),
        address(of_images),
        words,
        words + 16,
        words + 16 + 8 * sizes.chunks,
        words + 8,
        scratch[1] + item_bytes * sizes.words,
        *scratch,
        *sizes.run.values,
    ]
    defines = _defines(item_bytes, label.itemsize, sizes.runs_of_word)
    runtime.launch_recorded(LAUNCHES, defines, values)
    return labels, of_images


@cache
def _defines(item_bytes: int, label_bytes: int, runs_of_word: int) -> tuple[str, ...]:
    widths = Widths(8 * item_bytes, 8 * label_bytes, 32).defines
    return (*widths, f"SKERRY_RUNS_OF_WORD={runs_of_word}")


def _numbers(images: Any, rule: Rule) -> tuple[int, ...]:
    """The numbers of the struct Images, from the bytes of a pixel to the width."""
    dtype = images.dtype
    sign = 1 << (8 * dtype.itemsize - 1) if dtype.kind == "f" else 0
    value, has_background = 0, True
    if type(rule.background) is not int or rule.background != 0:
        unsigned = np.dtype(np.uint8) if dtype.kind == "b" else dtype
        background = background_of(rule, unsigned)
        has_background = len(background) > 0
        value = int(background.view(f"u{dtype.itemsize}")[0]) if has_background else 0
    mode = has_background | (rule.values == "equal") << 1
    ndim = rule.structure.ndim
    structure = _structure_bits(rule.structure.tobytes(), ndim)
    shape = (1,) * (AXES - ndim) + images.shape[images.ndim - ndim :]
    return dtype.itemsize, sign, 0 if value == sign else value, mode, structure, *shape


@lru_cache(maxsize=256)
def _structure_bits(structure: bytes, ndim: int) -> int:
    flags = np.zeros((3, 3, 3), bool)
    flags[(1,) * (AXES - ndim)] = np.frombuffer(structure, bool).reshape((3,) * ndim)
    return sum(1 << int(i) for i in np.flatnonzero(flags.reshape(-1)[:NEIGHBORS]))
