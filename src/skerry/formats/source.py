"""A file to be read: local or remote (fsspec), compressed or not.

The suffix names the compression; the suffix before that one names the format.
"""

from __future__ import annotations

import io
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

from skerry.config import temporary_folder
from skerry.errors import InputError, UnsupportedError
from skerry.formats.decompress import PIECE, ByteStream, cannot_read, largest_contents
from skerry.formats.text_stream import compression_of, may_be_compressed

COMPRESSIONS = {
    ".gz": "gzip",
    ".gzip": "gzip",
    ".zst": "zstd",
    ".zstd": "zstd",
    ".xz": "xz",
    ".bz2": "bz2",
}
"""Suffix, in lower case, to the name of the compression."""

STANDARD_INPUT = "standard input"
"""What messages call it."""


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
    """Its path on this machine; None if it is remote, or standard input."""
    pipe: Pipe | None = None
    """Set if its bytes come only once: a pipe, or a terminal."""
    held: Any = None
    """A temporary file that lives as long as this object."""
    text: bool = False
    """Whether its contents are text in UTF-8; see `TextStream`."""

    def __str__(self) -> str:
        return self.name

    @property
    def location(self) -> str:
        """Its absolute path, or its address."""
        return self.name if self.path is None else os.path.abspath(self.path)  # noqa: PTH100

    @property
    def stem(self) -> str:
        """The last part of the name without the suffix of the compression."""
        last = PurePosixPath(self.name.replace(os.sep, "/"))
        return last.stem if last.suffix.lower() in COMPRESSIONS else last.name

    @property
    def suffix(self) -> str:
        """The suffix of the format, in lower case, with its dot; empty if there is none."""
        return PurePosixPath(self.stem).suffix.lower()

    @property
    def mappable(self) -> Path | None:
        """The path, if the file can be read at any place: local, not compressed, not a pipe."""
        return self.path if self.compression is None and self.pipe is None else None

    @property
    def largest_contents(self) -> int | None:
        """The most bytes that the contents can have; None where the stored size is not known."""
        if self.size is None or self.compression is None:
            return self.size
        return largest_contents(self.size)

    @property
    def repeatable(self) -> bool:
        """Whether it can be opened more than once: a pipe cannot."""
        return self.pipe is None

    def open_raw(self) -> BinaryIO:
        """The stored bytes (not decompressed); can seek, unless it is a pipe."""
        try:
            if self.pipe is not None:
                return self.pipe.take()  # type: ignore[return-value]
            if self.path is not None:
                return self.path.open("rb", buffering=0)
            system, inner = remote_filesystem(self.name)
            return system.open(inner, "rb")  # type: ignore[no-any-return]
        except OSError as error:
            raise cannot_read(self.name, error) from None

    def open(self) -> ByteStream:
        """The decompressed bytes, from the beginning; a pipe can be opened once."""
        expected = None if self.path is None else self.size
        return ByteStream(self.name, self.open_raw(), self.compression, expected, self.text)

    def beginning(self) -> ByteStream:
        """The same for looking at the beginning, any number of times; of a pipe, it is kept."""
        if self.pipe is None:
            return self.open()
        looking: Any = self.pipe.look()
        return ByteStream(self.name, looking, self.compression, text=self.text)

    def head(self, count: int, enough: Callable[[bytes], bool] | None = None) -> bytes:
        """The first ``count`` decompressed bytes, or all if there are fewer.

        Fewer of them from a pipe where they are ``enough``: it may be long before more come.
        """
        with self.beginning() as stream:
            if self.pipe is None or enough is None:
                return stream.read_fully(count)
            head = b""
            while len(head) < count and not enough(head):
                piece = bytearray(min(PIECE, count - len(head)))
                read = stream.readinto(piece)  # what is there: `read` would wait for all
                if not read:
                    break
                head += piece[:read]
            return head


def source_file(name: str | os.PathLike[str]) -> SourceFile:
    """The file of this path or address (``s3://...``). It must exist and be a file or a pipe.

    A file whose name has no suffix, or a pipe, is compressed if its first bytes say so. Looking at
    them waits for whoever writes to a pipe.
    """
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
            raise cannot_read(text, error) from None
        return SourceFile(text, compression, size, None)
    path = Path(text.removeprefix("file://"))
    try:
        status = path.stat()
    except (OSError, ValueError) as error:
        raise cannot_read(text, error) from None
    if stat.S_ISDIR(status.st_mode):
        raise InputError(f"{text}: is a folder, not a file")
    if not stat.S_ISREG(status.st_mode):
        pipe = Pipe(text, partial(path.open, "rb", buffering=0))
        return _recognized(SourceFile(text, compression, None, path, pipe))
    file = SourceFile(text, compression, status.st_size, path)
    return file if suffix else _recognized(file)


def is_pipe(path: str | os.PathLike[str]) -> bool:
    """Whether a path is neither a plain file nor a folder: a pipe, as ``<(...)`` makes it too."""
    try:
        mode = Path(path).stat().st_mode
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def standard_input() -> SourceFile:
    """Standard input: the file that was redirected, or a pipe."""
    try:
        number = sys.stdin.fileno()
        status, position = os.fstat(number), os.lseek(number, 0, os.SEEK_CUR)
    except (AttributeError, OSError, ValueError):  # a pipe, or an object of a test
        status, position = None, 0
    path = Path("/dev/stdin")
    if status is not None and stat.S_ISREG(status.st_mode) and position == 0 and path.exists():
        return _recognized(SourceFile(STANDARD_INPUT, None, status.st_size, path))
    if sys.stdin is None:
        raise InputError(f"{STANDARD_INPUT}: is closed")
    pipe = Pipe(STANDARD_INPUT, _unbuffered_input)
    return _recognized(SourceFile(STANDARD_INPUT, None, None, None, pipe))


def _unbuffered_input() -> Any:
    try:
        return open(sys.stdin.fileno(), "rb", buffering=0, closefd=False)
    except (OSError, ValueError):  # an object of a test
        return sys.stdin.buffer


def _recognized(file: SourceFile) -> SourceFile:
    """The file with the compression that its first bytes show, where its name shows none."""
    if file.compression:
        return file
    head = file.head(10, lambda head: not may_be_compressed(head))
    return replace(file, compression=compression_of(head))


def spooled(file: SourceFile) -> SourceFile:
    """A pipe as a temporary file, which can be read at any place and again; others unchanged."""
    if file.pipe is None:
        return file
    copy = tempfile.NamedTemporaryFile(prefix="skerry-", dir=temporary_folder())  # noqa: SIM115
    try:
        with file.open_raw() as raw:
            shutil.copyfileobj(raw, copy, 1 << 20)
        copy.flush()
    except OSError as error:
        copy.close()
        raise InputError(
            f"{file.name}: cannot be copied into the folder {temporary_folder()}, which reading it "
            f"needs: {error.strerror or error}; SKERRY_TMPDIR names another folder"
        ) from None
    except BaseException:
        copy.close()
        raise
    return replace(file, size=copy.tell(), path=Path(copy.name), pipe=None, held=copy)


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


@contextmanager
def seekable(file: SourceFile) -> Iterator[Any]:
    """A file for formats that are not read in order: the path of a local one, or an open file.

    A compressed file is unpacked into a temporary file first. That is rare: such formats (Parquet,
    Arrow, NPZ) compress their contents themselves.
    """
    if file.mappable is not None:
        yield str(file.mappable)
    elif file.compression is None and file.pipe is None:
        with file.open_raw() as raw:
            yield raw
    else:
        with tempfile.TemporaryFile(prefix="skerry-", dir=temporary_folder()) as unpacked:
            with file.open() as stream:
                shutil.copyfileobj(stream, unpacked, 1 << 20)
            unpacked.seek(0)
            yield unpacked


PIPE_BYTES = 1 << 16
"""Bytes to wait for at a time: as many as a pipe of Linux holds."""


class Pipe:
    """A stream that is opened when it is first needed, looked at freely, and read once."""

    def __init__(self, name: str, opener: Callable[[], Any]) -> None:
        self._name = name
        self._opener = opener
        self._raw: Any = None
        self._kept: bytes | None = b""

    def look(self) -> io.RawIOBase:
        """The bytes from the beginning on; all that is read here is kept."""
        self._check_unread()
        return _Looking(self)

    def take(self) -> io.RawIOBase:
        """The bytes from the beginning on, for the one reading of them."""
        kept = self._check_unread()
        self._kept = None
        return _Taking(kept, self._open())

    def kept_from(self, begin: int) -> memoryview:
        """What is kept from ``begin`` on; waits for more if it is nothing. Empty at the end."""
        kept = self._check_unread()
        if len(kept) <= begin:
            kept = self._kept = kept + (self._open().read(PIPE_BYTES) or b"")
        return memoryview(kept)[begin:]

    def _open(self) -> Any:
        if self._raw is None:
            self._raw = self._opener()
        return self._raw

    def _check_unread(self) -> bytes:
        if self._kept is None:
            raise UnsupportedError(f"{self._name}: can be read only once, and it has been read")
        return self._kept


class _Looking(io.RawIOBase):
    """Bytes of a pipe that are kept."""

    def __init__(self, pipe: Pipe) -> None:
        super().__init__()
        self._pipe = pipe
        self._at = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self._pipe.kept_from(self._at)[: len(buffer)]
        buffer[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)


class _Taking(io.RawIOBase):
    """What was kept, then the rest."""

    def __init__(self, kept: bytes, raw: Any) -> None:
        super().__init__()
        self._kept = memoryview(kept)
        self._raw = raw

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._kept:
            return self._raw.readinto(buffer) or 0
        count = min(len(buffer), len(self._kept))
        buffer[:count] = self._kept[:count]
        self._kept = self._kept[count:]
        return count

    def close(self) -> None:
        if not self.closed:
            self._raw.close()
        super().close()
