"""Labels in files, written by slices of their first axis; complete, or not there.

They are written to a file or a folder beside their path, which is renamed in the end.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import ArgumentError, InputError, TargetError
from skerry.formats.writers.atomic_file import FILE_NUMBERS, atomic_file, check_target
from skerry.ndimage.image_files import open_image, split_path, suffix_of
from skerry.ndimage.png import write_png
from skerry.optional import require_package

Array = npt.NDArray[Any]
CHUNK_PIXELS = 1 << 20
"""Pixels of a chunk of Zarr, about."""
NIFTI_HEADER = 352


class LabelsFile:
    """Labels that are written to a file; a context manager.

    With ``state``, what is written stays beside that file if the block ends early, and can be
    continued: the first slice that is written then begins after 0.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        shape: tuple[int, ...],
        dtype: npt.DTypeLike | None = None,
        state: str | os.PathLike[str] | None = None,
        like: str | os.PathLike[str] | None = None,
    ) -> None:
        self.shape = shape
        self.name = os.fspath(path)
        self._suffix = suffix_of(split_path(path)[0])
        if self._suffix not in WRITERS:
            raise ArgumentError(f"{path}: labels are written to {', '.join(WRITERS)}")
        self.dtype = _label_type(self._suffix, shape, dtype)
        self._target = Path(path)
        self._state = state
        self._like = like
        self._stack = ExitStack()
        self._array: Any = None
        _check_target(self._target, self._suffix, shape)
        target = Path(os.path.realpath(path))
        beside = target.with_name(f".{target.name[:40]}.{os.getpid()}-{next(FILE_NUMBERS)}.part")
        begin = beside if state is None else Path(f"{state}.labels")
        self._part = begin.with_name(begin.name + self._suffix.removesuffix(".gz"))
        self.planes_per_chunk = 1
        """How many planes are written together at best."""
        if self._suffix == ".zarr":
            self.planes_per_chunk = _zarr_chunks(shape)[0]

    @property
    def has_begun(self) -> bool:
        """Whether there is something to continue."""
        return self._part.exists()

    def __getitem__(self, planes: slice) -> Array:
        if self._array is None:
            self._open(False)
        return np.asarray(self._array[planes])

    def __setitem__(self, planes: slice, labels: Array) -> None:
        if self._array is None:
            self._open(planes.start == 0)
        self._array[planes] = labels

    def __enter__(self) -> LabelsFile:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if kind is None:
                if self._array is None:  # all was written before, or there are no pixels
                    self._open(not self.has_begun)
                self._finish()
        finally:
            self._stack.close()
            if self._state is None or kind is None:
                _remove(self._part)

    def _open(self, is_new: bool) -> None:
        if is_new:
            _remove(self._part)
            WRITERS[self._suffix](self._part, self.shape, self.dtype, self._like)
        if self._suffix == ".png":
            self._array = np.zeros(self.shape, self.dtype)
        elif self._suffix == ".zarr":
            zarr = require_package("zarr", "writing Zarr arrays", "images")
            self._array = zarr.open_array(str(self._part), mode="r+")
        else:
            self._array = self._stack.enter_context(open_image(self._part))

    def advice(self, count: int) -> str:
        """How a file can hold so many labels."""
        dtype = np.min_scalar_type(count)
        if self._suffix == ".png" and dtype.itemsize > 2:
            return "name a file of another format, such as .tif"
        return f'say dtype="{dtype}"'

    def _finish(self) -> None:
        """Puts the labels where they belong."""
        if self._suffix == ".png":
            write_png(self._target, self._array)
        elif self._suffix == ".nii.gz":
            with self._part.open("rb") as part, atomic_file(self._target) as file:
                shutil.copyfileobj(part, file, 1 << 20)
        else:
            _replace(self._part, Path(os.path.realpath(self._target)))


def _label_type(suffix: str, shape: tuple[int, ...], dtype: Any) -> np.dtype[Any]:
    if dtype is not None:
        chosen: np.dtype[Any] = np.dtype(dtype)
    elif suffix == ".png":
        chosen = np.dtype(np.uint16)
    else:
        chosen = np.dtype(np.uint32 if np.prod(shape, dtype=np.float64) < 2**32 else np.uint64)
    if chosen.kind not in "iu":
        raise ArgumentError(f"dtype must be a type of integers, got {chosen}")
    if suffix == ".png" and chosen not in (np.uint8, np.uint16):
        raise ArgumentError(f"dtype must be uint8 or uint16 for PNG files, got {chosen}")
    return chosen


def _check_target(path: Path, suffix: str, shape: tuple[int, ...]) -> None:
    """Raises before any work if the labels could not be written there."""
    if suffix in (".h5", ".hdf5") and os.path.isdir(path):  # noqa: PTH112
        raise TargetError(f"{path}: is a folder; name a file in it")
    if suffix != ".zarr":
        check_target(path)
    else:
        target = Path(os.path.realpath(path))
        if not target.parent.is_dir():
            raise TargetError(f"{path}: there is no folder {target.parent}")
        if not os.access(target.parent, os.W_OK | os.X_OK):
            raise TargetError(f"{path}: the folder {target.parent} may not be written to")
        known = (".zarray", ".zgroup", "zarr.json")
        if target.exists() and not any((target / name).exists() for name in known):
            raise TargetError(f"{path}: is no Zarr array, and is not replaced; name another")
    axes = {".png": (2,), ".tif": range(2, 33), ".tiff": range(2, 33), ".nii": range(1, 8)}
    allowed = axes.get(suffix.removesuffix(".gz"), range(33))
    if len(shape) not in allowed:
        wanted = f"{allowed[0]} to {allowed[-1]}" if len(allowed) > 1 else f"{allowed[0]}"
        raise InputError(
            f"{path}: {suffix} files hold {wanted} axes, and the image has {len(shape)}"
        )
    if suffix in PACKAGES:
        require_package(PACKAGES[suffix], f"writing {suffix} files", "images")


def _replace(part: Path, target: Path) -> None:
    """Renames a file or a folder; on another file system it is copied first."""
    if part.stat().st_dev != target.parent.stat().st_dev:
        copy = target.with_name(f".{target.name[:40]}.{os.getpid()}-{next(FILE_NUMBERS)}.part")
        try:
            (shutil.copytree if part.is_dir() else shutil.copyfile)(part, copy)
            _replace(copy, target)
        finally:
            _remove(copy)
        return
    if part.is_file():
        with part.open("rb") as file:
            os.fsync(file.fileno())
    old = target.with_name(f".{target.name[:40]}.{os.getpid()}-{next(FILE_NUMBERS)}.old")
    if target.is_dir():  # a folder is not replaced by a rename
        target.rename(old)
    part.replace(target)
    _remove(old)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _new_npy(path: Path, shape: tuple[int, ...], dtype: np.dtype[Any], like: Any) -> None:
    del like
    with path.open("wb") as file:
        head = {"descr": dtype.str, "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_2_0(file, head)
        _extend(file, shape, dtype)


def _new_tiff(path: Path, shape: tuple[int, ...], dtype: np.dtype[Any], like: Any) -> None:
    del like
    tifffile = require_package("tifffile", "writing TIFF files", "images")
    tifffile.imwrite(
        path,
        shape=shape,
        dtype=dtype,
        photometric="minisblack",
        bigtiff=_num_bytes(shape, dtype) > 2**32 - 2**25,
    )


def _new_nifti(path: Path, shape: tuple[int, ...], dtype: np.dtype[Any], like: Any) -> None:
    nibabel = require_package("nibabel", "writing NIfTI files", "images")
    affine = None
    if like is not None and suffix_of(Path(like)) in (".nii", ".nii.gz"):
        affine = nibabel.load(like).affine  # labels lie where the image does
    zeros = np.broadcast_to(np.zeros((), dtype), shape[::-1])
    image = nibabel.Nifti1Image(zeros, affine, dtype=dtype)
    image.header.set_data_offset(NIFTI_HEADER)
    with path.open("wb") as file:
        image.header.write_to(file)
        file.write(bytes(NIFTI_HEADER - file.tell()))
        _extend(file, shape, dtype)


def _new_zarr(path: Path, shape: tuple[int, ...], dtype: np.dtype[Any], like: Any) -> None:
    del like
    zarr = require_package("zarr", "writing Zarr arrays", "images")
    zarr.create_array(str(path), shape=shape, chunks=_zarr_chunks(shape), dtype=dtype)


def _zarr_chunks(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Chunks of whole planes, or of parts of large ones."""
    chunks = [min(max(size, 1), 1024) for size in shape[1:]]
    while int(np.prod(chunks, dtype=np.int64)) > CHUNK_PIXELS:
        chunks[chunks.index(max(chunks))] //= 2
    planes = CHUNK_PIXELS // max(1, int(np.prod(chunks, dtype=np.int64)))
    return (max(1, min(planes, max(shape[0], 1))), *chunks)


def _new_hdf5(path: Path, shape: tuple[int, ...], dtype: np.dtype[Any], like: Any) -> None:
    del like
    h5py = require_package("h5py", "writing HDF5 files", "images")
    with h5py.File(path, "w") as file:
        layout = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        layout.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)  # so that it has an offset in the file
        layout.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
        space, kind = h5py.h5s.create_simple(shape), h5py.h5t.py_create(dtype)
        h5py.h5d.create(file.id, b"labels", kind, space, layout)


def _new_png(*_: object) -> None:
    """Nothing: a PNG file is written in one piece."""


def _num_bytes(shape: tuple[int, ...], dtype: np.dtype[Any]) -> int:
    return int(np.prod(shape, dtype=np.int64)) * dtype.itemsize


def _extend(file: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
    file.truncate(file.tell() + _num_bytes(shape, dtype))


WRITERS: dict[str, Callable[..., None]] = {
    ".npy": _new_npy,
    **dict.fromkeys((".tif", ".tiff"), _new_tiff),
    **dict.fromkeys((".nii", ".nii.gz"), _new_nifti),
    ".zarr": _new_zarr,
    **dict.fromkeys((".h5", ".hdf5"), _new_hdf5),
    ".png": _new_png,
}
"""Formats that are written, by suffix: functions that make an empty file."""
PACKAGES = {
    **dict.fromkeys((".tif", ".tiff"), "tifffile"),
    **dict.fromkeys((".nii", ".nii.gz"), "nibabel"),
    ".zarr": "zarr",
    **dict.fromkeys((".h5", ".hdf5"), "h5py"),
}
"""What is needed to write them."""
