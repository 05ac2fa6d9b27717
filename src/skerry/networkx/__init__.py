"""A backend for networkx: its functions on components, answered by skerry.

>>> import skerry.networkx
>>> graph = skerry.networkx.from_edges([(0, 1), (1, 2), (5, 6)])
>>> import networkx as nx
>>> nx.number_connected_components(graph, backend="skerry")
4
"""

from skerry.networkx.graph import Graph, from_edges

__all__ = ["Graph", "from_edges"]
