"""What disjoint sets are asked as a whole, and their face like a dict's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry._native import OpenForest
from skerry.algorithms.planner import choose_for_batches
from skerry.errors import InputError, UnsupportedError
from skerry.ids.id_space import IdSpace, Positions
from skerry.result.components import Components
from skerry.result.forest import RecordedForest
from skerry.result.groups import Groups
from skerry.result.plan import Plan
from skerry.result.verify import Verification
from skerry.union_find.exclusive import Exclusive
from skerry.union_find.forest import Forest, team_of


class SetAnswers(Exclusive):
    """The part of `UnionFind` that answers about all sets at once."""

    __slots__ = ("_reader", "_sets")
    _reader: OpenForest
    _sets: Any

    @property
    def _forest(self) -> Forest:
        forest: Forest = self._sets
        return forest

    def _state_of(self) -> tuple[Any, int]:
        """What answers are kept with: they hold while it is the same."""
        return self._sets, self._forest.version

    @property
    def count(self) -> int:
        """Number of sets; a vertex that no edge joined is one."""
        count = self._forest.known_count
        return self._call(self._forest.count) if count is None else count

    @property
    def ids(self) -> Any:
        """The ids in ascending order, as ``ids`` of `Components`; None for vertex numbers."""
        return self._call(self._space).columns

    def _space(self) -> IdSpace:
        """The ids in ascending order."""
        return Positions(self._forest.size)

    @property
    def labels(self) -> npt.NDArray[Any]:
        """The smallest member of the set of each vertex: read-only, the same until the next union.

        Later unions do not change it. For external ids, positions in ``ids``.
        """
        labels = self._known_labels()
        return self._call(self._labels) if labels is None else labels

    def _known_labels(self) -> npt.NDArray[Any] | None:
        """The labels, if nothing was joined since they were made."""
        return self._forest.known_labels

    def _labels(self) -> npt.NDArray[Any]:
        """For each id in ascending order, the position of the smallest of its set."""
        return self._forest.labels()

    def find(self, v: Any) -> Any:
        """The smallest member of the set of a vertex, or of each of many.

        Parameters
        ----------
        v
            A vertex, or an array of vertices; ids where they are external.

        Returns
        -------
        int or numpy.ndarray
            An array where an array was given. For external ids, an id or a column of ids: NumPy
            for integers, otherwise Arrow.

        Raises
        ------
        InputError
            If a vertex is not in ``0..n-1``, or an id was never added.
        """
        root = self._reader.find(v)
        if root is not None:
            return root
        vertex = as_vertex(v)
        if vertex is not None and 0 <= vertex < self._forest.size:
            return self._call(self._forest.root, vertex)
        return self._call(self._forest.find, self._as_vertices(v))

    def _as_vertices(self, v: Any) -> npt.NDArray[Any]:
        ids = np.asarray(v)
        if ids.size and ids.dtype.kind not in "iu":
            raise InputError(f"vertices are integers, got {ids.dtype} ({v!r})")
        size = self._forest.size
        if ids.size and (ids.min() < 0 or ids.max() >= size):
            raise InputError(f"vertex {v!r} is not in 0..{size - 1}")
        return ids

    def connected(self, u: Any, v: Any) -> Any:
        """Whether ``u`` and ``v`` are in one set.

        Parameters
        ----------
        u, v
            Two vertices, or two arrays of vertices that are compared element by element; ids where
            they are external.

        Returns
        -------
        bool or numpy.ndarray
            An array of booleans where an array was given.

        Raises
        ------
        InputError
            If a vertex is not in ``0..n-1``, an id was never added, or the shapes do not match.
        """
        known = self._reader.connected(u, v)
        if known is not None:
            return known
        return self._compare(self._as_vertices(u), self._as_vertices(v))

    def _compare(self, u: Any, v: Any) -> Any:
        # Both under one lock: a set that gets another smallest member in between is still one set.
        first, second = self._call(self._find_both, u, v)
        try:
            same = first == second
            return bool(same) if np.ndim(same) == 0 else same
        except ValueError:
            raise InputError(
                f"u has shape {first.shape} and v {second.shape}: they do not match"
            ) from None

    def _find_both(
        self, u: npt.NDArray[Any], v: npt.NDArray[Any]
    ) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        return self._forest.find(u), self._forest.find(v)

    def sizes(self) -> npt.NDArray[np.int64]:
        """Size of every set, in order of their smallest member.

        Returns
        -------
        numpy.ndarray
            ``count`` integers.
        """
        counts = np.bincount(self.labels.astype(np.int64))
        return counts[counts > 0].astype(np.int64, copy=False)

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
        return self._labels(), self._space()

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


def components_of(
    labels: npt.NDArray[Any],
    ids: IdSpace,
    allowed: int | None,
    forest: RecordedForest | None = None,
) -> Components:
    """A result of sets whose edges were not kept."""
    threads = team_of(allowed, len(labels))
    spec, reason = choose_for_batches()
    plan = Plan(
        algorithm=str(spec),
        device="cpu",
        threads=threads,
        reason=reason,
        form="batches",
        vertices=len(labels),
        edges=0,
        passes=(),
        notes=("the sets of a UnionFind, which does not count its edges",),
        bytes=labels.nbytes,
    )
    return Components(labels, ids, "min", lambda: plan, _no_edges, threads, forest=forest)


def _no_edges(labels: npt.NDArray[Any]) -> Verification:
    del labels
    raise UnsupportedError(
        "a UnionFind keeps no edges to check its sets against: call skerry.verify(graph, result)"
    )
