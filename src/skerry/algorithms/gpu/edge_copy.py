"""Edges that an algorithm may rewrite: see ``kernels/gpu/published/edge_copy.cu``."""

from __future__ import annotations

from typing import Any

from skerry.algorithms.gpu.job import Job
from skerry.graph.device import DeviceEdges

__all__ = ["RUN", "EdgeCopy", "edge_count"]

RUN = 32  # edges that are drawn together: a warp's lanes


def edge_count(job: Job) -> int:
    """Edges of the input."""
    assert isinstance(job.graph, DeviceEdges)
    return job.graph.num_edges


class EdgeCopy:
    """Room for edges of a run; ``count`` says how many are in use."""

    def __init__(self, job: Job, capacity: int) -> None:
        self.job = job
        self.source = job.empty(capacity)
        self.target = job.empty(capacity)
        self.count = 0

    @property
    def arguments(self) -> tuple[Any, ...]:
        """The arguments of a kernel that reads an own copy: columns and edges."""
        return (self.source, self.target, self.count)

    def take_all(self) -> None:
        """Copies the input, in its order."""
        job = self.job
        self.count = edge_count(job)
        columns = (self.source, self.target)
        job.launch("edge_copy", "copy_edges", self.count, *job.edges, job.state, *columns)

    def take_group(self, seed: Any, first: int, runs: int) -> None:
        """Copies runs of the random order, their ends replaced by the parents that they have."""
        job = self.job
        self.count = runs * RUN
        job.launch(
            "edge_copy",
            "copy_group",
            self.count,
            *job.edges,
            job.parent,
            job.state,
            self.source,
            self.target,
            seed,
            first,
            runs,
        )

    def update(self) -> None:
        """The update step: both ends of every edge move to their parents."""
        job = self.job
        job.launch("edge_copy", "update_edges", self.count, *self.arguments, job.parent)
