"""Single components and the members of all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from skerry.errors import ArgumentError


def checked_min_size(min_size: Any) -> int:
    """The fewest vertices of a component that is listed."""
    return _checked("min_size", min_size, 1)


def checked_count(k: Any) -> int:
    """How many to list."""
    return _checked("k", k, 0)


def _checked(name: str, value: Any, minimum: int) -> int:
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < minimum:
        raise ArgumentError(f"{name} must be an integer, {minimum} or more, got {value!r}")
    return int(value)


@dataclass(frozen=True, slots=True)
class Component:
    """One component: its label, its size and its members in ascending order.

    Immutable; threads may share it.
    """

    label: Any
    """A vertex, an id or, with ``labels="dense"``, a number: as in the table of the result."""
    size: int
    """Number of members."""
    members: Any
    """Vertices, or their ids where the graph has external ids."""

    def __repr__(self) -> str:
        return f"Component(label={self.label!r}, size={self.size:,})"


class Groups(Sequence[Any]):
    """The members of every component, in order of their smallest member.

    A sequence of arrays: ``groups[0]`` holds the members of the component of vertex 0. The arrays
    are views of one array of all vertices. If the vertices have external ids, the members are
    ids, in the form of ``ids`` of the result: Arrow arrays of text, and of all but integers. Ids of
    several columns are a tuple of arrays. Immutable; threads may share it.
    """

    def __init__(self, members: Any, starts: npt.NDArray[np.int64], min_size: int = 1) -> None:
        begins, ends = starts[:-1], starts[1:]
        if checked_min_size(min_size) > 1:
            large = ends - begins >= min_size
            begins, ends = begins[large], ends[large]
        self._members = members
        self._begins, self._ends = begins, ends

    def _slice(self, begin: int, end: int) -> Any:
        if isinstance(self._members, tuple):  # ids of several columns
            return tuple(column[begin:end] for column in self._members)
        return self._members[begin:end]

    def __len__(self) -> int:
        return len(self._begins)

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        number = range(len(self))[index]
        return self._slice(int(self._begins[number]), int(self._ends[number]))

    def __iter__(self) -> Iterator[Any]:
        for begin, end in zip(self._begins.tolist(), self._ends.tolist(), strict=True):
            yield self._slice(begin, end)

    def __repr__(self) -> str:
        vertices = int((self._ends - self._begins).sum())
        return f"Groups({len(self):,} components of {vertices:,} vertices)"
