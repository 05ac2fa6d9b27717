"""Results that are used for longer than a day: names that go on, and what changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from skerry.errors import InputError
from skerry.result.answer import Answer
from skerry.result.changes import Changes, changes_of
from skerry.result.earlier import read_previous
from skerry.result.explained import read_edges
from skerry.result.forest import CHANGED_SINCE, EdgeBatch
from skerry.result.groups import checked_count
from skerry.result.identities import Identities

if TYPE_CHECKING:
    from typing import Self

    from skerry.ids.id_space import IdSpace
    from skerry.result.forest import ReadEdges
    from skerry.result.names import Names
    from skerry.result.plan import Plan
    from skerry.result.representatives import Representatives


class Hub(NamedTuple):
    """An id and its number of edges. Immutable; threads may share it."""

    id: Any
    """A vertex, or its id where the graph has external ids."""
    edges: int
    """Rows of the input that it is an end of, without loops."""


def hubs_of(answer: Answer, batches: Iterable[EdgeBatch], component: int, k: int) -> list[Hub]:
    """See `Components.hubs`."""
    k = checked_count(k)
    degrees = np.zeros(answer.num_vertices, np.int64)
    for batch in batches:
        proper = batch.src != batch.dst
        try:
            for end in (batch.src, batch.dst):
                vertices, counts = np.unique(end[proper], return_counts=True)
                degrees[vertices] += counts
        except IndexError:
            raise InputError(CHANGED_SINCE) from None
    members = np.flatnonzero(answer._dense[0] == component)
    members = members[degrees[members] > 0]
    chosen = members[np.argsort(-degrees[members], kind="stable")[:k]]
    ids = answer._ids.objects(chosen)
    return list(map(Hub, ids, degrees[chosen].tolist()))


class Lasting(Answer):
    """The part of `Components` that goes on from earlier answers."""

    if TYPE_CHECKING:

        def _called(self, names: Callable[[], Names]) -> Self: ...

        def _of_edges(
            self, labels: Any, ids: IdSpace, plan: Plan, edges: ReadEdges, verify: Any
        ) -> Self: ...

        def _component_number(self, label: Any) -> int: ...

    def named_after(self, previous: Any) -> Self:
        """This result with the names of earlier clusters, where they go on.

        Old and new clusters are matched by the records that both have: the pair with the most
        common records first, of equal ones that with the oldest old cluster, then by its name. A
        cluster without a match gets a name that was never used: the next free number, or where
        names are text its smallest member, with a number behind it if that is taken.

        Parameters
        ----------
        previous
            The earlier answer: a `Components`, a `UnionFind`, or a table or file of ids and
            components, as `write`, Splink, dedupe, Zingg or GoldenMatch write it.

        Returns
        -------
        Components
            The same components: ``labels`` are as before. `table`, `write`, `component_of`,
            `largest` and `sizes_table` call them by their new names. What `write` writes to Parquet
            or Arrow also says how old the names are and which were used before.

        Raises
        ------
        InputError
            If ``previous`` is not such an answer, has an id twice, has ids of another type, or was
            changed since it was written.
        UnsupportedError
            If its names are neither integers nor text.

        Notes
        -----
        `skerry.connected_components` with ``previous=`` names its result in this way. Where edges
        were only added, both give the same names.

        Examples
        --------
        >>> import pyarrow, skerry
        >>> friday = pyarrow.table({"a": ["kim", "bo"], "b": ["lee", "ann"]})
        >>> monday = pyarrow.table({"a": ["kim", "al", "uma"], "b": ["lee", "kim", "vic"]})
        >>> first = skerry.connected_components(friday)
        >>> second = skerry.connected_components(monday).named_after(first)
        >>> second.component_of(["al", "uma"]).to_pylist()
        ['kim', 'uma']
        """
        earlier = read_previous(previous, not self._ids.are_integers)
        names = Identities(self, earlier)
        names()  # what cannot be matched is refused now
        return self._called(names)

    def changes(self, previous: Any) -> Changes:
        """What became of earlier clusters: created, grown, merged, split, shrunk, removed.

        Parameters
        ----------
        previous
            The earlier answer, as in `named_after`, whose rule also says which cluster goes on as
            which. So a result need not be named after it.

        Returns
        -------
        Changes
            Counts, a table with a row for each change, and a summary. With ``forest=True`` also the
            rows of the input that caused each merge.

        Raises
        ------
        InputError, UnsupportedError
            As `named_after`.

        Examples
        --------
        >>> import pyarrow, skerry
        >>> friday = pyarrow.table({"a": ["kim", "bo"], "b": ["lee", "ann"]})
        >>> monday = pyarrow.table({"a": ["kim", "lee", "bo"], "b": ["lee", "bo", "ann"]})
        >>> first = skerry.connected_components(friday)
        >>> changes = skerry.connected_components(monday, forest=True).changes(first)
        >>> changes.counts["merged"], changes.table()["rows"].to_pylist()
        (1, [[1]])
        """
        return changes_of(self, read_previous(previous, not self._ids.are_integers))

    def representatives(
        self, records: Any, *, by: str, descending: bool = True, id: str | None = None
    ) -> Representatives:
        """The best record of each component.

        Parameters
        ----------
        records
            A table of records, columns by name, or Parquet, Arrow, CSV or TSV files. They are read
            in batches.
        by
            The column that says which record is the best: numbers, dates or times. Records without
            a value come last; of equal ones the smallest id is the best.
        descending
            Whether the largest value is the best.
        id
            The column of ids; by default ``id``, or another usual name.

        Returns
        -------
        Representatives
            The rows to keep, as numbers, as a table or to be written. Records whose id is in no
            component are kept.

        Raises
        ------
        InputError
            If there is no such column, or the ids are of another type.
        UnsupportedError
            If the column ``by`` is text, for instance.

        Notes
        -----
        Beside the result it takes 24 bytes for each component, memory for a batch, and for
        external ids a table to find them, of at most 24 bytes an id.

        Examples
        --------
        >>> import pyarrow, skerry
        >>> result = skerry.connected_components(pyarrow.table({"a": ["kim"], "b": ["lee"]}))
        >>> records = pyarrow.table({"id": ["bo", "kim", "lee"], "quality": [0.1, 0.5, 0.9]})
        >>> result.representatives(records, by="quality").table()["id"].to_pylist()
        ['bo', 'lee']
        """
        # Imported with the first records: it brings readers and writers of files.
        from skerry.result.representatives import representatives_of

        return representatives_of(self, records, by, descending, id)

    def without(self, ids: Any = None, rows: Any = None) -> Self:
        """The components without some ids or edges: to see what a cut would do.

        Parameters
        ----------
        ids
            One id or many, whose edges are left out: what `hubs` and `cut_vertices` name. External
            ids are not in the new result; vertex numbers stay, alone.
        rows
            Rows of the input, counted from 0, that are left out: what `bridges` name.

        Returns
        -------
        Components
            Of the edges that are left. Ids without an edge are alone. It has no forest.

        Raises
        ------
        InputError
            If an id is not in the graph, or the input is not what it was.
        UnsupportedError
            If the edges cannot be read again: of an iterator that is used up, on a GPU, or after
            unpickling.

        Examples
        --------
        >>> import pyarrow, skerry
        >>> pairs = pyarrow.table({"a": ["kim", "n/a", "al"], "b": ["n/a", "al", "bo"]})
        >>> result = skerry.connected_components(pairs)
        >>> result.without("n/a").table().to_pydict()
        {'id': ['al', 'bo', 'kim'], 'component': ['al', 'al', 'kim']}
        """
        # Imported with the first such question: most results are asked none.
        from skerry.result.without import solved_without

        return self._of_edges(*solved_without(self, ids, rows))

    def hubs(self, k: int = 10, label: Any = None) -> list[Hub]:
        """The ids of a component with the most edges: what to look at when it is too large.

        Parameters
        ----------
        k
            How many; there may be fewer.
        label
            The component, called as in `table`; by default the largest.

        Returns
        -------
        list of Hub
            The most edges first; of equal ones, the smallest id. Loops are not counted, repeated
            edges are.

        Raises
        ------
        InputError
            If no component has this label, or the input is not what it was.
        UnsupportedError
            If the edges cannot be read again: of an iterator that is used up, on a GPU, or after
            unpickling.

        Notes
        -----
        The edges are read once more. It takes 8 bytes for each vertex.

        Examples
        --------
        >>> import skerry
        >>> skerry.connected_components([(0, 1), (0, 2), (3, 4), (0, 5)]).hubs(2)
        [Hub(id=0, edges=3), Hub(id=1, edges=1)]
        """
        return hubs_of(self, read_edges(self, "hubs()"), self._component_number(label), k)
