"""The edges of a table, as columns that are added to a `UnionFind`: all of them, or none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from skerry.errors import ArgumentError, InputError
from skerry.graph.batch_columns import check_ends, checked_weights, kept_mask, masked
from skerry.graph.edge_source import IdKind, closed_after, length
from skerry.inputs.recognize import recognize
from skerry.inputs.sources import StreamSource
from skerry.keywords import TableKeywords, check_keywords
from skerry.optional import require_arrow
from skerry.request import InputOptions, input_options
from skerry.union_find.id_arguments import is_plain


class TableEdges(NamedTuple):
    """The edges of a table that are used."""

    src: Any
    """A column, or a tuple of columns."""
    dst: Any
    weight: npt.NDArray[Any] | None
    """Where weights are recorded."""


def is_table(function: Callable[..., Any], src: Any, dst: Any, options: TableKeywords) -> bool:
    """Whether a function was given a table, not ends; raises if its options come without one."""
    table = dst is None and not is_plain(src)
    if options:
        check_keywords(function, options, TableKeywords)
        if not table:
            names = ", ".join(f"{name}=" for name in options)
            raise ArgumentError(f"{names}: for a table of edges, which is given in place of ends")
    return table


def edges_of_table(
    table: Any, kind: IdKind, weight: Any, recording: bool, options: TableKeywords
) -> TableEdges:
    """Reads a table, a frame or files whole.

    Raises
    ------
    InputError
        If it is none of these, or an edge has no end or no weight.
    """
    read = input_options(InputOptions(weight=weight, ids=kind, **options), keeps_weights=recording)
    source = recognize(table, read)
    if not isinstance(source, StreamSource):
        raise InputError(
            f"a {type(table).__name__} is no table of edges: pass both ends, union(src, dst)"
        )
    edges = source.edges
    parts: tuple[list[Any], ...] = ([], [], [])
    with closed_after(edges.open(1)) as batches:
        for batch in batches:
            mask = kept_mask(batch, read.selection, edges.name)
            selected = batch if mask is None else masked(batch, mask)
            check_ends(selected, edges.name)
            if not length(selected.src):
                continue
            parts[0].append(selected.src)
            parts[1].append(selected.dst)
            if recording and batch.weight is not None:
                weights = checked_weights(batch, edges.name)
                parts[2].append(weights if mask is None else weights[mask])
    src, dst, weight = map(_joined, parts)
    return TableEdges(src, dst, weight if len(parts[2]) else None)


def _joined(parts: list[Any]) -> Any:
    """Columns one after the other."""
    if not parts:
        return np.empty(0, np.int64)
    if isinstance(parts[0], tuple):
        return tuple(_joined(list(column)) for column in zip(*parts, strict=True))
    if all(isinstance(part, np.ndarray) for part in parts):
        return np.concatenate(parts)
    pa = require_arrow("a table of edges")
    tables = [pa.table({"ids": part}) for part in parts]
    return pa.concat_tables(tables, promote_options="permissive").column("ids").combine_chunks()
