"""`SlidingWindow`: components of the last batches of edges, though a forest cannot forget an edge.

A queue made of a back and a front, both stacks. New batches go to the back: their edges are kept,
and joined in one forest. When the oldest batch is to leave and the front is empty, the front is
made of the back. Its batches are joined in a new forest, from the newest to the oldest, and of each
the front holds only the pairs of roots that it merged. So the newest batch lies at the bottom, each
entry needs only those below it, and the oldest batch is the top, which can be dropped. All entries
of the front together have fewer pairs than there are vertices.

Each edge is joined twice, whatever the size of the window. A question after a change joins the
pairs of the front with the forest of the back.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Concatenate, Literal, NamedTuple, ParamSpec, TypeVar, Unpack

import numpy as np
import numpy.typing as npt

from skerry.errors import ArgumentError, InputError
from skerry.graph.edge_source import length, slice_of
from skerry.graph.vertex_ids import vertex_count
from skerry.keywords import TableKeywords
from skerry.threads import check_threads
from skerry.union_find.added_tables import edges_of_table, is_table
from skerry.union_find.answers import SetAnswers
from skerry.union_find.exclusive import Exclusive
from skerry.union_find.faces import UnionFind
from skerry.union_find.union_find import Pairs

P = ParamSpec("P")
T = TypeVar("T")


class Batches(NamedTuple):
    """The batches of a window. It is replaced as a whole, never changed."""

    back: UnionFind
    """The forest of the batches of the back."""
    size: int
    """Vertices of the back, for vertex numbers."""
    state: Any
    """The state of the back with the edges below."""
    edges: tuple[Pairs, ...] = ()
    """The edges of the back, oldest first."""
    front: tuple[Pairs, ...] = ()
    """What each batch of the front added to those below it; the oldest is last."""
    joined: UnionFind | None = None
    """All of them, once somebody has asked."""

    @property
    def number(self) -> int:
        """Number of batches."""
        return len(self.edges) + len(self.front)


def _asked_of_sets(
    question: Callable[Concatenate[UnionFind, P], T],
) -> Callable[Concatenate[SlidingWindow, P], T]:
    """A method that asks what the window joins, as `UnionFind` is asked."""

    def method(self: SlidingWindow, /, *arguments: P.args, **options: P.kwargs) -> T:
        def answer() -> T:
            asked: Callable[P, T] = getattr(self._sets(), question.__name__)
            return asked(*arguments, **options)

        return self._call(answer)

    return update_wrapper(method, question)


class SlidingWindow(Exclusive):
    """Components of the last batches of edges between vertices 0..n-1, or between any ids.

    The answer is that of all edges of the batches in the window, exactly. A vertex number stays:
    one whose edges have all left is alone. An external id leaves with its last edge. Threads may
    share it: calls wait for each other.

    Parameters
    ----------
    batches
        How many batches the window holds; a further one drops the oldest. None: as many as are
        added, until `pop` drops some.
    num_vertices
        How many vertices to begin with; a batch with a larger id adds those up to it.
    ids
        ``"vertices"``: vertex numbers. ``"external"``: any ids, as of `UnionFind`; others than
        integers need pyarrow.
    threads
        How many threads a call may use; by default as many as pay, up to the available cores.

    Examples
    --------
    >>> import skerry
    >>> window = skerry.SlidingWindow(2)
    >>> window.push([0, 1], [1, 2])
    >>> window.push([2], [3])
    >>> window.count, window.connected(0, 3)
    (1, True)
    >>> window.push([4], [3])  # the first batch leaves
    >>> window.labels.tolist()
    [0, 1, 2, 2, 2]
    """

    __slots__ = ("_batches", "_ids", "_limit", "_threads")

    def __init__(
        self,
        batches: int | None,
        *,
        num_vertices: int = 0,
        ids: Literal["vertices", "external"] = "vertices",
        threads: int | None = None,
    ) -> None:
        limit: Any = batches  # not of its type where the caller is not type-checked
        if limit is not None and (
            isinstance(limit, bool) or not isinstance(limit, int | np.integer) or limit < 1
        ):
            raise ArgumentError(f"batches must be an integer, 1 or more, or None, got {batches!r}")
        self._limit = limit
        self._threads = check_threads(threads)
        self._ids = ids
        self._make_lock()
        size = vertex_count(num_vertices)
        self._batches = self._empty(size)

    def push(
        self, src: Any, dst: Any = None, *, weight: Any = None, **options: Unpack[TableKeywords]
    ) -> None:
        """Adds a batch of edges; the oldest leaves if the window is full.

        Parameters
        ----------
        src, dst
            Two arrays with an end of each edge; they are copied. They may be empty. For external
            ids, two columns as of `UnionFind.union`. Or a table, with its options.
        weight, **options
            Of a table, as of `UnionFind.union`.

        Raises
        ------
        InputError
            If an id is negative, not an integer or too large, or the lengths differ.
        """
        if is_table(self.push, src, dst, options):
            src, dst, _ = edges_of_table(src, self._ids, weight, False, options)
        edges = self._batches.back._copied_edges(src, dst)
        self._change(self._push, edges)

    def _push(self, edges: Pairs) -> None:
        kept = self._batches
        if self._ids == "external" and kept.front and not kept.edges:
            self._check_kind(edges)
        kept.back.union(*edges)  # first, since it refuses what are no edges
        size = len(kept.back) if self._ids == "vertices" else 0
        state = kept.back._state_of()
        kept = kept._replace(size=size, state=state, edges=(*kept.edges, edges), joined=None)
        if self._limit is not None and kept.number > self._limit:
            kept = self._without_oldest(kept)
        self._batches = kept

    def _settle(self) -> None:
        """Makes the forest of the back again if it has edges of a batch that was not added."""
        kept = self._batches
        if kept.back._call(kept.back._state_of) != kept.state:
            self._batches = self._with_back(kept)

    def _with_back(self, kept: Batches) -> Batches:
        back = self._alone(kept.size)
        for edges in kept.edges:
            back.union(*edges)
        return kept._replace(back=back, state=back._state_of())

    def _empty(self, size: int) -> Batches:
        back = self._alone(size)
        return Batches(back, size, back._state_of())

    def _check_kind(self, edges: Pairs) -> None:
        """Raises if ids are of another kind than those of the front."""
        for pairs in (*self._batches.front, edges):
            if length(pairs.src) and length(edges.src) == length(edges.dst):
                example = UnionFind(ids="external")
                for some in (pairs, edges):
                    example.union(slice_of(some.src, 0, 1), slice_of(some.dst, 0, 1))
                return

    def pop(self) -> None:
        """Drops the oldest batch.

        Raises
        ------
        InputError
            If there is none.
        """
        self._change(self._pop)

    def _pop(self) -> None:
        if not self._batches.number:
            raise InputError("the window holds no batch")
        self._batches = self._without_oldest(self._batches)

    def _without_oldest(self, kept: Batches) -> Batches:
        if not kept.front:  # all batches of the back move to the front
            front = self._alone(kept.size)._join_and_contract(list(kept.edges[::-1]))
            kept = self._empty(kept.size)._replace(front=tuple(front))
        return kept._replace(front=kept.front[:-1], joined=None)

    def _alone(self, size: int) -> UnionFind:
        """Sets in which nothing is joined: of so many vertices, or no ids."""
        return UnionFind(size, ids=self._ids, threads=self._threads)

    def _sets(self) -> UnionFind:
        """What the window joins; it is made once after a change."""
        kept = self._batches
        if not kept.front:
            return kept.back
        if kept.joined is not None:
            return kept.joined
        joined = self._alone(kept.size)
        for pairs in kept.front:
            joined.union(*pairs)
        joined.merge(kept.back)
        self._batches = kept._replace(joined=joined)
        return joined

    @property
    def count(self) -> int:
        """Number of components; a vertex without an edge in the window is one."""
        return self._call(lambda: self._sets().count)

    @property
    def labels(self) -> npt.NDArray[Any]:
        """The smallest member of the component of each vertex: read-only, kept until a change."""
        return self._call(lambda: self._sets().labels)

    @property
    def ids(self) -> Any:
        """The external ids, ascending: ``labels`` are positions in it. None for vertex numbers."""
        return self._call(lambda: self._sets().ids)

    sizes = _asked_of_sets(UnionFind.sizes)
    find = _asked_of_sets(UnionFind.find)
    connected = _asked_of_sets(UnionFind.connected)
    components = _asked_of_sets(SetAnswers.components)

    @property
    def num_vertices(self) -> int:
        """Number of vertices: of all batches that ever came; external ids of the window."""
        if self._ids == "vertices":
            return self._batches.size
        return self._call(lambda: len(self._sets()))

    def __len__(self) -> int:
        """Batches in the window."""
        return self._batches.number

    def __getstate__(self) -> dict[str, Any]:
        kept = self._call(lambda: self._batches)
        return {
            "limit": self._limit,
            "ids": self._ids,
            "threads": self._threads,
            "size": kept.size,
            "edges": kept.edges,
            "front": kept.front,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(  # type: ignore[misc]
            state["limit"],
            num_vertices=state["size"],
            ids=state["ids"],
            threads=state["threads"],
        )
        kept = self._batches._replace(edges=state["edges"], front=state["front"])
        self._batches = self._with_back(kept)

    def __repr__(self) -> str:
        return f"SlidingWindow(batches={len(self):,}, ids={self._ids!r})"
