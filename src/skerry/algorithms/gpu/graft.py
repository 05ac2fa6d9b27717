"""CC and CC-updt: Cong & Muzio 2014, Algorithms 1 and 2; see ``kernels/gpu/published/graft.cu``."""

from __future__ import annotations

from collections.abc import Callable

from skerry.algorithms.gpu.edge_copy import EdgeCopy, edge_count
from skerry.algorithms.gpu.job import Job
from skerry.algorithms.gpu.rows import init
from skerry.algorithms.passes import Init

__all__ = ["cc", "cc_updt", "join_by_grafting", "join_by_grafting_updt", "shortcut"]


def cc(job: Job, _options: dict[str, float]) -> None:
    """Graft and shortcut, until a round grafts nothing."""
    init(job, Init("own"))
    edges = (*job.edges, job.parent, job.state)
    _rounds(job, lambda: job.launch("graft", "graft_edges", edge_count(job), *edges))


def cc_updt(job: Job, _options: dict[str, float]) -> None:
    """The same over an own copy of the edges, whose ends are kept at their roots."""
    init(job, Init("own"))
    copy = EdgeCopy(job, edge_count(job))
    copy.take_all()
    join_by_grafting_updt(job, copy)


def join_by_grafting(job: Job, copy: EdgeCopy) -> None:
    """CC over a copy, from where the parents stand: every vertex must point to its root."""
    own = (*copy.arguments, job.parent, job.state)
    _rounds(job, lambda: job.launch("graft", "graft_own", copy.count, *own))


def join_by_grafting_updt(job: Job, copy: EdgeCopy) -> None:
    """CC-updt likewise; the ends of the copy must be roots too."""
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
