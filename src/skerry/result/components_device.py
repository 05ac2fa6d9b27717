"""The answer on a GPU: the labels stay where they are, and nothing waits until a question asks."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from skerry.algorithms.gpu.input_errors import raise_input_error
from skerry.algorithms.gpu.job import Job
from skerry.algorithms.gpu.state import Word
from skerry.errors import InputError
from skerry.graph.csr import Csr
from skerry.graph.device import DeviceCsr, DeviceEdges
from skerry.graph.edges import Edges
from skerry.result.components import Component, Components, Groups, LabelKind
from skerry.result.plan import Plan

if TYPE_CHECKING:
    from skerry.result.verify import Verification

__all__ = ["DeviceComponents"]


class DeviceComponents(Components):
    """As `Components`, with arrays of the GPU's array module.

    ``labels`` waits for nothing. Everything else asks the device, and raises if the kernels have
    found the input to be bad; the labels of a bad input are all ones, which is no vertex.
    """

    def __init__(
        self,
        job: Job,
        kind: LabelKind,
        plan: Callable[[], Plan],
        graph: DeviceEdges | DeviceCsr,
    ) -> None:
        super().__init__(job.parent, kind, plan, graph, 0)  # type: ignore[arg-type]
        self._job = job
        self._input = graph

    @cached_property
    def plan(self) -> Plan:
        """What ran, where, why, and how long it took; waits for the device."""
        raise_input_error(self._job)
        return self._make_plan()

    @cached_property
    def count(self) -> int:
        """Number of components; waits for the device."""
        job = self._job
        threads = min(job.vertices, job.resident)
        job.launch("labels", "count_roots", threads, job.parent, job.vertices, job.state)
        raise_input_error(job)
        return job.read(Word.ROOTS)

    @cached_property
    def _dense(self) -> tuple[Any, int]:
        count = self.count
        job, n = self._job, self._job.vertices
        roots = job.empty(n)
        job.launch("labels", "mark_roots", n, job.parent, n, roots)
        number = job.runtime.xp.cumsum(roots, dtype=job.dtype)
        job.launch("labels", "number_labels", n, job.parent, n, number, roots)
        return roots, count

    def sizes(self) -> Any:
        """Size of every component, in order of their smallest member, on the device."""
        dense, count = self._dense
        return self._job.runtime.xp.bincount(dense.astype(np.int64), minlength=count)

    def _host_sizes(self) -> Any:
        return self._job.runtime.read(self.sizes())

    def _component(self, number: int, size: int) -> Component:
        xp = self._job.runtime.xp
        members = xp.flatnonzero(self._dense[0] == number).astype(self._smallest.dtype)
        label = number if self._kind == "dense" else int(members[0])
        return Component(label, size, members)

    def groups(self) -> Groups:
        """The members of every component, as a sequence of arrays on the device."""
        xp = self._job.runtime.xp
        order = xp.argsort(self._dense[0], kind="stable").astype(self._smallest.dtype)
        starts = np.append(0, np.cumsum(self._host_sizes())).astype(np.int64)
        return Groups(order, starts, self._min_size)

    def _host(self, array: Any) -> Any:
        return self._job.runtime.read(array)

    def _vertex(self, v: Any) -> Any:
        ids = self._job.runtime.xp.asarray(v)
        if ids.size == 0:
            return ids.astype(np.int64)
        if ids.dtype.kind not in "iu":
            raise InputError(f"vertices are integers, got {ids.dtype} ({v!r})")
        if int(ids.min()) < 0 or int(ids.max()) >= self.num_vertices:
            raise InputError(f"vertex {v!r} is not in 0..{self.num_vertices - 1}")
        return ids

    def verify(self) -> Verification:
        """Checks this answer on the host by independent means; graph and labels are copied."""
        from skerry.result.verify import verify

        raise_input_error(self._job)
        read = self._job.runtime.read
        graph = self._input
        if isinstance(graph, DeviceCsr):
            offsets = read(graph.offsets).astype(np.uint64)
            host: Edges | Csr = Csr(offsets, read(graph.neighbors), graph.symmetric)
        else:
            host = Edges(read(graph.src), read(graph.dst), graph.num_vertices)
        return verify(host, read(self.labels))
