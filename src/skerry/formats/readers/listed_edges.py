"""Formats that are read row by row in Python: rows of two ids and a weight, in batches.

A vertex that is named is a row too, a loop, so that vertices without an edge are in the result.
With weights, these loops have an infinite one, so that no threshold removes them.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np

from skerry.errors import InputError
from skerry.formats.decompress import ByteStream
from skerry.formats.options import ReadOptions
from skerry.formats.prefetch import prefetch
from skerry.formats.source import SourceFile
from skerry.graph.edge_source import Batch, EdgeSource, InputFacts
from skerry.optional import require_arrow

Rows: TypeAlias = Iterator[tuple[Any, Any, float] | None]
"""Both ids and the weight of every row: all ids are texts, or all are integers. None: left out."""

ROWS = 1 << 16
"""Rows of a batch: parsing is slow, and small batches let the consumer begin early."""
TEXT_OF_BATCH = 1 << 27
"""Characters of ids in a batch; Arrow's texts have a limit of 2 GB."""


def listed_source(
    file: SourceFile,
    options: ReadOptions,
    rows: Callable[[ByteStream], Rows],
    facts: InputFacts | None = None,
) -> EdgeSource:
    """The source of the rows that a function reads from a stream, in a thread of its own."""
    if facts is None:
        facts = InputFacts(weight=None if options.weight is None else str(options.weight))
    return EdgeSource(
        name=file.name,
        id_kind="external",
        open=lambda _: prefetch(lambda: _batches(file, options, rows)),
        num_bytes=file.size,
        facts=facts,
    )


def _batches(
    file: SourceFile, options: ReadOptions, rows: Callable[[ByteStream], Rows]
) -> Iterator[Batch]:
    src: list[Any] = []
    dst: list[Any] = []
    weights: list[float] = []
    kept: list[int] = []
    consumed = first = row = size = 0

    def batch(num_bytes: int) -> Batch:
        weight = None if options.weight is None else np.array(weights, np.float64)
        sources, targets = _columns(file, src, dst)
        dropped = row - first - len(kept)
        return Batch(
            *(sources, targets, weight, f"rows from {first:,} on", num_bytes, dropped),
            rows=np.array(kept) - first if dropped else None,
            num_rows=row - first,
        )

    with file.open() as stream:
        limit = min(ROWS, options.batch_rows)
        for each in rows(stream):
            row += 1
            if each is None:
                continue
            source, target, weight = each
            kept.append(row - 1)
            src.append(source)
            dst.append(target)
            weights.append(weight)
            if type(source) is str:
                size += len(source) + len(target)
            if len(src) == limit or size > TEXT_OF_BATCH:
                yield batch(stream.consumed - consumed)
                consumed, size, first = stream.consumed, 0, row
                src, dst, weights, kept = [], [], [], []
        if row > first:
            yield batch(stream.consumed - consumed)


def _columns(file: SourceFile, src: list[Any], dst: list[Any]) -> tuple[Any, Any]:
    """The ids of both ends as arrays of one type."""
    if not src:  # all rows were left out
        return np.empty(0, np.int64), np.empty(0, np.int64)
    if type(src[0]) is int:
        low, high = min(min(src), min(dst)), max(max(src), max(dst))
        if low < -(2**63) or high >= 2**64 or (low < 0 and high >= 2**63):
            wrong = low if low < -(2**63) else high
            raise InputError(f"{file.name}: the ids {low} and {wrong} fit into no 64-bit integer")
        dtype = np.uint64 if high >= 2**63 else np.int64
        return np.array(src, dtype), np.array(dst, dtype)
    pa = require_arrow(f"{file.name}: reading text ids")
    try:
        return pa.array(src, pa.string()), pa.array(dst, pa.string())
    except UnicodeEncodeError as error:
        raise InputError(
            f"{file.name}: the id {error.object!r} has the half of a surrogate pair, which is no "
            "character"
        ) from None


def text_lines(file: SourceFile, stream: ByteStream) -> Iterator[tuple[int, str]]:
    """The lines of a text file with their numbers, and with their ends; any line ends are read."""
    text = io.TextIOWrapper(io.BufferedReader(stream, 1 << 20), "utf-8", "surrogateescape")
    for number, line in enumerate(text, 1):
        if not line.isascii():
            try:
                line.encode()
            except UnicodeEncodeError:
                raise InputError(
                    f"{file.name}: line {number}: the text is not in UTF-8; convert the file: "
                    "iconv -t UTF-8"
                ) from None
        yield number, line
