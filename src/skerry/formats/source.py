"""A file to be read: local or remote (fsspec), compressed or not.

The suffix names the compression; the suffix before that one names the format.
"""

from __future__ import annotations

import io
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

from skerry.config import temporary_folder
from skerry.errors import InputError, SkerryError, UnsupportedError
from skerry.optional import arrow_if_installed, require_arrow

__all__ = [
    "COMPRESSIONS",
    "ByteStream",
    "SourceFile",
    "is_remote",
    "remote_filesystem",
    "seekable",
    "source_file",
]

COMPRESSIONS = {
    ".gz": "gzip",
    ".gzip": "gzip",
    ".zst": "zstd",
    ".zstd": "zstd",
    ".xz": "xz",
    ".bz2": "bz2",
}
"""Suffix, in lower case, to the name of the compression."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file, and how to read its bytes. Made by `source_file`."""

    name: str
    """The path or address as the caller wrote it; every message begins with it."""
    compression: str | None
    """A value of `COMPRESSIONS`."""
    size: int | None
    """Bytes as they are stored (before decompression), where known."""
    path: Path | None
    """Its path on this machine; None if it is remote."""

    @property
    def stem(self) -> str:
        """The last part of the name without the suffix of the compression."""
        last = PurePosixPath(self.name.replace(os.sep, "/")).name
        return last[: last.rindex(".")] if self.compression else last

    @property
    def suffix(self) -> str:
        """The suffix of the format, in lower case, with its dot; empty if there is none."""
        return PurePosixPath(self.stem).suffix.lower()

    @property
    def mappable(self) -> Path | None:
        """The path, if the file can be mapped into memory as it is: local and not compressed."""
        return self.path if self.compression is None else None

    @property
    def repeatable(self) -> bool:
        """Whether it can be opened more than once: a pipe cannot."""
        return self.path is None or self.size is not None

    def open_raw(self) -> BinaryIO:
        """The stored bytes (not decompressed); can seek."""
        try:
            if self.path is not None:
                return self.path.open("rb", buffering=0)
            system, inner = remote_filesystem(self.name)
            return system.open(inner, "rb")  # type: ignore[no-any-return]
        except OSError as error:
            raise _cannot_read(self.name, error) from None

    def open(self) -> ByteStream:
        """The decompressed bytes, from the beginning."""
        return ByteStream(self.name, self.open_raw(), self.compression)

    def head(self, count: int) -> bytes:
        """The first ``count`` decompressed bytes, or all if there are fewer."""
        if not self.repeatable:
            raise UnsupportedError(
                f"{self.name}: can be read only once, so its format cannot be detected from its "
                'first bytes; name a format without a header, for instance format="snap"'
            )
        with self.open() as stream:
            return stream.read_fully(count)


def source_file(name: str | os.PathLike[str]) -> SourceFile:
    """The file of this path or address (``s3://...``). It must exist and be a file."""
    text = os.fspath(name)
    if not isinstance(text, str):
        raise InputError(f"a path must be text, got {text!r}")
    suffix = PurePosixPath(text).suffix.lower()
    compression = COMPRESSIONS.get(suffix)
    if is_remote(text):
        system, inner = remote_filesystem(text)
        try:
            size = system.size(inner)
        except OSError as error:
            raise _cannot_read(text, error) from None
        return SourceFile(text, compression, size, None)
    path = Path(text.removeprefix("file://"))
    try:
        status = path.stat()
    except (OSError, ValueError) as error:
        raise _cannot_read(text, error) from None
    if path.is_dir():
        raise InputError(f"{text}: is a folder, not a file")
    size = status.st_size if path.is_file() else None  # a pipe has no size
    return SourceFile(text, compression, size, path)


def is_remote(name: str) -> bool:
    """Whether a name is an address for fsspec."""
    return "://" in name and not name.startswith("file://")


def remote_filesystem(name: str) -> tuple[Any, str]:
    """fsspec's file system for an address, and the address as that file system writes it."""
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise UnsupportedError(f"{name}: remote files need fsspec: pip install fsspec") from None
    try:
        system, inner = url_to_fs(name)
    except (ImportError, ValueError) as error:  # no such protocol, or its package is missing
        raise UnsupportedError(f"{name}: fsspec cannot open it: {error}") from None
    return system, inner


def _cannot_read(name: str, error: Exception) -> InputError:
    if isinstance(error, FileNotFoundError):
        return InputError(f"{name}: there is no such file")
    reason = getattr(error, "strerror", None) or error
    return InputError(f"{name}: cannot be read: {reason}")


@contextmanager
def seekable(file: SourceFile) -> Iterator[Any]:
    """A file for formats that are not read in order: the path of a local one, or an open file.

    A compressed file is unpacked into a temporary file first. That is rare: such formats (Parquet,
    Arrow, NPZ) compress their contents themselves.
    """
    if file.mappable is not None and file.size is not None:
        yield str(file.mappable)
    elif file.compression is None and file.path is None:
        with file.open_raw() as raw:
            yield raw
    else:
        with tempfile.TemporaryFile(prefix="skerry-", dir=temporary_folder()) as unpacked:
            with file.open() as stream:
                shutil.copyfileobj(stream, unpacked, 1 << 20)
            unpacked.seek(0)
            yield unpacked


class ByteStream(io.RawIOBase):
    """The decompressed bytes of a file, in order; counts the stored bytes it has used.

    Bad compressed data, or data that ends too early, is an `InputError` with the file's name.
    """

    def __init__(self, name: str, raw: BinaryIO, compression: str | None) -> None:
        super().__init__()
        self.name = name
        self._raw = raw
        self._counted = _Counted(raw)
        self._compression = compression
        self._inner: Any = _decompressing(name, self._counted, compression)
        self._readinto: Callable[[memoryview], int] = self._inner.readinto

    @property
    def consumed(self) -> int:
        """How many of the stored bytes have been read so far."""
        return self._counted.count

    def readable(self) -> bool:
        """True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fills some of ``buffer``; returns how many bytes, 0 at the end."""
        try:
            return int(self._readinto(memoryview(buffer).cast("B")))
        except (SkerryError, MemoryError):
            raise
        except Exception as error:  # each library has errors of its own for bad data
            if self._compression is None:
                raise _cannot_read(self.name, error) from None
            raise InputError(
                f"{self.name}: the {self._compression} data is truncated or corrupt ({error})"
            ) from None

    def fill(self, buffer: memoryview) -> int:
        """Fills all of ``buffer`` unless the file ends before; returns how many bytes."""
        filled = 0
        while filled < len(buffer):
            count = self.readinto(buffer[filled:])
            if count == 0:
                break
            filled += count
        return filled

    def read_fully(self, count: int) -> bytes:
        """The next ``count`` bytes, or fewer at the end."""
        buffer = bytearray(count)
        return bytes(buffer[: self.fill(memoryview(buffer))])

    def close(self) -> None:
        """Closes the file."""
        if not self.closed:
            with suppress(Exception):
                self._inner.close()
            self._raw.close()
        super().close()


class _Counted(io.RawIOBase):
    """A stored file that counts the bytes read from it."""

    def __init__(self, raw: BinaryIO) -> None:
        super().__init__()
        self._raw = raw
        self.count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count = self._raw.readinto(buffer) or 0  # type: ignore[attr-defined]
        self.count += count
        return int(count)


def _decompressing(name: str, raw: _Counted, compression: str | None) -> Any:
    if compression is None:
        return raw
    if compression == "xz":
        import lzma

        return lzma.LZMAFile(raw)  # type: ignore[arg-type]
    if compression == "bz2":  # pyarrow's fails on a member without contents
        import bz2

        return bz2.BZ2File(raw)
    if compression == "gzip":
        arrow = arrow_if_installed()
    else:
        arrow = require_arrow(f"{name}: reading .zst files")
    if arrow is None:  # the standard library's takes 20% more time
        import gzip

        return gzip.GzipFile(fileobj=raw)
    return arrow.CompressedInputStream(arrow.PythonFile(raw, mode="r"), compression)
