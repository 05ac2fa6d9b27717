"""The file of a `UnionFind`: written at once, mapped when it is loaded, never unpickled.

docs/incremental.md has the layout: a head of fixed size, a description in JSON, and sections that
begin at multiples of 64 bytes. The head and every block of 4 MiB have a CRC-32, so that a damaged
file is noticed when it is loaded, which reads it once. Nothing in it is trusted beyond that: labels
are checked to be labels, since kernels rely on it.
"""

from __future__ import annotations

import json
import mmap
import os
import sys
from pathlib import Path
from struct import Struct
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError, UnsupportedError
from skerry.formats.source import is_remote
from skerry.formats.writers.atomic_file import COMPRESSIONS, atomic_file, local_path

MAGIC = b"skerryUF"
VERSION = 1
ORDER = 0x01020304
HEAD = Struct("=8sIIQQII")  # magic, order, version, bytes of the file and description, two CRCs
SWAPPED = Struct(">8sII" if sys.byteorder == "little" else "<8sII")
ALIGNED = 64
BLOCK = 1 << 22
MAX_DESCRIPTION = 1 << 30


class Saved(NamedTuple):
    """What a file holds."""

    description: dict[str, Any]
    """Whatever the writer noted, as JSON."""
    sections: dict[str, npt.NDArray[Any]]
    """Arrays by name: bytes, or integers; changes to them do not reach the file."""


def write_saved(
    path: str | os.PathLike[str],
    description: dict[str, Any],
    sections: dict[str, npt.NDArray[Any]],
    magic: bytes = MAGIC,
) -> None:
    """Writes a file that is complete or not there at all; ``magic`` is how it begins."""
    if os.fspath(path).lower().endswith(COMPRESSIONS) or is_remote(os.fspath(path)):
        raise UnsupportedError(
            f"{path}: a UnionFind is saved to a plain file of this machine, which can be mapped"
        )
    table, begin = [], 0
    for name, array in sections.items():
        data = _bytes_of(array)
        checksums = [crc32(data[at : at + BLOCK]) for at in range(0, len(data), BLOCK)]
        entry = {"name": name, "type": array.dtype.str[1:], "begin": begin, "bytes": len(data)}
        table.append(entry | {"checksums": checksums})
        begin = _aligned(begin + len(data))
    text = json.dumps(description | {"sections": table}, separators=(",", ":")).encode()
    first = _aligned(HEAD.size + len(text))
    size = first + begin
    head = HEAD.pack(magic, ORDER, VERSION, size, len(text), crc32(text), 0)
    head = head[:-4] + crc32(head[:-4]).to_bytes(4, sys.byteorder)
    with atomic_file(path) as file:
        file.write(head + text + bytes(first - HEAD.size - len(text)))
        for array in sections.values():
            data = _bytes_of(array)
            file.write(data)
            file.write(bytes(_aligned(len(data)) - len(data)))


class SavedFile:
    """A file that was written by `write_saved`, checked from its head to its end."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        magic: bytes = MAGIC,
        kind: str = "a file of UnionFind.save()",
    ) -> None:
        self._path = path
        self._magic, self._kind = magic, kind
        try:
            with Path(local_path(path)).open("rb") as file:
                size = os.fstat(file.fileno()).st_size
                # Copied page by page where it is changed: the file stays as it is.
                self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY) if size else b""
        except OSError as error:
            raise InputError(f"{path}: {error.strerror or error}") from None

    def read(self) -> Saved:
        """What it holds.

        Raises
        ------
        InputError
            If it is not such a file, of another version or byte order, cut short or damaged.
        """
        description, first = self._describe()
        sections = {}
        end = first
        for entry in self._entries(description):
            begin = first + entry["begin"]
            if begin != end or begin + entry["bytes"] > len(self._data):
                raise self._error("its sections do not follow each other: it is damaged")
            end = begin + _aligned(entry["bytes"])
            sections[entry["name"]] = self._section(entry, begin)
            self._check_filling(begin + entry["bytes"], end)
        if end != len(self._data):
            raise self._error(f"it has {len(self._data):,} bytes, its sections end at {end:,}")
        return Saved(description, sections)

    def _describe(self) -> tuple[dict[str, Any], int]:
        data = self._data
        if data[: len(self._magic)] != self._magic:
            raise self._error(f"this is not {self._kind}")
        if len(data) < HEAD.size:
            raise self._error(f"it ends in its head, after {len(data)} bytes")
        if SWAPPED.unpack_from(data)[1] == ORDER:
            raise self._error(
                f"it was written on a machine of another byte order; this is {sys.byteorder}-endian"
            )
        _, order, version, size, length, text_sum, head_sum = HEAD.unpack_from(data)
        if order == ORDER and version != VERSION:  # whose head may be another from here on
            newer = "newer, by a later version of skerry" if version > VERSION else "not known"
            raise self._error(f"its format is version {version}, {newer}; this reads {VERSION}")
        if crc32(data[: HEAD.size - 4]) != head_sum or order != ORDER:
            raise self._error("its head is damaged (the checksum differs)")
        if size != len(data):
            raise self._error(f"it should have {size:,} bytes and has {len(data):,}: cut short")
        text = data[HEAD.size : HEAD.size + min(length, MAX_DESCRIPTION)]
        if len(text) != length or crc32(text) != text_sum:
            raise self._error("its description is damaged (the checksum differs)")
        try:
            description = json.loads(text)
        except ValueError:
            raise self._error("its description is damaged") from None
        if not isinstance(description, dict):
            raise self._error("its description is damaged")
        first = _aligned(HEAD.size + length)
        self._check_filling(HEAD.size + length, first)
        return description, first

    def _check_filling(self, begin: int, end: int) -> None:
        if any(self._data[begin:end]):
            raise self._error("there is something between its sections: it is damaged")

    def _entries(self, description: dict[str, Any]) -> list[dict[str, Any]]:
        entries = description.get("sections")
        keys = {"name": str, "type": str, "begin": int, "bytes": int, "checksums": list}
        if not isinstance(entries, list) or not all(
            isinstance(entry, dict)
            and all(type(entry.get(key)) is kind for key, kind in keys.items())
            and entry["begin"] >= 0
            and entry["bytes"] >= 0
            and entry["type"] in ("u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8")
            and entry["bytes"] % int(entry["type"][1]) == 0
            for entry in entries
        ):
            raise self._error("its description is damaged")
        return entries

    def _section(self, entry: dict[str, Any], begin: int) -> npt.NDArray[Any]:
        dtype = np.dtype(entry["type"])
        if not entry["bytes"]:
            return np.empty(0, dtype)
        checksums = []
        view = memoryview(self._data)[begin : begin + entry["bytes"]]
        for at in range(0, len(view), BLOCK):
            checksums.append(crc32(view[at : at + BLOCK]))
        if checksums != entry["checksums"]:
            raise self._error(f"its section {entry['name']!r} is damaged (a checksum differs)")
        return np.frombuffer(self._data, dtype, entry["bytes"] // dtype.itemsize, begin)

    def _error(self, problem: str) -> InputError:
        return InputError(f"{self._path}: {problem}")


def _bytes_of(array: npt.NDArray[Any]) -> memoryview:
    contiguous = np.ascontiguousarray(array).view(np.uint8)
    return memoryview(contiguous.data) if array.size else memoryview(b"")


def _aligned(size: int) -> int:
    return -(-size // ALIGNED) * ALIGNED
