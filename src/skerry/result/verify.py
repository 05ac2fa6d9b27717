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
from skerry.graph.vertex_ids import as_ids, widen

__all__ = ["Verification", "certify"]


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of a check; true when the labels are right.

    Immutable; threads may share it.
    """

    ok: bool
    """Whether the labels are right."""
    message: str
    """The result of the check in a sentence."""
    forest: npt.NDArray[np.uint64]
    """Positions, in the edge list or in the CSR's neighbors, of the spanning forest's edges."""

    def __bool__(self) -> bool:
        return self.ok

    def __repr__(self) -> str:
        return f"Verification({'ok' if self.ok else 'WRONG'}: {self.message})"


def certify(graph: Edges | Csr, labels: npt.ArrayLike) -> Verification:
    """Checks that ``labels`` are the connected components of a validated graph.

    Any label values will do. Positions of the forest refer to the edges, or to the stored entries
    of a CSR.
    """
    values = np.ascontiguousarray(widen(as_ids(labels, "labels")))
    n = graph.num_vertices
    if len(values) != n:
        raise InputError(f"the graph has {n:,} vertices, but labels has {len(values):,}")
    if graph.form == "csr":
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
    edges = graph.num_entries
    return Verification(
        True,
        f"{count:,} components: all {edges:,} edges join equal labels, "
        f"forest of {len(forest):,} edges",
        forest,
    )


def _distinct(values: npt.NDArray[Any]) -> int:
    """Number of different values; without sorting where a flag for each can be kept."""
    n = len(values)
    if n and values.min() >= 0 and values.max() < 4 * n:
        seen = np.zeros(int(values.max()) + 1, bool)
        seen[values] = True
        return int(np.count_nonzero(seen))
    return len(np.unique(values))


def _ends(graph: Edges | Csr, position: int) -> tuple[int, int]:
    if graph.form == "csr":
        row = int(np.searchsorted(graph.offsets, position, side="right")) - 1
        return row, int(graph.neighbors[position])
    return int(graph.src[position]), int(graph.dst[position])
