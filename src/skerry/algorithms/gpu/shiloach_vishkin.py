"""SV and SV-updt, in rounds of launches: see ``kernels/gpu/published/shiloach_vishkin.cu``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from skerry.algorithms.gpu.edge_copy import EdgeCopy
from skerry.algorithms.gpu.job import Job
from skerry.algorithms.gpu.rows import init
from skerry.algorithms.passes import Init

SOURCE = "shiloach_vishkin"
Options = dict[str, float]


def sv(job: Job, options: Options) -> None:
    """Shiloach-Vishkin over the edges as they are; with ``jumps=2`` a round begins with one too."""
    init(job, Init("own"))
    _rounds(job, "edges", job.graph.num_entries, job.edge_arguments, new_stamps(job), options)


def sv_updt(job: Job, options: Options) -> None:
    """The same over a copy whose ends are replaced by their parents after every round."""
    init(job, Init("own"))
    copy = EdgeCopy(job, job.graph.num_entries)
    copy.copy_all()
    join_by_hooking_updt(job, copy, new_stamps(job), options)


def join_by_hooking(job: Job, copy: EdgeCopy, stamps: Any, options: Options) -> None:
    """SV over a copy, from the present parents: every vertex must point to its root."""
    _rounds(job, "own", copy.count, copy.arguments, stamps, options)


def join_by_hooking_updt(job: Job, copy: EdgeCopy, stamps: Any, options: Options) -> None:
    """SV-updt over a copy, from the present parents."""
    _rounds(job, "own", copy.count, copy.arguments, stamps, options, copy.update)


def new_stamps(job: Job) -> Any:
    """For each root, the last round in which its tree was no star or another was hooked to it."""
    stamps = job.empty(job.vertices, np.uint32)
    job.launch(SOURCE, "clear_stamps", job.vertices, stamps, job.vertices)
    return stamps


def _rounds(
    job: Job,
    form: str,
    count: int,
    edges: tuple[Any, ...],
    stamps: Any,
    options: Options,
    after_round: Callable[[], None] = lambda: None,
) -> None:
    n = job.vertices
    jumps_first = options.get("jumps", 1) >= 2

    def one_round() -> bool:
        number = job.rounds + 1  # counted over all groups of a run, so that old stamps never match
        hook = (*edges, job.parent, job.state, stamps, number)
        if jumps_first:
            job.launch(SOURCE, "jump_once", n, job.parent, n, job.state)
        job.launch(SOURCE, "mark_stars", n, job.parent, n, stamps, number)
        job.launch(SOURCE, f"hook_smaller_{form}", count, *hook)
        job.launch(SOURCE, f"hook_stars_{form}", count, *hook)
        job.launch(SOURCE, "jump_once", n, job.parent, n, job.state)
        return job.changed()

    while one_round():
        after_round()
