"""A part of a graph: some of its rows, joined alone, and what other parts must know of them.

A part has a parent array of all vertices, in which it joins the entries of its own rows. A vertex
of another part whose label is not itself then has been joined with a smaller one: these vertices
and labels are the border, all that parts send each other. Each occurs once, however many edges lead
there. If every entry has its reverse, only smaller neighbors are joined, and borders lie below.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from threading import Event
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.algorithms.catalog import algorithm
from skerry.graph.csr import Csr

SPEC = algorithm("ecl")
"""What joins the rows of a part: it reads each entry once, so rows can come in any number of calls,
and needs no entry's reverse."""

ENTRIES = 1 << 25
"""Entries that are joined at once: 128 MB, of which a bus moves some in 3 ms."""
HALVING = _native.JUMP["halving"]
SCANNED = 1 << 20  # vertices that are compared at a time, in a core's cache


class Border(NamedTuple):
    """Vertices of other parts, and their labels in this one."""

    vertices: npt.NDArray[Any]
    labels: npt.NDArray[Any]

    @property
    def nbytes(self) -> int:
        """Bytes that a part sends."""
        return self.vertices.nbytes + self.labels.nbytes


class StoppedError(Exception):
    """Another part has failed, or the caller has pressed Ctrl-C."""


class Part(Protocol):
    """Some rows of a graph, and where they are joined. Its calls come from one thread at a time."""

    def start(self) -> None:
        """Takes memory, and makes every vertex its own parent."""

    def join(self, rows: range) -> None:
        """Joins the entries of some rows; returns when that is done."""

    def finish(self, rows: Sequence[range], labels: npt.NDArray[Any]) -> Border:
        """Writes the labels of its own rows, in their order, and returns those of the border."""

    def stop(self) -> None:
        """Makes the call that another thread has made of it return soon."""

    def close(self) -> None:
        """Gives everything back."""


def find_border(
    xp: Any, parent: Any, rows: Sequence[range], below: bool, scanned: int
) -> tuple[Any, Any]:
    """Vertices outside of ``rows`` that are not their own parents, and their parents.

    ``below``: only rows below the last one can have been reached.
    """
    last = rows[-1].stop if below else len(parent)
    bounds = [0, *(bound for own in rows for bound in (own.start, own.stop)), last]
    vertices = [xp.empty(0, np.int64)]
    for begin, end in zip(bounds[::2], bounds[1::2], strict=True):
        for first, stop in pairwise((*range(begin, end, scanned), end)):
            own = xp.arange(first, stop, dtype=parent.dtype)
            vertices.append(xp.flatnonzero(parent[first:stop] != own) + first)
    every = xp.concatenate(vertices)
    return every.astype(parent.dtype), parent[every]


class PartOfRows:
    """What parts that join rows piece by piece have in common."""

    def __init__(self, graph: Csr) -> None:
        self.graph = graph
        self.one_direction = bool(graph.symmetric)
        self._stopped = Event()

    def pieces(self, rows: range) -> Iterator[range]:
        """Ranges of rows, of ``ENTRIES`` entries at most or of one row, until `stop` is called."""
        offsets, begin = self.graph.offsets, rows.start
        while begin < rows.stop:
            if self._stopped.is_set():
                raise StoppedError
            limit = offsets[begin] + np.uint64(ENTRIES)
            within = offsets[begin + 1 : rows.stop + 1].searchsorted(limit, side="right")
            end = begin + max(int(within), 1)
            yield range(begin, end)
            begin = end

    def stop(self) -> None:
        """Ends the call of another thread before its next piece."""
        self._stopped.set()


class HostPart(PartOfRows):
    """Rows that the cores of this process join."""

    def __init__(self, graph: Csr, dtype: np.dtype[Any], threads: int) -> None:
        super().__init__(graph)
        self._threads = threads
        self._parent = np.empty(0, dtype)

    def start(self) -> None:
        """Takes the parent array: its pages lie where the threads that write them run."""
        self._parent = np.empty(self.graph.num_vertices, self._parent.dtype)
        _native.init_own(self._parent, self._threads)

    def join(self, rows: range) -> None:
        """Joins the entries of some rows."""
        offsets, neighbors = self.graph.arrays()
        entries = (self.one_direction, 0, False, 0, False)  # all of them, as rows come
        for piece in self.pieces(rows):
            hooked = (*entries, piece.start, piece.stop, self._threads, False)
            _native.hook_rows(offsets, neighbors, self._parent, HALVING, *hooked)

    def finish(self, rows: Sequence[range], labels: npt.NDArray[Any]) -> Border:
        """Copies the labels of its rows, and finds the border."""
        _native.flatten(self._parent, self._threads)
        for own in rows:
            part = slice(own.start, own.stop)
            _native.copy_ids(self._parent[part], labels[part], self._threads)
        return Border(*find_border(np, self._parent, rows, self.one_direction, SCANNED))

    def close(self) -> None:
        """Gives the parent array back."""
        self._parent = self._parent[:0].copy()
