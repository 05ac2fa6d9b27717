"""The bytes of a text file, with what is common to all formats of text.

A UTF-8 byte order mark at the beginning is no part of the text. UTF-16 and UTF-32 are refused by
name. A line has a bound, so that no reader holds more than that of it. All of this is decided here,
below the readers: none of them sees a mark, nor a line that is too long.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

from skerry.config import longest_line
from skerry.errors import InputError, UnsupportedError

UTF8_MARK = b"\xef\xbb\xbf"
MARKS = (  # UTF-32 first: its mark begins like that of UTF-16
    (b"\xff\xfe\0\0", "UTF-32"),
    (b"\0\0\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
TEXT = frozenset(b"\t\n\r" + bytes(range(0x20, 0x7F)))
BEGINNING = 4
"""Bytes that show an encoding."""
MAGIC_BYTES = 10
"""Bytes that show a compression."""
SUFFIXES = {"gzip": ".gz", "zstd": ".zst", "xz": ".xz", "bz2": ".bz2"}
FIRST_BYTES = {
    "gzip": b"\x1f\x8b\x08",
    "zstd": b"\x28\xb5\x2f\xfd",
    "xz": b"\xfd7zXZ\0",
    "bz2": b"BZh",
}
"""How compressed data begins; that of bz2 continues with one of `BZ2_BLOCKS`."""
BZ2_BLOCKS = (b"1AY&SY", b"\x17rE8P\x90")
WINDOW = 1 << 12
LINE_ENDS = (b"\n", b"\r")


def compression_of(head: bytes) -> str | None:
    """The compression that the first ten bytes of a file show."""
    for name, magic in FIRST_BYTES.items():
        if head.startswith(magic) and (name != "bz2" or head[4:10] in BZ2_BLOCKS):
            return name
    return None


def may_be_compressed(head: bytes) -> bool:
    """Whether more bytes of a file that begins with ``head`` could show a compression."""
    return any(each.startswith(head[: len(each)]) for each in FIRST_BYTES.values())


def encoding_of(head: bytes) -> str | None:
    """UTF-16 or UTF-32, if the first bytes show it: by a mark, or by ASCII among zeros."""
    for mark, name in MARKS:
        if head.startswith(mark):
            return name
    for width, name in ((4, "UTF-32"), (2, "UTF-16")):
        for first in (0, width - 1):
            letters = head[first::width]
            zeros = len(head) - len(letters)
            if len(head) >= BEGINNING and head.count(0) == zeros and TEXT.issuperset(letters):
                return name
    return None


def refuse_compressed(name: str, head: bytes) -> None:
    """Raises if the first bytes of a text file are those of compressed data."""
    if compression := compression_of(head):
        raise UnsupportedError(
            f"{name}: the contents are {compression} data, not text: unpack the file, or add "
            f"{SUFFIXES[compression]} to its name"
        )


def refuse_encoding(name: str, head: bytes) -> None:
    """Raises if the first bytes of a text file are not those of UTF-8 or ASCII."""
    encoding = encoding_of(head)
    if encoding is not None:
        raise InputError(
            f"{name}: the text is in {encoding}, and only UTF-8 is read; convert it: iconv -f "
            f"{encoding} -t UTF-8"
        )


class TextStream(io.RawIOBase):
    """A stream of text behind ``readinto`` of another one."""

    def __init__(self, name: str, readinto: Callable[[memoryview], int]) -> None:
        super().__init__()
        self._name = name
        self._readinto = readinto
        self._beginning: bytes | None = None
        """What was read to see the encoding, and not yet handed out."""
        self._limit = longest_line()
        self._position = 0
        self._line = 0
        """Where the line began that is being read."""

    def readable(self) -> bool:
        """True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fills some of ``buffer``; returns how many bytes, 0 at the end."""
        if self._beginning is None:
            self._beginning = self._begin()
        count = min(len(buffer), len(self._beginning))
        if count:
            buffer[:count] = self._beginning[:count]
            self._beginning = self._beginning[count:]
            self._check_line(buffer, count)
        while count < len(buffer):  # also behind the beginning: some take a short read for the end
            part = buffer[count : count + self._limit]  # no line in it is too long
            read = self._readinto(part)
            self._check_line(part, read)
            count += read
            if read < self._limit:
                break
        return count

    def passed(self, count: int) -> None:
        """Takes note that so many bytes were left out, up to the end of a line."""
        self._position += count
        self._line = self._position

    def _begin(self) -> bytes:
        head = b""
        while len(head) < MAGIC_BYTES and _undecided(head):
            buffer = bytearray(MAGIC_BYTES - len(head))
            count = self._readinto(memoryview(buffer))
            if not count:
                break
            head += buffer[:count]
        refuse_compressed(self._name, head)
        refuse_encoding(self._name, head)
        return head.removeprefix(UTF8_MARK)

    def _check_line(self, buffer: memoryview, count: int) -> None:
        """Raises if a line is too long; what follows the last line end begins a new one."""
        first = _first_line_end(buffer, count)
        if self._position + first - self._line > self._limit:
            raise InputError(
                f"{self._name}: the line that begins at byte {self._line:,} has more than "
                f"{self._limit:,} bytes; is this a text file with a line for each edge or vertex? "
                "If it is, the environment variable SKERRY_LONGEST_LINE allows more"
            )
        if first < count:
            self._line = self._position + _last_line_end(buffer, count) + 1
        self._position += count


def _undecided(head: bytes) -> bool:
    """Whether more bytes could show a mark, another encoding or a compression."""
    if len(head) < BEGINNING and (len(head) < 2 or head[0] in b"\0\xef\xff\xfe" or head[1] == 0):
        return True
    return may_be_compressed(head)


def _first_line_end(buffer: memoryview, count: int) -> int:
    """Where the first line end is; ``count`` if there is none."""
    for begin in range(0, count, WINDOW):
        window = bytes(buffer[begin : min(begin + WINDOW, count)])
        places = [at for at in map(window.find, LINE_ENDS) if at >= 0]
        if places:
            return begin + min(places)
    return count


def _last_line_end(buffer: memoryview, count: int) -> int:
    """Where the last line end is; there is one."""
    end = count
    while end > WINDOW:
        window = bytes(buffer[end - WINDOW : end])
        at = max(map(window.rfind, LINE_ENDS))
        if at >= 0:
            return end - WINDOW + at
        end -= WINDOW
    return max(map(bytes(buffer[:end]).rfind, LINE_ENDS))
