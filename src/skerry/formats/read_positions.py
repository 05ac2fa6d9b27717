"""Reading a file on from where an earlier reading ended, and what tells that it is the same file.

Readers that can begin in the middle have an ``open_at`` of their own. All others are read from
their beginning, and the rows that were read before are passed over: decoded, and not joined.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from functools import partial
from typing import Any

import numpy as np

from skerry.formats.options import ReadOptions
from skerry.formats.source import STANDARD_INPUT, SourceFile, remote_filesystem
from skerry.graph.edge_source import (
    Batch,
    EdgeSource,
    ReadPosition,
    closed_after,
    row_count,
    slice_of,
)

NOT_READ = ("batch_rows", "block_bytes")
"""Options that say how much is read at a time."""


def with_positions(source: EdgeSource) -> EdgeSource:
    """The same source; one that cannot begin in the middle passes over the rows before."""
    if source.open_at is not None:
        return source

    def open_at(threads: int, position: ReadPosition) -> Iterator[Batch]:
        with closed_after(source.open(threads)) as batches:
            yield from _behind(batches, position.offset[0] if position.offset else 0)

    return replace(source, open_at=open_at)


def _behind(batches: Iterator[Batch], skip: int) -> Iterator[Batch]:
    """The batches behind the first ``skip`` rows, whatever the batches of these rows were."""
    done = 0
    for batch in batches:
        rows = row_count(batch)
        left, done = skip - done, done + rows
        if left > 0:
            if left >= rows:
                continue
            batch = _cut(batch, left, rows)
        yield replace(batch, next_offset=(done,))


def _cut(batch: Batch, left: int, rows: int) -> Batch:
    """A batch without its first ``left`` rows."""
    first = left
    numbers = batch.rows
    if numbers is not None:
        first = int(np.searchsorted(numbers, left))
        numbers = numbers[first:] - left
    src = slice_of(batch.src, first)
    return replace(
        batch,
        src=src,
        dst=src if batch.dst is batch.src else slice_of(batch.dst, first),
        weight=None if batch.weight is None else batch.weight[first:],
        consumed=batch.consumed * (rows - left) // rows,
        dropped=batch.dropped - (left - first) if batch.dropped else 0,
        rows=numbers,
        num_rows=None if batch.num_rows is None else batch.num_rows - left,
    )


def identity_of(
    files: list[SourceFile], format_name: str, options: ReadOptions
) -> Callable[[], dict[str, Any]] | None:
    """What `EdgeSource.identity` is for these files; None if one cannot be opened again."""
    if any(file.pipe or file.held or file.name == STANDARD_INPUT for file in files):
        return None
    return partial(_identity, files, format_name, options)


def _identity(files: list[SourceFile], format_name: str, options: ReadOptions) -> dict[str, Any]:
    chosen = asdict(options)
    for name in NOT_READ:
        del chosen[name]
    return {"files": [_version_of(file) for file in files], "format": format_name, **chosen}


def _version_of(file: SourceFile) -> list[Any]:
    """The path of a file, its size, and its version: what is another after any write.

    Of local files the inode, and the times of the last changes of the data and of the inode: a
    program may set the former back, and only the system sets the latter.
    """
    if file.path is not None:
        status = file.path.stat()
        version = [status.st_ino, status.st_mtime_ns, status.st_ctime_ns]
        return [os.fspath(file.path.resolve()), status.st_size, version]
    system, inner = remote_filesystem(file.name)
    return [file.name, file.size, [str(system.ukey(inner))]]
