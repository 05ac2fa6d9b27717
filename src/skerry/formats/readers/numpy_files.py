"""Arrays of pairs in NumPy's own format (.npy), read in pieces.

As with arrays in memory, ids are vertex numbers, 0 up to the largest.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from skerry.errors import InputError, SkerryWarning
from skerry.formats.options import ReadOptions
from skerry.formats.prefetch import prefetch
from skerry.formats.readers.array_sections import ArrayReader, Section, check_size, opened
from skerry.formats.readers.npy_header import check_ids, read_npy_header
from skerry.formats.source import SourceFile
from skerry.graph.edge_source import Batch, EdgeSource


def read(file: SourceFile, options: ReadOptions) -> EdgeSource:
    """The edges of an array of shape (m, 2), with an edge in each row, or (2, m)."""
    options.refuse_columns(file.name, "npy")
    options.refuse_weight(file.name, "npy")
    with file.open() as stream:
        header = read_npy_header(stream, file.name)
    shape = header.shape
    if len(shape) != 2 or 2 not in shape:
        raise InputError(f"{file.name}: an array of edges has shape (m, 2) or (2, m), got {shape}")
    check_ids(header, file.name)
    if shape == (2, 2):
        warnings.warn(
            f"{file.name}: a 2 x 2 array could hold two edges in its rows or sources above "
            "targets; its rows are taken as edges",
            SkerryWarning,
            stacklevel=4,
        )
    in_rows = shape[1] == 2
    m = shape[0] if in_rows else shape[1]
    start, kind = header.end, header.dtype
    if in_rows != header.fortran:  # the two ends of an edge lie side by side
        pairs = Section("edges", start, np.dtype((kind, 2)), m)
        check_size(file, pairs.end)
        make = partial(_interleaved, file, Section("edges", start, kind, 2 * m), options)
    else:
        src = Section("sources", start, kind, m)
        dst = Section("targets", src.end, kind, m)
        check_size(file, dst.end)
        make = partial(_side_by_side, file, src, dst, options)
    return EdgeSource(
        name=file.name,
        id_kind="vertices",
        open=lambda _: prefetch(lambda: make(0)),
        open_at=lambda _, position: prefetch(lambda: make(*(position.offset or (0,)))),
        num_edges=m,
        num_bytes=file.size,
    )


def _interleaved(
    file: SourceFile, section: Section, options: ReadOptions, first: int
) -> Iterator[Batch]:
    with opened(file, section.behind(2 * first), section.end) as reader:
        m = section.count // 2
        reported = (file.size or 0) * first // max(m, 1)
        for begin in range(first, m, options.batch_rows):
            end = min(begin + options.batch_rows, m)
            pairs = reader.next(2 * (end - begin)).reshape(-1, 2)
            done = (file.size or 0) * end // m
            yield _batch(pairs[:, 0], pairs[:, 1], begin, done - reported)
            reported = done


def _side_by_side(
    file: SourceFile, src: Section, dst: Section, options: ReadOptions, first: int
) -> Iterator[Batch]:
    rest = dst.behind(first)
    with opened(file, src.behind(first)) as sources, opened(file, rest, dst.end) as targets:
        yield from column_batches(sources, targets, file.size or 0, options, first)


def column_batches(
    sources: ArrayReader, targets: ArrayReader, size: int, options: ReadOptions, first: int = 0
) -> Iterator[Batch]:
    """The edges of two arrays of which one holds the sources and one the targets.

    ``first`` edges were read before, and are not in the arrays.
    """
    m = first + sources.section.count
    reported = size * first // max(m, 1)
    for begin in range(first, m, options.batch_rows):
        end = min(begin + options.batch_rows, m)
        done = size * end // m
        src, dst = (reader.next(end - begin) for reader in (sources, targets))
        if src.dtype != dst.dtype:
            kind = np.result_type(src, dst)
            if kind.kind == "f":
                raise InputError(
                    f"{sources.file_name}: {sources.section.name} is {src.dtype} and "
                    f"{targets.section.name} {dst.dtype}: store both in one type"
                )
            src, dst = src.astype(kind), dst.astype(kind)
        yield _batch(src, dst, begin, done - reported)
        reported = done


def _batch(src: Any, dst: Any, begin: int, consumed: int) -> Batch:
    if not src.dtype.isnative:
        src, dst = (end.astype(end.dtype.newbyteorder("=")) for end in (src, dst))
    end = begin + len(src)
    location = f"edges {begin:,} to {end - 1:,}"
    return Batch(src, dst, None, location, consumed, next_offset=(end,))
