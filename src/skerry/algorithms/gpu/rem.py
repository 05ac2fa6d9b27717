"""Rem's algorithm with verification rounds: see ``kernels/gpu/published/rem.cu``."""

from __future__ import annotations

import numpy as np

from skerry.algorithms.gpu.graft import shortcut
from skerry.algorithms.gpu.job import Job
from skerry.algorithms.gpu.rows import init
from skerry.algorithms.passes import Init

WORD = 32  # edges whose bits a word of the record holds


def rem(job: Job, _options: dict[str, float]) -> None:
    """Unites all edges; then verifies those that wrote until no write was lost."""
    init(job, Init("own"))
    edges = job.graph.num_entries
    record = job.empty(-(-edges // WORD), np.uint32)
    arguments = (*job.edge_arguments, job.parent, job.state, record)
    job.launch("rem", "unite_and_record", edges, *arguments)
    job.rounds += 1
    shortcut(job)
    job.launch("rem", "verify_recorded", edges, *arguments)
    while job.changed():
        shortcut(job)
        job.launch("rem", "verify_recorded", edges, *arguments)
