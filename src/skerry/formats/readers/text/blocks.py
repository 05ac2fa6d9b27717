"""A text file as blocks of complete lines, each in a padded buffer for the native parsers."""

from __future__ import annotations

import io
from collections import deque
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.errors import InputError
from skerry.formats.memory import reserve
from skerry.formats.source import SourceFile

Spare: TypeAlias = "deque[npt.NDArray[np.uint8]]"
"""Buffers to be used again: fresh memory costs nearly as much as reading into it."""

LONGEST_HEADER_LINE = 1 << 16
LONG_LINE = 1 << 20
"""Bytes without a line end in which a bare CR must be one: `TextStream` lets such lines be long."""


@dataclass(frozen=True, slots=True)
class Block:
    """Some complete lines."""

    buffer: npt.NDArray[np.uint8]
    """The text, and behind it a padding of line ends."""
    size: int
    consumed: int
    """Bytes of the stored file that were read for it."""

    def line_at(self, begin: int) -> bytes:
        """The line that begins there, or the head of a long one."""
        return self.buffer[begin : min(begin + 256, self.size)].tobytes().split(b"\n", 1)[0]


class Header:
    """Reads the first lines of a file one by one, and counts their bytes."""

    def __init__(self, file: SourceFile) -> None:
        self._file = file
        self._lines = io.BufferedReader(file.beginning(), 1 << 16)
        self.bytes = 0
        """Bytes of the lines taken so far."""
        self.lines = 0
        """Lines taken so far."""

    def next(self) -> str | None:
        """The next line without its end, or None if there is none."""
        raw = self._lines.readline(LONGEST_HEADER_LINE)
        if not raw:
            return None
        self.bytes += len(raw)
        if len(raw) == LONGEST_HEADER_LINE and not raw.endswith(b"\n"):
            self.bytes += self._rest_of_line()
        self.lines += 1
        return raw.decode("utf-8", "replace").rstrip("\r\n")

    def _rest_of_line(self) -> int:
        count = 0
        while piece := self._lines.readline(LONGEST_HEADER_LINE):
            count += len(piece)
            if piece.endswith(b"\n"):
                break
        return count

    def wrong(self, what: str) -> InputError:
        """An error about the last line."""
        return InputError(f"{self._file.name}: line {self.lines}: {what}")

    def __enter__(self) -> Header:
        return self

    def __exit__(self, *_: Any) -> None:
        self._lines.close()


def read_blocks(
    file: SourceFile, block_bytes: int, skip: int, spare: Spare, read_before: bool = False
) -> Generator[Block, None, None]:
    """The blocks of a file behind its first ``skip`` bytes.

    A block has ``block_bytes`` or more: a line is never cut, and its length has a bound (see
    `TextStream`). With ``read_before``, no block counts the bytes that were skipped.
    """
    with file.open() as stream:
        stream.pass_over(skip)
        rest, seen = b"", stream.consumed if read_before else 0
        while True:
            room = max(block_bytes, 2 * len(rest))
            if room > block_bytes:  # beside the buffer, a copy of the line and one to search it
                reserve(2 * room, f"{file.name}: a line of more than {len(rest):,} bytes")
            buffer = _buffer(room + _native.TEXT_PADDING, spare)
            view = memoryview(buffer.data)
            view[: len(rest)] = rest
            filled = len(rest) + stream.fill(view[len(rest) : room])
            size = filled if filled < room else _last_line_end(view[:room])
            rest = view[size:filled].tobytes()
            if size == 0 and filled < room:
                return
            if size == 0:  # one line fills it all: read on with twice the room
                if filled > LONG_LINE and b"\r" in view[: filled - 1].tobytes():
                    raise _old_line_ends(file.name)
                spare.append(buffer)
                continue
            view[size : size + _native.TEXT_PADDING] = b"\n" * _native.TEXT_PADDING
            _refuse_old_line_ends(file.name, buffer, size)
            consumed, seen = stream.consumed - seen, stream.consumed
            yield Block(buffer, size, consumed)
            if filled < room:
                return


def _buffer(room: int, spare: Spare) -> npt.NDArray[np.uint8]:
    while spare:
        buffer = spare.pop()
        if len(buffer) >= room:
            return buffer
    reserve(room, "a block of text")
    return np.empty(room, np.uint8)


def _last_line_end(view: memoryview) -> int:
    """How many bytes there are up to and with the last line end; 0 without one."""
    window = 1 << 12
    end = len(view)
    while end > 0:
        begin = max(0, end - window)
        at = view[begin:end].tobytes().rfind(b"\n")
        if at >= 0:
            return begin + at + 1
        end, window = begin, window * 2
    return 0


def _refuse_old_line_ends(name: str, buffer: npt.NDArray[np.uint8], size: int) -> None:
    # Without this, a file with bare CRs would be one long line of which two numbers are read.
    head = buffer[: min(size, 1 << 12)].tobytes()
    if b"\n" not in head and b"\r" in head[:-1] and b"\n" not in buffer[:size].tobytes():
        raise _old_line_ends(name)


def _old_line_ends(name: str) -> InputError:
    return InputError(
        f"{name}: the lines end with a bare CR; convert the file, for instance with tr '\\r' '\\n'"
    )
