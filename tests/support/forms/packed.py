"""Containers with checksums, of one member and of several. One row each."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from support.forms.edges import PAIRS

JUNK = (
    *(b"\0", b"\0" * 4, b"\0" * 512, b"x", b"\n", b"junk behind the end" * 9),
    *(b"\x1f\x8b\x08", b"BZh9", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd", b"PK\x03\x04"),
    *(gzip.compress(b"7 8\n")[:-1], bz2.compress(b"7 8\n")[:-1], lzma.compress(b"7 8\n")[:-1]),
)
"""What may stand behind the end of a file that was not copied well."""
PIECES = (0, 8, 8, 16)
"""Where members begin and end, in edges; the second is empty."""


class Packed(NamedTuple):
    """A file whose container notices that it was changed."""

    name: str
    suffix: str
    pack: Callable[[], list[bytes]]
    """Its members."""
    begin: Callable[[bytes], int] = lambda _: 0
    end: Callable[[bytes], int] = len
    """Which bytes the checksums cover."""


def _raw(begin: int = 0, end: int | None = None) -> bytes:
    """Pairs of ids of 32 bits: whatever is read is some graph."""
    return np.array(PAIRS[begin:end], "<u4").tobytes()


def _npy() -> bytes:
    sink = io.BytesIO()
    np.save(sink, np.array(PAIRS, "u1"))
    return sink.getvalue()


def _members(compress: Callable[[bytes], bytes]) -> Callable[[], list[bytes]]:
    ends = [*PIECES[1:], len(PAIRS)]
    return lambda: [compress(_raw(a, b)) for a, b in zip(PIECES, ends, strict=True)]


def _npz(save: Callable[..., None]) -> Callable[[], list[bytes]]:
    def pack() -> list[bytes]:
        sink = io.BytesIO()
        src, dst = np.array(PAIRS, "u1").T
        save(sink, src=src, dst=dst)
        return [sink.getvalue()]

    return pack


def _parquet() -> list[bytes]:
    sink = io.BytesIO()
    src, dst = np.array(PAIRS, "u2").T
    options: dict[str, Any] = {"compression": "none", "use_dictionary": False}
    table = pa.table({"src": src, "dst": dst})
    pq.write_table(table, sink, write_page_checksum=True, write_statistics=False, **options)
    return [sink.getvalue()]


def _footer(data: bytes) -> int:
    return len(data) - 8 - int.from_bytes(data[-8:-4], "little")


def _xz(check: int) -> Callable[[bytes], bytes]:
    return lambda data: lzma.compress(data, check=check)


def zstd_frame(data: bytes) -> bytes:
    """A frame of zstd with a checksum, whose one block is not compressed (RFC 8878)."""
    head = b"\x28\xb5\x2f\xfd\x24" + bytes([len(data)])  # one segment; a checksum
    block = (len(data) << 3 | 1).to_bytes(3, "little")  # the last one; raw
    return head + block + data + xxh64(data).to_bytes(8, "little")[:4]


PRIMES = (
    *(0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9),
    *(0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5),
)
MASK = 2**64 - 1


def xxh64(data: bytes) -> int:
    """The hash that zstd's checksum is made of, with seed 0 (xxHash's specification)."""
    one, two, three, four, five = PRIMES

    def turn(value: int, bits: int) -> int:
        return (value << bits | value >> (64 - bits)) & MASK

    def step(state: int, word: int) -> int:
        return turn((state + word * two) & MASK, 31) * one & MASK

    words = [int.from_bytes(data[i : i + 8], "little") for i in range(0, len(data) // 8 * 8, 8)]
    stripes = len(words) // 4 * 4
    state = five
    if len(data) >= 32:
        lanes = [(one + two) & MASK, two, 0, -one & MASK]
        for i in range(stripes):
            lanes[i % 4] = step(lanes[i % 4], words[i])
        state = sum(map(turn, lanes, (1, 7, 12, 18))) & MASK
        for lane in lanes:
            state = ((state ^ step(0, lane)) * one + four) & MASK
    else:
        stripes = 0
    state = (state + len(data)) & MASK
    for word in words[stripes:]:
        state = (turn(state ^ step(0, word), 27) * one + four) & MASK
    assert len(data) % 8 == 0, "what is left over needs two more steps"
    state = (state ^ state >> 33) * two & MASK
    state = (state ^ state >> 29) * three & MASK
    return state ^ state >> 32


COMPRESSIONS: tuple[tuple[str, Callable[[bytes], bytes]], ...] = (
    (".gz", lambda data: gzip.compress(data, mtime=0)),
    (".bz2", bz2.compress),
    (".xz", partial(lzma.compress, preset=0)),  # others fill 90 MB of tables
    (".zst", zstd_frame),
)

PACKED = (
    *(Packed(f"{s} of one", f".u32{s}", lambda c=c: [c(_raw())]) for s, c in COMPRESSIONS),
    *(Packed(f"{s} of several", f".u32{s}", _members(c)) for s, c in COMPRESSIONS),
    *(
        Packed(f"array in {s}", f".npy{s}", lambda c=c: [c(_npy())])
        for s, c in COMPRESSIONS
        if s != ".zst"
    ),
    Packed("stored .gz", ".u32.gz", lambda: [gzip.compress(_raw(), 0, mtime=0)]),
    Packed("CRC-32 of xz", ".u32.xz", _members(_xz(lzma.CHECK_CRC32))),
    Packed("SHA-256 of xz", ".u32.xz", _members(_xz(lzma.CHECK_SHA256))),
    Packed("stored zip", ".npz", _npz(np.savez)),
    Packed("deflated zip", ".npz", _npz(np.savez_compressed)),
    Packed("pages of Parquet", ".parquet", _parquet, lambda _: 4, _footer),
)
