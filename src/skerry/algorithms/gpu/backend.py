"""A run on a GPU: the form of the graph, the passes as kernel launches, and the plan of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from skerry.algorithms.algorithm import Algorithm
from skerry.algorithms.gpu import rows
from skerry.algorithms.gpu.edge_copy import RUN, EdgeCopy
from skerry.algorithms.gpu.graft import (
    cc,
    cc_updt,
    join_by_grafting,
    join_by_grafting_updt,
    join_by_schedule,
    schd,
)
from skerry.algorithms.gpu.job import Job
from skerry.algorithms.gpu.published import eclaf, groute, gunrock, rem, soman
from skerry.algorithms.gpu.row_solver import plan_of_job, solve_rows, stages_of_rows
from skerry.algorithms.gpu.rows import (
    afforest_random,
    block_per_row,
    init,
    thread_per_vertex,
    warp_per_row,
)
from skerry.algorithms.gpu.searches import bfs, label_propagation
from skerry.algorithms.gpu.shiloach_vishkin import (
    join_by_hooking,
    join_by_hooking_updt,
    new_stamps,
    sv,
    sv_updt,
)
from skerry.algorithms.gpu.state import Count, Word, count_of
from skerry.algorithms.gpu.stream import is_ordered, stream
from skerry.algorithms.gpu_planner import RowCounts, gpu_reason
from skerry.algorithms.passes import Canonical, Finish, Hook, HookNth, Init, Kernel, Pass
from skerry.cuda.runtime import Runtime
from skerry.errors import UnsupportedError
from skerry.graph.device import DeviceCsr, DeviceGraph
from skerry.graph.device_build import (
    csr_from_edges,
    edges_from_csr,
    is_symmetric,
    lower_rows,
    symmetrize,
)
from skerry.result.plan import PassTime, Plan, Statistics


def stages_cc(job: Job, options: dict[str, float]) -> None:
    """Stages with CC inside: as published."""
    _in_stages(job, options, lambda group: join_by_grafting(job, group, options))


def stages_cc_updt(job: Job, options: dict[str, float]) -> None:
    """Stages with CC-updt inside."""
    _in_stages(job, options, lambda group: join_by_grafting_updt(job, group, options))


def stages_sv(job: Job, options: dict[str, float]) -> None:
    """Stages with SV inside."""
    stamps = new_stamps(job)
    _in_stages(job, options, lambda group: join_by_hooking(job, group, stamps, options))


def stages_sv_updt(job: Job, options: dict[str, float]) -> None:
    """Stages with SV-updt inside."""
    stamps = new_stamps(job)
    _in_stages(job, options, lambda group: join_by_hooking_updt(job, group, stamps, options))


def stages_schd(job: Job, options: dict[str, float]) -> None:
    """Stages with Schd inside."""
    _in_stages(job, options, lambda group: join_by_schedule(job, group, options))


def _in_stages(job: Job, options: dict[str, float], join: Callable[[EdgeCopy], None]) -> None:
    """``join(group)`` must leave every vertex at its root: the next group starts from there."""
    init(job, Init("own"))
    edges = job.graph.num_entries
    runs = -(-edges // RUN)
    in_group = _runs_of_group(options.get("q", 1.0), job.vertices, edges)
    seed = np.float64(options.get("seed", 0.0)).view(np.uint64)  # any number is a seed
    if options.get("permute", 0):
        _in_stored_stages(job, options, seed, join)
        return
    group = EdgeCopy(job, in_group * RUN)
    for first in job.parts(range(0, runs, in_group)):
        group.copy_group(seed, first, min(in_group, runs - first))
        join(group)


def _in_stored_stages(
    job: Job, options: dict[str, float], seed: Any, join: Callable[[EdgeCopy], None]
) -> None:
    """As printed: the list is permuted once, edge by edge, and groups are stretches of it."""
    edges = job.graph.num_entries
    size = _group_size(options.get("q", 1.0), job.vertices, edges)
    permuted = EdgeCopy(job, edges)
    permuted.permute_all(seed)
    for first in job.parts(range(0, edges, size)):
        group = permuted.stretch(first, min(size, edges - first))
        if first:
            group.update()
        join(group)


def _group_size(q: float, vertices: int, edges: int) -> int:
    """q * n edges; all of them where q * n is not in 1..m."""
    wanted = q * vertices
    return max(1, int(wanted) if 0 < wanted < edges else edges)


def _runs_of_group(q: float, vertices: int, edges: int) -> int:
    """Number of runs that hold a group."""
    return -(-_group_size(q, vertices, edges) // RUN)


KERNELS: Mapping[str, Callable[[Job, dict[str, float]], None]] = {
    "afforest-random": afforest_random,
    "bfs": bfs,
    "block-per-row": block_per_row,
    "cc": cc,
    "cc-updt": cc_updt,
    "eclaf": eclaf,
    "groute": groute,
    "gunrock": gunrock,
    "label-propagation": label_propagation,
    "rem": rem,
    "rows": solve_rows,
    "schd": schd,
    "soman": soman,
    "stages-cc": stages_cc,
    "stages-cc-updt": stages_cc_updt,
    "stages-schd": stages_schd,
    "stages-sv": stages_sv,
    "stages-sv-updt": stages_sv_updt,
    "stream": stream,
    "sv": sv,
    "sv-updt": sv_updt,
    "thread-per-vertex": thread_per_vertex,
    "warp-per-row": warp_per_row,
}


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
    rows.finish(job, step.finish, step.loads)


def _kernel(job: Job, step: Kernel) -> None:
    KERNELS[step.kernel](job, dict(step.options))


def _canonical(job: Job, step: Canonical) -> None:
    del step
    rows.make_canonical(job)


_RUN: dict[type[Pass], Callable[..., None]] = {
    Init: rows.init,
    Hook: rows.hook_rows,
    HookNth: rows.hook_nth_neighbor,
    Finish: _finish,
    Kernel: _kernel,
    Canonical: _canonical,
}


def prepare_device(
    spec: Algorithm, graph: DeviceGraph, runtime: Runtime
) -> tuple[DeviceGraph, tuple[str, ...]]:
    """The graph as ``spec`` reads it, and what was done to it."""
    if graph.form == "edges":
        if not spec.reads_rows("cuda"):
            return graph, ()
        rows, note = csr_from_edges(runtime, graph), "built rows on the device"
        return (lower_rows(runtime, rows) if _reads_lower(spec) else rows), (note,)
    if spec.form == "edges":
        return (
            edges_from_csr(runtime, graph, bool(graph.symmetric)),
            ("listed the edges of the rows on the device",),
        )
    if spec.form == "symmetric csr" and not graph.symmetric:
        if graph.symmetric is None and is_symmetric(runtime, graph):
            return DeviceCsr(graph.offsets, graph.neighbors, True), ("found to be symmetric",)
        return symmetrize(runtime, graph), ("missing reverses were added on the device",)
    if _reads_lower(spec):
        if graph.symmetric or (graph.symmetric is None and is_symmetric(runtime, graph)):
            return lower_rows(runtime, graph), ("kept the smaller neighbors of each row",)
        return graph, ("kept all neighbors of each row: the rows are not symmetric",)
    return graph, ()


def _reads_lower(spec: Algorithm) -> bool:
    step = spec.gpu[0]
    return isinstance(step, Kernel) and ("triangle", 1.0) in step.options


def bytes_of_prepare(spec: Algorithm, graph: DeviceGraph) -> int:
    """Bytes that `prepare_device` takes at its peak, the graph that it makes included."""
    n = graph.num_vertices
    wide = 4 if n < 2**32 else 8
    if graph.form == "edges":
        entries = 2 * graph.num_entries
        return _bytes_of_sort(n, entries) if spec.reads_rows("cuda") else 0
    if spec.form == "edges":
        return graph.num_entries * 2 * wide
    if spec.form == "symmetric csr" and not graph.symmetric:
        return _bytes_of_sort(n, 2 * graph.num_entries)
    if _reads_lower(spec):
        return graph.num_entries * wide + wide * (n + 1)
    return 0


def _bytes_of_sort(vertices: int, entries: int) -> int:
    """Keys of 8 bytes, or pairs of them, and a copy; then the rows."""
    keys = 16 if vertices < 2**32 else 32
    return keys * entries + 8 * (vertices + 1)


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
