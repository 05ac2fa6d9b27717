"""`ByteStream`: decompressed bytes, every member to its end, and no more than a file can hold.

Files of several members (``cat a.xz b.xz``, parallel compressors) are one stream. Whatever follows
a member is the next one: damage there, or anything else, is an error. Python's own files of bz2 and
xz take it for the end of the data instead.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO

from skerry.errors import InputError, SkerryError
from skerry.formats.memory import limit_checker
from skerry.formats.text_stream import TextStream
from skerry.optional import arrow_if_installed, require_arrow

PIECE = 1 << 16
"""Compressed bytes that are read at a time."""
FIRST = 1 << 20
"""Bytes that a reader gets room for before any has come."""
XZ_PADDING = 4
"""Zero bytes may follow a stream of xz, so many at a time (the .xz format, section 2.2)."""
XZ_MEMORY = 256 << 20
"""Bytes that unpacking xz may take: ``xz -9`` needs 65 MiB, the largest possible dictionary 4 GiB.
The library of zstd has a bound of 128 MiB of its own."""
FREE_CONTENTS = 64 << 20
MAX_RATIO = 2_000
"""Beyond `FREE_CONTENTS`, how many times its size a file may unpack to. gzip reaches 1,032 at
most; bz2, xz and zstd more than 10,000, with contents that say nothing."""


def largest_contents(stored: int) -> int:
    """The most bytes that so many compressed bytes may unpack to."""
    return max(FREE_CONTENTS, MAX_RATIO * stored)


def refuse_ratio(name: str, unpacked: int, stored: int) -> None:
    """Raises if so many bytes were unpacked from ``stored`` bytes of a file."""
    if unpacked > largest_contents(stored):
        raise InputError(
            f"{name}: unpacks to more than {MAX_RATIO:,} times its size, which graphs do not; if "
            "it is not made to fill up memory or disks, unpack it first"
        )


def decompressing(name: str, raw: io.RawIOBase, compression: str | None) -> Any:
    """A stream of the contents, with a method ``readinto``; ``raw`` itself without compression."""
    if compression is None:
        return raw
    if compression == "xz":
        import lzma

        return _Members(raw, lambda: lzma.LZMADecompressor(memlimit=XZ_MEMORY), XZ_PADDING)
    if compression == "bz2":  # pyarrow's fails on a member without contents
        import bz2

        return _Members(raw, bz2.BZ2Decompressor)
    if compression == "gzip":
        arrow = arrow_if_installed()
    else:
        arrow = require_arrow(f"{name}: reading .zst files")
    if arrow is None:  # the standard library's takes 20% more time
        import gzip

        return gzip.GzipFile(fileobj=raw)
    return arrow.CompressedInputStream(arrow.PythonFile(raw, mode="r"), compression)


class DamagedDataError(InputError):
    """Compressed data that cannot be unpacked."""


class _Members(io.RawIOBase):
    """The contents of all members of a file, one after another.

    ``padding``: between members there may be multiples of so many zero bytes.
    """

    def __init__(self, raw: io.RawIOBase, make: Callable[[], Any], padding: int = 0) -> None:
        super().__init__()
        self._raw = raw
        self._make = make
        self._padding = padding
        self._member = make()
        self._packed = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while len(buffer):
            if self._member.eof and not self._begin_next():
                return 0
            if self._member.needs_input and not self._packed:
                self._packed = self._raw.read(PIECE) or b""
                if not self._packed:
                    raise EOFError("it ends within a member")
            contents = self._member.decompress(self._packed, len(buffer))
            self._packed = b""
            if contents:
                buffer[: len(contents)] = contents
                return len(contents)
        return 0

    def _begin_next(self) -> bool:
        """Begins the next member; false at the end of the file."""
        self._packed = self._member.unused_data or self._raw.read(PIECE) or b""
        zeros = 0
        while self._padding and self._packed:
            rest = self._packed.lstrip(b"\0")
            zeros += len(self._packed) - len(rest)
            self._packed = rest or self._raw.read(PIECE) or b""
            if rest:
                break
        if zeros and zeros % self._padding:
            raise EOFError(f"{zeros} zero bytes follow a member, no multiple of {self._padding}")
        if self._packed:
            self._member = self._make()
        return bool(self._packed)


def cannot_read(name: str, error: Exception) -> InputError:
    """The error of a file that cannot be read."""
    if isinstance(error, FileNotFoundError):
        return InputError(f"{name}: there is no such file")
    reason = getattr(error, "strerror", None) or error
    return InputError(f"{name}: cannot be read: {reason}")


class ByteStream(io.RawIOBase):
    """The decompressed bytes of a file, in order; counts the stored bytes it has used.

    Bad compressed data, or data that ends too early, is an `InputError` with the file's name. So is
    a file that has another size at its end than ``expected``: it was changed while it was read.
    """

    def __init__(
        self,
        name: str,
        raw: BinaryIO,
        compression: str | None,
        expected: int | None = None,
        text: bool = False,
    ) -> None:
        super().__init__()
        self.name = name
        self._expected = expected
        packed = compression is not None
        self._check_limit = limit_checker(f"{name}: unpacked data") if packed else None
        self.produced = 0
        """How many bytes were read from here, unpacked."""
        self._raw = raw
        self._counted = _Counted(raw)
        self._compression = compression
        self._inner: Any = decompressing(name, self._counted, compression)
        inner: Callable[[memoryview], int] = self._inner.readinto
        self._text = TextStream(name, inner) if text else None
        self._readinto = inner if self._text is None else self._text.readinto

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
            if self._check_limit is not None:
                self._check_limit()
            view = memoryview(buffer).cast("B")
            count = int(self._readinto(view))
            self.produced += count
            if self._compression is not None:
                refuse_ratio(self.name, self.produced, self.consumed)
            if not count and self._expected is not None and len(view):
                self._check_unchanged(os.fstat(self._raw.fileno()).st_size)
            return count
        except (SkerryError, MemoryError):
            raise
        except Exception as error:  # each library has errors of its own for bad data
            if self._compression is None:
                raise cannot_read(self.name, error) from None
            raise DamagedDataError(
                f"{self.name}: the {self._compression} data is truncated or corrupt ({error})"
            ) from None

    def _check_unchanged(self, size: int) -> None:
        if size != self._expected:
            raise InputError(
                f"{self.name}: changed while it was read: it had {self._expected:,} bytes and has "
                f"{size:,} now; read it again when nothing writes to it"
            )

    def fill(self, buffer: memoryview) -> int:
        """Fills all of ``buffer`` unless the file ends before; returns how many bytes."""
        filled = 0
        while filled < len(buffer):
            count = self.readinto(buffer[filled:])
            if count == 0:
                break
            filled += count
        return filled

    def pass_over(self, count: int) -> None:
        """Leaves out so many bytes, or all that are left: without reading them where it can."""
        if self._compression is None and count > PIECE and self._raw.seekable():
            if self._text is not None:  # a byte order mark lies before, and does not count
                count -= len(self.read_fully(PIECE))
                self._text.passed(count)
            self._counted.count = self._raw.seek(count, os.SEEK_CUR)
            return
        while count > 0:
            passed = len(self.read_fully(min(count, 1 << 20)))
            if not passed:
                return
            count -= passed

    def read_fully(self, count: int) -> bytes:
        """The next ``count`` bytes, or fewer at the end; no more memory than twice what is there.

        A damaged file may ask for any number.
        """
        data, filled = bytearray(min(count, FIRST)), 0
        while True:
            filled += self.fill(memoryview(data)[filled:])
            if filled < len(data) or len(data) == count:
                return bytes(memoryview(data)[:filled])
            data.extend(bytes(min(len(data), count - len(data))))

    def read(self, size: int = -1) -> bytes:
        """The same: pyarrow takes fewer bytes for the end, and the end of a member is none."""
        return self.readall() if size < 0 else self.read_fully(size)

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
