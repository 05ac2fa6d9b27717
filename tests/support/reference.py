"""The slow, plain answer that tests compare with: a flood fill over adjacency lists.

Nothing here is shared with the kernels. Use it on small graphs only.
"""

from __future__ import annotations

from collections.abc import Iterable


def reference_labels(num_vertices: int, edges: Iterable[tuple[int, int]]) -> list[int]:
    """The smallest member of every vertex' component, by depth-first flood fill."""
    adjacent: list[list[int]] = [[] for _ in range(num_vertices)]
    for u, v in edges:
        adjacent[u].append(v)
        adjacent[v].append(u)
    label = [-1] * num_vertices
    for start in range(num_vertices):
        if label[start] >= 0:
            continue
        label[start] = start
        pending = [start]
        while pending:
            for neighbor in adjacent[pending.pop()]:
                if label[neighbor] < 0:
                    label[neighbor] = start
                    pending.append(neighbor)
    return label
