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

__all__ = ["Verification", "verify"]


@dataclass(frozen=True, slots=True)
class Verification:
    """The outcome of a check; true when the labels are right."""

    ok: bool
    message: str
    """What was found, in a sentence."""
    forest: npt.NDArray[np.uint64]
    """Positions, in the edge list or in the CSR's neighbours, of the spanning forest's edges."""

    def __bool__(self) -> bool:
        return self.ok

    def __repr__(self) -> str:
        return f"Verification({'ok' if self.ok else 'WRONG'}: {self.message})"


def verify(graph: Edges | Csr, labels: npt.NDArray[Any]) -> Verification:
    """Checks that ``labels`` are the connected components of ``graph``; any label values will do.

    >>> import numpy as np, skerry
    >>> graph = skerry.Edges(np.array([0, 2]), np.array([1, 3]), 4)
    >>> skerry.verify(graph, np.array([0, 0, 2, 2]))
    Verification(ok: 2 components: all 2 edges join equal labels, forest of 2 edges)
    >>> skerry.verify(graph, np.array([0, 0, 2, 0]))
    Verification(WRONG: edge 1 joins vertices 2 and 3, but their labels are 2 and 0)
    """
    n = graph.num_vertices
    values = np.ascontiguousarray(labels)
    if values.ndim != 1 or len(values) != n:
        raise InputError(f"the graph has {n:,} vertices but labels has shape {labels.shape}")
    if values.dtype.kind not in "iu" or values.dtype.itemsize < 4:
        if values.dtype.kind not in "iu":
            raise InputError(f"labels must be integers, got {values.dtype}")
        values = values.astype(np.int64)
    values = values.astype(values.dtype.newbyteorder("="), copy=False)
    if isinstance(graph, Csr):
        broken, forest = _native.certify_rows(graph.offsets, graph.neighbours, values)
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
    count = len(np.unique(values))
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


def _ends(graph: Edges | Csr, position: int) -> tuple[int, int]:
    if isinstance(graph, Csr):
        row = int(np.searchsorted(graph.offsets, position, side="right")) - 1
        return row, int(graph.neighbours[position])
    return int(graph.src[position]), int(graph.dst[position])
