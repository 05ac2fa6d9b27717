"""Sets as an array of labels, handed out as a result."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from skerry.algorithms.planner import choose_for_batches
from skerry.errors import UnsupportedError
from skerry.ids.id_space import IdSpace
from skerry.result.components import Components
from skerry.result.forest import RecordedForest
from skerry.result.plan import Plan
from skerry.result.verify import Verification
from skerry.union_find.forest import team_of


def components_of(
    labels: npt.NDArray[Any],
    ids: IdSpace,
    allowed: int | None,
    forest: RecordedForest | None = None,
) -> Components:
    """A result of sets whose edges were not kept."""
    threads = team_of(allowed, len(labels))
    spec, reason = choose_for_batches()
    plan = Plan(
        algorithm=str(spec),
        device="cpu",
        threads=threads,
        reason=reason,
        form="batches",
        vertices=len(labels),
        edges=0,
        passes=(),
        notes=("the sets of a UnionFind, which does not count its edges",),
        bytes=labels.nbytes,
    )
    return Components(labels, ids, "min", lambda: plan, _no_edges, threads, forest=forest)


def _no_edges(labels: npt.NDArray[Any]) -> Verification:
    del labels
    raise UnsupportedError(
        "a UnionFind keeps no edges to check its sets against: call skerry.verify(graph, result)"
    )
