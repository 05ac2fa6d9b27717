"""Damage to files, the same for the same seed; and what may come of reading them."""

from __future__ import annotations

import bz2
import gzip
import lzma
import random
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

import skerry
from skerry.errors import SkerryError
from skerry.formats.registry import FORMATS
from skerry.io import read_edges

COMPRESSORS: dict[str, Callable[[bytes], Any]] = {
    "": bytes,
    ".gz": lambda data: gzip.compress(data, mtime=0),
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": lambda data: pa.compress(data, "zstd", asbytes=True),
}
GARBAGE = (
    *(
        b"\x00",
        b"\xff" * 9,
        b"\n",
        b"\r",
        b'"',
        b",,,",
        b"nan",
        b"-1",
        b"1e400",
        b"\x1d6",
        b"x" * 300,
    ),
    *(
        b"9" * 25,
        b"9" * 5000,
        b"18446744073709551616",
        b"\xff\xff\xff\x7f",
        b"\xed\xa0\x80",
        b"\x80",
    ),
    *(b"<a>", b"]]>", b"[", b"PK\x03\x04", b"%", b"*", b"'" * 3, b"=" * 7, b"utf99", b"(", b"{'"),
)


def suffix_of(name: str) -> str:
    """A suffix of a format."""
    return next(format for format in FORMATS if format.name == name).suffixes[0]


def damaged(data: bytes, count: int, seed: int) -> Iterator[bytes]:
    """So many ways to damage a file; the first ones are the same for all seeds."""
    yield b""
    yield from (data[: len(data) * part // 8] for part in range(1, 8))
    draw = random.Random(seed)
    for _ in range(count):
        result = bytearray(data)
        for _ in range(draw.choice((1, 1, 1, 2, 5))):
            _damage(result, draw)
        yield bytes(result)


def _damage(data: bytearray, draw: random.Random) -> None:
    at = draw.randrange(len(data) + 1)
    kind = draw.randrange(6)
    if kind == 0:
        del data[at:]
    elif kind == 1 and at < len(data):
        data[at] ^= 1 << draw.randrange(8)
    elif kind == 2:
        data[at:at] = draw.choice(GARBAGE)
    elif kind == 3:
        garbage = draw.choice(GARBAGE)
        data[at : at + len(garbage)] = garbage
    elif kind == 4:  # a count of a binary header
        begin = 8 * (at // 8)
        data[begin : begin + 8] = draw.choice((b"\xff" * 8, b"\xff" * 7 + b"\x7f", b"\0" * 8))
    else:
        end = min(len(data), at + draw.randrange(1, 20))
        del data[at:end]


def foreign_error(
    path: Path, *, threads: int | None = None, **options: Any
) -> BaseException | None:
    """What reading a file raises that is neither an error of skerry nor one of memory."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = skerry.connected_components(read_edges(path, **options), threads=threads)
            if result.num_vertices < 1000:
                result.sizes()
                result.table()
    except (SkerryError, MemoryError):
        return None
    except Exception as error:
        return error
    return None
