"""Sets of integers that are joined pair by pair: the union-find class of many Python programs.

A pair costs two appends. When somebody asks for a set, many pairs are joined by native code at
once, and few in a dict of parents as Python programs have it.
"""

from __future__ import annotations

from array import array

import numpy as np
import numpy.typing as npt

from skerry.api import connected_components

PENDING = 1 << 22  # pairs that wait at most: 64 MiB
FEW = 8  # times the pairs below the number of members: then a dict costs less


class IntegerSets:
    """Disjoint sets of 64-bit integers, each called by its smallest member.

    Not for several threads at once. Can be pickled.
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forgets all sets."""
        self._parents: dict[int, int] = {}
        self._src, self._dst = array("q"), array("q")  # pairs that are not joined yet
        self._limit = PENDING

    def union(self, x: int, y: int) -> None:
        """Joins the sets of two integers; a new one is a set of its own before.

        Parameters
        ----------
        x, y
            Integers of 64 bits.
        """
        self._src.append(x)
        try:
            self._dst.append(y)
        except BaseException:  # not an integer of 64 bits: half a pair is none
            del self._src[len(self._dst) :]
            raise
        if len(self._src) >= self._limit:
            ids, smallest = _joined(np.array(self._src), np.array(self._dst))
            self._src, self._dst = array("q", ids.tobytes()), array("q", smallest.tobytes())
            self._limit = max(PENDING, 2 * len(ids))

    def find(self, x: int) -> int:
        """The smallest member of the set of an integer, which is added if it is new.

        Parameters
        ----------
        x
            An integer of 64 bits.

        Returns
        -------
        int
            Itself, if it is alone.
        """
        if self._src:
            self._settle()
        if x not in self._parents:
            array("q", (x,))  # raises, as union() does, for what is no integer of 64 bits
        return self._root(x)

    @property
    def parent(self) -> dict[int, int]:
        """From every integer to the smallest member of its set: a new dict each time."""
        if self._src:
            self._settle()
        return {x: self._root(x) for x in self._parents}

    def _root(self, x: int) -> int:
        parents = self._parents
        parent = parents.setdefault(x, x)
        while parent != x:
            above = parents[parent]
            parents[x] = above
            x, parent = parent, above
        return x

    def _settle(self) -> None:
        """Joins the pairs that wait."""
        if FEW * len(self._src) < len(self._parents):
            for x, y in zip(self._src, self._dst, strict=True):
                a, b = self._root(x), self._root(y)
                self._parents[max(a, b)] = min(a, b)
        else:
            count = len(self._parents)
            known = np.fromiter(self._parents, np.int64, count)
            parents = np.fromiter(self._parents.values(), np.int64, count)
            ids, smallest = _joined(
                np.concatenate((known, np.array(self._src))),
                np.concatenate((parents, np.array(self._dst))),
            )
            self._parents = dict(zip(ids.tolist(), smallest.tolist(), strict=True))
        self._src, self._dst = array("q"), array("q")


def _joined(
    src: npt.NDArray[np.int64], dst: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Every integer of the pairs, and the smallest of its set."""
    result = connected_components((src, dst), ids="external")
    ids = np.asarray(result.ids, np.int64)
    return ids, ids[result.labels]
