"""The independent check of an answer, with a spanning forest as its certificate.

Labels are the components of a graph exactly if every edge joins equal labels and every label's
class is connected. The first is looked up edge by edge. The second is shown by a spanning forest:
a list of input edges without a cycle, of which there are exactly n - k for k different labels. A
forest of n - k edges has k trees; each lies inside one class, so each class is one tree.

The checker's union-find (kernels/cpu/check) shares no line with the kernels it checks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import skerry._native as _native
from skerry.errors import InputError
from skerry.graph.csr import Csr
from skerry.graph.edges import Edges
from skerry.graph.unchanged import check_unchanged
from skerry.graph.vertex_ids import as_ids, widen


class Shown(NamedTuple):
    """How messages name what a check knows by number."""

    id: Callable[[int], Any] | None = None
    """The id of a position; None: positions are vertex numbers."""
    label: Callable[[Any], Any] | None = None
    """The caller's label behind a number; None: the number is the label."""

    def labels(self, first: Any, second: Any) -> str:
        """Two labels."""
        if self.label is None:
            return f"{first} and {second}"
        return f"{self.label(first)!r} and {self.label(second)!r}"

    def vertices(self, first: int, second: int) -> str:
        """Two vertices."""
        if self.id is None:
            return f"vertices {first} and {second}"
        return f"{self.id(first)!r} and {self.id(second)!r}"


AS_IS = Shown()


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
    """Positions of the edges of a spanning forest, ascending: n - k of them for k components.

    Edges are counted from 0 in the order of the input, over all batches and files: positions in an
    edge list, in the neighbors of a CSR, in the rows of a table.
    Edges that a threshold leaves out are counted too, and so are rows of a table that are dropped
    for a null. So a position always finds its edge in the input. Comments and headers are not
    counted. Where the labels are wrong, these are only the edges that were joined until that was
    seen.
    """

    def __bool__(self) -> bool:
        return self.ok

    def __repr__(self) -> str:
        return f"Verification({'ok' if self.ok else 'WRONG'}: {self.message})"


def certify(
    graph: Edges | Csr,
    labels: npt.ArrayLike,
    threads: int = 1,
    names: Callable[[], npt.NDArray[np.int64]] | None = None,
    shown: Shown = AS_IS,
) -> Verification:
    """Checks that ``labels`` are the connected components of a graph.

    It was validated once, but its arrays may have been changed since. Any label values are
    accepted. Positions of the forest refer to the edges, or to the stored entries of a CSR; where
    these were selected from others, ``names`` gives the positions among those.
    """
    values = np.ascontiguousarray(widen(as_ids(labels, "labels")))
    n = graph.num_vertices
    if len(values) != n:
        raise InputError(f"the graph has {n:,} vertices, but labels has {len(values):,}")
    check_unchanged(graph, threads)
    forest = _native.CheckedForest(values, None, 0, n, graph.form == "csr", threads)
    positions = None if names is None else names().astype(np.uint64, copy=False)
    if graph.form == "csr":
        fault = forest.take_rows(graph.offsets, graph.neighbors, values, threads)
    else:
        src, dst = _unsigned(graph.src), _unsigned(graph.dst)
        fault = forest.take(src, dst, 0, positions, False, threads)
    if fault is not None:
        u, v = _ends(graph, fault[0])
        unknown = [end for end in (u, v) if not 0 <= end < n]
        if unknown:
            return Verification(
                False, f"vertex {unknown[0]} is in no component", forest.release_edges()
            )
        name = fault[0] if positions is None else positions[fault[0]]
        return Verification(
            False,
            f"edge {name} joins {shown.vertices(u, v)}, "
            f"but their labels are {shown.labels(values[u], values[v])}",
            forest.release_edges(),
        )
    return conclude(forest, n, graph.num_entries, threads)


def conclude(
    forest: _native.CheckedForest, num_vertices: int, num_edges: int, threads: int
) -> Verification:
    """The end of a check that has looked at all edges and found no two labels that differ."""
    trees, count = forest.trees(threads)
    certificate = forest.release_edges()
    if trees != count:
        return Verification(
            False,
            f"{count:,} different labels, but the graph has {trees:,} components: "
            "some label is shared by vertices that no path joins",
            certificate,
        )
    if len(certificate) != num_vertices - count:  # of the checker itself
        return Verification(
            False,
            f"the check failed: a forest of {len(certificate):,} edges is not that of {count:,} "
            f"components of {num_vertices:,} vertices",
            certificate,
        )
    return Verification(
        True,
        f"{count:,} components: all {num_edges:,} edges join equal labels, "
        f"forest of {len(certificate):,} edges",
        certificate,
    )


def _unsigned(ids: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Validated ids, none of them negative, as unsigned integers."""
    return ids.view(f"u{ids.itemsize}")


def _ends(graph: Edges | Csr, position: int) -> tuple[int, int]:
    if graph.form == "csr":
        row = int(np.searchsorted(graph.offsets, position, side="right")) - 1
        return row, int(graph.neighbors[position])
    return int(graph.src[position]), int(graph.dst[position])
