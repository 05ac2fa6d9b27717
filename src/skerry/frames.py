"""The component of every row of a frame, as a column of that frame: pandas, polars, pyarrow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, Unpack

import numpy as np
import numpy.typing as npt

from skerry.api import connected_components
from skerry.errors import InputError
from skerry.keywords import FrameKeywords
from skerry.optional import require_arrow
from skerry.result.components import Components
from skerry.result.tabular import named_components

Frame = TypeVar("Frame")
"""A frame of pandas or polars, or a table of pyarrow: what goes in is what comes out."""


def assign_components(
    frame: Frame,
    source: Any,
    target: Any,
    *,
    name: str = "component",
    **options: Unpack[FrameKeywords],
) -> Frame:
    """Adds a column with the component of every row, whose two ids are an edge.

    Made for ``pipe``: ``frame.pipe(skerry.assign_components, "id_l", "id_r")``.

    Parameters
    ----------
    frame
        A frame of pandas or polars, or a table of pyarrow.
    source, target
        The columns of ids, by name or number; several as a tuple, for ids of several columns.
    name
        What the new column is called. For ids of several columns there are as many new ones, called
        by this name and theirs, unless ``labels="dense"``.
    **options
        Of `skerry.connected_components`, such as ``weight=``, ``threshold=``, ``on_null="drop"`` or
        ``labels="dense"``.

    Returns
    -------
    pandas.DataFrame, polars.DataFrame or pyarrow.Table
        A new one of the same kind and the same rows. A component is called by its smallest id, or
        by its number with ``labels="dense"``. Rows that are no edge, since ``threshold`` or
        ``on_null`` leaves them out, have null.

    Raises
    ------
    InputError
        If this is no such frame, a column is not there, or the new one is.
    UnsupportedError
        If an option cannot be honored.

    Examples
    --------
    >>> import polars, skerry
    >>> pairs = polars.DataFrame({"a": ["kim", "bo", "lee"], "b": ["lee", "al", "mia"]})
    >>> pairs.pipe(skerry.assign_components, "a", "b")["component"].to_list()
    ['kim', 'al', 'kim']
    """
    library = _library_of(frame)
    result = connected_components(frame, source=source, target=target, **options)
    columns = _columns(result, name)
    known = [each for each in columns if each in list(_names_of(frame, library))]
    if known:
        raise InputError(f"the frame has a column {known[0]!r} already: pass name= for another")
    with_columns: Callable[[Frame, dict[str, Any]], Frame] = _WITH_COLUMNS[library]
    return with_columns(frame, columns)


def _columns(result: Components, name: str) -> dict[str, Any]:
    """The new columns, as Arrow arrays; null where the row is no edge."""
    arrow = require_arrow("columns of components")
    labels = result.edge_labels()
    edges = labels >= 0
    present = labels[edges]
    columns = named_components(result, present)
    # Of each edge its position among the edges; of other rows none, which `take` makes null.
    positions = arrow.array(np.cumsum(edges) - 1, mask=~edges)
    return {
        name + title.removeprefix("component"): arrow.array(column).take(positions)
        for title, column in columns.items()
    }


def _library_of(frame: Any) -> str:
    for base in type(frame).__mro__:
        library = base.__module__.partition(".")[0]
        if (library, base.__name__) in _FRAMES:
            return library
    hint = ": collect it first" if type(frame).__name__ == "LazyFrame" else ""
    raise InputError(
        f"columns are added to frames of pandas and polars and tables of pyarrow, not to "
        f"{type(frame).__module__}.{type(frame).__qualname__}{hint}"
    )


_FRAMES = {("pandas", "DataFrame"), ("polars", "DataFrame"), ("pyarrow", "Table")}


def _names_of(frame: Any, library: str) -> Any:
    return frame.column_names if library == "pyarrow" else frame.columns


def _with_pandas(frame: Any, columns: dict[str, Any]) -> Any:
    return frame.assign(**{name: _pandas_values(column) for name, column in columns.items()})


def _pandas_values(column: Any) -> Any:
    """Values without an index: they stand in the order of the rows."""
    import pandas

    kind = str(column.type)
    if not column.null_count or not kind.startswith(("int", "uint")):
        return column.to_pandas().array
    mask = np.asarray(column.is_null())
    values: npt.NDArray[Any] = column.fill_null(0).to_numpy(zero_copy_only=False).copy()
    return pandas.arrays.IntegerArray(values, mask)  # plain integers have no null


def _with_polars(frame: Any, columns: dict[str, Any]) -> Any:
    import polars

    return frame.with_columns(polars.Series(name, column) for name, column in columns.items())


def _with_pyarrow(frame: Any, columns: dict[str, Any]) -> Any:
    for name, column in columns.items():
        frame = frame.append_column(name, column)
    return frame


_WITH_COLUMNS = {"pandas": _with_pandas, "polars": _with_polars, "pyarrow": _with_pyarrow}
