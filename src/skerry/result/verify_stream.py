"""The check of an answer whose edges came in a stream: see check.py for what is checked and why.

The stream is read again. Each edge must join equal labels, and the checker's own union-find counts
the edges of a spanning forest, which must be n - k for k different labels. Ids are looked up by
Arrow, not by the table that numbered them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry import _native
from skerry.graph.arrow import arrow_view
from skerry.graph.edge_source import Batch, IdColumn
from skerry.ids.sorted_ids import SortedIds
from skerry.result.verify import Verification

__all__ = ["verify_stream"]

NO_FOREST = np.empty(0, np.uint64)


def verify_stream(
    batches: Iterator[Batch], ids: SortedIds | None, labels: npt.NDArray[Any]
) -> Verification:
    """Checks labels of vertices, or of ranks of ``ids``; edges left out must not be in there."""
    values = np.ascontiguousarray(labels)
    n = len(values) if ids is None else len(ids)
    if len(values) != n:
        return _wrong(f"{n:,} ids, but {len(values):,} labels")
    ranks = _ranks(ids, n)
    forest, edges, joined = _native.Forest(n), 0, 0
    for batch in _gathered(batches, 0 if ids is None or ids.are_integers else n):
        src, dst = ranks(batch.src), ranks(batch.dst)
        for column, end in ((src, batch.src), (dst, batch.dst)):
            if len(column) and int(column.min()) < 0:
                return _wrong(f"{_shown(end, int(np.argmin(column)))} is in no component")
        broken, found = forest.take(src, dst, values)
        if broken is not None:
            u, v = _shown(batch.src, broken), _shown(batch.dst, broken)
            return _wrong(
                f"edge {edges + broken} joins {u} and {v}, but their labels are "
                f"{values[src[broken]]} and {values[dst[broken]]}"
            )
        edges += len(src)
        joined += found
    count = len(np.unique(values))
    if joined != n - count:
        return _wrong(
            f"{count:,} different labels, but the graph has {n - joined:,} components: "
            "some label is shared by vertices that no path joins"
        )
    return Verification(
        True,
        f"{count:,} components: all {edges:,} edges join equal labels, forest of {joined:,} edges",
        NO_FOREST,
    )


def _wrong(message: str) -> Verification:
    return Verification(False, message, NO_FOREST)


def _gathered(batches: Iterator[Batch], least: int) -> Iterator[Batch]:
    """Batches of at least so many edges: looking ids up begins with a table of all of them."""
    waiting: list[Batch] = []
    held = 0
    for batch in batches:
        waiting.append(batch)
        held += _length(batch.src)
        if held >= least:
            yield _joined(waiting)
            waiting, held = [], 0
    if waiting:
        yield _joined(waiting)


def _joined(batches: list[Batch]) -> Batch:
    if len(batches) == 1:
        return batches[0]
    src, dst = (_concat([getattr(batch, end) for batch in batches]) for end in ("src", "dst"))
    return Batch(src, dst)


def _concat(columns: list[IdColumn]) -> IdColumn:
    import pyarrow as pa

    if isinstance(columns[0], tuple):
        return tuple(_concat(list(parts)) for parts in zip(*columns, strict=True))
    arrays = [one if isinstance(one, pa.Array) else arrow_view(one) for one in columns]
    kind = arrays[0].type
    return pa.concat_arrays([one if one.type == kind else one.cast(kind) for one in arrays])


def _length(column: IdColumn) -> int:
    return len(column[0]) if isinstance(column, tuple) else len(column)


def _ranks(ids: SortedIds | None, n: int) -> Callable[[IdColumn], npt.NDArray[np.int64]]:
    """Ids, or numbers of vertices, as places of labels; -1 where there is none."""
    if ids is not None:
        return ids.ranks

    def numbers(column: IdColumn) -> npt.NDArray[np.int64]:
        values = np.asarray(column)
        return np.where((values >= 0) & (values < n), values, -1).astype(np.int64)

    return numbers


def _shown(column: IdColumn, place: int) -> str:
    if isinstance(column, tuple):
        return repr(tuple(_value(one, place) for one in column))
    return repr(_value(column, place))


def _value(column: Any, place: int) -> Any:
    value = column[place]
    return value.as_py() if hasattr(value, "as_py") else value.item()
