"""Edges that a program makes batch by batch: any iterable of pairs of arrays, or of tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

import numpy as np

from skerry.errors import InputError
from skerry.formats.options import ReadOptions
from skerry.graph.edge_source import Batch, EdgeSource, IdKind, InputFacts
from skerry.graph.vertex_ids import is_array
from skerry.inputs.edge_sources import FOR_COLUMNS, read_options
from skerry.inputs.id_columns import column_of, holds_integers, is_arrow, is_text
from skerry.inputs.pairs import pair_of
from skerry.inputs.sources import StreamSource, input_kind
from skerry.inputs.tables import is_table, name_of, table_source
from skerry.request import InputOptions

__all__ = ["BATCHES", "batches_source", "is_iterable_of_batches"]


def is_iterable_of_batches(graph: Any) -> bool:
    """Whether this gives batches when it is iterated, and is nothing else that we know."""
    if isinstance(graph, str | bytes | dict | set | frozenset | np.ndarray) or is_array(graph):
        return False
    if isinstance(graph, list | tuple):
        return len(graph) > 0 and all(map(_is_batch, graph))
    return isinstance(graph, Iterable)


def _is_batch(item: Any) -> bool:
    """Whether an element of a list is many edges rather than one."""
    if is_table(item) or (is_array(item) and getattr(item, "ndim", 0) == 2):
        return True
    return isinstance(item, tuple) and len(item) == 2 and all(map(_is_column, item))


def _is_column(end: Any) -> bool:
    if isinstance(end, list):
        return np.ndim(end) == 1
    return is_arrow(end) or (is_array(end) and getattr(end, "ndim", 0) == 1)


def batches_source(
    graph: Iterable[Any], options: ReadOptions, id_kind: IdKind | None
) -> EdgeSource:
    """The edges of all batches as one source.

    Without ``id_kind``, the type of the first batch decides: arrays of integers hold vertex
    numbers; tables, and arrays of text, hold external ids.
    """
    repeatable = iter(graph) is not graph
    batches = iter(graph)
    first = next(batches, None)
    if id_kind is None:
        external = first is not None and (is_table(first) or _holds_text(first))
        id_kind = "external" if external else "vertices"
    name = f"batches of {name_of(first)}" if first is not None else "no batches"
    unread = [chain([] if first is None else [first], batches)]

    def open_batches(threads: int) -> Iterator[Batch]:
        source = unread.pop() if unread else iter(graph)
        for number, batch in enumerate(source):
            yield from _edges(batch, f"batch {number}", options, threads)

    facts = InputFacts("batches")
    return EdgeSource(name, id_kind, open_batches, repeatable=repeatable, facts=facts)


def _edges(edges: Any, name: str, options: ReadOptions, threads: int) -> Iterator[Batch]:
    if is_table(edges):
        for batch in table_source(edges, options).open(threads):
            yield Batch(batch.src, batch.dst, batch.weight, f"{name}, {batch.location}")
        return
    src, dst = pair_of(edges, name)
    yield Batch(column_of(src, f"{name}: src"), column_of(dst, f"{name}: dst"), None, name)


def _holds_text(batch: Any) -> bool:
    """Whether a batch of arrays is of a type that can only hold external ids."""
    try:
        columns = pair_of(batch, "batch 0")
    except InputError:
        return False  # raised again, with its batch, when it is read
    return any(
        not holds_integers(column, "batch 0") if is_arrow(column) else is_text(np.asarray(column))
        for column in columns
    )


def _open(batches: Any, options: InputOptions) -> StreamSource:
    id_kind = None if options.ids == "auto" else options.ids
    return StreamSource(batches_source(batches, read_options(options), id_kind), options)


BATCHES = input_kind("batches", _open, FOR_COLUMNS, ("vertices", "external"))
