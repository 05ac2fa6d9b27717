"""The plan of a run on a GPU: its times, its counts, and why it ran as it did."""

from __future__ import annotations

from itertools import pairwise

from skerry.algorithms.algorithm import Algorithm
from skerry.algorithms.gpu.job import Job
from skerry.algorithms.gpu.row_solver import plan_of_job, stages_of_rows
from skerry.algorithms.gpu.state import Count, Word, count_of
from skerry.algorithms.gpu.stream import is_ordered
from skerry.algorithms.gpu_planner import RowCounts, gpu_reason
from skerry.algorithms.passes import Kernel
from skerry.graph.device import DeviceGraph
from skerry.result.plan import PassTime, Plan, Statistics


def build_plan(
    job: Job, spec: Algorithm, graph: DeviceGraph, reason: str, notes: tuple[str, ...]
) -> Plan:
    """The plan of a finished run; waits for the device.

    ``graph`` is the input, before any conversion. An empty ``reason`` stands for "auto": it is made
    from what the device has found.
    """
    state = [int(word) for word in job.runtime.read(job.state)]
    counts = RowCounts(
        state[Word.TREES],
        state[Word.EMPTY],
        bool(state[Word.LARGEST]),
        bool(state[Word.REVERSE_SUM]),
    )
    step = spec.gpu[0]
    plan = None
    if isinstance(step, Kernel) and step.kernel == "rows":
        plan = plan_of_job(job, dict(step.options))
    statistics = None
    if job.counting:
        statistics = Statistics(
            job.rounds,
            count_of(state, Count.HOOKS),
            count_of(state, Count.FINDS),
            count_of(state, Count.STEPS),
            count_of(state, Count.LONGEST),
            (("trees", counts.share(job.vertices)),) if plan is not None and plan.depends else (),
        )
    return Plan(
        algorithm=str(spec),
        device=job.runtime.name,
        threads=0,
        reason=reason or gpu_reason(graph, counts, is_ordered(state[Word.ADJACENT])),
        form=graph.form,
        vertices=graph.num_vertices,
        edges=graph.num_entries,
        passes=_times(job),
        notes=notes,
        statistics=statistics,
        bytes=job.bytes,
        least_bytes=graph.nbytes + graph.num_vertices * job.dtype.itemsize,
        selected=() if plan is None else stages_of_rows(job, plan, counts),
    )


def _times(job: Job) -> tuple[PassTime, ...]:
    """Each kernel's time with statistics; otherwise one for all, as each event costs time too."""
    events = job.events if job.counting else [*job.events[:1], *job.events[-1:]]
    return tuple(
        PassTime(name if job.counting else "all kernels", job.runtime.seconds(before, after))
        for (_, before), (name, after) in pairwise(events)
    )
