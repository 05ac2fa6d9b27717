"""Stages, the meta algorithm of Cong & Muzio 2014, sect. 5, Algorithm 3, over CC and SV.

The edges are processed in random order, in groups of q * n: the ends of a group are replaced by
their present roots, then the inner algorithm joins them. See ``kernels/cpu/published/stages.h``.
Departure: runs of 32 consecutive edges are drawn, not single edges (``edge_copy.cu`` says why).

Options: q (1.0, the paper's choice) and seed (0, any number).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from skerry.algorithms.gpu.edge_copy import RUN, EdgeCopy
from skerry.algorithms.gpu.graft import join_by_grafting, join_by_grafting_updt
from skerry.algorithms.gpu.job import Job
from skerry.algorithms.gpu.rows import init
from skerry.algorithms.gpu.shiloach_vishkin import (
    join_by_hooking,
    join_by_hooking_updt,
    new_stamps,
)
from skerry.algorithms.passes import Init


def stages_cc(job: Job, options: dict[str, float]) -> None:
    """Stages with CC inside: as published."""
    _in_stages(job, options, lambda group: join_by_grafting(job, group))


def stages_cc_updt(job: Job, options: dict[str, float]) -> None:
    """Stages with CC-updt inside."""
    _in_stages(job, options, lambda group: join_by_grafting_updt(job, group))


def stages_sv(job: Job, options: dict[str, float]) -> None:
    """Stages with SV inside."""
    stamps = new_stamps(job)
    _in_stages(job, options, lambda group: join_by_hooking(job, group, stamps))


def stages_sv_updt(job: Job, options: dict[str, float]) -> None:
    """Stages with SV-updt inside."""
    stamps = new_stamps(job)
    _in_stages(job, options, lambda group: join_by_hooking_updt(job, group, stamps))


def _in_stages(job: Job, options: dict[str, float], join: Callable[[EdgeCopy], None]) -> None:
    """``join(group)`` must leave every vertex at its root: the next group starts from there."""
    init(job, Init("own"))
    edges = job.graph.num_entries
    runs = -(-edges // RUN)
    in_group = _runs_of_group(options.get("q", 1.0), job.vertices, edges)
    seed = np.float64(options.get("seed", 0.0)).view(np.uint64)  # any number is a seed
    group = EdgeCopy(job, in_group * RUN)
    for first in job.parts(range(0, runs, in_group)):
        group.copy_group(seed, first, min(in_group, runs - first))
        join(group)


def _runs_of_group(q: float, vertices: int, edges: int) -> int:
    """Number of runs that hold q * n edges; all of them where q * n is not in 1..m."""
    wanted = q * vertices
    size = int(wanted) if 0 < wanted < edges else edges
    return max(1, -(-size // RUN))
