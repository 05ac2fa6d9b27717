"""Arrays that lie one after another in a binary file, each read in pieces.

Every array is read through a file handle of its own, in order: memory is bounded whatever its size,
and a compressed or remote file is read like a local one. Nothing is mapped into memory: the pieces
go to another thread, so they are copied out of the page cache anyway, and a mapped file that
another process truncates would end this one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.formats.decompress import ByteStream
from skerry.formats.source import SourceFile

SKIP = 1 << 20


class Bytes(Protocol):
    """The source of a section: `ByteStream`, or a member of an archive."""

    def fill(self, buffer: memoryview) -> int:
        """Fills all of ``buffer`` unless the file ends before; returns how many bytes."""


@dataclass(frozen=True, slots=True)
class Section:
    """An array of a file."""

    name: str
    """What it holds, for messages: ``"neighbors"``."""
    start: int
    """Its first byte."""
    dtype: np.dtype[Any]
    count: int

    @property
    def end(self) -> int:
        """The first byte behind it."""
        return self.start + self.count * self.dtype.itemsize

    def behind(self, count: int) -> Section:
        """The rest of it, without the first values."""
        start = self.start + count * self.dtype.itemsize
        return Section(self.name, start, self.dtype, max(0, self.count - count))


class ArrayReader:
    """Reads an array in pieces from an open file."""

    def __init__(self, file_name: str, section: Section, stream: Bytes) -> None:
        self.file_name = file_name
        self.section = section
        self.left = section.count
        self._stream = stream

    def next(self, count: int) -> npt.NDArray[Any]:
        """The next ``count`` values, in a new array."""
        values = np.empty(count, self.section.dtype)
        filled = self._stream.fill(values.data.cast("B")) if count else 0
        if filled != values.nbytes:
            missing = self.left * values.itemsize - filled
            raise InputError(
                f"{self.file_name}: the file ends within its {self.section.name}: "
                f"{missing:,} bytes of them are missing"
            )
        self.left -= count
        return values


@contextmanager
def opened(file: SourceFile, section: Section, *possible: int) -> Iterator[ArrayReader]:
    """A reader at the beginning of a section.

    ``possible``, for the last section that is read, are the sizes that the contents may have, as
    `check_size` got them. Of compressed contents they are checked here, after the section: their
    end shows too whether the checksum of the file is right.
    """
    with open_at(file, section.start) as stream:
        reader = ArrayReader(file.name, section, stream)
        yield reader
        if possible and not reader.left and not _knows_size(file):
            _check_contents(file, _size_behind(stream, section.end, max(possible)), possible)


def _size_behind(stream: ByteStream, read: int, largest: int) -> int:
    """The size of contents of which so many bytes were read; at least that it is too large."""
    while read <= largest and (passed := len(stream.read_fully(SKIP))):
        read += passed
    return read


def open_at(file: SourceFile, start: int) -> ByteStream:
    """The bytes of a file from ``start`` on."""
    if file.compression is None:
        raw = file.open_raw()
        if raw.seekable():
            raw.seek(start)
            return ByteStream(file.name, raw, None)
        raw.close()
    stream = file.open()
    left = start
    while left:
        passed = len(stream.read_fully(min(left, SKIP)))
        if not passed:
            break  # the reader of the section reports what is missing
        left -= passed
    return stream


def read_header(file: SourceFile, dtype: np.dtype[Any], format_name: str) -> Any:
    """The first bytes of a file in a record, whose fields are the header's numbers."""
    head = file.head(dtype.itemsize)
    if len(head) < dtype.itemsize:
        raise InputError(
            f"{file.name}: the header of a {format_name} file has {dtype.itemsize} bytes, the file "
            f"only {len(head)}"
        )
    return np.frombuffer(head, dtype)[0]


def check_size(file: SourceFile, *possible: int) -> None:
    """Raises if the file does not have one of the possible sizes, the smallest of which is first.

    The size of compressed contents is not known beforehand, only the largest that they can have;
    see `opened`.
    """
    if _knows_size(file):
        _check_contents(file, file.size or 0, possible)
    elif file.largest_contents is not None and file.largest_contents < possible[0]:
        raise InputError(
            f"{file.name}: its header implies {possible[0]:,} bytes, for which {file.size:,} "
            f"bytes of {file.compression} data are too few; it may be truncated"
        )


def _knows_size(file: SourceFile) -> bool:
    return file.compression is None and file.size is not None


def _check_contents(file: SourceFile, size: int, possible: tuple[int, ...]) -> None:
    if size in possible:
        return
    if size < possible[0]:
        raise InputError(
            f"{file.name}: the file is truncated: its header implies {possible[0]:,} bytes, "
            f"{possible[0] - size:,} of them are missing"
        )
    counted = f"has {size:,} bytes" if _knows_size(file) else "unpacks to more bytes"
    sizes = " or ".join(f"{size:,}" for size in possible)
    raise InputError(
        f"{file.name}: the file {counted}, but its header implies {sizes}; it may be of another "
        "format"
    )
