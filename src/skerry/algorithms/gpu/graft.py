"""CC and CC-updt: Cong & Muzio 2014, Algorithms 1 and 2; see ``kernels/gpu/published/graft.cu``.

And Schd, the same with accesses put in order: ``scheduled.cu``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from skerry.algorithms.gpu.edge_copy import EdgeCopy
from skerry.algorithms.gpu.job import Job, bounded_int
from skerry.algorithms.gpu.rows import init
from skerry.algorithms.passes import Init
from skerry.cuda.runtime import BLOCK

LAST_KEPT_ROUNDS = 64
"""Rounds in which the last of several stores to a root stays, with ``keep=last``.

Then the least does: a hub that is numbered last may win one neighbor a round, n rounds in all.
"""
SCHEDULED_EDGES = 1024  # kEdges of scheduled.cu
BUCKET_BITS = 10  # kBuckets there is 2 to that power

Options = dict[str, float]


def cc(job: Job, options: Options) -> None:
    """Graft and shortcut, until a round grafts nothing."""
    init(job, Init("own"))
    edges = (*job.edge_arguments, job.parent, job.state)
    _rounds(job, "graft_edges", job.graph.num_entries, edges, options)


def cc_updt(job: Job, options: Options) -> None:
    """The same over a copy of the edges, whose ends are replaced by their roots in every round."""
    init(job, Init("own"))
    copy = EdgeCopy(job, job.graph.num_entries)
    copy.copy_all()
    join_by_grafting_updt(job, copy, options)


def schd(job: Job, options: Options) -> None:
    """Graft and shortcut, where each block of threads puts its accesses in order."""
    init(job, Init("own"))
    edges = (*job.edge_arguments, job.parent, job.state, _bucket_shift(job, options))
    _rounds(job, "schedule_edges", job.graph.num_entries, edges, options)


def join_by_grafting(job: Job, copy: EdgeCopy, options: Options) -> None:
    """CC over a copy, from the present parents: every vertex must point to its root."""
    _rounds(job, "graft_own", copy.count, (*copy.arguments, job.parent, job.state), options)


def join_by_grafting_updt(job: Job, copy: EdgeCopy, options: Options) -> None:
    """CC-updt over a copy, from the present parents: its ends must be roots too."""
    own = (*copy.arguments, job.parent, job.state)
    _rounds(job, "graft_ends", copy.count, own, options, copy.update)


def join_by_schedule(job: Job, copy: EdgeCopy, options: Options) -> None:
    """Schd over a copy, from the present parents: every vertex must point to its root."""
    own = (*copy.arguments, job.parent, job.state, _bucket_shift(job, options))
    _rounds(job, "schedule_own", copy.count, own, options)


def shortcut(job: Job) -> None:
    """Makes every vertex point to its root."""
    job.launch("graft", "shortcut", job.vertices, job.parent, job.vertices, job.state)


def keeps_last(options: Options, rounds: int) -> int:
    """Whether the last store stays in the round after so many."""
    return int(bool(options.get("keep", 0)) and rounds < LAST_KEPT_ROUNDS)


def _bucket_shift(job: Job, options: Options) -> int:
    """The bits of a vertex below those that say in which block of vertices it is."""
    wanted = bounded_int(options.get("block_bits", 16), 8, 31)
    return max(wanted, (job.vertices - 1).bit_length() - BUCKET_BITS)


def _rounds(
    job: Job,
    kernel: str,
    count: int,
    arguments: tuple[Any, ...],
    options: Options,
    after_shortcut: Callable[[], None] = lambda: None,
) -> None:
    scheduled = kernel.startswith("schedule")
    source = "scheduled" if scheduled else "graft"
    threads = -(-count // SCHEDULED_EDGES) * BLOCK if scheduled else count
    first = job.rounds

    def graft() -> bool:
        last = keeps_last(options, job.rounds - first)
        job.launch(source, kernel, threads, *arguments, last)
        return job.changed()

    while graft():
        shortcut(job)
        after_shortcut()
