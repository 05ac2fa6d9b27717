"""Soman's algorithm over an edge list: see ``kernels/gpu/published/soman.cu``."""

from __future__ import annotations

import numpy as np

from skerry.algorithms.gpu.job import Job
from skerry.algorithms.gpu.rows import init
from skerry.algorithms.passes import Init


def soman(job: Job, _options: dict[str, float]) -> None:
    """Rounds of hooking representatives and pointer jumping; finished edges are marked."""
    marks = job.empty(job.graph.num_entries, np.uint8)
    init(job, Init("own"))
    _hook(job, marks, fresh=1)
    while job.changed():
        jump_all(job)
        _hook(job, marks, fresh=0)


def _hook(job: Job, marks: object, fresh: int) -> None:
    edges = job.edge_arguments
    job.launch("soman", "hook_unmarked", edges[-1], *edges, job.parent, job.state, marks, fresh)


def jump_all(job: Job) -> None:
    """Multiple pointer jumping: every vertex then points to its representative."""
    job.launch("soman", "jump_all", job.vertices, job.parent, job.vertices, job.state)
