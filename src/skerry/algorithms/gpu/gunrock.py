"""Gunrock's algorithm over an edge list: see ``kernels/gpu/published/gunrock.cu``."""

from __future__ import annotations

from skerry.algorithms.gpu.job import Job
from skerry.algorithms.gpu.rows import init
from skerry.algorithms.gpu.state import Word
from skerry.algorithms.passes import Init


def gunrock(job: Job, _options: dict[str, float]) -> None:
    """Rounds of hooking and pointer jumping; edges inside components are filtered out."""
    n, count = job.vertices, job.graph.num_entries
    parent, state = job.parent, job.state
    members = job.empty(n)
    kept, spare = (job.empty(count), job.empty(count)), (job.empty(count), job.empty(count))
    init(job, Init("own"))
    job.launch("gunrock", "hook_all_edges", count, *job.edge_arguments, parent, state)
    job.launch("gunrock", "jump_and_list", n, parent, n, state, members)
    job.launch("gunrock", "filter_all_edges", count, *job.edge_arguments, parent, state, *kept)
    while count := _kept(job):
        job.launch("gunrock", "hook_kept_edges", count, *kept, count, parent, state, members)
        job.launch("gunrock", "jump_members", n, parent, state, members)
        job.launch("gunrock", "filter_kept_edges", count, *kept, count, parent, state, *spare)
        kept, spare = spare, kept


def _kept(job: Job) -> int:
    """Number of edges that still join two components; waits for the device."""
    job.rounds += 1
    count = job.read(Word.FRONT)
    job.clear(Word.FRONT)
    return count
