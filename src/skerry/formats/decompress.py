"""Decompressed bytes of a file: every member to its end, and no more than a file can hold.

Files of several members (``cat a.xz b.xz``, parallel compressors) are one stream. Whatever follows
a member is the next one: damage there, or anything else, is an error. Python's own files of bz2 and
xz take it for the end of the data instead.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

from skerry.errors import InputError
from skerry.optional import arrow_if_installed, require_arrow

PIECE = 1 << 16
"""Compressed bytes that are read at a time."""
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
