"""What the tests of file formats share: reading a stream whole, and compressing by suffix."""

from __future__ import annotations

import bz2
import gzip
import lzma

import numpy as np
import pyarrow

from skerry.formats.open import open_edges
from skerry.formats.options import ReadOptions

COMPRESS = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": lambda data: pyarrow.compress(data, codec="zstd", asbytes=True),
}


def pairs(stream, threads=2):
    """All edges of a stream as a list of pairs of Python integers."""
    return [pair for batch in stream.open(threads) for pair in pairs_of(batch)]


def pairs_of(batch):
    assert len(batch.src) == len(batch.dst)
    return list(zip(batch.src.tolist(), batch.dst.tolist(), strict=True))


def weights(stream, threads=2):
    """All weights of a stream."""
    found = [batch.weight for batch in stream.open(threads)]
    return np.concatenate(found).tolist() if found else []


def write(folder, name, text):
    """A file with this text (or these bytes), compressed as its name says."""
    data = text if isinstance(text, bytes) else text.encode()
    for suffix, compress in COMPRESS.items():
        if name.endswith(suffix):
            data = compress(data)
    path = folder / name
    path.write_bytes(data)
    return path


def read_text(folder, name, text, *, threads=2, block_bytes=None, **options):
    """The pairs of a file with this text."""
    if block_bytes is not None:
        options["block_bytes"] = block_bytes
    stream = open_edges(write(folder, name, text), ReadOptions(**options))
    return pairs(stream, threads)
