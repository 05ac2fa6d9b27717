"""Connected components on a GPU: from any input to a result, without waiting for the device."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from skerry.algorithms.algorithm import Algorithm
from skerry.algorithms.catalog import algorithm as named
from skerry.algorithms.gpu.backend import run
from skerry.algorithms.gpu.input_errors import raise_input_error
from skerry.algorithms.gpu.job import Job
from skerry.algorithms.gpu.memory_estimate import bytes_of_run
from skerry.algorithms.gpu.plan import build_plan
from skerry.algorithms.gpu.prepare import bytes_of_prepare, prepare_device
from skerry.algorithms.planner import choose_for_gpu
from skerry.cuda.devices import find_runtime
from skerry.cuda.runtime import Runtime
from skerry.errors import DeviceMemoryError, InputError
from skerry.graph.device import DeviceCsr, DeviceEdges
from skerry.graph.edges import vertex_dtype
from skerry.inputs.adapt import adapt
from skerry.inputs.device import adapt_device, bytes_to_upload, upload
from skerry.result.components import Components, LabelKind
from skerry.result.components_device import DeviceComponents

__all__ = ["Wish", "components_of_device_graph", "components_of_host_graph"]

SMALL = 1 << 26  # bytes up to which nobody asks whether they are free


class Wish(NamedTuple):
    """What the caller asked for."""

    algorithm: str | Algorithm
    labels: LabelKind
    statistics: bool
    dtype: np.dtype[Any] | None
    """Type of the labels, or None for the smallest that will do."""


def components_of_device_graph(
    graph: Any, num_vertices: int | None, symmetric: bool | None, device: str, wish: Wish
) -> Components:
    """The components of a graph that is in the memory of a GPU; so will the labels be."""
    runtime = find_runtime(device)
    with runtime.active():
        given = adapt_device(graph, num_vertices, symmetric, runtime)
        job, row, notes = _run(given, runtime, wish)
        reason = _reason(wish)
        return DeviceComponents(
            job, wish.labels, lambda: build_plan(job, row, given, reason, notes), given
        )


def components_of_host_graph(
    graph: Any,
    num_vertices: int | None,
    symmetric: bool | None,
    threads: int,
    device: str,
    wish: Wish,
) -> Components:
    """The components of a graph in the host's memory; the labels come back there."""
    runtime = find_runtime(device)
    host, notes = adapt(graph, num_vertices, symmetric, threads)
    size = bytes_to_upload(host)
    with runtime.active():
        if _is_too_much(size, runtime):
            raise _no_room(size, runtime, "the graph")
        try:
            moved = upload(host, runtime)
        except MemoryError as error:
            raise _no_room(size, runtime, "the graph") from error
        notes = (*notes, f"moved to {runtime.name}, {size:,} bytes")
        job, row, more = _run(moved, runtime, wish)
        raise_input_error(job)
        labels = runtime.read(job.parent)
        plan = build_plan(job, row, moved, _reason(wish), (*notes, *more))
    return Components(labels, wish.labels, lambda: plan, host, threads)


def _run(
    given: DeviceEdges | DeviceCsr, runtime: Runtime, wish: Wish
) -> tuple[Job, Algorithm, tuple[str, ...]]:
    row = _row(given, wish)
    smallest = vertex_dtype(given.num_vertices)
    dtype = smallest if wish.dtype is None else wish.dtype
    if dtype.itemsize < smallest.itemsize:
        raise InputError(f"{given.num_vertices:,} vertices do not fit into {dtype} labels")
    # What auto takes reads the graph as it is.
    graph, notes = (given, ()) if wish.algorithm == "auto" else _prepared(row, given, runtime)
    # Ours take what they need before they begin, and to ask the driver how much is free takes
    # longer than many a run of theirs.
    if not row.recorded:
        needed = bytes_of_run(row, graph, dtype)
        if _is_too_much(needed, runtime):
            raise _no_room(needed, runtime, f"{row}")
    try:
        return run(row, runtime, graph, dtype, wish.statistics), row, notes
    except MemoryError:
        pass  # so that what the run has taken is free again when its size is told
    raise _no_room(bytes_of_run(row, graph, dtype), runtime, f"{row}")


def _prepared(
    row: Algorithm, given: DeviceEdges | DeviceCsr, runtime: Runtime
) -> tuple[DeviceEdges | DeviceCsr, tuple[str, ...]]:
    """The graph in the form that the algorithm reads, if there is room for it."""
    needed = bytes_of_prepare(row, given)
    if _is_too_much(needed, runtime):
        raise _no_room(needed, runtime, f"the form that {row} reads")
    try:
        return prepare_device(row, given, runtime)
    except MemoryError as error:
        raise _no_room(needed, runtime, f"the form that {row} reads") from error


def _row(given: DeviceEdges | DeviceCsr, wish: Wish) -> Algorithm:
    if wish.algorithm == "auto":
        return choose_for_gpu(given.form)
    row = named(wish.algorithm) if isinstance(wish.algorithm, str) else wish.algorithm
    row.check_device("cuda")
    return row


def _reason(wish: Wish) -> str:
    return "" if wish.algorithm == "auto" else "asked for by name"


def _is_too_much(needed: int, runtime: Runtime) -> bool:
    return needed > SMALL and needed > runtime.available()


def _no_room(needed: int, runtime: Runtime, what: str) -> DeviceMemoryError:
    free = runtime.available()
    missing = max(needed - free, 0)
    short = f"{_gigabytes(missing)} are missing" if missing else "they are in pieces too small"
    return DeviceMemoryError(
        f"{what} needs {_gigabytes(needed)} on {runtime.name}, where {_gigabytes(free)} are free: "
        f'{short}. Free some, use device="cpu", or see skerry.estimate for other algorithms'
    )


def _gigabytes(count: int) -> str:
    return f"{count / 1e9:,.3f} GB"
