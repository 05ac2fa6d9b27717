"""Edges that an algorithm may rewrite: see ``kernels/gpu/published/edge_copy.cu``."""

from __future__ import annotations

from copy import copy
from typing import Any

from skerry.algorithms.gpu.job import Job

RUN = 32  # edges that are drawn together: one for each lane of a warp


class EdgeCopy:
    """Memory for edges of a run, of which the first ``count`` are in use."""

    def __init__(self, job: Job, capacity: int) -> None:
        self.job = job
        self.source = job.empty(capacity)
        self.target = job.empty(capacity)
        self.count = 0

    @property
    def arguments(self) -> tuple[Any, ...]:
        """The first arguments of kernels over a copy: columns and number of edges."""
        return (self.source, self.target, self.count)

    def copy_all(self) -> None:
        """Copies the edges of the input, in their order."""
        job = self.job
        self.count = job.graph.num_entries
        columns = (self.source, self.target)
        job.launch("edge_copy", "copy_edges", self.count, *job.edge_arguments, job.state, *columns)

    def copy_group(self, seed: Any, first: int, runs: int) -> None:
        """Copies runs of the random order, each end replaced by its parent."""
        job = self.job
        self.count = runs * RUN
        job.launch(
            "edge_copy",
            "copy_group",
            self.count,
            *job.edge_arguments,
            job.parent,
            job.state,
            self.source,
            self.target,
            seed,
            first,
            runs,
        )

    def permute_all(self, seed: Any) -> None:
        """Copies the edges of the input in random order."""
        job = self.job
        self.count = job.graph.num_entries
        columns = (self.source, self.target, seed)
        job.launch(
            "edge_copy", "permute_edges", self.count, *job.edge_arguments, job.state, *columns
        )

    def stretch(self, first: int, count: int) -> EdgeCopy:
        """Some of these edges: what changes in them changes here."""
        part = copy(self)
        part.source, part.target = (
            column[first : first + count] for column in (self.source, self.target)
        )
        part.count = count
        return part

    def update(self) -> None:
        """The update step: both ends of every edge are replaced by their parents."""
        job = self.job
        job.launch("edge_copy", "update_edges", self.count, *self.arguments, job.parent)
