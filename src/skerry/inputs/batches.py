"""Edges that a program makes: any iterable of batches (pairs of arrays, tables), or of pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice
from typing import Any

import numpy as np

from skerry.errors import InputError, UnsupportedError
from skerry.formats.options import ReadOptions
from skerry.graph.edge_source import Batch, EdgeSource, GroupedIds, IdKind, InputFacts
from skerry.graph.vertex_ids import is_array
from skerry.inputs.arrays import edges_in_rows, pair_of
from skerry.inputs.edge_sources import read_options
from skerry.inputs.groups import edges_of_groups
from skerry.inputs.id_columns import column_of, holds_integers, is_arrow, is_text
from skerry.inputs.sources import InputKind, StreamSource
from skerry.inputs.tables import is_table, name_of, table_source
from skerry.request import InputOptions

PAIRS_IN_BATCH = 1 << 16


def is_iterable_of_batches(graph: Any) -> bool:
    """Whether this gives batches or pairs when iterated, and is nothing else that we know."""
    if isinstance(graph, str | bytes | dict | np.ndarray) or is_array(graph):
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


def _is_edge(item: Any) -> bool:
    """Whether an element is one edge: a pair of ids, none of them a column."""
    return isinstance(item, tuple | list) and len(item) == 2 and not any(map(_is_collection, item))


def _is_collection(end: Any) -> bool:
    if isinstance(end, str | bytes | np.generic):
        return False
    return isinstance(end, Iterable) or is_arrow(end) or is_array(end)


def batches_source(
    graph: Iterable[Any], options: ReadOptions, id_kind: IdKind | None
) -> EdgeSource:
    """The edges of all batches in one source.

    Without ``id_kind``, the type of the first batch or pair decides: integers are vertex numbers;
    tables, and text, hold external ids.
    """
    repeatable = iter(graph) is not graph
    batches = iter(graph)
    first: Any = next(batches, None)
    single = _is_edge(first)
    if id_kind is None:
        sample = ([first[0]], [first[1]]) if single else first
        if options.groups is not None and isinstance(sample, tuple):
            sample = (sample[0], sample[0])  # keys are of any type
        external = first is not None and (is_table(first) or _holds_text(sample))
        id_kind = "external" if external else "vertices"
    name = "no batches" if first is None else f"batches of {name_of(first)}"
    if single:
        name = name_of(graph)
    opened = [table_source(first, options)] if is_table(first) else []
    facts = replace(opened[0].facts, format="batches") if opened else InputFacts("batches")
    unread = [chain([] if first is None else [first], batches)]

    def open_batches(threads: int) -> Iterator[Batch]:
        source = unread.pop() if unread else iter(graph)
        in_rows = None  # what the batches so far say of a later one that is 2 x 2
        pairs = _pairs_in_batches(source, keyed=options.groups is not None)
        for number, batch in enumerate(pairs if single else source):
            # The first table is open already, and may be one that can be read only once.
            source_of_table = opened.pop() if opened else None
            shape_says = edges_in_rows(batch)
            in_rows = in_rows if shape_says is None else shape_says
            yield from _edges(batch, f"batch {number}", options, threads, source_of_table, in_rows)

    return EdgeSource(name, id_kind, open_batches, repeatable=repeatable, facts=facts)


def _pairs_in_batches(pairs: Iterator[Any], keyed: bool) -> Iterator[tuple[list[Any], list[Any]]]:
    """Single pairs as batches of two lists; ``keyed``: an id and its key, in tuples."""
    read = 0
    while chunk := list(islice(pairs, PAIRS_IN_BATCH)):
        for position, pair in enumerate(chunk):
            if keyed and isinstance(pair, list):
                raise InputError(
                    f"element {read + position:,} is a list, {pair!r}: a group, or an id and its "
                    "key? Pass list(groups) for groups, and tuples (id, key) for rows"
                )
            if not isinstance(pair, tuple | list) or len(pair) != 2:
                raise InputError(
                    f"element {read + position:,} is {pair!r}, those before are pairs of ids"
                )
        yield [pair[0] for pair in chunk], [pair[1] for pair in chunk]
        read += len(chunk)


def _edges(
    edges: Any,
    name: str,
    options: ReadOptions,
    threads: int,
    opened: EdgeSource | None,
    in_rows: bool | None,
) -> Iterator[Batch]:
    if is_table(edges):
        for batch in (opened or table_source(edges, options)).open(threads):
            yield replace(batch, location=f"{name}, {batch.location}", consumed=0)
        return
    if options.on_null != "error":
        raise UnsupportedError(f"{name}: on_null= is for tables, and this batch is of arrays")
    src, dst = pair_of(edges, name, in_rows)
    if options.weight is not None:
        raise InputError(
            f"{name}: threshold= needs weights, and a pair of arrays has none: make each batch a "
            "table with a column of weights"
        )
    if options.groups is not None:
        if options.groups is not True:
            raise InputError(
                f"{name}: groups= names a column, and a pair of arrays has none: pass pairs (ids, "
                "keys) and groups=True, or make each batch a table"
            )
        ids, keys = column_of(src, f"{name}: ids"), column_of(dst, f"{name}: keys")
        grouped = GroupedIds(ids, keys)
        yield Batch(grouped, grouped, None, name)
        return
    yield Batch(column_of(src, f"{name}: src"), column_of(dst, f"{name}: dst"), None, name)


def _holds_text(batch: Any) -> bool:
    """Whether a batch of arrays is of a type that can only hold external ids."""
    try:
        columns = pair_of(batch, "batch 0", in_rows=True)  # either way has all ids
    except InputError:
        return False  # raised again, with its batch, when it is read
    return any(
        not holds_integers(column, "batch 0") if is_arrow(column) else is_text(np.asarray(column))
        for column in columns
    )


def _open(batches: Any, options: InputOptions) -> StreamSource:
    id_kind = None if options.ids == "auto" else options.ids
    source = batches_source(batches, read_options(options), id_kind)
    if options.groups is not None:
        source = edges_of_groups(source)
    return StreamSource(source, options)


BATCHES = InputKind("batches", _open, ("vertices", "external"))
