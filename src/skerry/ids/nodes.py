"""Ids that are Python objects of one type in ascending order: most nodes of networkx."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError, UnsupportedError
from skerry.ids.external import External
from skerry.ids.id_space import Indices
from skerry.ids.lookup import is_column
from skerry.ids.objects import Objects
from skerry.ids.python_objects import column_of_objects

PLAIN = {int, str, bytes}
INTEGERS = range(-(2**63), 2**63)
"""Integers that a column can hold."""


class Nodes(Objects):
    """Integers, text, bytes, or tuples of those: the caller's own objects, and columns of them.

    >>> nodes = Nodes([3, 7, 12])
    >>> nodes.objects(np.array([0, 2])), nodes.columns
    ([3, 12], array([ 3,  7, 12]))
    """

    def __init__(self, nodes: list[Any]) -> None:
        super().__init__(nodes)
        first: Any = nodes[0] if nodes else 0
        self._is_composite = isinstance(first, tuple)
        if self._is_composite:
            self.names = tuple(f"id_{i}" for i in range(len(first)))

    @property
    def are_integers(self) -> bool:  # type: ignore[override]
        """Whether an id is one integer."""
        return not self._nodes or isinstance(self._nodes[0], int)

    @property
    def columns(self) -> Any:
        """All nodes: a NumPy array of integers, an Arrow array, or a tuple of those."""
        return self._external.columns

    def column(self, positions: npt.NDArray[Any]) -> Any:
        """The nodes at these positions: NumPy for integers, otherwise Arrow."""
        return self._external.column(positions)

    def positions(self, ids: Any) -> Indices:
        """The position of each node, -1 for those that are not in this graph."""
        return super().positions(ids) if isinstance(ids, list) else self._external.positions(ids)

    def lookup(self, ids: Any) -> npt.NDArray[Any]:
        """The position of a node, or the positions of an array or list of nodes."""
        several = isinstance(ids, tuple) and len(ids) > 0 and all(map(is_column, ids))
        if several or (is_column(ids) and not isinstance(ids, list)):
            return self._external.lookup(ids)
        return super().lookup(ids)

    @cached_property
    def _external(self) -> External:
        """Made when columns are asked for: groups and members do without."""
        if not self._is_composite:
            return External(_column(self._nodes))
        parts = zip(*self._nodes, strict=True)
        return External(tuple(_column(list(part)) for part in parts), self.names)

    def __getstate__(self) -> dict[str, Any]:
        state = {"_nodes": self._nodes, "_is_composite": self._is_composite}
        return state | ({"names": self.names} if self._is_composite else {})

    def __repr__(self) -> str:
        return f"Nodes({len(self):,} nodes)"


def order_nodes(nodes: list[Any]) -> Objects:
    """Distinct nodes as ids: ascending where they are of one type, otherwise as they come."""
    kinds = set(map(type, nodes))
    if len(kinds) > 1 or not (kinds <= PLAIN or _is_composite(nodes)):
        return Objects(nodes)
    nodes = sorted(nodes)
    if kinds == {int} and (nodes[0] not in INTEGERS or nodes[-1] not in INTEGERS):
        return Objects(nodes)
    return Nodes(nodes)


def _is_composite(nodes: list[Any]) -> bool:
    """Whether the nodes are tuples of equally many values, each of one type at its place."""
    if not isinstance(nodes[0], tuple) or len(nodes[0]) < 2 or len(set(map(len, nodes))) > 1:
        return False
    for part in zip(*nodes, strict=True):
        kinds = set(map(type, part))
        if len(kinds) > 1 or not kinds <= PLAIN:
            return False
        if kinds == {int} and (min(part) not in INTEGERS or max(part) not in INTEGERS):
            return False
    return True


def _column(values: list[Any]) -> Any:
    """Values of one type as a column of ids: NumPy's for integers, otherwise Arrow's."""
    if not values or isinstance(values[0], int):
        return np.array(values, np.int64)
    try:
        return column_of_objects(values)
    except InputError as error:
        raise UnsupportedError(
            f"these ids have no Arrow column: {error}; result.groups() gives them as they are"
        ) from None
