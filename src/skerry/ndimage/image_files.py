"""Images in files: opened without reading them, and read by slices of their first axis.

Formats that store pixels as they are (.npy, TIFF and HDF5 without compression) are read and written
by plain seeks: a memory map would count as memory of the process.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path, PurePath
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError, OutputError, SkerryError
from skerry.optional import require_package

Array = npt.NDArray[Any]
CONTAINERS = (".h5", ".hdf5", ".hdf", ".zarr")
"""Suffixes of files and folders with many arrays: ``volume.h5/raw`` names one."""
PICTURES = (".png", ".bmp", ".gif", ".jpg", ".jpeg", ".pgm", ".pbm", ".webp")
CHANNELS = (2, 3, 4)
"""Numbers a pixel of gray with transparency, of colors, of both."""


class RawImage:
    """An array that a file holds as it is, in raster order; slices are read and written."""

    def __init__(self, path: Path, offset: int, dtype: Any, shape: tuple[int, ...]) -> None:
        self.shape = shape
        self.dtype = np.dtype(dtype)
        self._path = path
        self._offset = offset
        self._plane = int(np.prod(shape[1:], dtype=np.int64))

    def __getitem__(self, planes: slice) -> Array:
        begin, end, _ = planes.indices(self.shape[0])
        values = np.fromfile(
            self._path, self.dtype, (end - begin) * self._plane, offset=self._seek(begin)
        )
        if values.size != (end - begin) * self._plane:
            raise InputError(f"{self._path}: ends before its last pixel; it is not complete")
        return values.reshape(end - begin, *self.shape[1:])

    def __setitem__(self, planes: slice, values: Array) -> None:
        data = np.ascontiguousarray(values, self.dtype)
        try:
            with self._path.open("r+b") as file:
                file.seek(self._seek(planes.start))
                file.write(data.reshape(-1).view(np.uint8).data)
        except OSError as error:
            raise OutputError(error.errno, error.strerror, str(self._path)) from None

    def _seek(self, plane: int) -> int:
        return self._offset + plane * self._plane * int(self.dtype.itemsize)


class _Nifti:
    """A compressed or scaled NIfTI image, by slices of its last axis, the slowest of the file."""

    def __init__(self, proxy: Any) -> None:
        self.shape = tuple(reversed(proxy.shape))
        scaled = (proxy.slope, proxy.inter) != (1, 0)
        self.dtype = np.dtype(np.float64 if scaled else proxy.dtype)
        self._proxy = proxy

    def __getitem__(self, planes: slice) -> Array:
        return np.asarray(self._proxy[..., planes]).T


class _TiffPages:
    """A TIFF file whose pages are decoded one by one."""

    def __init__(self, file: Any) -> None:
        series = file.series[0]
        self.shape = tuple(series.shape)
        self.dtype = np.dtype(series.dtype)
        self._file = file
        self._pages_per_plane = len(series.pages) // max(1, self.shape[0])
        self._by_page = series.ndim > series.keyframe.ndim

    def __getitem__(self, planes: slice) -> Array:
        begin, end, _ = planes.indices(self.shape[0])
        if not self._by_page:
            return np.asarray(self._file.asarray(series=0)[begin:end])
        pages = slice(begin * self._pages_per_plane, end * self._pages_per_plane)
        return np.asarray(self._file.asarray(key=pages, series=0)).reshape(-1, *self.shape[1:])


@contextmanager
def open_image(path: str | os.PathLike[str]) -> Iterator[Any]:
    """An array of a file: its ``shape``, its ``dtype``, and slices of its first axis.

    Raises
    ------
    InputError
        If the file is of no format that is read, damaged, or has no array or several.
    UnsupportedError
        If the package that reads it is not installed.
    """
    file, inner = split_path(path)
    suffix = suffix_of(file)
    if suffix not in READERS:
        raise InputError(f"{path}: images are read from {', '.join(READERS)}; convert it to one")
    file.stat()
    with ExitStack() as stack:
        try:
            image = READERS[suffix](file, inner, stack)
        except (SkerryError, MemoryError):
            raise
        except Exception as error:  # each library has its own
            reason = " ".join(str(error).split()) or type(error).__name__
            raise InputError(f"{path}: cannot be read as {suffix}: {reason}") from None
        if image.dtype.kind not in "biuf" or not image.shape:
            raise InputError(
                f"{path}: must hold an array of real numbers with at least one axis, got "
                f"{image.dtype} of the shape {tuple(image.shape)}"
            )
        yield image


def split_path(path: str | os.PathLike[str]) -> tuple[Path, str]:
    """The file, and the name of an array inside of it: ``volume.h5/raw``."""
    parts = PurePath(path).parts
    for number, part in enumerate(parts[:-1], 1):
        if part.lower().endswith(CONTAINERS):
            return Path(*parts[:number]), "/".join(parts[number:])
    return Path(path), ""


def suffix_of(path: PurePath) -> str:
    """The suffix that names the format: ``.nii.gz`` is one."""
    name = path.name.lower()
    return ".nii.gz" if name.endswith(".nii.gz") else path.suffix.lower()


def _read_npy(path: Path, inner: str, stack: ExitStack) -> Any:
    del inner, stack
    with path.open("rb") as file:
        version = np.lib.format.read_magic(file)
        read = np.lib.format.read_array_header_2_0
        if version[0] == 1:
            read = np.lib.format.read_array_header_1_0
        shape, fortran, dtype = read(file)
        if fortran and len(shape) > 1:
            return np.load(path, mmap_mode="r", allow_pickle=False)
        return RawImage(path, file.tell(), dtype, shape)


def _read_tiff(path: Path, inner: str, stack: ExitStack) -> Any:
    del inner
    tifffile = require_package("tifffile", "reading TIFF files", "images")
    file = stack.enter_context(tifffile.TiffFile(path))
    if len(file.series) != 1:
        raise InputError(f"{path}: holds {len(file.series)} images; save each in a file of its own")
    series = file.series[0]
    _check_colors(path, "S" in series.axes, series.shape)
    if series.dataoffset is None:
        return _TiffPages(file)
    dtype = np.dtype(series.dtype).newbyteorder(file.byteorder)
    return RawImage(path, series.dataoffset, dtype, tuple(series.shape))


def _read_nifti(path: Path, inner: str, stack: ExitStack) -> Any:
    del inner, stack
    nibabel = require_package("nibabel", "reading NIfTI files", "images")
    image = nibabel.load(path, keep_file_open=True)  # or .nii.gz begins anew at each slice
    proxy = image.dataobj
    if path.suffix.lower() == ".gz" or (proxy.slope, proxy.inter) != (1, 0):
        return _Nifti(proxy)
    return RawImage(path, proxy.offset, proxy.dtype, tuple(reversed(proxy.shape)))


def _read_zarr(path: Path, inner: str, stack: ExitStack) -> Any:
    del stack
    zarr = require_package("zarr", "reading Zarr arrays", "images")
    opened = zarr.open(str(path / inner), mode="r")
    if isinstance(opened, zarr.Array):
        return opened
    return opened[_only_name(path / inner, sorted(name for name, _ in opened.arrays()))]


def _read_hdf5(path: Path, inner: str, stack: ExitStack) -> Any:
    h5py = require_package("h5py", "reading HDF5 files", "images")
    file = stack.enter_context(h5py.File(path, "r"))
    names: list[str] = []
    file.visititems(lambda name, each: names.append(name) if hasattr(each, "chunks") else None)
    if inner and inner not in names:
        raise InputError(f"{path}: has no array {inner}; there are: {', '.join(names) or 'none'}")
    array = file[inner or _only_name(path, names)]
    offset = array.id.get_offset() if array.shape else None
    return array if offset is None else RawImage(path, offset, array.dtype, array.shape)


def _read_picture(path: Path, inner: str, stack: ExitStack) -> Any:
    del inner, stack
    imageio = require_package("imageio.v3", f"reading {path.suffix} files", "images")
    image = np.asarray(imageio.imread(path))
    _check_colors(path, image.ndim > 2 and image.shape[-1] in CHANNELS, image.shape)
    return image


def _only_name(path: Path, names: list[str]) -> str:
    if len(names) == 1:
        return names[0]
    if not names:
        raise InputError(f"{path}: holds no array")
    raise InputError(f"{path}: holds several arrays: {', '.join(names)}; name one: {path}/NAME")


def _check_colors(path: Path, has_colors: bool, shape: tuple[int, ...]) -> None:
    if has_colors:
        raise InputError(
            f"{path}: has {shape[-1]} numbers a pixel (colors or transparency), and labels need "
            "one; save one channel, or a mask"
        )


READERS: dict[str, Callable[[Path, str, ExitStack], Any]] = {
    ".npy": _read_npy,
    **dict.fromkeys((".tif", ".tiff"), _read_tiff),
    **dict.fromkeys((".nii", ".nii.gz"), _read_nifti),
    ".zarr": _read_zarr,
    **dict.fromkeys(CONTAINERS[:3], _read_hdf5),
    **dict.fromkeys(PICTURES, _read_picture),
}
"""Formats that are read, by suffix."""
