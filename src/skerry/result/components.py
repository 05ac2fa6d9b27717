"""The answer: a label for every vertex, and what people ask of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
import numpy.typing as npt

from skerry import _native
from skerry.errors import InputError, UnsupportedError
from skerry.ids.id_space import IdSpace
from skerry.result import tables
from skerry.result.groups import Component, Groups
from skerry.result.plan import Plan
from skerry.result.verify import Verification

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Components", "LabelKind"]

LabelKind = Literal["min", "dense"]
Labels = npt.NDArray[Any]
"""Integers of 32 or 64 bits."""


class Components:
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

    def __init__(
        self,
        smallest: Labels,
        ids: IdSpace,
        kind: LabelKind,
        plan: Callable[[], Plan],
        verify: Callable[[Any], Verification] | None,
        threads: int,
        min_size: int = 1,
        dtype: np.dtype[Any] | None = None,
    ) -> None:
        self._smallest = smallest  # unsigned, as kernels read them
        self._ids = ids
        self._kind = kind
        self._make_plan = plan
        self._verify = verify
        self._threads = threads
        self._min_size = min_size
        self._dtype = dtype
        self._protect()

    def _protect(self) -> None:
        """Makes the labels read-only: all answers are derived from them."""
        self._smallest.setflags(write=False)

    @cached_property
    def plan(self) -> Plan:
        """What ran, where, why, and how long it took."""
        return self._make_plan()

    @cached_property
    def count(self) -> int:
        """Number of components; an isolated vertex is one."""
        if self._kind == "dense":
            return self._dense[1]
        return _native.count_components(self._smallest, self._threads)

    @property
    def labels(self) -> Labels:
        """The label of every vertex, read-only.

        The smallest vertex of its component, or with ``labels="dense"`` a number in
        ``0..count-1`` in order of first appearance.
        """
        if self._dtype is not None:
            return self._typed_labels
        return self._dense[0] if self._kind == "dense" else self._smallest

    @cached_property
    def _typed_labels(self) -> Labels:
        labels: Labels = self._typed(self._dense[0] if self._kind == "dense" else self._smallest)
        return labels

    def _typed(self, vertices: Any) -> Any:
        """Labels or vertices in the type that the caller asked for: signed ones are a view."""
        return vertices if self._dtype is None else vertices.view(self._dtype)

    @cached_property
    def _dense(self) -> tuple[Labels, int]:
        dense = np.empty_like(self._smallest)
        count = _native.make_dense(self._smallest, dense, self._threads)
        dense.setflags(write=False)
        return dense, count

    @property
    def num_vertices(self) -> int:
        """Number of vertices, isolated ones included."""
        return len(self._smallest)

    @property
    def ids(self) -> Any:
        """The ids of the vertices, ascending; None where they are 0..n-1.

        A NumPy array of integers, otherwise an Arrow array; a tuple of those for ids of several
        columns. The vertices of ``labels`` are positions in it. Files that count their vertices
        from 1 have the ids 1..n.
        """
        return self._ids.columns

    def sizes(self) -> npt.NDArray[np.int64]:
        """Size of every component, in order of their smallest member.

        Returns
        -------
        numpy.ndarray
            ``count`` integers.
        """
        dense, count = self._dense
        signed = dense.view(np.int64) if dense.itemsize == 8 else dense  # as bincount wants it
        return np.bincount(signed, minlength=count).astype(np.int64, copy=False)

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
        if k is None:
            if not self.count:
                raise InputError("a graph without vertices has no largest component")
            return self.largest(1)[0]
        count: Any = k  # not of its type where the caller is not type-checked
        if not isinstance(count, int | np.integer) or count < 0:
            raise InputError(f"k must be an integer, 0 or more, got {k!r}")
        sizes = self._to_host(self.sizes())
        chosen = tables.largest_first(sizes, int(k))
        if not len(chosen):
            return []
        starts = np.concatenate([[0], np.cumsum(sizes[chosen])])
        members = self._members_of(chosen, starts)
        if self._kind == "dense":
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

    def groups(self) -> Groups:
        """The members of every component, as a sequence of arrays.

        Returns
        -------
        Groups
            Components smaller than ``min_size`` are left out.
        """
        dense, count = self._dense
        starts = np.zeros(count + 1, np.int64)
        np.cumsum(self.sizes(), out=starts[1:])
        members = np.empty_like(self._smallest)
        _native.group_members(dense, starts[:-1].astype(np.uint64), members)
        return Groups(self._ids.take(self._typed(members)), starts, self._min_size)

    def table(self, *, size: bool = False) -> pa.Table:
        """The answer as an Arrow table with the columns ``id`` and ``component``.

        A component is called by its smallest member, in the order of the ids, or with
        ``labels="dense"`` by its number. Components smaller than ``min_size`` are left out. Ids of
        several columns keep the names of these; the component then has a column for each, called
        ``component_`` and that name. ``.to_pandas()`` makes a pandas frame of the table,
        ``polars.from_arrow()`` one of polars.

        Parameters
        ----------
        size
            Add a column ``size``: the number of vertices in the component of each.

        Returns
        -------
        pyarrow.Table
            A row for each vertex.

        Raises
        ------
        UnsupportedError
            If pyarrow is not installed, or the ids are objects that Arrow cannot hold.

        Examples
        --------
        >>> import skerry
        >>> skerry.connected_components(([0, 2], [1, 3]), drop_singletons=True).table().to_pydict()
        {'id': [0, 1, 2, 3], 'component': [0, 0, 2, 2]}
        """
        return tables.arrow_table(self.columns(size=size), "result.table()")

    def sizes_table(self) -> pa.Table:
        """The components as an Arrow table with the columns ``component`` and ``size``.

        The largest come first; of components of the same size, the one with the smaller label.
        Components are called as in `table`, and those smaller than ``min_size`` are left out.

        Returns
        -------
        pyarrow.Table
            A row for each component.

        Raises
        ------
        UnsupportedError
            As `table`.

        Examples
        --------
        >>> import skerry
        >>> skerry.connected_components([(0, 4), (1, 2), (2, 3)]).sizes_table().to_pydict()
        {'component': [1, 0], 'size': [3, 2]}
        """
        return tables.arrow_table(self._size_columns(), "result.sizes_table()")

    def _size_columns(self) -> dict[str, Any]:
        sizes = self._to_host(self.sizes())
        chosen = tables.largest_first(sizes, int(np.count_nonzero(sizes >= self._min_size)))
        labels = chosen
        if self._kind == "min":
            smallest = self._to_host(self._smallest)
            labels = np.flatnonzero(smallest == np.arange(len(smallest), dtype=smallest.dtype))
            labels = labels[chosen]
        labels = self._typed(labels.astype(self._smallest.dtype, copy=False))
        names = tables.component_columns(self._ids, labels, self._kind == "dense")
        return tables.joined(names, {"size": sizes[chosen]})

    def columns(self, *, size: bool = False) -> dict[str, Any]:
        """The columns of `table`, which integer ids need no pyarrow for.

        Parameters
        ----------
        size
            As in `table`.

        Returns
        -------
        dict
            NumPy arrays for integers, otherwise Arrow arrays, by the name of the column.

        Raises
        ------
        UnsupportedError
            If the ids are objects that Arrow cannot hold, or need pyarrow and it is not installed.

        Examples
        --------
        >>> import skerry
        >>> columns = skerry.connected_components(([0, 2], [1, 3])).columns()
        >>> columns["id"].tolist(), columns["component"].tolist()
        ([0, 1, 2, 3], [0, 0, 2, 2])
        """
        labels, numbers = self._to_host(self.labels), None
        rows = np.arange(self.num_vertices, dtype=labels.dtype)
        sizes: dict[str, Any] = {}
        if size or self._min_size > 1:
            counts, numbers = self._to_host(self.sizes()), self._to_host(self._dense[0])
            if self._min_size > 1:
                large = (counts >= self._min_size)[numbers]
                rows, labels, numbers = rows[large], labels[large], numbers[large]
            if size:
                sizes = {"size": counts[numbers]}
        components = tables.component_columns(self._ids, labels, self._kind == "dense")
        return tables.joined(tables.id_columns(self._ids, rows), components, sizes)

    def write(
        self, path: str | os.PathLike[str], format: str | None = None, *, sizes: bool = False
    ) -> None:
        """Writes `table` to a file, which is complete or not there at all.

        Parameters
        ----------
        path
            The file, or an address for fsspec (``s3://...``); one that exists is replaced. Its
            suffix is the format: ``.parquet``, ``.arrow``, ``.csv``, ``.tsv``, ``.wcc`` for
            LDBC's lines "vertex component", or ``.npy`` for the array of labels. Text is compressed
            by a further ``.gz``, ``.zst``, ``.bz2`` or ``.xz``.
        format
            The name of a format; by default the suffix decides.
        sizes
            Write `sizes_table` instead: a row for each component, the largest first. ``.npy`` is
            then an array with a row (component, size) for each.

        Raises
        ------
        InputError
            If no file can be written there.
        UnsupportedError
            If the format cannot hold these ids, or needs pyarrow and it is not installed.
        OutputError
            If the disk is full, for instance.

        Examples
        --------
        >>> import pathlib, skerry, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "sizes.csv")
        >>> skerry.connected_components([(0, 4), (1, 2), (2, 3)]).write(path, sizes=True)
        >>> print(path.read_text(), end="")
        component,size
        1,3
        0,2
        """
        from skerry.result.write import write_result  # it brings the table of formats

        write_result(self, path, format, sizes)

    def _to_host(self, array: Any) -> npt.NDArray[Any]:
        return array  # type: ignore[no-any-return]

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

    def __iter__(self) -> Iterator[Any]:
        yield self.count
        yield self.labels

    def __getstate__(self) -> dict[str, Any]:
        return {
            "smallest": self._to_host(self._smallest),
            "ids": self._ids,
            "kind": self._kind,
            "plan": self.plan,
            "threads": max(self._threads, 1),
            "min_size": self._min_size,
            "dtype": self._dtype,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        plan = state.pop("plan")
        Components.__init__(self, plan=lambda: plan, verify=None, **state)

    def __repr__(self) -> str:
        return (
            f"Components(count={self.count:,}, vertices={self.num_vertices:,}, "
            f"algorithm={self.plan.algorithm!r}, device={self.plan.device!r}, "
            f"ms={self.plan.seconds * 1e3:.3f})"
        )

    def _repr_html_(self) -> str:
        from skerry.result.html import as_html  # for notebooks only, and slow to import

        return as_html(self)
