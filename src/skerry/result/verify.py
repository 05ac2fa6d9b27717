"""The independent check of an answer, with a spanning forest as its certificate.

Labels are the components of a graph exactly if every edge joins equal labels and every label's
class is connected. The first is looked up edge by edge. The second is shown by a spanning forest:
a list of input edges without a cycle, of which there are exactly n - k for k different labels. A
forest of n - k edges has k trees; each lies inside one class, so each class is one tree.

The checker's union-find is the textbook one and shares no line with the kernels it checks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry import _native
from skerry.errors import InputError
from skerry.graph.csr import Csr
from skerry.graph.edges import Edges
from skerry.inputs.adapt import adapt
from skerry.inputs.ids import as_ids, widen
from skerry.threads import available_threads

__all__ = ["Verification", "verify"]


@dataclass(frozen=True, slots=True)
class Verification:
    """The outcome of a check; true when the labels are right."""

    ok: bool
    message: str
    """What was found, in a sentence."""
    forest: npt.NDArray[np.uint64]
    """Positions, in the edge list or in the CSR's neighbors, of the spanning forest's edges."""

    def __bool__(self) -> bool:
        return self.ok

    def __repr__(self) -> str:
        return f"Verification({'ok' if self.ok else 'WRONG'}: {self.message})"


def verify(graph: Any, labels: npt.ArrayLike) -> Verification:
    """Checks that ``labels`` are the connected components of ``graph``; any label values will do.

    The graph may come in any form that `skerry.connected_components` takes. A forest's positions
    refer to the edges as given, or to the stored entries of a sparse matrix.

    >>> import numpy as np, skerry
    >>> graph = skerry.Edges(np.array([0, 2]), np.array([1, 3]), 4)
    >>> skerry.verify(graph, np.array([0, 0, 2, 2]))
    Verification(ok: 2 components: all 2 edges join equal labels, forest of 2 edges)
    >>> skerry.verify(graph, np.array([0, 0, 2, 0]))
    Verification(WRONG: edge 1 joins vertices 2 and 3, but their labels are 2 and 0)
    """
    values = np.ascontiguousarray(widen(as_ids(labels, "labels")))
    # Our own classes know their number of vertices; bare arrays are told it by the labels.
    told = None if isinstance(graph, Edges | Csr) else len(values)
    graph = adapt(graph, told, None, available_threads()).graph
    n = graph.num_vertices
    if len(values) != n:
        raise InputError(f"the graph has {n:,} vertices, but labels has {len(values):,}")
    if isinstance(graph, Csr):
        broken, forest = _native.certify_rows(graph.offsets, graph.neighbors, values)
    else:
        broken, forest = _native.certify_edges(graph.src, graph.dst, values)
    if broken is not None:
        u, v = _ends(graph, broken)
        return Verification(
            False,
            f"edge {broken} joins vertices {u} and {v}, "
            f"but their labels are {values[u]} and {values[v]}",
            forest,
        )
    count = _distinct(values)
    if len(forest) != n - count:
        return Verification(
            False,
            f"{count:,} different labels, but the graph has {n - len(forest):,} components: "
            "some label is shared by vertices that no path joins",
            forest,
        )
    edges = graph.num_entries if isinstance(graph, Csr) else graph.num_edges
    return Verification(
        True,
        f"{count:,} components: all {edges:,} edges join equal labels, "
        f"forest of {len(forest):,} edges",
        forest,
    )


def _distinct(values: npt.NDArray[Any]) -> int:
    """How many different ones there are; without sorting where a mark for each can be kept."""
    n = len(values)
    if n and values.min() >= 0 and values.max() < 4 * n:
        seen = np.zeros(int(values.max()) + 1, bool)
        seen[values] = True
        return int(np.count_nonzero(seen))
    return len(np.unique(values))


def _ends(graph: Edges | Csr, position: int) -> tuple[int, int]:
    if isinstance(graph, Csr):
        row = int(np.searchsorted(graph.offsets, position, side="right")) - 1
        return row, int(graph.neighbors[position])
    return int(graph.src[position]), int(graph.dst[position])
