"""`label_slabs`: images larger than memory, labeled slab by slab.

Each slab is labeled twice. The first time only the labels of its border planes are kept, and which
of them belong to one component; the second time the final labels are written. So nothing that is
not final is ever written, and the type of the output is checked before. A single slab is read once.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import ArgumentError, InputError
from skerry.formats.memory import resident
from skerry.graph.grid_rule import Rule, make_rule
from skerry.ndimage.image_files import open_image, split_path
from skerry.ndimage.label_files import LabelsFile
from skerry.ndimage.slab_merge import Merged, Merger, border_of, label_slab
from skerry.ndimage.slab_state import SlabState
from skerry.option_checks import byte_count
from skerry.threads import check_threads

Array = npt.NDArray[Any]
SLAB_PIXELS = 1 << 25
"""Pixels of a slab, unless ``depth`` or ``limit`` says otherwise: with labels, 320 MB for images of
bytes."""
BYTES_PER_PIXEL = 15
"""Of a slab at most, beside its pixels and final labels: labels, bits, and 20 bytes for each of its
components, which are at most half as many."""
BYTES_OF_BORDERS = 56
"""Per pixel of a plane: four planes of labels, and where two of them touch."""
MARGIN = 48 << 20
"""Bytes of a limit that slabs leave free."""


@dataclass(frozen=True, slots=True)
class SlabOptions:
    """How `solve_slabs` goes through an image."""

    depth: int | None = None
    limit: int | None = None
    threads: int | None = None
    progress: Callable[[int, int], object] = lambda *_: None
    watch: Callable[[int, Array], object] = lambda *_: None
    """Is called with the first plane of a slab and its final labels, when they are written."""


def label_slabs(
    source: Any,
    out: Any,
    structure: Any = None,
    *,
    values: str = "binary",
    connectivity: int | None = None,
    background: Any = 0,
    wrap: Any = None,
    delta: float | None = None,
    depth: int | None = None,
    limit: int | str | None = None,
    dtype: npt.DTypeLike | None = None,
    state: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int], object] | None = None,
    threads: int | None = None,
) -> int:
    """Labels an image that does not fit into memory, slab by slab along its first axis.

    Takes the memory of one slab with its labels, and of the labels that touch a slab's border.

    Parameters
    ----------
    source
        The image: the path of a file (.npy, TIFF, NIfTI, Zarr, HDF5, pictures), or an array such as
        a memory map or one of Zarr, HDF5 or dask. It needs ``shape``, ``dtype`` and slices of its
        first axis that NumPy can read. It is read twice, unless it is a single slab.
        ``"volume.h5/raw"`` names one of several arrays. NIfTI images are read in the order of the
        file: their last axis is the first.
    out
        What the labels are written to: the path of a file, which appears when it is complete; or
        anything of the shape of the source that takes ``out[begin:end] = labels``.
    structure, values, connectivity, background, wrap, delta
        As of `label`.
    depth
        How many planes a slab has. By default, as many as have 2^25 pixels together.
    limit
        Instead of ``depth``: slabs as large as keep the process below this size, such as ``"4G"``.
    dtype
        The type of labels in a file: by default ``uint32``, for 2^32 pixels and more ``uint64``, in
        PNG files ``uint16``.
    state
        A file that the progress is kept in. A call that was interrupted continues from there. It
        must be of the same source, with the same arguments; it is removed in the end. Labels for a
        file are beside it meanwhile.
    progress
        Is called with the number of slabs done and of all, each of them counted twice.
    threads
        As of `label`.

    Returns
    -------
    int
        The number of components. The labels are those of `label`.

    Raises
    ------
    InputError
        As by `label`; if a file cannot be read or written; or if ``state`` belongs to another call.
        Labels that do not fit ``out`` are found before anything is written.
    MemoryError
        If ``limit`` is too small for a slab of one plane.
    UnsupportedError
        If the package that reads or writes a format is not installed.

    Examples
    --------
    >>> import numpy as np, skerry.ndimage
    >>> volume = np.ones((100, 20, 20), np.uint8)
    >>> volume[50] = 0
    >>> labels = np.zeros(volume.shape, np.uint16)
    >>> skerry.ndimage.label_slabs(volume, labels, depth=8)
    2
    """
    if depth is not None and limit is not None:
        raise ArgumentError("depth and limit cannot be used together: pass one of them")
    options = SlabOptions(depth, byte_count("limit", limit), check_threads(threads))
    if progress is not None:
        options = replace(options, progress=progress)
    with ExitStack() as stack:
        like = source if isinstance(source, str | os.PathLike) else None
        if like is not None:
            source = stack.enter_context(open_image(like))
        if not hasattr(source, "shape"):
            raise InputError(f"source must be a path or an array, got {type(source).__name__}")
        shape = tuple(source.shape)
        rule = make_rule(len(shape), 0, structure, connectivity, wrap, values, background, delta)
        slab_state = SlabState(state, call_of(source, rule, like))
        if isinstance(out, str | os.PathLike):
            out = stack.enter_context(LabelsFile(out, shape, dtype, state, like))
        elif dtype is not None:
            raise ArgumentError("dtype is for files: an array has a type of its own")
        count = solve_slabs(source, out, rule, slab_state, options)
    slab_state.remove()
    return count


def call_of(source: Any, rule: Rule, path: str | os.PathLike[str] | None) -> str:
    """What must be the same when a call is continued."""
    file: tuple[Any, ...] = ()
    if path is not None:
        status = split_path(path)[0].stat()
        file = (os.path.abspath(path), status.st_size, status.st_mtime_ns)  # noqa: PTH100
    return repr((file, tuple(source.shape), str(source.dtype), rule))


def solve_slabs(source: Any, out: Any, rule: Rule, state: SlabState, options: SlabOptions) -> int:
    """Labels an image slab by slab; see `label_slabs`."""
    shape = tuple(source.shape)
    if not shape or tuple(out.shape) != shape:
        raise ArgumentError(f"out must have the shape of the source, {shape}: {tuple(out.shape)}")
    depth = _depth(options, source, out)
    state.load(None if options.depth is None else depth)
    slabs = _Slabs(source, rule, state.depth or depth, options.threads)
    merged, written = state.merged, state.written
    if isinstance(out, LabelsFile) and not out.has_begun:
        written = 0
    if merged is None:
        merged = slabs.merge(options.progress)
        state.save(merged, slabs.depth, 0)
    _check_type(merged.components, out)
    for number in range(written, slabs.count):
        begin, end = slabs.limits(number)
        labels = merged.relabel(number, slabs.labels(number), out.dtype)
        out[begin:end] = labels
        options.watch(begin, labels)
        del labels
        state.save(merged, slabs.depth, number + 1)
        options.progress(slabs.count + number + 1, 2 * slabs.count)
    return merged.components


def _depth(options: SlabOptions, source: Any, out: Any) -> int:
    """Planes of a slab."""
    if options.depth is not None:
        if isinstance(options.depth, bool) or index(options.depth) < 1:
            raise ArgumentError(f"depth must be an integer of at least 1, got {options.depth!r}")
        return index(options.depth)
    plane = max(1, int(np.prod(source.shape[1:], dtype=np.int64)))
    depth = max(1, SLAB_PIXELS // plane)
    if options.limit is not None:
        # A source or an output may copy what it reads or writes, for instance to compress it.
        pixel = 2 * np.dtype(source.dtype).itemsize + 2 * np.dtype(out.dtype).itemsize
        needed = plane * (pixel + BYTES_PER_PIXEL)
        borders = plane * (BYTES_OF_BORDERS + 4 * np.dtype(source.dtype).itemsize)
        free = options.limit - resident() - MARGIN
        if free < needed + borders:
            raise MemoryError(
                f"a slab of one plane takes {needed + borders:,} bytes, and of the limit of "
                f"{options.limit:,} bytes {max(free, 0):,} are free; raise it"
            )
        depth = (free - borders) // needed
    together = int(getattr(out, "planes_per_chunk", 1))
    planes = int(source.shape[0])
    depth = min(depth, max(1, planes))
    if depth < together or depth == planes:
        return depth
    return depth // together * together


def _check_type(count: int, out: Any) -> None:
    dtype = np.dtype(out.dtype)
    if dtype.kind not in "iu" or count > np.iinfo(dtype).max:
        name, advice = "out", "pass a larger one"
        if isinstance(out, LabelsFile):
            name, advice = out.name, out.advice(count)
        raise InputError(f"{name}: {count} labels do not fit the type {dtype}; {advice}")


class _Slabs:
    """The slabs of an image."""

    def __init__(self, source: Any, rule: Rule, depth: int, threads: int | None) -> None:
        self.depth = depth
        self.count = -(-int(source.shape[0]) // depth)
        self._source = source
        self._rule = rule
        self._threads = threads
        self._only: Array | None = None
        """The labels of the first reading, if there is a single slab."""

    def limits(self, number: int) -> tuple[int, int]:
        """The first plane of a slab, and the one after it."""
        return number * self.depth, min((number + 1) * self.depth, int(self._source.shape[0]))

    def labels(self, number: int) -> Array:
        """The labels of a slab, from 1 on."""
        if self._only is not None:
            labels, self._only = self._only, None
            return labels
        return self._label(number)[1]

    def _label(self, number: int) -> tuple[Array, Array, int]:
        """Pixels of a slab, its labels, and their number."""
        begin, end = self.limits(number)
        pixels = np.asarray(self._source[begin:end])
        return pixels, *label_slab(pixels, self._rule, self._threads)

    def merge(self, progress: Callable[[int, int], object]) -> Merged:
        """Reads all slabs, and finds out which labels of their borders are of one component."""
        merger = Merger(self._rule)
        for number in range(self.count):
            pixels, labels, count = self._label(number)
            merger.add(border_of(pixels, labels, count, self._rule))
            if self.count == 1:
                self._only = labels
            del pixels, labels  # before the next slab is read
            progress(number + 1, 2 * self.count)
        return merger.merged()
