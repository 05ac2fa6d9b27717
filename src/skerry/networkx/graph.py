"""Graphs that networkx hands to skerry: made of arrays, or of its own graphs."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.api import connected_components
from skerry.engines.adjacency import ADJACENCY
from skerry.errors import InputError, UnsupportedError
from skerry.graph.csr import Csr
from skerry.graph.edges import vertex_dtype
from skerry.graph.strong import rows_of_targets, strong_components
from skerry.inputs.adjacency import in_graph_order
from skerry.request import SolveOptions
from skerry.result.components import Components
from skerry.result.explained import read_edges
from skerry.result.groups import Groups


@dataclass(frozen=True, slots=True)
class Strong:
    """The strong components of a graph, numbered in a reverse topological order."""

    count: int
    labels: npt.NDArray[Any]
    rows: Csr
    nodes: list[Any]

    def members(self) -> list[set[Any]]:
        """The nodes of every component."""
        groups: list[set[Any]] = [set() for _ in range(self.count)]
        for node, label in zip(self.nodes, self.labels.tolist(), strict=True):
            groups[label].add(node)
        return groups

    def edges(self) -> npt.NDArray[Any]:
        """The pairs of components with an edge between them."""
        sources = np.repeat(self.labels, self.rows.degrees().astype(np.int64)).astype(np.int64)
        targets = self.labels[self.rows.neighbors].astype(np.int64)
        between = sources != targets
        pairs = np.unique(sources[between] * self.count + targets[between])
        return np.stack(np.divmod(pairs, max(self.count, 1)), axis=1)


class Graph:
    """A graph for the networkx functions that skerry answers; it does not change.

    Made by `from_edges`. Its components are found with the first question and kept. Other
    functions of networkx take it only with ``nx.config.fallback_to_nx = True``, which makes a
    graph of networkx of it. Threads may share it.

    Examples
    --------
    >>> import skerry.networkx
    >>> graph = skerry.networkx.from_edges([(0, 1), (1, 2), (2, 0)], num_vertices=5)
    >>> len(graph), graph.number_of_edges(), 4 in graph, graph.is_directed()
    (5, 3, True, False)
    """

    __networkx_backend__ = "skerry"

    def __init__(
        self,
        solve: Callable[[], Components],
        directed: bool,
        original: Callable[[], Any] | None = None,
    ) -> None:
        self._solve = solve
        self._directed = directed
        self._original = original

    @cached_property
    def _strong(self) -> Strong:
        """The strong components."""
        if self._original is None:
            rows, nodes = self._rows(), list(self)
        else:
            rows, nodes = rows_of_networkx(self.to_networkx())
        return Strong(*strong_components(rows), rows, nodes)

    def _rows(self) -> Csr:
        batches = list(read_edges(self.components, "strong components"))
        ends = [(batch.src, batch.dst) for batch in batches] or [(np.empty(0, np.int64),) * 2]
        src, dst = map(np.concatenate, zip(*ends, strict=True))
        return rows_of_targets(src, dst, len(self))

    @cached_property
    def components(self) -> Components:
        """The components, with numbers in order of first appearance as labels."""
        return self._solve()

    @cached_property
    def groups(self) -> Groups:
        """The nodes of every component."""
        return self.components.groups()

    def is_directed(self) -> bool:
        """Whether the edges have a direction.

        Returns
        -------
        bool
            If so, components are the weak ones.
        """
        return self._directed

    def is_multigraph(self) -> bool:
        """Whether repeats of an edge count as edges of their own.

        Returns
        -------
        bool
            False: they mean nothing here.
        """
        return False

    def number_of_nodes(self) -> int:
        """Number of nodes.

        Returns
        -------
        int
            Those without an edge are included.
        """
        return self.components.num_vertices

    def number_of_edges(self) -> int:
        """Number of edges of the input.

        Returns
        -------
        int
            Repeats and both directions are counted as they are.
        """
        return sum(len(batch.src) for batch in read_edges(self.components, "number_of_edges()"))

    def component_of(self, node: Any) -> int:
        """The number of a node's component.

        Parameters
        ----------
        node
            A node of the graph.

        Returns
        -------
        int
            In order of the first node of each component.

        Raises
        ------
        KeyError
            If the graph has no such node.
        """
        hash(node)  # the error of a dict for what cannot be a node
        try:
            number = self.components.component_of(node)
        except (InputError, UnsupportedError):
            raise KeyError(node) from None
        if not isinstance(number, int):  # a tuple was taken for several vertices
            raise KeyError(node)
        return number

    def to_networkx(self) -> Any:
        """The graph in networkx: a ``Graph``, or a ``DiGraph``.

        Returns
        -------
        networkx.Graph or networkx.DiGraph
            With all nodes and edges; the very graph where it was made of one.

        Raises
        ------
        UnsupportedError
            If the edges cannot be read again: of an iterator, or on a GPU.
        """
        if self._original is not None:
            original = self._original()
            if original is None:
                raise UnsupportedError("the graph of networkx that this was made of is gone")
            return original
        import networkx

        graph = networkx.DiGraph() if self._directed else networkx.Graph()
        nodes = list(self)
        graph.add_nodes_from(nodes)
        for batch in read_edges(self.components, "to_networkx()"):
            ends = (map(nodes.__getitem__, end.tolist()) for end in (batch.src, batch.dst))
            graph.add_edges_from(zip(*ends, strict=True))
        return graph

    def __len__(self) -> int:
        return self.number_of_nodes()

    def __iter__(self) -> Iterator[Any]:
        ids = self.components.ids
        return iter(range(len(self)) if ids is None else as_objects(ids))

    def __contains__(self, node: Any) -> bool:
        try:
            self.component_of(node)
        except (KeyError, TypeError):
            return False
        return True

    def __repr__(self) -> str:
        return f"skerry.networkx.Graph(nodes={len(self):,}, directed={self._directed})"


def from_edges(edges: Any, *, directed: bool = False, **options: Any) -> Graph:
    """Makes a graph for networkx of arrays, a table, a file, or any other edges.

    Nothing of it becomes Python objects but what networkx returns, so it takes a fraction of the
    memory and time of ``networkx.from_edgelist``.

    Parameters
    ----------
    edges
        As in `skerry.connected_components`.
    directed
        Whether networkx should take it for a directed graph, whose components are the weak ones.
    **options
        Of `skerry.connected_components`, such as ``num_vertices=``, ``source=`` or ``threshold=``;
        not ``labels=``.

    Returns
    -------
    Graph
        Its nodes are vertex numbers, or the ids of ``edges``.

    Raises
    ------
    UnsupportedError
        If an option cannot be honored here. Errors of the edges come with the first question.

    Examples
    --------
    >>> import networkx as nx, numpy as np, skerry.networkx
    >>> pairs = np.array([["kim", "lee"], ["bo", "al"], ["lee", "ann"]])
    >>> graph = skerry.networkx.from_edges(pairs)
    >>> sorted(map(sorted, nx.connected_components(graph, backend="skerry")))
    [['al', 'bo'], ['ann', 'kim', 'lee']]
    """
    if "labels" in options:
        raise UnsupportedError("labels= cannot be chosen here: networkx has all components")
    return Graph(lambda: connected_components(edges, labels="dense", **options), directed)


def from_networkx(graph: Any, strong: bool = False) -> Graph:
    """The components of a graph of networkx: the strong ones, or the others, found at once."""
    # networkx keeps the result in the graph: a reference back would keep both until a collection.
    proxy = weakref.proxy(graph)
    converted = Graph(
        lambda: ADJACENCY.solve(in_graph_order(proxy), SolveOptions(labels="dense")),
        graph.is_directed(),
        weakref.ref(graph),
    )
    _ = converted._strong if strong else converted.components
    return converted


def rows_of_networkx(graph: Any) -> tuple[Csr, list[Any]]:
    """The successors of every node, the last one first, and the nodes."""
    nodes = list(graph)
    numbers = {node: number for number, node in enumerate(nodes)}
    rows = list(map(list, graph._adj.values() if type(graph._adj) is dict else graph.adj.values()))
    offsets = np.zeros(len(nodes) + 1, np.uint64)
    np.cumsum(np.fromiter(map(len, rows), np.uint64, len(rows)), out=offsets[1:])
    targets = chain.from_iterable(map(reversed, rows))
    neighbors = np.fromiter(map(numbers.__getitem__, targets), vertex_dtype(len(nodes)))
    return Csr(offsets, neighbors), nodes


def as_objects(ids: Any) -> list[Any]:
    """A column of ids as Python objects; of several columns, tuples."""
    if isinstance(ids, list):
        return ids
    if isinstance(ids, tuple):
        return list(zip(*map(as_objects, ids), strict=True))
    values: list[Any] = ids.tolist()
    return values
