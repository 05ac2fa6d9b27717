"""Raw pairs: little-endian unsigned ids of 32 or 64 bits, source and target in turn, nothing else.

The file has no number of vertices, and such files often hold hashes: the ids are external, and the
graph has the vertices that occur.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from skerry.errors import InputError
from skerry.formats.options import ReadOptions
from skerry.formats.prefetch import prefetch
from skerry.formats.source import SourceFile
from skerry.graph.edge_source import Batch, EdgeSource


def read(file: SourceFile, options: ReadOptions) -> EdgeSource:
    """The edges of a file of 32-bit pairs."""
    return _source(file, options, np.dtype("<u4"))


def read_wide(file: SourceFile, options: ReadOptions) -> EdgeSource:
    """The edges of a file of 64-bit pairs."""
    return _source(file, options, np.dtype("<u8"))


def _source(file: SourceFile, options: ReadOptions, dtype: np.dtype[Any]) -> EdgeSource:
    format_name = f"raw{8 * dtype.itemsize}"
    options.refuse_columns(file.name, format_name)
    options.refuse_weight(file.name, format_name)
    known = file.size if file.compression is None else None
    if known is not None:
        _check_pairs(file, known, dtype)
    return EdgeSource(
        name=file.name,
        id_kind="external",
        open=lambda _: prefetch(lambda: _batches(file, options, dtype)),
        num_edges=None if known is None else known // (2 * dtype.itemsize),
        num_bytes=file.size,
        repeatable=file.repeatable,
    )


def _batches(file: SourceFile, options: ReadOptions, dtype: np.dtype[Any]) -> Iterator[Batch]:
    done = consumed = 0
    with file.open() as stream:
        while True:
            pairs = np.empty((options.batch_rows, 2), dtype)
            filled = stream.fill(pairs.data.cast("B"))
            count = filled // (2 * dtype.itemsize)
            if filled != pairs.nbytes:
                _check_pairs(file, done * 2 * dtype.itemsize + filled, dtype)
                pairs = pairs[:count]
            if not count:
                return
            location = f"pairs {done:,} to {done + count - 1:,}"
            yield Batch(pairs[:, 0], pairs[:, 1], None, location, stream.consumed - consumed)
            done += count
            consumed = stream.consumed


def _check_pairs(file: SourceFile, size: int, dtype: np.dtype[Any]) -> None:
    pair = 2 * dtype.itemsize
    if size % pair:
        raise InputError(
            f"{file.name}: {size:,} bytes are {size // pair:,} pairs of {8 * dtype.itemsize}-bit "
            f"ids and {size % pair} bytes more: the file is truncated, or of another format"
        )
