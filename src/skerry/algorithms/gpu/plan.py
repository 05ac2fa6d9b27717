"""The plan of a run on a GPU: its times, its counts, and why it ran as it did."""

from __future__ import annotations

from itertools import pairwise

from skerry.algorithms.algorithm import Algorithm
from skerry.algorithms.gpu.job import Job
from skerry.algorithms.gpu.rule_words import SAMPLE_WORDS
from skerry.algorithms.gpu.state import Count, Word, count_of
from skerry.algorithms.gpu_planner import RowSample, gpu_reason
from skerry.graph.device import DeviceGraph
from skerry.result.plan import PassTime, Plan, Statistics

__all__ = ["build_plan"]


def build_plan(
    job: Job, spec: Algorithm, graph: DeviceGraph, reason: str, notes: tuple[str, ...]
) -> Plan:
    """The plan of a finished run; waits for the device.

    ``graph`` is the input, before any conversion. An empty ``reason`` stands for "auto": it is made
    from what the device has sampled.
    """
    state = [int(word) for word in job.runtime.read(job.state)]
    sample = RowSample(*(state[word] for word in SAMPLE_WORDS.values()))
    statistics = None
    if job.counting:
        statistics = Statistics(
            job.rounds,
            count_of(state, Count.HOOKS),
            count_of(state, Count.FINDS),
            count_of(state, Count.STEPS),
            count_of(state, Count.LONGEST),
        )
    return Plan(
        algorithm=str(spec),
        device=job.runtime.name,
        threads=0,
        reason=reason or gpu_reason(graph, sample, bool(state[Word.REVERSE_SUM])),
        form=graph.form,
        vertices=graph.num_vertices,
        edges=graph.num_entries,
        passes=_times(job),
        notes=notes,
        statistics=statistics,
        bytes=job.bytes,
        least_bytes=graph.nbytes + graph.num_vertices * job.dtype.itemsize,
    )


def _times(job: Job) -> tuple[PassTime, ...]:
    """Each kernel's time with statistics; otherwise one for all, as each event costs time too."""
    events = job.events if job.counting else [*job.events[:1], *job.events[-1:]]
    return tuple(
        PassTime(name if job.counting else "all kernels", job.runtime.seconds(before, after))
        for (_, before), (name, after) in pairwise(events)
    )
