"""Why vertices are in one component: questions that go back to the edges of the input."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.errors import InputError, UnsupportedError
from skerry.result.answer import Answer
from skerry.result.forest import CHANGED_SINCE, EdgeBatch, RecordedForest
from skerry.result.groups import checked_count
from skerry.result.links import Bridges, CutVertex, Links

PIECE = 1 << 18  # edges between two looks for Ctrl-C

NO_EDGES = (
    "{} reads the edges again: a result of a graph on a GPU or of a UnionFind, or one that was "
    "unpickled, does not hold them"
)


def read_edges(answer: Answer, purpose: str) -> Iterator[EdgeBatch]:
    """The edges of the input, read again; ``purpose`` begins the message where they cannot be."""
    if answer._edges is None:
        raise UnsupportedError(NO_EDGES.format(purpose))
    return answer._edges()


def bridges_among(answer: Answer, forest: RecordedForest, batches: Iterator[EdgeBatch]) -> Bridges:
    """The bridges of a graph with these edges and this spanning forest."""
    dense, count = answer._dense
    counts = np.bincount(dense.astype(np.int64, copy=False), minlength=count)
    edges, *sizes = forest.bridges(batches, lambda vertices: counts[dense[vertices]])
    return Bridges(answer._ids, edges, *sizes)


class Explained(Answer):
    """The part of `Components` that answers by edges."""

    def why(self, u: Any, v: Any) -> Links:
        """A path of edges of the input that joins two vertices.

        It is the path in the spanning forest that ``forest=True`` records, which has one path
        between two vertices of a component. It need not be a shortest path of the graph. What
        ``previous=`` joined is linked too, by rows of -1.

        Parameters
        ----------
        u, v
            Two vertices; ids where the graph has external ids.

        Returns
        -------
        Links
            The edges from ``u`` to ``v``: the source of the first is ``u``, the source of each
            other is the target of the one before, and the target of the last is ``v``. (The row of
            the input may state an edge in the opposite direction.) Empty where ``u`` is ``v``.

        Raises
        ------
        InputError
            If no path joins them, or one is not in the graph.
        UnsupportedError
            If the result was not made with ``forest=True``.

        Notes
        -----
        The first question, whatever its vertices, brings the forest into order: that takes about
        as long as sorting its edges.

        Examples
        --------
        >>> import pyarrow, skerry
        >>> pairs = pyarrow.table(
        ...     {"a": ["kim", "lee", "bo"], "b": ["lee", "ann", "al"], "score": [0.9, 0.8, 0.7]}
        ... )
        >>> result = skerry.connected_components(pairs, weight="score", forest=True)
        >>> for link in result.why("ann", "kim"):
        ...     print(link)
        Link(source='ann', target='lee', weight=0.8, row=1)
        Link(source='lee', target='kim', weight=0.9, row=0)
        """
        forest = self._recorded("why")
        ends = [self._ids.lookup(end) for end in (u, v)]
        if any(end.ndim for end in ends):
            raise InputError("why takes two vertices, not arrays of them")
        first, second = map(int, ends)
        labels = self._smallest[first], self._smallest[second]
        if labels[0] != labels[1]:
            names = [self._ids[position] for position in (first, second, *map(int, labels))]
            raise InputError(
                "no path joins {!r} and {!r}: they are in the components of {!r} and of "
                "{!r}".format(*names)
            )
        return Links(self._ids, forest.path(first, second))

    def spanning_forest(self) -> Links:
        """The edges that made the components: a spanning tree of each.

        Returns
        -------
        Links
            As many edges as there are vertices less components, in the order of the input, with
            their ends as the input states them.

        Raises
        ------
        UnsupportedError
            If the result was not made with ``forest=True``.

        Notes
        -----
        Which edges these are may depend on the number of threads and differ from run to run. With
        ``threads=1`` it does not; of edge lists, tables and files these are then the first edges
        that do it: an edge is left out only if edges before it join its ends.

        Examples
        --------
        >>> import skerry
        >>> result = skerry.connected_components([(0, 1), (1, 2), (2, 0), (5, 6)], forest=True)
        >>> result.spanning_forest().row.tolist()
        [0, 1, 3]
        """
        return Links(self._ids, self._recorded("spanning_forest").edges)

    def bridges(self) -> Bridges:
        """The edges whose removal splits a component: what to look at first after a bad merge.

        Repeats of an edge, in either direction, state the same link: they do not save it from being
        a bridge.

        Returns
        -------
        Bridges
            With the sizes of both sides. The split with the largest smaller side comes first; of
            equal ones, that which is earlier in the input.

        Raises
        ------
        UnsupportedError
            If the result was not made with ``forest=True``, or the edges cannot be read again.
        InputError
            If the input is not what it was.

        Notes
        -----
        The edges are read once more and looked at by one thread, with memory for vertices only.

        Examples
        --------
        >>> import skerry
        >>> edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 2), (3, 4)]
        >>> for bridge in skerry.connected_components(edges, forest=True).bridges():
        ...     print(bridge)
        Bridge(source=2, target=3, weight=None, row=3, source_size=3, target_size=2)
        Bridge(source=3, target=4, weight=None, row=5, source_size=4, target_size=1)
        """
        forest = self._recorded("bridges")
        return bridges_among(self, forest, read_edges(self, "bridges()"))

    def cut_vertices(self, k: int | None = None) -> list[CutVertex]:
        """The vertices whose removal splits a component: articulation points.

        Parameters
        ----------
        k
            How many to return; by default all.

        Returns
        -------
        list of CutVertex
            With the number of parts, and the vertices that are cut off from the largest part. Those
            that cut off the most come first; of equal ones the smallest id.

        Raises
        ------
        UnsupportedError
            If the result was not made with ``forest=True``, or with ``previous``, whose edges are
            not known; or the edges cannot be read again.
        InputError
            If the input is not what it was.

        Notes
        -----
        As `bridges`: the edges are read once more and looked at by one thread.

        Examples
        --------
        >>> import skerry
        >>> edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4)]
        >>> for vertex in skerry.connected_components(edges, forest=True).cut_vertices():
        ...     print(vertex)
        CutVertex(id=2, parts=2, cut_off=2)
        CutVertex(id=3, parts=2, cut_off=1)
        """
        forest = self._recorded("cut_vertices")
        if len(forest.edges.row) and forest.edges.row[0] < 0:
            raise UnsupportedError(
                "cut_vertices() needs all edges, and those of previous= are not known: solve the "
                "edges of all days, and name the result after the earlier one (named_after)"
            )
        dense, count = self._dense
        sizes = np.bincount(dense.astype(np.int64, copy=False), minlength=count)[dense]
        vertices, parts, cut_off = forest.cuts(read_edges(self, "cut_vertices()"), sizes)
        order = np.argsort(-cut_off, kind="stable")[: None if k is None else checked_count(k)]
        ids = self._ids.objects(vertices[order])
        columns = ids, parts[order].tolist(), cut_off[order].tolist()
        return [CutVertex(*row) for row in zip(*columns, strict=True)]

    def edge_labels(self) -> npt.NDArray[np.int64]:
        """The label of the component of every edge, in the order of the input.

        Sorting by it groups edges by component.

        Returns
        -------
        numpy.ndarray
            A number for each row of the input: the label of both ends, as in ``labels``; -1 where
            the row is no edge of the graph, since ``threshold`` or ``on_null="drop"`` leaves it
            out. Where the graph has external ids, labels are positions in ``ids``.

        Raises
        ------
        UnsupportedError
            If the edges cannot be read again: of an iterator that is used up, on a GPU, or after
            unpickling.
        InputError
            If the input is not what it was.

        Notes
        -----
        Needs no ``forest=True``. The edges are read once more, and 8 bytes for each are returned.

        Examples
        --------
        >>> import skerry
        >>> skerry.connected_components([(5, 6), (0, 1), (1, 2)]).edge_labels()
        array([5, 0, 0])
        """
        batches = read_edges(self, "edge_labels()")
        all_labels = self.labels
        parts = [self._labels_of(batch, all_labels) for batch in batches]
        labels = np.empty(sum(map(len, parts)), np.int64)
        begin = 0
        for part in parts:
            for piece in range(0, len(part), PIECE):  # so that Ctrl-C need not wait
                end = min(piece + PIECE, len(part))
                labels[begin + piece : begin + end] = part[piece:end]
            begin += len(part)
        return labels

    def _labels_of(self, batch: EdgeBatch, all_labels: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """The label of every edge of a batch, -1 where a row is none."""
        labels = np.empty(batch.size, np.int64)
        if batch.rows is not None:
            for begin in range(0, batch.size, PIECE):
                labels[begin : begin + PIECE] = -1
        for begin in range(0, len(batch.src), PIECE):
            part = slice(begin, begin + PIECE)
            src, dst = batch.src[part], batch.dst[part]
            try:
                apart = self._smallest[src] != self._smallest[dst]
            except IndexError:
                raise InputError(CHANGED_SINCE) from None
            if apart.any():
                raise InputError(CHANGED_SINCE)
            labels[part if batch.rows is None else batch.rows[part]] = all_labels[src]
        return labels

    def _recorded(self, purpose: str) -> RecordedForest:
        if self._forest is None:
            raise UnsupportedError(
                f"{purpose}() needs the edges that joined the components: pass forest=True to "
                "skerry.connected_components"
            )
        return self._forest
