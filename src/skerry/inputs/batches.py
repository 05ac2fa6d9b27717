"""Edges that a program makes batch by batch: any iterable of pairs of arrays, or of tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

import numpy as np

from skerry.errors import InputError
from skerry.formats.options import ReadOptions
from skerry.graph.edge_source import Batch, EdgeSource, IdKind
from skerry.inputs.ids import is_array, read_array
from skerry.inputs.names import column_of, is_arrow
from skerry.inputs.tables import is_table, name_of, table_stream

__all__ = ["batches_stream", "is_iterable_of_batches", "pair_of"]


def is_iterable_of_batches(graph: Any) -> bool:
    """Whether this gives batches when it is iterated, and is nothing else that we know."""
    if isinstance(graph, str | bytes | dict | set | frozenset | np.ndarray) or is_array(graph):
        return False
    if isinstance(graph, list | tuple):
        return len(graph) > 0 and all(map(_is_batch, graph))
    return isinstance(graph, Iterable)


def _is_batch(one: Any) -> bool:
    """Whether an element of a list is many edges rather than one."""
    if is_table(one) or (is_array(one) and getattr(one, "ndim", 0) == 2):
        return True
    return isinstance(one, tuple) and len(one) == 2 and all(map(_is_column, one))


def _is_column(end: Any) -> bool:
    if isinstance(end, list):
        return np.ndim(end) == 1
    return is_arrow(end) or (is_array(end) and getattr(end, "ndim", 0) == 1)


def batches_stream(
    graph: Iterable[Any], options: ReadOptions, id_kind: IdKind | None
) -> EdgeSource:
    """The edges of all batches, in one stream.

    Without ``id_kind``, the first batch tells: pairs of non-negative integers are numbers of
    vertices, as for arrays; all else, and what is in tables, are names.
    """
    again = iter(graph) is not graph
    batches = iter(graph)
    first = next(batches, None)
    if id_kind is None:
        id_kind = "vertices" if first is None or _holds_vertices(first) else "external"
    name = f"batches of {name_of(first)}" if first is not None else "no batches"
    waiting = [chain([] if first is None else [first], batches)]

    def open_batches(threads: int) -> Iterator[Batch]:
        source = waiting.pop() if waiting else iter(graph)
        for number, one in enumerate(source):
            yield from _edges(one, f"batch {number}", options, threads)

    return EdgeSource(name, id_kind, open_batches, repeatable=again)


def _edges(one: Any, place: str, options: ReadOptions, threads: int) -> Iterator[Batch]:
    if is_table(one):
        for batch in table_stream(one, options).open(threads):
            yield Batch(batch.src, batch.dst, batch.weight, f"{place}, {batch.location}")
        return
    src, dst = pair_of(one, place)
    columns = column_of(src, f"{place}: src"), column_of(dst, f"{place}: dst")
    yield Batch(columns[0], columns[1], None, place)


def pair_of(one: Any, place: str) -> tuple[Any, Any]:
    """The two columns of one batch of bare arrays."""
    if isinstance(one, tuple) and len(one) == 2:
        return one[0], one[1]
    if isinstance(one, np.ndarray | list) or is_array(one):
        table = read_array(one, place)
        if table.shape in ((0,), (0, 2), (2, 0)):
            return np.empty(0, np.int64), np.empty(0, np.int64)
        if table.ndim == 2 and table.shape[1] == 2:
            return table[:, 0], table[:, 1]
        if table.ndim == 2 and table.shape[0] == 2:
            return table[0], table[1]
        raise InputError(
            f"{place}: an array of edges has shape (m, 2) or (2, m), got {table.shape}"
        )
    raise InputError(
        f"{place} is {name_of(one)}: a batch is a pair (src, dst) of arrays, an (m, 2) array or a "
        "table; a graph whose edges come one by one is a list of pairs"
    )


def _holds_vertices(first: Any) -> bool:
    if is_table(first):
        return False
    try:
        ends = [np.asarray(end) for end in pair_of(first, "batch 0")]
    except InputError:
        return True  # told when the batch is read
    return all(
        end.size == 0 or (end.dtype.kind in "iufb" and bool((end >= 0).all())) for end in ends
    )
