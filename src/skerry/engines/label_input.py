"""The labels to be checked, whatever holds them: arrays, results, tables and mappings of ids."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.graph.vertex_ids import as_ids, widen
from skerry.ids.external import External
from skerry.ids.id_space import Counted, IdSpace
from skerry.ids.objects import Objects
from skerry.optional import require_arrow
from skerry.result.components import Components
from skerry.result.verify import Verification


class Labeled(NamedTuple):
    """Labels, and whose they are."""

    values: npt.NDArray[Any]
    """A label for each id, of 32 or 64 bits."""
    ids: IdSpace | None = None
    """None: the vertices in their order, or external ids in ascending order."""
    of_result: bool = False
    """Whether these are all ids of a result, so that each must be in the graph."""
    label: Callable[[Any], Any] | None = None
    """The caller's label behind one of ``values``; None: it is the label itself."""


def read_labels(labels: Any, width: int, *, of_objects: bool = False) -> Labeled:
    """Labels of ids that are made of ``width`` columns, or that are any Python objects."""
    if isinstance(labels, Labeled):
        return labels
    if isinstance(labels, Components):
        values = labels._to_host(labels.labels)
        ids = None if isinstance(labels._ids, Counted) else labels._ids
        return Labeled(_wide(values), ids, of_result=True)
    if isinstance(labels, Mapping):
        return _coded((list(labels.values()),), _ids_of_keys(list(labels), width, of_objects))
    if hasattr(labels, "__arrow_c_stream__") and _has_columns(labels):
        table = require_arrow("labels in a table").table(labels)
        names = table.column_names
        if len(names) not in (width + 1, 2 * width):
            raise InputError(
                f"labels in a table have {width} columns of ids and then the component, in 1 or "
                f"{width}; there are: {', '.join(names)}"
            )
        columns = [column.combine_chunks() for column in table.columns]
        return labeled_ids(tuple(columns[:width]), tuple(columns[width:]))
    if hasattr(labels, "get") and hasattr(labels, "__cuda_array_interface__"):
        labels = labels.get()
    return Labeled(_wide(labels))


def in_order(labeled: Labeled, ids: IdSpace | None) -> npt.NDArray[Any] | Verification:
    """Labels in the order of the vertices; if a vertex has none, the check that says so.

    ``ids`` are those of the vertices, where they are not their numbers.
    """
    if labeled.ids is None:
        return labeled.values
    if ids is None:
        ordered, missing = _by_number(labeled.ids, labeled.values)
    else:
        ordered, missing = _by_id(ids, labeled.ids, labeled.values)
    if ordered is None:
        return Verification(False, f"{missing!r} is in no component", np.empty(0, np.uint64))
    return ordered


def _by_number(
    ids: IdSpace, values: npt.NDArray[Any]
) -> tuple[npt.NDArray[Any] | None, int | None]:
    """Labels in the order of vertices, or a vertex that has none."""
    if not ids.are_integers:
        raise InputError("the vertices of this graph are numbers, but the labels' ids are not")
    numbers = ids.column(np.arange(len(ids)))
    if len(numbers) and numbers.min() < 0:
        raise InputError(f"{numbers.min()} is not a vertex number")
    ordered = np.zeros(int(numbers.max()) + 1 if len(numbers) else 0, values.dtype)
    if len(ordered) > len(numbers):
        return None, int(np.setdiff1d(np.arange(len(ordered)), numbers)[0])
    ordered[numbers] = values
    if len(np.unique(numbers)) < len(numbers):
        raise InputError("a vertex has more than one label")
    return ordered, None


def _by_id(
    ids: IdSpace, own: IdSpace, values: npt.NDArray[Any]
) -> tuple[npt.NDArray[Any] | None, Any]:
    """Labels in the order of ``ids``, or an id that has none."""
    if own is ids:
        return values, None
    positions = own.positions(ids.objects(np.arange(len(ids))))
    if len(positions) and positions.min() < 0:
        return None, ids[int(np.argmin(positions))]
    if len(own) > len(ids):
        unknown = ids.positions(own.objects(np.arange(len(own))))
        raise InputError(f"{own[int(np.argmin(unknown))]!r} has a label, but is not in the graph")
    return values[positions], None


def labeled_ids(ids: tuple[Any, ...], labels: tuple[Any, ...]) -> Labeled:
    """Labels of external ids: a column, or several, of either."""
    return _coded(labels, External(ids[0] if len(ids) == 1 else ids))


def _coded(parts: tuple[Any, ...], ids: IdSpace) -> Labeled:
    """Labels of any type, in one column or several, as numbers."""
    codes = _codes(parts)

    def label(code: Any) -> Any:
        row = int(np.argmax(codes == code))
        values = tuple(_plain(part[row]) for part in parts)
        return values[0] if len(values) == 1 else values

    return Labeled(codes, ids, label=label)


def _plain(value: Any) -> Any:
    """A value of a column as Python has it."""
    if hasattr(value, "as_py"):
        return value.as_py()
    return value.item() if isinstance(value, np.generic) else value


def _has_columns(labels: Any) -> bool:
    return hasattr(labels, "column_names") or hasattr(labels, "columns")


def _wide(labels: Any) -> npt.NDArray[Any]:
    return np.ascontiguousarray(widen(as_ids(labels, "labels")))


def _ids_of_keys(keys: list[Any], width: int, of_objects: bool) -> IdSpace:
    if of_objects:
        return Objects(keys)
    if all(type(key) is int for key in keys):
        column = np.array(keys) if keys else np.empty(0, np.int64)
        if column.dtype.kind in "iu":
            return External(column)
    arrow = require_arrow("labels by ids that are not integers")
    try:
        if width == 1:
            return External(arrow.array(keys))
        return External(tuple(arrow.array([key[i] for key in keys]) for i in range(width)))
    except (arrow.ArrowException, TypeError, IndexError) as error:
        raise InputError(f"the ids of the labels are not of one type: {error}") from None


def _codes(parts: tuple[Any, ...]) -> npt.NDArray[np.uint64]:
    """A number for each row, the same for the same values in all of these columns."""
    codes: npt.NDArray[np.uint64] | None = None
    for part in parts:
        indices, count = _distinct(part)
        if codes is None:
            codes = indices
        else:
            codes, _ = _distinct(codes * np.uint64(max(count, 1)) + indices)
    assert codes is not None
    return codes


def _distinct(part: Any) -> tuple[npt.NDArray[np.uint64], int]:
    """Numbers of the values in order of appearance, and how many there are."""
    if isinstance(part, list):
        numbers: dict[Any, int] = {}
        codes = [numbers.setdefault(value, len(numbers)) for value in part]
        return np.array(codes, np.uint64), len(numbers)
    if isinstance(part, np.ndarray) and part.dtype.kind in "iu" and len(part):
        low, high = int(part.min()), int(part.max())
        if low >= 0 and high < 4 * len(part):
            return part.astype(np.uint64), high + 1
    arrow = require_arrow("labels that are not integers")
    array = arrow.array(part) if isinstance(part, np.ndarray) else part
    if not arrow.types.is_dictionary(array.type):
        array = array.dictionary_encode()
    if array.null_count:
        raise InputError("a label is missing (null)")
    return np.asarray(array.indices).astype(np.uint64), len(array.dictionary)
