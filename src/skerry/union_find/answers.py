"""What disjoint sets are asked as a whole, and their face like a dict's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError
from skerry.ids.id_space import IdSpace, Positions
from skerry.result.components import Components
from skerry.result.groups import Groups
from skerry.union_find.exclusive import Exclusive
from skerry.union_find.forest import Forest
from skerry.union_find.snapshot import components_of


class SetAnswers(Exclusive):
    """The part of `UnionFind` that answers about all sets at once."""

    __slots__ = ()

    @property
    def _forest(self) -> Forest:
        raise NotImplementedError

    if TYPE_CHECKING:

        def find(self, v: Any) -> Any:
            """See `UnionFind`."""

    @property
    def count(self) -> int:
        """Number of sets; a vertex that no edge joined is one."""
        count = self._forest.known_count
        return self._call(self._forest.count) if count is None else count

    @property
    def ids(self) -> Any:
        """The ids in ascending order, as ``ids`` of `Components`; None for vertex numbers."""
        return None

    @property
    def labels(self) -> npt.NDArray[Any]:
        """The smallest member of the set of each vertex: read-only, the same until the next union.

        Later unions do not change it. For external ids, positions in ``ids``.
        """
        labels = self._forest.known_labels
        return self._call(self._forest.labels) if labels is None else labels

    def sizes(self) -> npt.NDArray[np.int64]:
        """Size of every set, in order of their smallest member.

        Returns
        -------
        numpy.ndarray
            ``count`` integers.
        """
        return self._call(self._forest.sizes)

    def components(self) -> Components:
        """The sets as they are now, as the result of `skerry.connected_components`.

        Returns
        -------
        Components
            With ``table()``, ``groups()``, ``largest()`` and all else. Later unions do not change
            it. It cannot be verified, since no edges were kept.

        Examples
        --------
        >>> import skerry
        >>> sets = skerry.UnionFind(5)
        >>> sets.union([0, 3], [4, 4])
        2
        >>> sets.components().largest().members.tolist()
        [0, 3, 4]
        """
        labels, ids = self._call(self._snapshot)
        return components_of(labels, ids, self._threads)

    def _snapshot(self) -> tuple[npt.NDArray[Any], IdSpace]:
        labels = self._forest.labels()
        return labels, Positions(len(labels))

    def groups(self) -> Groups:
        """The members of every set, as a sequence of arrays.

        Returns
        -------
        Groups
            In order of the smallest members, as ``groups()`` of `Components`.
        """
        return self.components().groups()

    def to_sets(self) -> list[set[Any]]:
        """The members of every set, as Python's sets of Python's objects; needs no pyarrow.

        Returns
        -------
        list of set
            In order of the smallest members.

        Examples
        --------
        >>> import skerry
        >>> sets = skerry.UnionFind(3)
        >>> sets.union(0, 2), sets.to_sets()
        (1, [{0, 2}, {1}])
        """
        labels, objects = self._call(self._labeled_objects)
        members: dict[int, set[Any]] = {}
        for id, label in zip(objects, labels.tolist(), strict=True):
            members.setdefault(label, set()).add(id)
        return list(members.values())

    def _labeled_objects(self) -> tuple[npt.NDArray[Any], list[Any]]:
        labels, ids = self._snapshot()
        return labels, ids.objects(np.arange(len(labels)))

    @property
    def _dtype(self) -> np.dtype[Any] | None:
        """The type that the caller chose for the parent array."""
        return self._forest.dtype

    @property
    def _threads(self) -> int | None:
        """How many threads the caller allows."""
        return self._forest.threads

    @property
    def nbytes(self) -> int:
        """Bytes of the parent array, and of the table of external ids."""
        return self._forest.nbytes

    def __len__(self) -> int:
        return self._forest.size

    def __iter__(self) -> Iterator[Any]:
        return iter(range(len(self)))

    def __contains__(self, id: Any) -> bool:
        vertex = as_vertex(id)
        return vertex is not None and 0 <= vertex < len(self)

    def __getitem__(self, id: Any) -> Any:
        try:
            return self.find(id)
        except InputError as error:
            raise KeyError(str(error)) from None


def as_vertex(value: Any) -> int | None:
    """A single integer, or None for anything else."""
    if type(value) is int:
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return int(value) if isinstance(value, np.integer) else None
