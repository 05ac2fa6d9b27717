"""CC and CC-updt: Cong & Muzio 2014, Algorithms 1 and 2; see ``kernels/gpu/published/graft.cu``."""

from __future__ import annotations

from collections.abc import Callable

from skerry.algorithms.gpu.edge_copy import EdgeCopy
from skerry.algorithms.gpu.job import Job
from skerry.algorithms.gpu.rows import init
from skerry.algorithms.passes import Init


def cc(job: Job, _options: dict[str, float]) -> None:
    """Graft and shortcut, until a round grafts nothing."""
    init(job, Init("own"))
    edges = (*job.edge_arguments, job.parent, job.state)
    _rounds(job, lambda: job.launch("graft", "graft_edges", job.graph.num_entries, *edges))


def cc_updt(job: Job, _options: dict[str, float]) -> None:
    """The same over a copy of the edges, whose ends are replaced by their roots in every round."""
    init(job, Init("own"))
    copy = EdgeCopy(job, job.graph.num_entries)
    copy.copy_all()
    join_by_grafting_updt(job, copy)


def join_by_grafting(job: Job, copy: EdgeCopy) -> None:
    """CC over a copy, from the present parents: every vertex must point to its root."""
    own = (*copy.arguments, job.parent, job.state)
    _rounds(job, lambda: job.launch("graft", "graft_own", copy.count, *own))


def join_by_grafting_updt(job: Job, copy: EdgeCopy) -> None:
    """CC-updt over a copy, from the present parents: its ends must be roots too."""
    own = (*copy.arguments, job.parent, job.state)
    _rounds(job, lambda: job.launch("graft", "graft_ends", copy.count, *own), copy.update)


def shortcut(job: Job) -> None:
    """Makes every vertex point to its root."""
    job.launch("graft", "shortcut", job.vertices, job.parent, job.vertices, job.state)


def _rounds(
    job: Job, graft: Callable[[], None], after_shortcut: Callable[[], None] = lambda: None
) -> None:
    graft()
    while job.changed():
        shortcut(job)
        after_shortcut()
        graft()
