"""Whether a graph that was validated before is still one: its arrays are the caller's."""

from __future__ import annotations

import skerry._native as _native
from skerry.errors import InputError
from skerry.graph.csr import Csr
from skerry.graph.edges import Edges
from skerry.graph.vertex_ids import check_range, largest_id

AGAIN = "the input is not what it was when it was solved: {}. Solve it again"


def check_unchanged(graph: Edges | Csr, threads: int) -> None:
    """Raises where the arrays of a graph do not fit together any more.

    Kernels that read rows rely on it; of an edge list they check every id themselves.
    """
    if graph.form == "edges":
        if len(graph.src) != len(graph.dst):
            sizes = f"{len(graph.src):,} and {len(graph.dst):,}"
            raise InputError(AGAIN.format(f"its columns have {sizes} ids"))
    elif not graph.trusted:
        offsets, entries = graph.offsets, graph.neighbors[: graph.num_entries]
        in_order = offsets[0] == 0 and _native.first_falling_offset(offsets, threads) is None
        if not in_order or graph.num_entries > len(entries):
            raise InputError(AGAIN.format("the offsets of its rows are not in order"))
        try:
            high = largest_id(entries, "neighbors", threads)
            check_range(entries, "neighbors", high, graph.num_vertices)
        except InputError as error:
            raise InputError(AGAIN.format(error)) from None
