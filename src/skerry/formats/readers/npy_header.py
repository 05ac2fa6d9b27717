"""The header of an array in NumPy's own format, read from any stream of bytes."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from skerry.errors import InputError

MAGIC = 8
"""Bytes before the length of the header: the magic string and the version."""
LONGEST = 1 << 16
"""Bytes of a header: those of ids have some hundred."""
VERSIONS = ((1, 0), (2, 0), (3, 0))


class Readable(Protocol):
    """A stream of bytes."""

    def read_fully(self, count: int) -> bytes:
        """The next ``count`` bytes, or fewer at the end."""


@dataclass(frozen=True, slots=True)
class NpyHeader:
    """Shape and type of an array."""

    shape: tuple[int, ...]
    fortran: bool
    """Whether the columns, rather than the rows, are contiguous."""
    dtype: np.dtype[Any]
    end: int
    """The first byte of the values."""


def read_npy_header(stream: Readable, name: str) -> NpyHeader:
    """The header; leaves the stream at the first value."""
    begin = stream.read_fully(MAGIC)
    wide = begin[6:7] != b"\x01"  # version 1 has a length of 2 bytes, later ones of 4
    length = stream.read_fully(4 if wide else 2)
    size = int.from_bytes(length, "little")
    if begin[:6] != b"\x93NUMPY" or size > LONGEST:
        raise InputError(f"{name}: not a file written by numpy.save")
    head = io.BytesIO(begin + length + stream.read_fully(size))
    try:
        version = np.lib.format.read_magic(head)
        if version not in VERSIONS:
            raise ValueError(f"version {version[0]}.{version[1]} of the format is not known")
        read = (
            np.lib.format.read_array_header_2_0
            if version[0] > 1
            else np.lib.format.read_array_header_1_0
        )
        shape, fortran, dtype = read(head)
    except Exception as error:  # the header is a Python literal, which can be wrong in many ways
        raise InputError(f"{name}: not a complete file by numpy.save: {error}") from None
    if min(shape, default=0) < 0:
        raise InputError(f"{name}: not a file by numpy.save: its shape is {shape}")
    return NpyHeader(shape, fortran and len(shape) > 1, dtype, head.tell())


def check_ids(header: NpyHeader, name: str) -> None:
    """Raises if the values cannot be ids."""
    if header.dtype.kind not in "iu":
        raise InputError(f"{name}: ids must be integers, got {header.dtype}")
