"""Options that stand beside arrays: weights to select edges by, and further vertices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.errors import InputError
from skerry.graph.csr import Csr
from skerry.graph.edges import Edges
from skerry.graph.threshold import Threshold
from skerry.graph.vertex_ids import as_ids, check_range, largest_id, read_array, vertex_count
from skerry.inputs.arrays import pair_of
from skerry.inputs.id_columns import WEIGHT_OF_ARRAYS
from skerry.inputs.matrices import entries_of, stored_values
from skerry.inputs.sources import HostSource

WEIGHT_IS_ARRAY = "weight= beside arrays is an array with the weight of each edge"


class WeightedColumns(NamedTuple):
    """The edges of a graph of arrays, and the weight of each: a number, and none is NaN."""

    src: npt.NDArray[Any]
    dst: npt.NDArray[Any]
    weights: npt.NDArray[Any]
    num_vertices: int | None
    """Where the graph says it."""


def weighted_columns(graph: Any, weight: Any) -> WeightedColumns:
    """Both ends of the edges of a graph of arrays, with their weights; ids are not looked at."""
    if hasattr(graph, "tocoo"):
        if weight is not None:
            raise InputError("the weights of a sparse matrix are its values: leave out weight=")
        row, column, values = map(np.asarray, entries_of(graph))
        _check_weights(values)
        if values.shape != row.shape:
            raise InputError(f"the matrix has {len(row):,} entries and {len(values):,} values")
        return WeightedColumns(row, column, values, int(graph.shape[0]))
    if weight is None or isinstance(weight, str | int):
        raise InputError(WEIGHT_OF_ARRAYS)
    n = graph.num_vertices if isinstance(graph, Edges) else None
    src, dst = pair_of(graph, "edges") if n is None else graph.arrays()
    src, dst = (read_array(end, name) for end, name in ((src, "src"), (dst, "dst")))
    weights = read_array(weight, "weight")
    _check_weights(weights)
    for column, name in ((src, "src"), (dst, "dst")):
        if column.shape != weights.shape:
            raise InputError(f"{name} has {len(column):,} ids and weight {len(weights):,} numbers")
    return WeightedColumns(src, dst, weights, n)


def selected(graph: Any, weight: Any, threshold: Threshold | None) -> Any:
    """The graph without the edges that ``threshold`` leaves out."""
    if threshold is None:
        return graph
    src, dst, weights, n = weighted_columns(graph, weight)
    kept = threshold.keeps(weights)
    return (src[kept], dst[kept]) if n is None else Edges(src[kept], dst[kept], n)


def names_of_kept(source: HostSource) -> Callable[[], npt.NDArray[np.int64]] | None:
    """What gives the positions, among all edges, of those that a threshold keeps; None for all."""
    threshold = source.options.selection
    if threshold is None:
        return None
    graph, weight = source.graph, source.options.weight

    def positions() -> npt.NDArray[np.int64]:
        values = stored_values(graph) if hasattr(graph, "tocoo") else weight
        return np.flatnonzero(_kept(read_array(values, "weight"), threshold))

    return positions


def weights_of(source: HostSource, graph: Edges | Csr) -> npt.NDArray[Any] | None:
    """The weight of every edge of the input, those that a threshold leaves out included."""
    column = source.options.weight
    if hasattr(source.graph, "tocoo"):
        values = stored_values(source.graph)
        return values if values.dtype.kind in "iufb" else None
    if column is None:
        return None
    if isinstance(column, str | int):
        raise InputError(WEIGHT_IS_ARRAY)
    weights = read_array(column, "weight")
    if source.options.threshold is None:  # otherwise the edges were selected by them
        _check_weights(weights)
        if len(weights) != graph.num_entries:
            raise InputError(f"{graph.num_entries:,} edges and {len(weights):,} weights")
    return weights


def _kept(weights: npt.NDArray[Any], threshold: Threshold) -> npt.NDArray[np.bool_]:
    _check_weights(weights)
    mask: npt.NDArray[np.bool_] = threshold.keeps(weights)
    return mask


def _check_weights(weights: npt.NDArray[Any]) -> None:
    if weights.dtype.kind not in "iufb" or weights.ndim != 1:
        raise InputError(
            f"weights must be a column of numbers, got {weights.dtype} of shape {weights.shape}"
        )
    if weights.dtype.kind == "f" and np.isnan(weights).any():
        raise InputError(f"weight[{int(np.argmax(np.isnan(weights)))}] is NaN; drop or fill it")


def numbers_of(weights: list[Any], name_of: Callable[[int], str]) -> npt.NDArray[Any]:
    """Weights that are Python objects as an array; an error names an edge without a number."""
    for position, value in enumerate(weights):
        if not isinstance(value, int | float | np.number) or value != value:
            raise InputError(f"{name_of(position)} has the weight {value!r}, which is not a number")
    numbers = np.array(weights)
    return numbers if numbers.dtype.kind in "iufb" else numbers.astype(np.float64)


def count_with_vertices(graph: Any, vertices: Any, num_vertices: int | None) -> int:
    """How many vertices a graph of arrays has, with ``vertices`` among them."""
    own = as_ids(vertices, "vertices")
    high = largest_id(own, "vertices", 1)
    if num_vertices is not None:
        check_range(own, "vertices", high, vertex_count(num_vertices))
        return vertex_count(num_vertices)
    for ids in map(np.asarray, pair_of(graph, "edges")):
        if ids.dtype.kind in "iu" and ids.size:
            high = max(high, int(_native.bounds(ids, 1)[1]))
    return high + 1
