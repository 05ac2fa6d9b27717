"""Which ids may stand in one graph: on a cluster as on one machine, whatever the route.

Engines would cast: the union of a column of integers and one of texts makes "02" and 2 one id.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from skerry.errors import InputError
from skerry.graph.arrow import plain_array
from skerry.ids.numbering import Numbering
from skerry.optional import require_arrow

PURPOSE = "ids that are not integers"


def check_id_types(columns: Iterable[tuple[str, Any]]) -> None:
    """Raises unless columns of ids, which have names, may stand in one graph; reads no value.

    Raises
    ------
    InputError
        If a type cannot be an id (floats, structs), or two of them are never equal (integers and
        texts).
    """
    numbering = Numbering()
    first: tuple[str, Any] | None = None
    for name, column in columns:
        empty = plain_array(column[:0])
        try:
            numbering.number(empty, 1)
        except InputError as error:
            if first is None or str(empty.type) == str(first[1]):
                raise InputError(f"{name}: {error}") from None
            where = name if name == first[0] else f"{first[0]} and {name}"
            raise InputError(
                f"{where}: {error}; ids of different types are never equal: cast one of them"
            ) from None
        if first is None and str(empty.type) != "null":
            first = name, empty.type


def distinct_sorted(columns: Iterable[Any], name: str = "the ids") -> Any:
    """The distinct ids of Arrow arrays, ascending; None without an array.

    Raises
    ------
    InputError
        If they are not of one type, as on one machine, or cannot be sorted.
    """
    arrow = require_arrow(PURPOSE)
    compute = require_arrow(PURPOSE, "pyarrow.compute")
    parts = [compute.unique(plain_array(column)) for column in columns]
    if not parts:
        return None
    check_id_types((name, part) for part in parts)
    try:
        ids = compute.unique(arrow.concat_arrays([part.cast(parts[0].type) for part in parts]))
        return ids.take(compute.sort_indices(ids))
    except (arrow.ArrowNotImplementedError, arrow.ArrowInvalid) as error:
        raise InputError(f"ids of type {parts[0].type} cannot be sorted: {error}") from None
