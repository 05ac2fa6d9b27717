"""The answer: a label for every vertex, and what people ask of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
import numpy.typing as npt

from skerry import _native
from skerry.errors import InputError
from skerry.result.plan import Plan

if TYPE_CHECKING:
    import pyarrow as pa

    from skerry.graph.csr import Csr
    from skerry.graph.edges import Edges
    from skerry.result.verify import Verification

__all__ = ["Component", "Components", "Groups", "LabelKind"]

LabelKind = Literal["min", "dense"]
Labels = npt.NDArray[np.uint32] | npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Component:
    """One component: its label, its size and its members in ascending order."""

    label: Any
    """A vertex, an id or, with ``labels="dense"``, a number: as in the answer's table."""
    size: int
    members: Any

    def __repr__(self) -> str:
        return f"Component(label={self.label!r}, size={self.size:,})"


class Groups(Sequence[npt.NDArray[Any]]):
    """The members of every component, in order of their smallest member.

    A sequence of arrays: ``groups[0]`` holds the members of the component of vertex 0. The arrays
    are views of one array of all vertices. Where the vertices have ids, they are given instead.
    """

    def __init__(
        self,
        members: Any,
        starts: npt.NDArray[np.int64],
        min_size: int = 1,
    ) -> None:
        begins, ends = starts[:-1], starts[1:]
        if min_size > 1:
            large = ends - begins >= min_size
            begins, ends = begins[large], ends[large]
        self._members = members
        self._begins, self._ends = begins, ends

    def __len__(self) -> int:
        return len(self._begins)

    @overload
    def __getitem__(self, index: int) -> npt.NDArray[Any]: ...
    @overload
    def __getitem__(self, index: slice) -> list[npt.NDArray[Any]]: ...
    def __getitem__(self, index: int | slice) -> npt.NDArray[Any] | list[npt.NDArray[Any]]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        number = range(len(self))[index]
        return self._members[int(self._begins[number]) : int(self._ends[number])]  # type: ignore[no-any-return]

    def __iter__(self) -> Iterator[npt.NDArray[Any]]:
        for begin, end in zip(self._begins.tolist(), self._ends.tolist(), strict=True):
            yield self._members[begin:end]

    def __repr__(self) -> str:
        vertices = int((self._ends - self._begins).sum())
        return f"Groups({len(self):,} components of {vertices:,} vertices)"


class Components:
    """The connected components of a graph.

    Unpacks as scipy's answer does: ``count, labels = skerry.connected_components(graph)``.
    """

    def __init__(
        self,
        smallest: Labels,
        kind: LabelKind,
        plan: Callable[[], Plan],
        graph: Edges | Csr | Callable[[Labels], Verification],
        threads: int,
        min_size: int = 1,
    ) -> None:
        self._smallest = smallest
        self._kind = kind
        self._min_size = min_size
        self._graph = graph
        self._threads = threads
        self._make_plan = plan

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
        """The label of every vertex.

        The smallest id in its component, or with ``labels="dense"`` a number in
        ``0..count-1`` in order of first appearance.
        """
        return self._dense[0] if self._kind == "dense" else self._smallest

    @cached_property
    def _dense(self) -> tuple[Labels, int]:
        dense = np.empty_like(self._smallest)
        count = _native.make_dense(self._smallest, dense, self._threads)
        return dense, count

    @property
    def num_vertices(self) -> int:
        """Number of vertices, isolated ones included."""
        return len(self._smallest)

    def sizes(self) -> npt.NDArray[np.int64]:
        """Size of every component, in order of their smallest member."""
        dense, count = self._dense
        signed = dense.view(np.int64) if dense.itemsize == 8 else dense  # as bincount wants it
        return np.bincount(signed, minlength=count).astype(np.int64, copy=False)

    def _host_sizes(self) -> npt.NDArray[np.int64]:
        return self.sizes()

    @overload
    def largest(self) -> Component: ...
    @overload
    def largest(self, k: int) -> list[Component]: ...
    def largest(self, k: int | None = None) -> Component | list[Component]:
        """The largest component, or a list of the ``k`` largest, largest first.

        Of components of the same size, the one with the smaller label comes first.
        """
        if k is None:
            if not self.count:
                raise InputError("a graph without vertices has no largest component")
            return self.largest(1)[0]
        if not isinstance(k, int | np.integer) or k < 0:
            raise InputError(f"k must be a whole number, not negative, got {k!r}")
        sizes = self._host_sizes()
        k = min(int(k), len(sizes))
        if k < len(sizes):
            # Everything at least as large as the k-th; ties beyond k are cut below by label order.
            bar = np.partition(sizes, len(sizes) - k)[len(sizes) - k] if k else sizes.max() + 1
            candidates = np.flatnonzero(sizes >= bar)
        else:
            candidates = np.arange(len(sizes))
        chosen = candidates[np.argsort(-sizes[candidates], kind="stable")][:k]
        return [self._component(int(number), int(sizes[number])) for number in chosen]

    def _component(self, number: int, size: int) -> Component:
        members = np.flatnonzero(self._dense[0] == number).astype(self._smallest.dtype, copy=False)
        label = number if self._kind == "dense" else int(members[0])
        return Component(label, size, members)

    def groups(self) -> Groups:
        """The members of every component, as a sequence of arrays."""
        dense, count = self._dense
        starts = np.zeros(count + 1, np.int64)
        np.cumsum(self.sizes(), out=starts[1:])
        members = np.empty_like(self._smallest)
        _native.group_members(dense, starts[:-1].astype(np.uint64), members)
        return Groups(members, starts, self._min_size)

    @property
    def ids(self) -> Any:
        """The ids of the vertices, ascending, where they came with ids; None where numbers did.

        An Arrow array, or a tuple of them for ids made of several columns. The vertices of
        ``labels`` are places in it.
        """
        return None

    def table(self) -> pa.Table:
        """The answer as an Arrow table with the columns ``id`` and ``component``.

        A component is called by its smallest member, in the ids' own order, or with
        ``labels="dense"`` by its number. Components smaller than ``min_size`` are left out.
        ``.to_pandas()`` turns it into a pandas frame, ``polars.from_arrow()`` into one of polars.

        >>> import skerry
        >>> skerry.connected_components(([0, 2], [1, 3]), drop_singletons=True).table().to_pydict()
        {'id': [0, 1, 2, 3], 'component': [0, 0, 2, 2]}
        """
        import pyarrow as pa

        from skerry.graph.arrow import arrow_view

        rows, labels = self._table_rows()
        return pa.table({"id": arrow_view(rows), "component": arrow_view(labels)})

    def _table_rows(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """The vertices of the table, and the label of each."""
        labels = self._host(self.labels)
        rows = np.arange(self.num_vertices, dtype=labels.dtype)
        if self._min_size > 1:
            large = (self._host_sizes() >= self._min_size)[self._host(self._dense[0])]
            rows, labels = rows[large], labels[large]
        return rows, labels

    def _host(self, array: Any) -> npt.NDArray[Any]:
        return array  # type: ignore[no-any-return]

    def same(self, u: Any, v: Any) -> Any:
        """Whether ``u`` and ``v`` are in one component; arrays are compared element by element."""
        first, second = self._vertex(u), self._vertex(v)
        try:
            return self._smallest[first] == self._smallest[second]
        except ValueError:
            raise InputError(
                f"u has shape {first.shape} and v {second.shape}: they do not match"
            ) from None

    def _vertex(self, v: Any) -> Any:
        ids = np.asarray(v)
        if ids.size == 0:
            return ids.astype(np.intp)
        if ids.dtype.kind not in "iu":
            raise InputError(f"vertices are integers, got {ids.dtype} ({v!r})")
        if ids.min() < 0 or ids.max() >= self.num_vertices:
            raise InputError(f"vertex {v!r} is not in 0..{self.num_vertices - 1}")
        return ids

    def verify(self) -> Verification:
        """Checks this answer against the graph by independent means.

        Returns a `Verification` that is true when the answer is right and otherwise says what is
        wrong; see there for the certificate it holds. The graph is read again: if its arrays or
        files were changed since, the check is of the changed graph.
        """
        if callable(self._graph):
            return self._graph(self.labels)
        from skerry.result.verify import verify

        return verify(self._graph, self.labels)

    def __iter__(self) -> Iterator[Any]:
        yield self.count
        yield self.labels

    def __len__(self) -> int:
        return 2  # what unpacking gives; the number of components is `count`

    def __repr__(self) -> str:
        return (
            f"Components(count={self.count:,}, vertices={self.num_vertices:,}, "
            f"algorithm={self.plan.algorithm!r}, device={self.plan.device!r}, "
            f"ms={self.plan.seconds * 1e3:.3f})"
        )

    def _repr_html_(self) -> str:
        rows = [
            ("components", f"{self.count:,}"),
            ("vertices", f"{self.num_vertices:,}"),
            ("edges", f"{self.plan.edges:,}"),
        ]
        rows += [
            (f"largest {i + 1}", f"{c.size:,} vertices, label {c.label}")
            for i, c in enumerate(self.largest(3))
        ]
        rows += [
            ("ran", f"{self.plan.algorithm} on {self.plan.device}, {self.plan.threads} thread(s)"),
            ("because", self.plan.reason),
            ("took", f"{self.plan.seconds * 1e3:.3f} ms"),
        ]
        cells = "".join(
            f"<tr><th style='text-align:left'>{escape(name)}</th>"
            f"<td style='text-align:left'>{escape(value)}</td></tr>"
            for name, value in rows
        )
        return f"<table><caption>skerry.Components</caption>{cells}</table>"
