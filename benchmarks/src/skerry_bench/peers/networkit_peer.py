"""networkit: ``ConnectedComponents`` (one thread) and ``ParallelConnectedComponents`` (all).

Ids are made 64 bits wide first, and that is part of the whole time: ``GraphFromCoo`` reads arrays
as if they were, and crashes on narrower ones (networkit 11.2). The parallel one coarsens, as it
does by default: without, it is a little faster on random graphs and takes minutes on deep ones.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from skerry_bench.implementation import Found
from skerry_bench.peers.adapter import Adapter, Ids, later

__all__ = ["Networkit", "NetworkitParallel"]


class Networkit(Adapter):
    """`networkit.Graph`, searched by one thread."""

    name: ClassVar[str] = "networkit"
    package: ClassVar[str] = "networkit"
    distribution: ClassVar[str] = "networkit"

    def build(self, src: Ids, dst: Ids, n: int, threads: int) -> Any:
        """A graph of coordinates; its building uses one thread in any case."""
        import networkit

        networkit.setNumberOfThreads(threads if self.parallel else 1)
        wide = (src.astype(np.uint64, copy=False), dst.astype(np.uint64, copy=False))
        return networkit.GraphFromCoo(wide, n=n, weighted=False, directed=False)

    def solve(self, state: Any) -> Found:
        """A component object that has been run."""
        found = self._algorithm(state)
        found.run()
        return later(lambda: found.getPartition().getVector())

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
