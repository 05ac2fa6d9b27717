"""The columns of tables of a result: ids, components, sizes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import UnsupportedError
from skerry.graph.arrow import as_arrow
from skerry.ids.id_space import IdSpace
from skerry.optional import require_arrow
from skerry.printable import printable

Columns = dict[str, Any]


def id_columns(ids: IdSpace, positions: npt.NDArray[Any]) -> Columns:
    """The ids at these positions by the names of their columns."""
    return dict(zip(ids.names, _parts(ids.column(positions)), strict=True))


def component_columns(ids: IdSpace, labels: npt.NDArray[Any], dense: bool) -> Columns:
    """What components are called: numbers, or the ids of their smallest members."""
    if dense:
        return {"component": labels}
    return _prefixed("component", ids, _parts(ids.column(labels)))


def named_columns(ids: IdSpace, own: tuple[Any, ...], components: tuple[Any, ...]) -> Columns:
    """Ids and the smallest members of their components, as `component_columns` calls them."""
    named = dict(zip(ids.names, own, strict=True))
    return joined(named, _prefixed("component", ids, components))


def _prefixed(name: str, ids: IdSpace, parts: tuple[Any, ...]) -> Columns:
    if len(ids.names) == 1:
        return {name: parts[0]}
    return {f"{name}_{own}": part for own, part in zip(ids.names, parts, strict=True)}


def end_columns(ids: IdSpace, positions: npt.NDArray[Any], end: str) -> Columns:
    """The ids of one end of edges, called by that end."""
    return _prefixed(end, ids, _parts(ids.column(positions)))


def joined(*parts: Columns) -> Columns:
    """Columns side by side; no two may have the same name."""
    columns: Columns = {}
    for part in parts:
        for name, column in part.items():
            if name in columns:
                raise UnsupportedError(
                    f"the table would have two columns {name!r}, one of them ids of the graph: "
                    "rename that column of the input"
                )
            columns[name] = column
    return columns


def largest_first(sizes: npt.NDArray[np.int64], k: int) -> npt.NDArray[np.int64]:
    """The numbers of the ``k`` largest components, largest first; of ties, the first."""
    k = min(k, len(sizes))
    if not k:
        return np.empty(0, np.int64)
    candidates = np.arange(len(sizes))
    if k < len(sizes):
        bound = np.partition(sizes, len(sizes) - k)[len(sizes) - k]
        candidates = np.flatnonzero(sizes >= bound)
    return candidates[np.argsort(-sizes[candidates], kind="stable")][:k]


def arrow_table(columns: Columns, purpose: str) -> Any:
    """The columns as an Arrow table."""
    arrow = require_arrow(purpose)
    return arrow.table({name: as_arrow(column) for name, column in columns.items()})


def _parts(column: Any) -> tuple[Any, ...]:
    """The columns of ids, one or several."""
    return column if isinstance(column, tuple) else (column,)


def html_of(result: Any) -> str:
    """A table of counts, of the largest components and of what ran, for notebooks."""
    from html import escape  # slow to import

    plan = result.plan
    rows = [
        ("components", f"{result.count:,}"),
        ("vertices", f"{result.num_vertices:,}"),
        ("edges", f"{plan.edges:,}"),
        *(
            (f"largest {i + 1}", f"{c.size:,} vertices, label {c.label}")
            for i, c in enumerate(result.largest(3))
        ),
        ("ran", f"{plan.algorithm} on {plan.device}, {plan.threads} thread(s)"),
        ("because", plan.reason),
        ("took", f"{plan.seconds * 1e3:.3f} ms"),
    ]
    cells = "".join(
        f"<tr><th style='text-align:left'>{escape(name)}</th>"
        f"<td style='text-align:left'>{escape(printable(value))}</td></tr>"
        for name, value in rows
    )
    return f"<table><caption>skerry.Components</caption>{cells}</table>"
