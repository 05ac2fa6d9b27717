"""The engines for GPUs: graphs that lie on one, and host graphs that are uploaded to one.

Nothing waits for the device where the graph lies on it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from typing import Any, ClassVar

import numpy as np

from skerry.algorithms.algorithm import Algorithm
from skerry.algorithms.catalog import algorithm as named
from skerry.algorithms.gpu.backend import build_plan, bytes_of_prepare, prepare_device, run
from skerry.algorithms.gpu.dry_runtime import bytes_of_run, dry_csr, dry_edges
from skerry.algorithms.gpu.job import Job
from skerry.algorithms.gpu.labels import JobLabels, raise_input_error
from skerry.algorithms.gpu_planner import choose_for_gpu
from skerry.cuda.devices import device_number, find_runtime
from skerry.cuda.runtime import Runtime
from skerry.engines.device_stream import can_stream, stream_to_device, streams
from skerry.engines.engine import GraphSize
from skerry.engines.giant_note import note_of_graph
from skerry.engines.host_edges import host_edges
from skerry.engines.label_input import in_order, read_labels
from skerry.engines.memory import label_type, verify_host
from skerry.errors import DeviceMemoryError
from skerry.graph.csr import Csr
from skerry.graph.device import DeviceGraph
from skerry.graph.edges import Edges
from skerry.graph.graph import GraphForm
from skerry.ids.id_space import Positions
from skerry.inputs.arrays import edges_from_arrays
from skerry.inputs.device import bytes_to_upload, load_on_device, upload
from skerry.inputs.host import load
from skerry.inputs.sources import DeviceSource, HostSource
from skerry.request import SolveOptions
from skerry.result.components import Components
from skerry.result.device_components import DeviceComponents
from skerry.result.estimate import Estimate
from skerry.result.plan import Plan
from skerry.result.verify import AS_IS, Shown, Verification, certify
from skerry.threads import resolve_threads

QUERY_FROM = 1 << 26  # bytes from which the driver is asked whether they are free

COMMON = frozenset({"algorithm", "device", "labels", "dtype", "statistics"})


class DeviceEngine:
    """Solves graphs on a GPU; the labels stay there."""

    name: ClassVar[str] = "device"
    source: ClassVar[type] = DeviceSource
    honors: ClassVar[frozenset[str]] = COMMON

    def refusal(self, source: DeviceSource, options: SolveOptions) -> str | None:
        """Refuses to move a graph away from its device."""
        if options.forest:
            return (
                f"forest=True is recorded on a CPU, and the graph is on cuda:{source.device}: copy "
                "it to the host first, for instance with cupy.asnumpy"
            )
        if options.device == "auto":
            return None
        if options.device == "cpu":
            return (
                f'the graph is on cuda:{source.device} and device="cpu" was asked for: copy it to '
                "the host first, for instance with cupy.asnumpy"
            )
        if device_number(options.device) not in (None, source.device):
            return (
                f'the graph is on cuda:{source.device}, but device="{options.device}" was asked for'
            )
        return None

    def estimate(self, size: GraphSize, options: SolveOptions) -> Estimate:
        """Bytes on the device."""
        return _estimate(size, options)

    def solve(self, source: DeviceSource, options: SolveOptions) -> Components:
        """Launches the kernels; the result waits when it is asked."""
        runtime = find_runtime(_device_name(source.device))
        with runtime.active():
            graph = load_on_device(source, runtime)
            job, spec, notes = _run(graph, runtime, options)
            return DeviceComponents(
                JobLabels(job),
                Positions(graph.num_vertices),
                options.labels,
                lambda: _plan(job, spec, graph, _reason(options), notes, self.name, source),
                lambda labels: _certify(graph, runtime, labels),
                options.dtype,
            )

    def verify(self, source: DeviceSource, labels: Any, threads: int) -> Verification:
        """Copies the graph to the host, and checks the labels there."""
        del threads
        labeled = read_labels(labels, 1)
        values = in_order(labeled, None)
        if isinstance(values, Verification):
            return values
        runtime = find_runtime(_device_name(source.device))
        with runtime.active():
            graph = load_on_device(source, runtime)
            return _certify(graph, runtime, values, Shown(label=labeled.label))


class UploadEngine:
    """Copies a host graph to a GPU, solves it there, and copies the labels back."""

    name: ClassVar[str] = "upload"
    source: ClassVar[type] = HostSource
    honors: ClassVar[frozenset[str]] = COMMON | {"threads", "previous"}

    def refusal(self, source: HostSource, options: SolveOptions) -> str | None:
        """Refuses unless a GPU was asked for."""
        del source
        return None if options.on_gpu else ""

    def estimate(self, size: GraphSize, options: SolveOptions) -> Estimate:
        """Bytes on the device."""
        return _estimate(size, options)

    def solve(self, source: HostSource, options: SolveOptions) -> Components:
        """Waits for the device: the labels are on the host when it returns."""
        runtime = find_runtime(options.device)
        threads = resolve_threads(options.threads)
        edges = can_stream(source, options)
        host, notes = load(source, threads, unchecked=edges)
        notes = (*source.notes, *notes)
        with runtime.active():
            labels = plan = None
            if not (edges and streams(host)):
                if edges and host.form == "edges":  # whose ids must be checked before the copy
                    edges_from_arrays(host.src, host.dst, host.num_vertices, threads)
                labels, plan = self._upload(source, host, options, runtime, notes)
            if labels is None or plan is None:
                labels, plan = stream_to_device(host, source, options, runtime, threads, notes)
        notes = (*plan.notes, *note_of_graph(host, labels, source.ids))
        plan = replace(plan, engine=source.engine or self.name, notes=notes)
        return Components(
            labels,
            Positions(host.num_vertices) if source.ids is None else source.ids,
            options.labels,
            lambda: plan,
            source.verify or partial(certify, host),
            threads,
            options.dtype,
            source.edges or partial(host_edges, source, host),
        )

    def _upload(
        self,
        source: HostSource,
        host: Edges | Csr,
        options: SolveOptions,
        runtime: Runtime,
        notes: tuple[str, ...],
    ) -> tuple[Any, Plan] | tuple[None, None]:
        """The labels of a graph that is complete on the device; None if it does not fit."""
        size = bytes_to_upload(host)
        automatic = options.algorithm == "auto" and not options.statistics
        too_much = _is_too_much(size, runtime)
        if too_much and automatic:
            return None, None
        if too_much:
            raise no_room(size, runtime, "the graph")
        try:
            graph = upload(host, runtime)
        except MemoryError as error:
            if automatic:
                return None, None
            raise no_room(size, runtime, "the graph") from error
        try:
            job, spec, more = _run(graph, runtime, options)
        except DeviceMemoryError:
            if automatic:
                return None, None
            raise
        raise_input_error(job)
        labels = runtime.read(job.parent)
        notes = (*notes, f"moved to {runtime.name}, {size:,} bytes", *more)
        return labels, _plan(job, spec, graph, _reason(options), notes, self.name, source)

    def verify(self, source: HostSource, labels: Any, threads: int) -> Verification:
        """Loads the graph, and checks the labels."""
        return verify_host(source, labels, threads)


DEVICE = DeviceEngine()
UPLOAD = UploadEngine()


_automatic = cache(choose_for_gpu)


@cache
def _device_name(number: int) -> str:
    return f"cuda:{number}"


def _certify(
    graph: DeviceGraph, runtime: Runtime, labels: Any, shown: Shown = AS_IS
) -> Verification:
    """Checks labels of the host against a graph that is copied there."""
    read = runtime.read
    if graph.form == "csr":
        offsets = read(graph.offsets).astype(np.uint64)
        copied: Csr | Edges = Csr(offsets, read(graph.neighbors), graph.symmetric)
    else:
        copied = Edges(read(graph.src), read(graph.dst), graph.num_vertices)
    return certify(copied, labels, shown=shown)


def _plan(
    job: Job,
    spec: Algorithm,
    graph: DeviceGraph,
    reason: str,
    notes: tuple[str, ...],
    engine: str,
    source: HostSource | DeviceSource,
) -> Plan:
    plan = build_plan(job, spec, graph, reason, notes)
    passes = source.passes if isinstance(source, HostSource) else ()
    made_by = source.engine if isinstance(source, HostSource) else ""
    selected = plan.selected and (*(step.name for step in passes), *plan.selected)
    plan = replace(plan, selected=selected, passes=(*passes, *plan.passes))
    return replace(plan, engine=made_by or engine, input=source.facts)


def _run(
    graph: DeviceGraph, runtime: Runtime, options: SolveOptions
) -> tuple[Job, Algorithm, tuple[str, ...]]:
    spec = _spec(graph.form, options)
    dtype = label_type(options.dtype, graph.num_vertices)
    notes: tuple[str, ...] = ()
    if options.algorithm != "auto":  # which reads the graph as it is
        graph, notes = _prepared(spec, graph, runtime)
    # Our own take what they need before they begin, and to ask the driver how much is free takes
    # longer than many a run of theirs.
    if not spec.recorded:
        needed = bytes_of_run(spec, graph, dtype)
        if _is_too_much(needed, runtime):
            raise no_room(needed, runtime, f"{spec}")
    try:
        return run(spec, runtime, graph, dtype, options.statistics), spec, notes
    except MemoryError:
        pass  # so that what the run has allocated is free again when its size is reported
    raise no_room(bytes_of_run(spec, graph, dtype), runtime, f"{spec}")


def _prepared(
    spec: Algorithm, graph: DeviceGraph, runtime: Runtime
) -> tuple[DeviceGraph, tuple[str, ...]]:
    """The graph in the form that the algorithm reads, if there is room for it."""
    needed = bytes_of_prepare(spec, graph)
    if _is_too_much(needed, runtime):
        raise no_room(needed, runtime, f"the form that {spec} reads")
    try:
        return prepare_device(spec, graph, runtime)
    except MemoryError as error:
        raise no_room(needed, runtime, f"the form that {spec} reads") from error


def _spec(form: GraphForm, options: SolveOptions) -> Algorithm:
    if options.algorithm == "auto":
        return _automatic(form)
    chosen = options.algorithm
    spec = named(chosen) if isinstance(chosen, str) else chosen
    spec.check_device("cuda")
    return spec


def _reason(options: SolveOptions) -> str:
    return "" if options.algorithm == "auto" else "asked for by name"


def _estimate(size: GraphSize, options: SolveOptions) -> Estimate:
    """The same code counts that allocates, on a runtime that only counts."""
    n, m, bits = size.num_vertices, size.num_entries, 8 * size.id_dtype.itemsize
    spec = _spec("csr" if size.form == "csr" else "edges", options)
    labels = label_type(options.dtype, n)
    offsets = 32 if m < 2**31 else 64
    csr = size.form == "csr"
    size_only: DeviceGraph = dry_csr(n, m, bits, offsets) if csr else dry_edges(n, m, bits)
    if not csr and spec.reads_rows("cuda"):
        rows = dry_csr(n, 2 * m, bits, 32 if 2 * m < 2**31 else 64)
        run_bytes = bytes_of_run(spec, rows, labels)
    elif csr and spec.form == "edges":
        run_bytes = bytes_of_run(spec, dry_edges(n, m // 2, bits), labels)
    else:
        run_bytes = bytes_of_run(spec, size_only, labels)
    graph = (n + 1) * offsets // 8 + m * bits // 8 if csr else 2 * m * bits // 8
    return Estimate(str(spec), "cuda", graph, run_bytes, bytes_of_prepare(spec, size_only))


def _is_too_much(needed: int, runtime: Runtime) -> bool:
    return needed > QUERY_FROM and needed > runtime.available()


def no_room(needed: int, runtime: Runtime, purpose: str) -> DeviceMemoryError:
    """The error that says how many bytes are missing on a device."""
    free = runtime.available()
    missing = max(needed - free, 0)
    short = f"{_gigabytes(missing)} are missing" if missing else "they are in pieces too small"
    return DeviceMemoryError(
        f"{purpose} needs {_gigabytes(needed)} on {runtime.name}, where {_gigabytes(free)} are "
        f'free: {short}. Free some, use device="cpu", or see skerry.estimate for other algorithms'
    )


def _gigabytes(count: int) -> str:
    return f"{count / 1e9:,.3f} GB"
