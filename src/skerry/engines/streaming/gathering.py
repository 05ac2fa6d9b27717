"""The gathering engine: reads all edges into one edge list, which another engine solves.

For what needs all edges at once: an algorithm by name, counts, a GPU.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from skerry.engines.arrays import engine_for_arrays
from skerry.engines.engine import GraphSize
from skerry.engines.memory import MEMORY
from skerry.engines.streaming.batches import verifier
from skerry.engines.streaming.engine import STREAMING, id_space, vertices_of
from skerry.engines.streaming.gather import gather
from skerry.engines.streaming.reread import edge_reader
from skerry.inputs.sources import HostSource, StreamSource
from skerry.request import InputOptions, SolveOptions
from skerry.result.components import Components
from skerry.result.estimate import Estimate
from skerry.result.verify import Verification
from skerry.threads import resolve_threads


class GatheringEngine:
    """Gathers edges, then hands them to the memory engine or to a GPU."""

    name: ClassVar[str] = "gathering"
    source: ClassVar[type] = StreamSource
    honors: ClassVar[frozenset[str]] = (MEMORY.honors - {"forest"}) | {"progress", "parts"}

    def refusal(self, source: StreamSource, options: SolveOptions) -> str | None:
        """Takes all sources; in parts, with no algorithm by name."""
        del source
        return "" if options.in_parts and options.stated & {"algorithm", "statistics"} else None

    def estimate(self, size: GraphSize, options: SolveOptions) -> Estimate:
        """As the engine that solves the gathered edges, which are part of the graph."""
        estimate = engine_for_arrays(options).estimate(size._replace(form="edges"), options)
        return replace(estimate, conversion=estimate.conversion + estimate.graph)

    def solve(self, source: StreamSource, options: SolveOptions) -> Components:
        """Reads the source once, and keeps all of its edges."""
        edges, read = source.edges, source.options
        threads = resolve_threads(options.threads)
        further = vertices_of(source)
        gathered = gather(
            edges,
            threads=threads,
            vertices=further.ids,
            threshold=read.selection,
            num_vertices=read.num_vertices,
            progress=options.progress,
        )
        ids = id_space(source, gathered.ids, gathered.edges.num_vertices)
        check = verifier(edges, ids, threads, read.selection, further.ids, True)
        host = HostSource(
            gathered.edges,
            InputOptions(),
            source.facts,
            ids,
            gathered.notes + further.notes,
            gathered.times,
            check if edges.repeatable else None,
            self.name,
            edge_reader(edges, ids, threads, read.selection),
        )
        plain = options._replace(progress=None)
        return engine_for_arrays(plain).solve(host, plain)

    def verify(self, source: StreamSource, labels: Any, threads: int) -> Verification:
        """As the streaming engine, which keeps no edges."""
        return STREAMING.verify(source, labels, threads)


GATHERING = GatheringEngine()
