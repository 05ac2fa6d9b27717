"""The check of an answer whose edges came in batches: see verify.py for what is checked and why.

The source is read again. Each edge must join equal labels, and the checker's own union-find counts
the edges of a spanning forest, which must be n - k for k different labels. Ids are looked up by
Arrow, not by the table that numbered them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry import _native
from skerry.graph.arrow import arrow_view
from skerry.graph.edge_source import Batch, IdColumn
from skerry.ids.id_space import IdSpace
from skerry.result.verify import Verification

__all__ = ["certify_batches"]

NO_FOREST = np.empty(0, np.uint64)


def certify_batches(
    batches: Iterator[Batch], ids: IdSpace, labels: npt.NDArray[Any]
) -> Verification:
    """Checks the labels of positions in ``ids``; the batches hold only the edges to be used."""
    values = np.ascontiguousarray(labels)
    n = len(ids)
    if len(values) != n:
        return _wrong(f"{n:,} vertices, but {len(values):,} labels")
    forest, edges, joined = _native.Forest(n), 0, 0
    for batch in _gathered(batches, 0 if ids.are_integers else n):
        src, dst = ids.positions(batch.src), ids.positions(batch.dst)
        for column, end in ((src, batch.src), (dst, batch.dst)):
            if len(column) and int(column.min()) < 0:
                return _wrong(f"{_shown(end, int(np.argmin(column)))} is in no component")
        broken, trees_joined = forest.take(src, dst, values)
        if broken is not None:
            u, v = _shown(batch.src, broken), _shown(batch.dst, broken)
            return _wrong(
                f"edge {edges + broken} joins {u} and {v}, but their labels are "
                f"{values[src[broken]]} and {values[dst[broken]]}"
            )
        edges += len(src)
        joined += trees_joined
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


def _gathered(batches: Iterator[Batch], minimum: int) -> Iterator[Batch]:
    """Batches of at least so many edges: looking ids up begins with a table of all of them."""
    pending: list[Batch] = []
    held = 0
    for batch in batches:
        pending.append(batch)
        held += _length(batch.src)
        if held >= minimum:
            yield _joined(pending)
            pending, held = [], 0
    if pending:
        yield _joined(pending)


def _joined(batches: list[Batch]) -> Batch:
    if len(batches) == 1:
        return batches[0]
    src, dst = (_concat([getattr(batch, end) for batch in batches]) for end in ("src", "dst"))
    return Batch(src, dst)


def _concat(columns: list[IdColumn]) -> IdColumn:
    import pyarrow as pa

    if isinstance(columns[0], tuple):
        return tuple(_concat(list(parts)) for parts in zip(*columns, strict=True))
    arrays = [column if isinstance(column, pa.Array) else arrow_view(column) for column in columns]
    kind = arrays[0].type
    return pa.concat_arrays([array if array.type == kind else array.cast(kind) for array in arrays])


def _length(column: IdColumn) -> int:
    return len(column[0]) if isinstance(column, tuple) else len(column)


def _shown(column: IdColumn, position: int) -> str:
    if isinstance(column, tuple):
        return repr(tuple(_value(part, position) for part in column))
    return repr(_value(column, position))


def _value(column: Any, position: int) -> Any:
    value = column[position]
    return value.as_py() if hasattr(value, "as_py") else value.item()
