"""The engine for a graph in parts: on several GPUs, processes, or a CPU and a GPU.

The rows of vertices are divided by entries, equally, or between CPUs and GPUs as the rates of a
first slice say. Each part joins its rows alone; then the labels of borders are united on the host.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import numpy as np

from skerry.algorithms.prepare import Prepared, prepare
from skerry.cuda.devices import find_runtime, part_devices
from skerry.engines.engine import GraphSize
from skerry.engines.giant_note import note_of_graph
from skerry.engines.host_edges import host_edges
from skerry.engines.memory import MEMORY, certify_host, label_type, verify_host
from skerry.engines.parts.device import DevicePart, bytes_of_part
from skerry.engines.parts.part import SPEC, HostPart, Part
from skerry.engines.parts.process import ProcessPart, SharedGraph, bytes_of_rows
from skerry.engines.parts.run import PartsRun, run_parts
from skerry.errors import UnsupportedError
from skerry.graph.csr import Csr
from skerry.ids.id_space import Positions
from skerry.inputs.host import load
from skerry.inputs.sources import HostSource
from skerry.machine import numa_nodes
from skerry.request import SolveOptions
from skerry.result.components import Components
from skerry.result.estimate import Estimate
from skerry.result.plan import Plan
from skerry.result.verify import Verification
from skerry.threads import resolve_threads


class PartsEngine:
    """Solves host graphs in parts, where ``device`` names several."""

    name: ClassVar[str] = "parts"
    source: ClassVar[type] = HostSource
    honors: ClassVar[frozenset[str]] = frozenset(
        {"device", "parts", "threads", "labels", "dtype", "previous"}
    )

    def refusal(self, source: HostSource, options: SolveOptions) -> str | None:
        """Refuses unless parts were asked for; processes need memory that is passed on."""
        del source
        if not options.in_parts:
            return ""
        if sys.platform == "win32" and _in_processes(part_devices(options.device)):
            return f'device="{options.device}" is not available on Windows; use device="cpu"'
        return None

    def estimate(self, size: GraphSize, options: SolveOptions) -> Estimate:
        """Bytes of all parts together; those on GPUs need the same each."""
        n, dtype = size.num_vertices, label_type(options.dtype, size.num_vertices)
        cpu = MEMORY.estimate(size, options._replace(algorithm=SPEC, device="cpu"))
        entries = size.num_entries if size.form == "csr" else 2 * size.num_entries
        devices = part_devices(options.device)
        run = cpu.run  # the labels
        for device in devices:
            if device.startswith("cuda"):
                run += bytes_of_part(n, entries, dtype)
            else:
                run += n * dtype.itemsize
        if _in_processes(devices):
            run += bytes_of_rows(n, entries, dtype)
        return replace(cpu, device=options.device, run=run)

    def solve(self, source: HostSource, options: SolveOptions) -> Components:
        """Labels are on the host when it returns."""
        threads = resolve_threads(options.threads)
        host, notes = load(source, threads)
        dtype = label_type(options.dtype, host.num_vertices)
        prepared = prepare(SPEC, host, dtype, threads)
        graph = prepared.graph
        assert graph.form == "csr"
        devices = part_devices(options.device)
        labels = np.empty(graph.num_vertices, dtype)
        with _parts_on(devices, graph, dtype, threads) as parts:
            kinds = {device[:3] for device in devices}
            run = run_parts(parts, graph, labels, threads, measured=len(kinds) > 1)
        notes = (*source.notes, *notes, *prepared.notes, *_notes_of(devices, graph, run))
        plan = Plan(
            algorithm=str(SPEC),
            device=options.device,
            threads=threads if any(device.startswith("cpu") for device in devices) else 0,
            reason=f"rows in {len(devices)} parts, whose borders are united on the host",
            form=host.form,
            vertices=host.num_vertices,
            edges=host.num_entries,
            passes=(*source.passes, *prepared.passes, *run.times),
            notes=(*notes, *note_of_graph(host, labels, source.ids)),
            bytes=_bytes_of(prepared, options),
            least_bytes=host.nbytes + labels.nbytes,
            engine=source.engine or self.name,
            input=source.facts,
            exchanged_bytes=sum(run.sent),
        )
        return Components(
            labels,
            Positions(host.num_vertices) if source.ids is None else source.ids,
            options.labels,
            lambda: plan,
            source.verify or partial(certify_host, source, host, threads),
            threads,
            options.dtype,
            source.edges or partial(host_edges, source, host),
        )

    def verify(self, source: HostSource, labels: Any, threads: int) -> Verification:
        """Loads the graph, and checks the labels."""
        return verify_host(source, labels, threads)


PARTS = PartsEngine()


def _in_processes(devices: tuple[str, ...]) -> bool:
    return any(device.startswith("cpu:") for device in devices)


@contextmanager
def _parts_on(
    devices: tuple[str, ...], graph: Csr, dtype: np.dtype[Any], threads: int
) -> Iterator[list[Part]]:
    """A part on each device."""
    processes = Counter(device for device in devices if device.startswith("cpu:"))
    if not processes:
        yield [_part_here(device, devices, graph, dtype, threads) for device in devices]
        return
    nodes, share = numa_nodes(), max(threads // processes.total(), 1)
    for device in processes:
        if int(device[4:]) not in nodes:
            numbers = ", ".join(map(str, sorted(nodes)))
            raise UnsupportedError(
                f'device="{device}": this process may use the cores of NUMA node {numbers}'
            )
    cores = {
        device: iter(np.array_split(nodes[int(device[4:])], count))
        for device, count in processes.items()
    }
    with closing(SharedGraph(graph, dtype, threads)) as shared:
        parts: list[Part] = []
        for device in devices:
            if device in processes:
                own = next(cores[device]).tolist() or nodes[int(device[4:])]
                parts.append(ProcessPart(shared, own, share))
            else:
                parts.append(_part_here(device, devices, graph, dtype, threads))
        yield parts


def _part_here(
    device: str, devices: tuple[str, ...], graph: Csr, dtype: np.dtype[Any], threads: int
) -> Part:
    """A part of this process: on its cores, or on a GPU."""
    if device == "cpu":
        return HostPart(graph, dtype, threads)
    return DevicePart(find_runtime(device), graph, dtype, devices.count(device))


def _bytes_of(prepared: Prepared, options: SolveOptions) -> int:
    graph = prepared.graph
    size = GraphSize(graph.num_vertices, graph.num_entries, "csr", graph.id_dtype)
    return prepared.bytes + PARTS.estimate(size, options).run


def _notes_of(devices: tuple[str, ...], graph: Csr, run: PartsRun) -> Iterator[str]:
    """The rows of each part, and what it has sent."""
    rates = run.rates or [0.0] * len(devices)
    for device, rows, rate, sent in zip(devices, run.rows, rates, run.sent, strict=True):
        entries = sum(int(graph.offsets[own.stop] - graph.offsets[own.start]) for own in rows)
        measured = f" by a rate of {rate:,.0f} a second" if rate else ""
        yield (
            f"{device}: {sum(map(len, rows)):,} rows, {entries:,} entries{measured}, {sent:,} "
            "bytes of border labels sent"
        )
