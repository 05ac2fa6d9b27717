"""Temporary files of numbers, for what does not fit in memory.

A file has no name: it is gone when it is closed, however the process ends. Numbers are written and
read in pieces; `SpillFile.mapped` is for answers, which the caller reads as an array.
"""

from __future__ import annotations

import errno
import mmap
import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterator
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from skerry.errors import ArgumentError, OutputError

CHECKED = 1 << 18
"""Numbers that are read at a time for a checksum."""


class StoredColumn:
    """A column that is not in memory: writers take slices of it."""

    def __init__(self, dtype: Any, size: int, read: Callable[[int, int], Any]) -> None:
        self.dtype = dtype
        """NumPy's type of integers, or Arrow's of other ids."""
        self.shape = (size,)
        self._read = read
        """The values from one position to another, in an array of their own."""

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: slice) -> Any:
        begin, end, _ = rows.indices(len(self))
        return self._read(begin, max(begin, end))


class SpillFolder:
    """A folder for files without a name, and how many bytes were written there."""

    def __init__(self, path: str) -> None:
        if not os.path.isdir(path):  # noqa: PTH112
            raise ArgumentError(f"spill={path!r}: there is no such folder: create it first")
        if not os.access(path, os.W_OK | os.X_OK):
            raise ArgumentError(f"spill={path!r}: the folder is not writable")
        self.path = path
        self.written = 0
        """Bytes that were written in all."""

    def file(self, dtype: npt.DTypeLike, path: str | None = None) -> SpillFile:
        """A new file of numbers of one type; with a path, one that outlives the process."""
        return SpillFile(self, np.dtype(dtype), path)

    def require(self, count: int) -> None:
        """Raises `OutputError` if so many bytes are known not to fit on the disk."""
        free = shutil.disk_usage(self.path).free
        if count > free:
            raise OutputError(
                errno.ENOSPC,
                f"spilling takes up to {count:,} bytes, and {free:,} are free on the disk of",
                self.path,
            )

    def failed(self, error: OSError) -> OutputError:
        """The error for what the system says of a file."""
        return OutputError(
            error.errno,
            f"{error.strerror or error}: {self.written:,} bytes were spilled to",
            self.path,
        )


class SpillFile:
    """A file of numbers of one type, which is gone when this object is. For one thread.

    With a path it is kept, and a file that is there is opened.
    """

    def __init__(self, folder: SpillFolder, dtype: np.dtype[Any], path: str | None = None) -> None:
        self.dtype = dtype
        self.size = 0
        """Numbers in it."""
        self._folder = folder
        try:
            self._file: Any
            if path is None:
                self._file = tempfile.TemporaryFile(  # noqa: SIM115
                    prefix="skerry-", dir=folder.path, buffering=0
                )
            else:
                flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
                self._file = os.fdopen(os.open(path, flags, 0o666), "r+b", buffering=0)
        except OSError as error:
            raise folder.failed(error) from None
        self._close = weakref.finalize(self, self._file.close)

    def append(self, values: npt.NDArray[Any]) -> None:
        """Writes numbers behind all others."""
        self.write(self.size, values)

    def write(self, begin: int, values: npt.NDArray[Any]) -> None:
        """Writes numbers from a position on."""
        view = _bytes_of(np.ascontiguousarray(values, self.dtype))
        try:
            self._file.seek(begin * self.dtype.itemsize)
            while len(view):
                view = view[self._file.write(view) :]
        except OSError as error:
            raise self._folder.failed(error) from None
        self._folder.written += len(values) * self.dtype.itemsize
        self.size = max(self.size, begin + len(values))

    def read(self, begin: int, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Fills an array with the numbers from a position on."""
        view = _bytes_of(values)
        try:
            self._file.seek(begin * self.dtype.itemsize)
            while len(view):
                count = self._file.readinto(view)
                if not count:
                    raise OSError(errno.EIO, "a temporary file ends too early")
                view = view[count:]
        except OSError as error:
            raise self._folder.failed(error) from None
        return values

    def part(self, begin: int, end: int) -> npt.NDArray[Any]:
        """Some of the numbers, in an array of their own."""
        return self.read(begin, np.empty(end - begin, self.dtype))

    def column(self) -> StoredColumn:
        """The numbers, for writers."""
        return StoredColumn(self.dtype, self.size, self.part)

    def pieces(
        self, count: int, begin: int = 0, end: int | None = None
    ) -> Iterator[tuple[int, npt.NDArray[Any]]]:
        """The numbers, so many at a time, with their position; an array is valid until the next."""
        end = self.size if end is None else end
        buffer = np.empty(min(count, max(end - begin, 0)), self.dtype)
        for position in range(begin, end, count):
            yield position, self.read(position, buffer[: min(count, end - position)])

    def will_read(self, begin: int, count: int) -> None:
        """Lets the system fetch some numbers before they are read, if it can."""
        if hasattr(os, "posix_fadvise"):
            width = self.dtype.itemsize
            os.posix_fadvise(
                self._file.fileno(), begin * width, count * width, os.POSIX_FADV_WILLNEED
            )

    def reopened(self) -> SpillFile:
        """Itself, with all numbers that another process has left in the file."""
        self.size = os.fstat(self._file.fileno()).st_size // self.dtype.itemsize
        return self

    def cut(self, size: int) -> None:
        """Leaves only the first numbers."""
        self._file.truncate(size * self.dtype.itemsize)
        self.size = size

    def sync(self) -> None:
        """Waits until all of it is safe on the disk."""
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise self._folder.failed(error) from None

    def checksum(self) -> int:
        """The CRC-32 of all numbers."""
        value = 0
        for _, part in self.pieces(CHECKED):
            value = crc32(_bytes_of(part), value)
        return value

    def mapped(self) -> npt.NDArray[Any]:
        """All numbers as a read-only array, of which the system holds in memory what is in use."""
        if not self.size:
            return np.empty(0, self.dtype)
        mapping = mmap.mmap(
            self._file.fileno(), self.size * self.dtype.itemsize, access=mmap.ACCESS_READ
        )
        return np.frombuffer(mapping, self.dtype)

    def close(self) -> None:
        """Gives the disk back; arrays of `mapped` keep it until they are gone."""
        self._close()


def _bytes_of(values: npt.NDArray[Any]) -> memoryview:
    return values.data.cast("B") if len(values) else memoryview(b"")
