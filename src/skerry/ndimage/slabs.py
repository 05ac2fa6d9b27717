"""`label_slabs`: images larger than memory, labeled slab by slab.

Each slab is labeled twice. The first time only the labels of its border planes are kept, and which
of them belong to one component; the second time the final labels are written. So nothing that is
not final is ever written, and the type of the output is checked before.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from operator import index
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from skerry.api import connected_components
from skerry.errors import ArgumentError, InputError
from skerry.formats.writers.atomic_file import atomic_file
from skerry.ndimage.arguments import Rule, make_rule
from skerry.ndimage.labeling import label_into
from skerry.ndimage.neighbors import STEPS, same_values

Array = npt.NDArray[Any]
SLAB_PIXELS = 1 << 25
"""Pixels of a slab, unless ``depth`` says otherwise: with labels, 320 MB for images of bytes."""


class _Plane(NamedTuple):
    """The first or the last plane of a slab."""

    pixels: Array
    labels: Array
    """0 for the background; labels of earlier slabs are smaller."""


class _Merged(NamedTuple):
    """What the first reading finds."""

    bases: npt.NDArray[np.int64]
    """Components of the slabs before each slab, counted slab by slab."""
    labels: npt.NDArray[np.int64]
    """Labels, ascending, whose component has a smaller one, too."""
    smallest: npt.NDArray[np.int64]
    """The smallest label of each one's component."""

    @property
    def components(self) -> int:
        """The number of components."""
        return int(self.bases[-1]) - len(self.labels)

    def final(self, first: int, end: int) -> npt.NDArray[np.int64]:
        """The final labels of the labels in [first, end)."""
        labels = np.arange(first, end, dtype=np.int64)
        inside = slice(*np.searchsorted(self.labels, [first, end]))
        labels[self.labels[inside] - first] = self.smallest[inside]
        return labels - np.searchsorted(self.labels, labels)


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
    state: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int], object] | None = None,
    threads: int | None = None,
) -> int:
    """Labels an image that does not fit into memory, slab by slab along its first axis.

    Takes the memory of one slab with its labels, and of the labels that touch a slab's border.

    Parameters
    ----------
    source
        The image: any object with ``shape``, ``dtype`` and slices of its first axis that NumPy can
        read, such as a memory map or an array of Zarr, HDF5, NIfTI or dask. It is read twice.
    out
        What the labels are written to, by ``out[begin:end] = labels``: a memory map, an array of
        Zarr or HDF5, of the shape of the source and a type that its labels fit.
    structure, values, connectivity, background, wrap, delta
        As of `label`.
    depth
        How many planes a slab has. By default, as many as have 2^25 pixels together.
    state
        A file that the progress is kept in. A call that was interrupted continues from there. It
        must be of the same source, with the same arguments; it is removed in the end.
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
        As by `label`; or if ``state`` belongs to another call. Labels that do not fit ``out`` are
        found before anything is written.

    Examples
    --------
    >>> import numpy as np, skerry.ndimage
    >>> volume = np.ones((100, 20, 20), np.uint8)
    >>> volume[50] = 0
    >>> labels = np.zeros(volume.shape, np.uint16)
    >>> skerry.ndimage.label_slabs(volume, labels, depth=8)
    2
    """
    shape = tuple(source.shape)
    if not shape or tuple(out.shape) != shape:
        raise ArgumentError(f"out must have the shape of the source, {shape}: {tuple(out.shape)}")
    rule = make_rule(len(shape), 0, structure, connectivity, wrap, values, background, delta)
    slabs = _Slabs(source, rule, _depth(depth, shape), threads)
    saved = _State(state, repr((shape, str(source.dtype), rule, slabs.depth)))
    merged, written = saved.load()
    notify = progress or _ignore
    if merged is None:
        merged = slabs.merge(notify)
        saved.save(merged, 0)
    _check_type(merged.components, np.dtype(out.dtype))
    for number in range(written, slabs.count):
        _, labels, count = slabs.read(number)
        base = int(merged.bases[number])
        final = np.zeros(count + 1, np.int64)
        final[1:] = merged.final(base + 1, base + count + 1)
        begin, end = slabs.limits(number)
        out[begin:end] = final.astype(out.dtype)[labels]
        saved.save(merged, number + 1)
        notify(slabs.count + number + 1, 2 * slabs.count)
    saved.remove()
    return merged.components


def _ignore(done: int, total: int) -> None:
    del done, total


def _depth(depth: int | None, shape: tuple[int, ...]) -> int:
    if depth is None:
        return max(1, SLAB_PIXELS // max(1, int(np.prod(shape[1:], dtype=np.int64))))
    if isinstance(depth, bool) or index(depth) < 1:
        raise ArgumentError(f"depth must be an integer of at least 1, got {depth!r}")
    return index(depth)


def _check_type(count: int, dtype: np.dtype[Any]) -> None:
    if dtype.kind not in "iu" or count > np.iinfo(dtype).max:
        raise InputError(f"out: {count} labels do not fit the type {dtype}; pass a larger one")


class _Slabs:
    """The slabs of an image."""

    def __init__(self, source: Any, rule: Rule, depth: int, threads: int | None) -> None:
        self.depth = depth
        self.count = -(-int(source.shape[0]) // depth)
        self._source = source
        self._rule = rule
        self._threads = threads

    def limits(self, number: int) -> tuple[int, int]:
        """The first plane of a slab, and the one after it."""
        return number * self.depth, min((number + 1) * self.depth, int(self._source.shape[0]))

    def read(self, number: int) -> tuple[Array, Array, int]:
        """Pixels of a slab, its labels from 1 on, and their number."""
        begin, end = self.limits(number)
        pixels = np.asarray(self._source[begin:end])
        labels = np.empty(pixels.shape, np.int32 if pixels.size < 2**31 - 2 else np.int64)
        rule = self._rule._replace(wrap=self._rule.wrap & ~1)
        return pixels, labels, int(label_into(pixels, 0, rule, labels, self._threads)[0])

    def merge(self, notify: Callable[[int, int], object]) -> _Merged:
        """Reads all slabs, and finds out which labels of their borders are of one component."""
        bases = np.zeros(self.count + 1, np.int64)
        pairs = [np.zeros((2, 0), np.int64)]
        first = last = None
        for number in range(self.count):
            pixels, labels, count = self.read(number)
            bases[number + 1] = bases[number] + count
            top, bottom = (
                _Plane(pixels[at].copy(), np.where(labels[at], labels[at] + bases[number], 0))
                for at in (0, -1)
            )
            if last is not None:
                pairs.append(self._touching(top, last))
            first, last = first or top, bottom
            notify(number + 1, 2 * self.count)
        if self._rule.wrap & 1 and first is not None and last is not None:
            pairs.append(self._touching(first, last))
        borders, ends = np.unique(np.concatenate(pairs, axis=1), return_inverse=True)
        u, v = ends.reshape(2, -1)
        smallest = connected_components((u, v), num_vertices=len(borders)).labels
        merged = smallest != np.arange(len(borders))
        return _Merged(bases, borders[merged], borders[smallest[merged]])

    def _touching(self, plane: _Plane, before: _Plane) -> npt.NDArray[np.int64]:
        """Labels of a plane and of the one before it that are joined, in two rows."""
        pairs = [np.zeros((2, 0), np.int64)]
        for own, other in self._neighbors():
            a, b = plane.labels[own], before.labels[other]
            joined = (a != 0) & (b != 0)
            joined &= same_values(plane.pixels[own], before.pixels[other], self._rule)
            pairs.append(np.unique(np.stack([a[joined], b[joined]]), axis=1))
        return np.unique(np.concatenate(pairs, axis=1), axis=1)

    def _neighbors(self) -> Iterator[tuple[tuple[slice, ...], tuple[slice, ...]]]:
        """Slices of a plane, and of the one before it, that are neighbors pixel for pixel."""
        for steps in itertools.product((-1, 0, 1), repeat=self._rule.structure.ndim - 1):
            if self._rule.structure[(0, *(step + 1 for step in steps))]:
                ways = [
                    STEPS[step][: 1 + (self._rule.wrap >> axis & 1)]
                    for axis, step in enumerate(steps, 1)
                ]
                for pairs in itertools.product(*ways):
                    yield tuple(own for own, _ in pairs), tuple(other for _, other in pairs)


class _State:
    """The file of an unfinished call, replaced whole each time."""

    def __init__(self, path: str | os.PathLike[str] | None, call: str) -> None:
        self._path = path
        self._call = call

    def load(self) -> tuple[_Merged | None, int]:
        """What has been found out, and how many slabs are written."""
        if self._path is None or not os.path.exists(self._path):  # noqa: PTH110
            return None, 0
        try:
            with np.load(self._path, allow_pickle=False) as file:
                call, written = str(file["call"]), int(file["written"])
                merged = _Merged(*(file[name] for name in _Merged._fields))
        except (OSError, ValueError, KeyError):
            raise InputError(f"state: {self._path} is no file of this function") from None
        if call != self._call:
            raise InputError(
                f"state: {self._path} belongs to a call with another source or other arguments; "
                "remove it to begin again"
            )
        return merged, written

    def save(self, merged: _Merged, written: int) -> None:
        """Writes the file."""
        if self._path is not None:
            with atomic_file(self._path) as file:
                np.savez(file, call=self._call, written=written, **merged._asdict())

    def remove(self) -> None:
        """Removes the file of a call that is complete."""
        if self._path is not None:
            os.remove(self._path)  # noqa: PTH107
