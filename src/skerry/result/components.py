"""The answer: a label for every vertex, and what people ask of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Self, TypeAlias, overload

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.errors import InputError, UnsupportedError
from skerry.ids.external import External
from skerry.ids.lookup import is_column
from skerry.result import tables
from skerry.result.answer import LabelKind, Labels
from skerry.result.explained import Explained, read_edges
from skerry.result.explorable import Explorable
from skerry.result.groups import Component, Groups, checked_count
from skerry.result.lasting import Lasting
from skerry.result.names import Names
from skerry.result.subgraph import Subgraph, edges_within
from skerry.result.tabular import Tabular
from skerry.result.verify import Verification

__all__ = ["Components", "LabelKind"]

if TYPE_CHECKING:
    from datetime import date
    from uuid import UUID

    SingleId: TypeAlias = int | str | bytes | date | UUID | np.integer[Any] | np.datetime64
    """An id that is one for sure: a tuple may be one of several columns, or several columns."""

    ManyIds: TypeAlias = list[Any] | npt.NDArray[Any]
    """Many ids for sure; columns of other libraries are neither, for type checkers."""

    class _Pair(tuple[int, Labels]):
        """For type checkers: what ``count, labels = result`` gives, and none of a tuple's methods.

        ``__iter__`` alone could give one type only for both.
        """

        __len__: None  # type: ignore[assignment]
        __getitem__: None  # type: ignore[assignment]
        __add__: None  # type: ignore[assignment]
        __lt__: None  # type: ignore[assignment]
        index: None  # type: ignore[assignment]
else:
    _Pair = object


class Components(Tabular, Explained, Explorable, Lasting, _Pair):  # type: ignore[misc]  # `count` is no method here
    """The connected components of a graph.

    Unpacks as scipy's answer does: ``count, labels = skerry.connected_components(graph)``. The
    number of components is ``count``; ``len()`` raises TypeError, since it could mean several
    things. Objects are immutable, their arrays are read-only, and threads may share them.

    Made by `skerry.connected_components`, not by hand.

    Examples
    --------
    >>> import skerry
    >>> result = skerry.connected_components([(0, 1), (1, 2), (5, 6)])
    >>> result.count, result.sizes().tolist()
    (4, [3, 1, 1, 2])
    >>> result.connected(0, 2)
    True
    """

    @overload
    def connected(self, u: SingleId, v: SingleId) -> bool: ...
    @overload
    def connected(self, u: ManyIds, v: ManyIds | SingleId) -> npt.NDArray[np.bool_]: ...
    @overload
    def connected(self, u: SingleId, v: ManyIds) -> npt.NDArray[np.bool_]: ...
    @overload
    def connected(self, u: Any, v: Any) -> Any: ...
    def connected(self, u: Any, v: Any) -> Any:
        """Whether ``u`` and ``v`` are in one component.

        Parameters
        ----------
        u, v
            Two vertices, or two arrays of vertices that are compared element by element; ids where
            the graph has external ids.

        Returns
        -------
        bool or numpy.ndarray
            An array of booleans where an array was given.

        Raises
        ------
        InputError
            If a vertex is not in the graph, or the shapes do not match.
        """
        first, second = self._ids.lookup(u), self._ids.lookup(v)
        try:
            same = self._smallest[first] == self._smallest[second]
        except (ValueError, IndexError):
            raise InputError(
                f"u has shape {first.shape} and v {second.shape}: they do not match"
            ) from None
        return bool(same) if same.ndim == 0 else same

    def component_of(self, ids: Any) -> Any:
        """The component of one id, or of each of many, by its label.

        Parameters
        ----------
        ids
            A vertex, or an array, list or column of vertices; ids where the graph has external
            ids. For ids of several columns a tuple, a list of tuples, or a tuple of columns.

        Returns
        -------
        int, id, or a column of them
            What the component is called in `table`: its smallest member, or its number with
            ``labels="dense"``. For many ids, in the form of ``ids`` of this result.

        Raises
        ------
        InputError
            If an id is not in the graph; it is named.

        Examples
        --------
        >>> import pyarrow, skerry
        >>> pairs = pyarrow.table({"a": ["kim", "bo"], "b": ["lee", "al"]})
        >>> result = skerry.connected_components(pairs)
        >>> result.component_of("lee"), result.component_of(["bo", "lee"]).to_pylist()
        ('kim', ['al', 'kim'])
        """
        positions = self._ids.lookup(ids)
        if self._make_names is not None:
            names = External(self._names.column)
            numbers = self._dense[0][positions]
            return names[int(numbers)] if positions.ndim == 0 else names.take(numbers)
        labels = (self._dense[0] if self._kind == "dense" else self._smallest)[positions]
        if self._kind == "dense":
            return int(labels) if positions.ndim == 0 else self._typed(labels)
        if positions.ndim == 0:
            return self._ids[int(labels)]
        return self._ids.take(self._typed(labels))

    @overload
    def largest(self) -> Component: ...
    @overload
    def largest(self, k: int) -> list[Component]: ...
    def largest(self, k: int | None = None) -> Component | list[Component]:
        """The largest component, or a list of the ``k`` largest, largest first.

        Of components of the same size, the one with the smaller label comes first.

        Parameters
        ----------
        k
            How many; there may be fewer.

        Returns
        -------
        Component or list of Component
            A list where ``k`` was given.

        Raises
        ------
        InputError
            If the graph has no vertices, or ``k`` is not an integer of 0 or more.
        """
        if k is not None:
            return self._find_largest(checked_count(k))
        if not self.count:
            raise InputError("a graph without vertices has no largest component")
        return self._find_largest(1)[0]

    def _find_largest(self, k: int) -> list[Component]:
        sizes = self._to_host(self.sizes())
        chosen = tables.largest_first(sizes, k)
        if not len(chosen):
            return []
        starts = np.concatenate([[0], np.cumsum(sizes[chosen])])
        members = self._members_of(chosen, starts)
        if self._make_names is not None:
            labels = External(self._names.column).objects(chosen)
        elif self._kind == "dense":
            labels = chosen.tolist()
        else:
            labels = self._ids.objects(self._to_host(members[starts[:-1]]))
        groups = Groups(self._ids.take(self._typed(members)), starts)
        return list(map(Component, labels, sizes[chosen].tolist(), groups))

    def _members_of(self, chosen: npt.NDArray[Any], starts: npt.NDArray[Any]) -> Any:
        """The members of some components, one after the other; ``starts`` says where each does."""
        dense, count = self._dense
        if len(chosen) == 1:
            return np.flatnonzero(dense == chosen[0]).astype(dense.dtype, copy=False)
        rank: npt.NDArray[Any] = np.full(
            count, len(chosen), np.uint32 if count < 2**32 else np.uint64
        )
        rank[chosen] = np.arange(len(chosen), dtype=rank.dtype)
        ranks: npt.NDArray[Any] = rank[dense]
        vertices = np.flatnonzero(ranks < len(chosen)).astype(dense.dtype, copy=False)
        order = np.empty(len(vertices), rank.dtype)
        _native.group_members(ranks[vertices], starts[:-1].astype(np.uint64), order)
        return vertices[order]

    def subgraph(self, label: Any = None) -> Subgraph:
        """One component as a graph of its own, whose vertices are numbered from 0.

        Parameters
        ----------
        label
            The component, called as in `table` and `component_of`: by its smallest member, or by
            its number with ``labels="dense"``. By default the largest.

        Returns
        -------
        Subgraph
            ``src`` and ``dst`` by new numbers, ``vertices`` and ``ids`` to get back, ``matrix()``
            for scipy.

        Raises
        ------
        InputError
            If no component has this label, or the input is not what it was.
        UnsupportedError
            If the edges cannot be read again: of an iterator that is used up, on a GPU, or after
            unpickling.

        Notes
        -----
        The edges are read once more. It takes 4 bytes for each vertex of the graph beside the
        answer (8 from 2^32 vertices on).

        Examples
        --------
        >>> import skerry
        >>> part = skerry.connected_components([(7, 9), (1, 2), (9, 8)]).subgraph()
        >>> part.src.tolist(), part.dst.tolist(), part.ids.tolist(), part.rows.tolist()
        ([0, 2], [2, 1], [7, 8, 9], [0, 2])
        """
        batches = read_edges(self, "subgraph()")
        number = self._component_number(label)
        vertices = np.flatnonzero(self._dense[0] == number).astype(self._smallest.dtype)
        src, dst, rows = edges_within(batches, vertices, self.num_vertices)
        return Subgraph(src, dst, rows, vertices, self._ids.take(vertices))

    def _component_number(self, label: Any) -> int:
        """The number of the component of this label, or of the largest."""
        return self._number_of(self.largest().label if label is None else label)

    def _number_of(self, label: Any) -> int:
        """The number of the component of this label."""
        if self._make_names is not None:
            number = int(External(self._names.column).positions([label])[0])
            if number < 0:
                raise InputError(f"{label!r} is not the label of a component")
            return number
        if self._kind == "dense":
            if not isinstance(label, int | np.integer) or not 0 <= label < self.count:
                raise InputError(f"labels are 0..{self.count - 1}, got {label!r}")
            return int(label)
        position = self._ids.lookup(label)
        if position.ndim:
            raise InputError(f"subgraph takes the label of one component, got {label!r}")
        smallest = int(self._smallest[position])
        if smallest != int(position):
            raise InputError(
                f"{label!r} is not the label of a component: its own is {self._ids[smallest]!r}"
            )
        return int(self._dense[0][position])

    def _of_edges(self, labels: Labels, ids: Any, plan: Any, edges: Any, verify: Any) -> Components:
        how = (self._kind, lambda: plan, verify, self._threads, self._dtype)
        return Components(labels, ids, *how, edges)

    def groups(self, *, min_size: int = 1) -> Groups:
        """The members of every component, as a sequence of arrays.

        Parameters
        ----------
        min_size
            Leave components of fewer vertices out.

        Returns
        -------
        Groups
            One array for each component.
        """
        dense, count = self._dense
        starts = np.zeros(count + 1, np.int64)
        np.cumsum(self.sizes(), out=starts[1:])
        members = np.empty_like(self._smallest)
        _native.group_members(dense, starts[:-1].astype(np.uint64), members)
        return Groups(self._ids.take(self._typed(members)), starts, min_size)

    def _called(self, names: Callable[[], Names]) -> Components:
        """The same components on the host, with these names."""
        labels, sources = self._to_host(self._smallest), (self._edges, self._forest)
        how = (self._kind, lambda: self.plan, self._verify, self._threads, self._dtype)
        return Components(labels, self._ids, *how, *sources, names)

    def verify(self) -> Verification:
        """Checks this answer against the graph by independent means.

        Returns
        -------
        Verification
            True when the answer is right; otherwise it says what is wrong. See there for the
            certificate that it holds.

        Raises
        ------
        UnsupportedError
            If the graph cannot be read again, or this result was unpickled: a pickle does not hold
            the graph.
        InputError
            If the graph was changed since and is no graph with these vertices any more.

        Notes
        -----
        The graph is read again: if its arrays or files were changed since, the check is of the
        changed graph.
        """
        if self._verify is None:
            raise UnsupportedError(
                "this result was unpickled and does not hold its graph: call "
                "skerry.verify(graph, result.labels)"
            )
        return self._verify(self._to_host(self._smallest))

    def __iter__(self) -> Iterator[int | Labels]:
        yield self.count
        yield self.labels

    def __contains__(self, id: Any) -> bool:
        """Whether this is the id of a vertex."""
        try:
            return not is_column(id) and self._ids.position(id) >= 0
        except (InputError, TypeError):  # of a type that no id has
            return False

    def __getstate__(self) -> dict[str, Any]:
        return {
            "smallest": self._to_host(self._smallest),
            "ids": self._ids,
            "kind": self._kind,
            "plan": self.plan,
            "threads": max(self._threads, 1),
            "dtype": self._dtype,
            "forest": self._forest,
            "names": None if self._make_names is None else self._names,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        plan, names = state.pop("plan"), state.pop("names", None)
        state["names"] = None if names is None else lambda: names
        Components.__init__(self, plan=lambda: plan, verify=None, **state)

    def __copy__(self) -> Self:
        return self  # it is immutable

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __repr__(self) -> str:
        plan = self.plan  # without times where the result was only taken over
        time = f", ms={plan.seconds * 1e3:.3f}" if plan.passes else ""
        return (
            f"Components(count={self.count:,}, vertices={self.num_vertices:,}, "
            f"algorithm={self.plan.algorithm!r}, device={self.plan.device!r}{time})"
        )

    def _repr_html_(self) -> str:
        return tables.html_of(self)


def on_host(state: dict[str, Any]) -> Components:
    """The result that a pickle of a subclass holds."""
    result = Components.__new__(Components)
    result.__setstate__(state)
    return result
