"""networkit: ``ConnectedComponents`` (one thread) and ``ParallelConnectedComponents`` (all).

Ids are converted to 64 bits first, and that is part of the end-to-end time: ``GraphFromCoo`` reads
any array as 64-bit and crashes on narrower ones (networkit 11.2). The parallel algorithm coarsens,
as it does by default: without, it is slightly faster on random graphs and takes minutes on deep
ones.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from skerry_bench.implementation import Answer
from skerry_bench.peers.adapter import Adapter, Ids, deferred


class Networkit(Adapter):
    """`networkit.Graph`, searched by one thread."""

    name: ClassVar[str] = "networkit"
    package: ClassVar[str] = "networkit"
    distribution: ClassVar[str] = "networkit"

    def build(self, src: Ids, dst: Ids, n: int, threads: int) -> Any:
        """A graph from coordinates; it is always built by one thread."""
        import networkit

        networkit.setNumberOfThreads(threads if self.parallel else 1)
        wide = (src.astype(np.uint64, copy=False), dst.astype(np.uint64, copy=False))
        return networkit.GraphFromCoo(wide, n=n, weighted=False, directed=False)

    def solve(self, state: Any) -> Answer:
        """A component object that has been run."""
        algorithm = self._algorithm(state)
        algorithm.run()
        return deferred(lambda: algorithm.getPartition().getVector())

    def _algorithm(self, graph: Any) -> Any:
        from networkit.components import ConnectedComponents

        return ConnectedComponents(graph)


class NetworkitParallel(Networkit):
    """The same graph, labels propagated by all threads."""

    name: ClassVar[str] = "networkit-parallel"
    parallel: ClassVar[bool] = True

    def _algorithm(self, graph: Any) -> Any:
        from networkit.components import ParallelConnectedComponents

        return ParallelConnectedComponents(graph, True)
