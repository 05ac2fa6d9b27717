"""A pipe: bytes that come once. Its beginning is kept, so that it can be looked at before.

What a file is (its compression, format, header, columns) is read off its beginning, more than once.
A pipe gives its bytes only once, so whatever is looked at is kept until the pipe is read.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

from skerry.errors import UnsupportedError

PIECE = 1 << 16
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
            kept = self._kept = kept + (self._open().read(PIECE) or b"")
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
