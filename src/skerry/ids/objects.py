"""Ids that are Python objects of any hashable type: the nodes of networkx."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError, UnsupportedError
from skerry.ids.id_space import Indices
from skerry.ids.lookup import is_column
from skerry.ids.python_objects import column_of_objects, python_value


class Objects:
    """Any hashable Python objects in the order of the graph: the nodes of networkx.

    >>> Objects(["a", 7, None]).position(7)
    1
    """

    names: tuple[str, ...] = ("id",)
    are_integers = False

    def __init__(self, nodes: list[Any]) -> None:
        self._nodes = nodes

    @cached_property
    def position_of(self) -> dict[Any, int]:
        """The position of every node."""
        return {node: position for position, node in enumerate(self._nodes)}

    @property
    def nodes(self) -> list[Any]:
        """The caller's own objects, in order."""
        return self._nodes

    @property
    def columns(self) -> Any:
        """All nodes: a list."""
        return self._nodes

    def __len__(self) -> int:
        return len(self._nodes)

    def __getitem__(self, position: int) -> Any:
        return self._nodes[int(position)]

    def position(self, id: Any) -> int:
        """The position of one node."""
        position = self._find(id)
        if position < 0:
            raise InputError(f"{id!r} is not an id of this graph")
        return position

    def _find(self, node: Any) -> int:
        """The position of a node, or of what a scalar of NumPy or Arrow stands for, or -1."""
        try:
            position = self.position_of.get(node, -1)
            return position if position >= 0 else self.position_of.get(python_value(node), -1)
        except TypeError:  # not hashable
            return -1

    def positions(self, ids: Any) -> Indices:
        """The position of each node, -1 for those that are not in this graph."""
        return np.array([self._find(node) for node in ids], np.int64)

    def lookup(self, ids: Any) -> npt.NDArray[Any]:
        """The position of a node, or the positions of an array or list of nodes."""
        if is_column(ids):
            return np.array([self.position(node) for node in ids], np.int64)
        return np.asarray(self.position(ids))

    def take(self, positions: npt.NDArray[Any]) -> list[Any]:
        """The nodes at these positions."""
        return self.objects(positions)

    def column(self, positions: npt.NDArray[Any]) -> Any:
        """The nodes at these positions as an Arrow array, where they are of one type."""
        nodes = self.objects(positions)
        try:
            return column_of_objects(nodes) if nodes else np.empty(0, np.int64)
        except InputError as error:
            raise UnsupportedError(
                f"ids of these types have no Arrow table: {error}; result.groups() and "
                "result.ids give them as they are"
            ) from None

    def objects(self, positions: npt.NDArray[Any]) -> list[Any]:
        """The caller's own nodes at these positions."""
        return [self._nodes[position] for position in positions.tolist()]

    def __getstate__(self) -> dict[str, Any]:
        return {"_nodes": self._nodes}

    def __repr__(self) -> str:
        return f"Objects({len(self):,} nodes)"
