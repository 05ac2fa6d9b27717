"""A spanning forest of edges that come in batches, in the order of their keys.

Of all edges seen it holds those that Kruskal's algorithm keeps: fewer than there are vertices.
Edges with the same key are taken in the order in which they came, so the forest is the same however
the edges are cut into batches.
"""

from __future__ import annotations

from concurrent.futures import Future
from threading import Thread
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.graph.edges import vertex_dtype

PENDING = 1 << 20  # edges that are gathered before the forest is made anew


class Forest(NamedTuple):
    """Edges without a circle in the order of their keys."""

    src: npt.NDArray[Any]
    dst: npt.NDArray[Any]
    keys: npt.NDArray[Any]


def _stable_order(keys: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """The order of the keys; Ctrl-C ends the wait for it at once.

    NumPy sorts without looking for Ctrl-C, seconds for many keys, but also without the
    interpreter's lock: so another thread does. After Ctrl-C it ends by itself.
    """
    if len(keys) < PENDING:
        return np.argsort(keys, kind="stable").astype(np.int64, copy=False)
    sorting: Future[npt.NDArray[np.int64]] = Future()

    def sort() -> None:
        try:
            sorting.set_result(np.argsort(keys, kind="stable"))
        except BaseException as error:  # of memory, most likely
            sorting.set_exception(error)

    Thread(target=sort, daemon=True).start()
    return sorting.result().astype(np.int64, copy=False)


class OrderedForest:
    """Holds a forest and the edges since it was made: about as many as the forest has, at most.

    So each edge costs a constant number of unions and a sort, and memory is proportional to the
    number of vertices: about 56 bytes for each while the forest is made again, with 16-bit keys.
    """

    def __init__(self, num_vertices: int = 0) -> None:
        self.num_vertices = num_vertices
        self._parts: list[Forest] = []
        self._kept = self._pending = 0

    def add(
        self, src: npt.NDArray[Any], dst: npt.NDArray[Any], keys: npt.NDArray[Any], highest: int
    ) -> None:
        """Takes edges between vertex numbers, of which ``highest`` is the largest; copies them."""
        self.num_vertices = max(self.num_vertices, highest + 1)
        if not len(src):
            return
        dtype = vertex_dtype(self.num_vertices)
        self._parts.append(Forest(src.astype(dtype), dst.astype(dtype), keys.copy()))
        self._pending += len(src)
        if self._pending >= max(self._kept, PENDING):
            self._compact()

    def _compact(self) -> None:
        dtype = vertex_dtype(self.num_vertices)
        columns = zip(*self._parts, strict=True)
        src, dst, keys = (np.concatenate(column) for column in columns)
        self._parts.clear()
        src, dst = src.astype(dtype, copy=False), dst.astype(dtype, copy=False)
        order = _stable_order(keys)
        kept = np.empty(min(len(src), max(self.num_vertices - 1, 0)), np.int64)
        parent = np.arange(self.num_vertices, dtype=dtype)
        kept = kept[: _native.keep_joining(src, dst, order, parent, kept)]
        del order, parent  # before the forest takes memory of its own
        self._parts.append(Forest(src[kept], dst[kept], keys[kept]))
        self._kept, self._pending = len(kept), 0

    def take(self) -> Forest:
        """The forest of all edges."""
        if not self._parts:
            empty = np.empty(0, vertex_dtype(self.num_vertices))
            return Forest(empty, empty, np.empty(0, np.uint16))
        if self._pending or len(self._parts) > 1:
            self._compact()
        forest = self._parts.pop()
        dtype = vertex_dtype(self.num_vertices)
        return Forest(forest.src.astype(dtype, copy=False), forest.dst.astype(dtype), forest.keys)
