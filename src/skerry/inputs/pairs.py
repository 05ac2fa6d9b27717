"""The two columns of an edge list in bare arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from skerry.errors import InputError
from skerry.graph.vertex_ids import is_array, read_array


def pair_of(edges: Any, name: str) -> tuple[Any, Any]:
    """Sources and targets of a pair of arrays, an (m, 2) or (2, m) array, or a list of pairs."""
    if isinstance(edges, tuple) and len(edges) == 2:
        return edges[0], edges[1]
    if isinstance(edges, np.ndarray | list) or is_array(edges):
        table = read_array(edges, name)
        if table.shape in ((0,), (0, 2), (2, 0)):
            return np.empty(0, np.int64), np.empty(0, np.int64)
        if table.ndim == 2 and table.shape[1] == 2:
            return table[:, 0], table[:, 1]
        if table.ndim == 2 and table.shape[0] == 2:
            return table[0], table[1]
        raise InputError(f"{name}: an array of edges has shape (m, 2) or (2, m), got {table.shape}")
    kind = type(edges)
    raise InputError(
        f"{name} is {kind.__module__.partition('.')[0]}.{kind.__qualname__}: a batch is a pair "
        "(src, dst) of arrays, an (m, 2) array or a table; or the elements are pairs of ids"
    )
