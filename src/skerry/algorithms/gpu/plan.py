"""What a run on a GPU did, once somebody asks: its times, its counts, and the way it chose."""

from __future__ import annotations

from itertools import pairwise

from skerry.algorithms.algorithm import Algorithm
from skerry.algorithms.gpu.job import Job
from skerry.algorithms.gpu.skip import SMALL
from skerry.algorithms.gpu.state import Count, Word, count_of
from skerry.graph.device import DeviceCsr, DeviceEdges
from skerry.result.plan import PassTime, Plan, Statistics

__all__ = ["report"]


def report(
    job: Job,
    row: Algorithm,
    given: DeviceEdges | DeviceCsr,
    reason: str,
    notes: tuple[str, ...],
) -> Plan:
    """The plan of a finished run; waits for the device."""
    state = [int(word) for word in job.runtime.read(job.state)]
    csr = isinstance(given, DeviceCsr)
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
        algorithm=str(row),
        device=job.runtime.name,
        threads=0,
        reason=reason or _why(given, state),
        form="csr" if csr else "edges",
        vertices=given.num_vertices,
        edges=_edges_of(given),
        passes=_times(job),
        notes=notes,
        statistics=statistics,
        bytes=job.bytes,
        least_bytes=_bytes_of(given) + given.num_vertices * job.dtype.itemsize,
    )


def _edges_of(graph: DeviceEdges | DeviceCsr) -> int:
    return graph.num_entries if isinstance(graph, DeviceCsr) else graph.num_edges


def _times(job: Job) -> tuple[PassTime, ...]:
    """Every kernel with statistics; without, one time for all, as each would cost one to take."""
    moments = job.marks if job.counting else [*job.marks[:1], *job.marks[-1:]]
    return tuple(
        PassTime(name if job.counting else "all kernels", job.runtime.seconds(before, after))
        for (_, before), (name, after) in pairwise(moments)
    )


def _bytes_of(graph: DeviceEdges | DeviceCsr) -> int:
    arrays = (
        (graph.offsets, graph.neighbors) if isinstance(graph, DeviceCsr) else (graph.src, graph.dst)
    )
    return sum(len(one) * one.dtype.itemsize for one in arrays)


def _why(given: DeviceEdges | DeviceCsr, state: list[int]) -> str:
    """What the device saw when it chose: the same rule as way_of in own/sample.h."""
    if given.num_vertices + _edges_of(given) <= SMALL:
        return "small: one launch does it all"
    if isinstance(given, DeviceEdges):
        return "an edge list: a sample finds the largest component, then each edge is read once"
    degree = given.num_entries / max(given.num_vertices, 1)
    known = "symmetric" if given.symmetric else "not known to be symmetric"
    sampled = state[Word.SAMPLED]
    if not sampled:
        why = "too many to be worth looking for near ids"
    elif 2 * state[Word.NEAR] > sampled:
        why = f"{state[Word.NEAR] / sampled:.0%} of sampled rows have a near neighbor: tiles"
    elif 4 * state[Word.HUBS] > sampled:
        why = f"{state[Word.HUBS] / sampled:.0%} of sampled rows begin with a hub: a small sample"
    else:
        why = "neighbors have far ids"
    return f"CSR, {known}, {degree:.1f} entries a vertex; {why}"
