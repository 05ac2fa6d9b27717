"""Ligra's AdjacencyGraph and WeightedAdjacencyGraph: compressed sparse rows in text.

The word, the number of vertices n, that of edges m, then n offsets, m targets and, if weighted, m
weights; each in a line of its own. Only the offsets are held in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError, UnsupportedError
from skerry.formats.options import ReadOptions
from skerry.formats.readers.text.blocks import Header
from skerry.formats.readers.text.counted import check_lines, header_numbers, range_of_ids
from skerry.formats.readers.text.parse import Body, Numbers, parse_body, shorten
from skerry.formats.source import SourceFile
from skerry.graph.edge_source import Batch, EdgeSource
from skerry.graph.edges import vertex_dtype

Numbers64 = npt.NDArray[np.uint64]


def read(file: SourceFile, options: ReadOptions) -> EdgeSource:
    """Every arc; vertices count from 0."""
    options.refuse_columns(file.name, "Ligra")
    with Header(file) as header:
        word = (header.next() or "").strip()
        if word not in ("AdjacencyGraph", "WeightedAdjacencyGraph"):
            raise header.wrong(
                f"expected AdjacencyGraph or WeightedAdjacencyGraph, found {shorten(word)!r}"
            )
        vertices, edges = _count(header, "vertices"), _count(header, "edges")
        body = Body(file, header.bytes, header.lines)
    weighted = word == "WeightedAdjacencyGraph"
    if not weighted:
        options.refuse_weight(file.name, "Ligra")
    elif options.weight is not None:
        raise UnsupportedError(
            f"{file.name}: weights of Ligra files stand behind all targets and cannot be read "
            "along with them; leave out weight="
        )
    numbers = vertices + edges * (2 if weighted else 1)
    check_lines(body, 2 * numbers - 1, f"{numbers:,} numbers")
    arcs = _Arcs(body, vertices, edges, weighted)
    return EdgeSource(
        name=file.name,
        id_kind="vertices",
        open=lambda threads: arcs.batches(options, threads),
        num_vertices=vertices,
        num_edges=edges,
        num_bytes=file.size,
    )


def _count(header: Header, what: str) -> int:
    line = header.next() or ""
    numbers = header_numbers(line)
    if numbers is None or len(numbers) != 1:
        raise header.wrong(f"expected the number of {what}, found {shorten(line)!r}")
    return numbers[0]


@dataclass(frozen=True, slots=True)
class _Arcs:
    body: Body
    vertices: int
    edges: int
    weighted: bool

    def batches(self, options: ReadOptions, threads: int) -> Iterator[Batch]:
        """All arcs; raises if the number of numbers is not the header's."""
        n, m = self.vertices, self.edges
        total = n + m * (2 if self.weighted else 1)
        pieces: list[Numbers64] = []
        offsets: Numbers64 | None = None
        seen = unreported = 0
        parsed = parse_body(self.body, Numbers(), options, threads, "the whole numbers from 0 on")
        for line, block in parsed:
            numbers = block.src
            first, seen = seen, seen + len(numbers)
            unreported += block.consumed
            if seen > total:
                raise self._wrong(f"the header says {total:,} numbers, but there are more")
            if first < n:
                pieces.append(numbers[: n - first])
            if offsets is None and seen >= n:
                offsets = self._offsets(pieces)
                pieces.clear()
            begin, end = max(first, n), min(seen, n + m)
            if offsets is None or begin >= end:
                continue
            dst = numbers[begin - first : end - first]
            src = _sources(offsets, begin - n, end - n)
            yield self._batch(src, dst, begin - n, f"from line {line} on", unreported)
            unreported = 0
        if unreported:  # the weights
            empty = np.empty(0, vertex_dtype(n))
            yield Batch(empty, empty, consumed=unreported)
        if seen < total:
            raise self._wrong(
                f"the header says {total:,} numbers, but only {seen:,} are there; the file may be "
                "truncated"
            )

    def _offsets(self, pieces: list[Numbers64]) -> Numbers64:
        end = np.array([self.edges], np.uint64)
        offsets = np.concatenate([*pieces, end])
        if offsets[0] != 0 or (offsets[1:] < offsets[:-1]).any():
            raise self._wrong(f"the offsets do not rise from 0 to {self.edges:,}")
        return offsets

    def _batch(
        self, src: npt.NDArray[Any], dst: Numbers64, first: int, location: str, consumed: int
    ) -> Batch:
        if int(dst.max()) >= self.vertices:
            at = int(np.argmax(dst >= self.vertices))
            raise self._wrong(
                f"target {first + at:,}, {int(dst[at])}, is outside of "
                f"{range_of_ids(self.vertices, 0)}"
            )
        dtype = vertex_dtype(self.vertices)
        return Batch(src.astype(dtype), dst.astype(dtype), None, location, consumed)

    def _wrong(self, what: str) -> InputError:
        return InputError(f"{self.body.file.name}: {what}")


def _sources(offsets: Numbers64, begin: int, end: int) -> npt.NDArray[np.int64]:
    """The vertices whose rows hold the entries ``begin`` up to ``end``."""
    low = int(np.searchsorted(offsets, begin, "right")) - 1
    high = int(np.searchsorted(offsets, end - 1, "right"))
    rows = offsets[low : high + 1].astype(np.int64).clip(begin, end)
    return np.repeat(np.arange(low, high), np.diff(rows))
