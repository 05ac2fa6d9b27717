"""Joining edges where the parents of all vertices do not fit in memory: block by block.

See kernels/cpu/spill/block_forest.h. The uppermost block is done first: its edges are joined, and
what they say about the vertices below is left as edges between those. When the lowest block is
done, its labels are final, and so are, block by block upwards, those of the vertices that point
there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.engines.spilling.room import PassReport
from skerry.formats.spill_file import SpillFile, SpillFolder
from skerry.union_find.forest import Forest

EdgePieces = Iterable[tuple[npt.NDArray[Any], npt.NDArray[Any]]]
"""Arrays of sources and of targets, as wide as labels, valid until the next."""


class BlockedForest:
    """Vertices 0..n-1 in blocks of which one is in memory at a time."""

    def __init__(
        self,
        n: int,
        dtype: np.dtype[Any],
        block: int,
        piece: int,
        folder: SpillFolder,
        threads: int,
        report: PassReport,
    ) -> None:
        self._n = n
        self._dtype = dtype
        self.blocks = max(1, -(-n // block))
        self.block = max(1, -(-n // self.blocks))
        self._piece = piece
        self._folder = folder
        self._threads = threads
        self._report = report

    def join(self, edges: EdgePieces, total: int) -> tuple[SpillFile, int]:
        """The labels of all vertices, and the number of components.

        ``total`` is the number of edges, for the report.
        """
        labels = self._folder.file(self._dtype)
        waiting = [self._folder.file(self._dtype) for _ in range(self.blocks - 1)]
        for number in range(self.blocks - 1, 0, -1):
            with self._report.begin(self._name("join edges", number)):
                self._join_block(number, edges, total, waiting[:number], labels)
            file = waiting.pop()
            edges, total = self._read(file), file.size // 2
        with self._report.begin(self._name("join edges", 0)):
            lowest = self._join_lowest(edges, total)
        labels.write(0, lowest)
        with self._report.begin("label"):
            count = self._resolve(labels, lowest)
        return labels, count

    def _name(self, name: str, number: int) -> str:
        if self.blocks == 1:
            return name
        return f"{name}, block {self.blocks - number} of {self.blocks}"

    def _join_block(
        self,
        number: int,
        edges: EdgePieces,
        total: int,
        waiting: list[SpillFile],
        labels: SpillFile,
    ) -> None:
        low = number * self.block
        high = min(self._n, low + self.block)
        parent = np.arange(low, high, dtype=self._dtype)
        left = np.empty(0, self._dtype)
        scattered = np.empty(0, self._dtype)
        done = 0
        for src, dst in edges:
            if len(left) < 2 * len(src):
                left = np.empty(2 * len(src), self._dtype)
            count = _native.join_block(src, dst, parent, low, left, self._threads)
            if len(waiting) == 1:
                waiting[0].append(left[: 2 * count])
            else:
                if len(scattered) < 2 * count:
                    scattered = np.empty(len(left), self._dtype)
                self._scatter(left[: 2 * count], scattered[: 2 * count], waiting)
            done += len(src)
            self._report.advance(done, total)
        _native.flatten_block(parent, low, self._threads)
        labels.write(low, parent)

    def _scatter(
        self, edges: npt.NDArray[Any], scattered: npt.NDArray[Any], waiting: list[SpillFile]
    ) -> None:
        counts = np.empty(len(waiting), np.uint64)
        _native.scatter_edges(edges, self.block, scattered, counts)
        begin = 0
        for file, count in zip(waiting, counts.tolist(), strict=True):
            file.append(scattered[begin : begin + 2 * count])
            begin += 2 * count

    def _read(self, file: SpillFile) -> Iterator[tuple[npt.NDArray[Any], npt.NDArray[Any]]]:
        for _, pairs in file.pieces(2 * self._piece):
            yield pairs[0::2], pairs[1::2]
        file.close()

    def _join_lowest(self, edges: EdgePieces, total: int) -> npt.NDArray[Any]:
        forest = Forest(min(self._n, self.block), self._threads, self._dtype)
        done = 0
        for src, dst in edges:
            forest.join(src, dst, self._threads)
            done += len(src)
            self._report.advance(done, total)
        return forest.release()

    def _resolve(self, labels: SpillFile, own: npt.NDArray[Any]) -> int:
        """Makes the labels final, lowest block first; returns the number of components."""
        count = 0
        for number in range(self.blocks):
            low = number * self.block
            if number:
                labels.read(low, own := own[: min(self.block, self._n - low)])
            for begin in range(0, len(own), self._piece):
                part = own[begin : begin + self._piece]
                ranks = np.arange(low + begin, low + begin + len(part), dtype=self._dtype)
                count += int(np.count_nonzero(part == ranks))
            for position, part in labels.pieces(self._piece, low + len(own)):
                inside = (part >= low) & (part < low + len(own))
                part[inside] = own[part[inside] - self._dtype.type(low)]
                labels.write(position, part)
        return count
