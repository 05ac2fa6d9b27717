"""The entry point ``networkx.backends``: what networkx calls when it dispatches to skerry.

Names and parameters are those of networkx. Weak components do not depend on the directions of
edges, so each of their functions serves both: networkx itself refuses graphs of the wrong kind
before it dispatches.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from skerry.networkx.graph import Graph, as_objects, from_networkx

__all__ = [
    "can_run",
    "condensation",
    "connected_components",
    "convert_from_nx",
    "convert_to_nx",
    "is_connected",
    "is_strongly_connected",
    "is_weakly_connected",
    "node_connected_component",
    "number_connected_components",
    "number_strongly_connected_components",
    "number_weakly_connected_components",
    "should_run",
    "strongly_connected_components",
    "weakly_connected_components",
]

MIN_NODES = 1000
"""Of a graph whose components are not known yet, from which converting it pays: below, two calls
take as long as networkx. 100 to 200 thousand nodes take 0.25 to 0.9 of its time, once; run of
2026-11-16."""

OF_STRONG = (
    "condensation",
    "is_strongly_connected",
    "number_strongly_connected_components",
    "strongly_connected_components",
)

OF_ONE_COMPONENT = "node_connected_component"
"""networkx looks at one component for this, skerry at all before its first answer."""


def connected_components(G: Any) -> Iterator[set[Any]]:  # noqa: N803 (networkx names it so)
    """The set of nodes of each component, in the order in which networkx has them."""
    for group in G.groups:
        yield set(as_objects(group))


def number_connected_components(G: Any) -> int:  # noqa: N803
    """The number of components."""
    count: int = G.components.count
    return count


def is_connected(G: Any) -> bool:  # noqa: N803
    """Whether there is one component; an error of networkx for a graph without nodes."""
    return _is_one(number_connected_components(G))


def node_connected_component(G: Any, n: Any) -> set[Any]:  # noqa: N803
    """The nodes of the component of a node."""
    return set(as_objects(G.groups[G.component_of(n)]))


def strongly_connected_components(G: Any) -> Iterator[set[Any]]:  # noqa: N803
    """The set of nodes of each strong component, in a reverse topological order."""
    yield from G._strong.members()


def number_strongly_connected_components(G: Any) -> int:  # noqa: N803
    """The number of strong components."""
    count: int = G._strong.count
    return count


def is_strongly_connected(G: Any) -> bool:  # noqa: N803
    """Whether there is one strong component; an error of networkx for a graph without nodes."""
    return _is_one(number_strongly_connected_components(G))


def condensation(G: Any, scc: None = None) -> Any:  # noqa: N803
    """A graph of networkx whose nodes are the numbers of strong components."""
    import networkx

    del scc
    strong = G._strong
    graph = networkx.DiGraph(mapping=dict(zip(strong.nodes, strong.labels.tolist(), strict=True)))
    members = enumerate(strong.members())
    graph.add_nodes_from((number, {"members": nodes}) for number, nodes in members)
    graph.add_edges_from(strong.edges().tolist())
    return graph


def _is_one(count: int) -> bool:
    if not count:
        import networkx

        raise networkx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return count == 1


weakly_connected_components = connected_components
number_weakly_connected_components = number_connected_components
is_weakly_connected = is_connected


def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Whether skerry can answer a call; why not, as text."""
    graph = _graph_of(args, kwargs)
    if name == "condensation" and (*args[1:], kwargs.get("scc"))[0] is not None:
        return "condensation of given components is networkx' own"
    if isinstance(graph, Graph) or hasattr(graph, "adj"):
        return True
    return f"{name} of {type(graph).__qualname__}: skerry reads graphs of networkx and its own"


def should_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Whether skerry answers a call sooner than networkx would; why not, as text."""
    graph = _graph_of(args, kwargs)
    if isinstance(graph, Graph) or _is_converted(graph):
        return True
    if name == OF_ONE_COMPONENT:
        return "networkx looks at one component, skerry at all, and none are known yet"
    if type(getattr(graph, "_adj", None)) is not dict:
        return "the edges of a view are read as slowly as networkx reads them"
    if len(graph) < MIN_NODES:
        return f"the graph has fewer than {MIN_NODES} nodes"
    return True


def convert_from_nx(graph: Any, **options: Any) -> Graph:
    """Finds the components of a graph of networkx; attributes mean nothing for them."""
    strong = options.get("name") in OF_STRONG
    return graph if isinstance(graph, Graph) else from_networkx(graph, strong)


def convert_to_nx(obj: Any, **options: Any) -> Any:
    """A graph of skerry as a graph of networkx; anything else as it is."""
    del options
    return obj.to_networkx() if isinstance(obj, Graph) else obj


def _graph_of(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return args[0] if args else kwargs.get("G")


def _is_converted(graph: Any) -> bool:
    """Whether networkx holds a conversion of this graph that is still good."""
    cache = getattr(graph, "__networkx_cache__", None) or {}
    return bool(cache.get("backends", {}).get("skerry"))
