"""Runs passes on a GPU: each kind of pass is one or a few kernel launches."""

from __future__ import annotations

from collections.abc import Callable

import numpy.typing as npt

from skerry.algorithms.algorithm import Algorithm
from skerry.algorithms.gpu import rows
from skerry.algorithms.gpu.job import Job
from skerry.algorithms.gpu.registry import KERNELS
from skerry.algorithms.passes import Canonical, Finish, Hook, HookNth, Init, Kernel, Pass
from skerry.cuda.runtime import Runtime
from skerry.errors import UnsupportedError
from skerry.graph.device import DeviceGraph


def run(
    spec: Algorithm,
    runtime: Runtime,
    graph: DeviceGraph,
    dtype: npt.DTypeLike,
    counting: bool,
) -> Job:
    """Launches all passes of ``spec``; the labels will be in the job's parent array."""
    # A recorded sequence clears the state words in a kernel of its own, which costs the host
    # nothing. Without vertices nothing is launched.
    recorded = spec.recorded and graph.num_vertices > 0
    job = Job(runtime, graph, dtype, counting, recorded)
    if not job.vertices:
        return job
    for step in spec.gpu:
        _RUN[type(step)](job, step)
    if not spec.recorded:
        job.launch("labels", "invalidate_labels", job.vertices, job.parent, job.vertices, job.state)
    job.finish()
    return job


def _finish(job: Job, step: Finish) -> None:
    if step.finish not in rows.FINISH:
        raise UnsupportedError(
            f"finish={step.finish} sweeps in order and is not available on a GPU, which has: "
            f"{', '.join(rows.FINISH)}"
        )
    rows.finish(job, step.finish)


def _kernel(job: Job, step: Kernel) -> None:
    KERNELS[step.kernel](job, dict(step.options))


def _canonical(job: Job, step: Canonical) -> None:
    del step
    n = job.vertices
    smallest = job.empty(n)
    job.launch("labels", "fill_invalid", n, smallest, n)
    job.launch("labels", "find_smallest_members", n, job.parent, n, smallest)
    job.launch("labels", "relabel", n, job.parent, n, smallest)


_RUN: dict[type[Pass], Callable[..., None]] = {
    Init: rows.init,
    Hook: rows.hook_rows,
    HookNth: rows.hook_nth_neighbor,
    Finish: _finish,
    Kernel: _kernel,
    Canonical: _canonical,
}
