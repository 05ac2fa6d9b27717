"""The representatives of sets of ids: for every root of the forest, the smallest id below it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


class SmallestIds:
    """For every root, the number of the smallest id of its tree."""

    __slots__ = ("_base", "_changed", "ids", "version")

    def __init__(self, ids: Any, base: npt.NDArray[Any]) -> None:
        self.ids = ids
        self.version: int = ids.forest.version
        """Of the forest of these ids; in any other version, this is out of date."""
        self._base = base
        self._changed: dict[int, int] = {}

    def is_of(self, ids: Any) -> bool:
        """Whether this is of these ids as they are now."""
        return self.ids is ids and self.version == ids.forest.reader.version

    def of(self, root: int) -> int:
        """The number of the smallest id below a root; a new one is alone."""
        number = self._changed.get(root)
        if number is not None:
            return number
        return int(self._base[root]) if root < len(self._base) else root

    def of_many(self, roots: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """As `of`, of many roots."""
        known = roots < len(self._base)
        numbers = (
            np.where(known, self._base[np.where(known, roots, 0)], roots)
            if len(self._base)
            else roots.copy()
        )
        if self._changed:
            places = np.fromiter(self._changed, np.int64, len(self._changed))
            values = np.fromiter(self._changed.values(), np.int64, len(self._changed))
            order = np.argsort(places)
            places, values = places[order], values[order]
            at = np.searchsorted(places, roots).clip(max=len(places) - 1)
            numbers = np.where(places[at] == roots, values[at], numbers)
        return numbers

    def hook(self, old: int, new: int) -> None:
        """Notes that a root is below another one now."""
        a, b = self.of(old), self.of(new)
        if self.ids.value(a) < self.ids.value(b):
            self._changed[new] = a
