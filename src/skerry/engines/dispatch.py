"""From a request to its answer: one classification, one choice of an engine, one refusal."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from skerry.engines.engine import Engine
from skerry.engines.refusal import explain
from skerry.errors import UnsupportedError
from skerry.inputs.recognize import recognize
from skerry.inputs.sources import (
    AdjacencySource,
    DeviceGridSource,
    DeviceSource,
    GridSource,
    HostSource,
    Source,
    StreamSource,
)
from skerry.request import InputOptions, SolveOptions
from skerry.result.components import Components
from skerry.result.verify import Verification
from skerry.threads import resolve_threads


class EngineEntry(NamedTuple):
    """Where an engine is. Its module is imported when a source of its class comes."""

    name: str
    source: type
    module: str
    attribute: str

    def load(self) -> Engine:
        """The engine."""
        return _load(self.module, self.attribute)


@cache
def _load(module: str, attribute: str) -> Engine:
    engine: Engine = getattr(import_module(module), attribute)
    return engine


ENGINES = (
    EngineEntry("memory", HostSource, "skerry.engines.memory", "MEMORY"),
    EngineEntry("upload", HostSource, "skerry.engines.device", "UPLOAD"),
    EngineEntry("parts", HostSource, "skerry.engines.parts.engine", "PARTS"),
    EngineEntry("device", DeviceSource, "skerry.engines.device", "DEVICE"),
    EngineEntry("grid", GridSource, "skerry.engines.grid", "GRID"),
    EngineEntry("device grid", DeviceGridSource, "skerry.engines.device_grid", "DEVICE_GRID"),
    EngineEntry("adjacency", AdjacencySource, "skerry.engines.adjacency", "ADJACENCY"),
    EngineEntry("streaming", StreamSource, "skerry.engines.streaming.engine", "STREAMING"),
    EngineEntry("gathering", StreamSource, "skerry.engines.streaming.gathering", "GATHERING"),
    EngineEntry("spilling", StreamSource, "skerry.engines.spilling.engine", "SPILLING"),
)
"""All engines. Of those that take a source and honor its options, the first is used."""

KINDS: dict[type, str] = {
    HostSource: "arrays, matrices and graphs made of them",
    DeviceSource: "arrays on a GPU",
    GridSource: "images",
    DeviceGridSource: "images on a GPU",
    AdjacencySource: "graphs of networkx and mappings of neighbors",
    StreamSource: "files, tables and batches of edges",
}
"""What messages call the inputs of each class of sources."""


def dispatch(graph: Any, read: InputOptions, options: SolveOptions) -> Components:
    """Solves whatever the caller passed.

    Raises
    ------
    UnsupportedError
        If the kind of input, or every engine that takes it, refuses an option.
    """
    source = recognize(graph, read)
    engine = select(source, options)
    if options.previous is None:
        return engine.solve(source, options)
    # Imported with the first earlier answer: it brings a union-find.
    from skerry.engines.previous import solve_after

    return solve_after(engine, source, options)


def select(source: Source, options: SolveOptions) -> Engine:
    """The engine for a source: the first that can run and honors all that is stated."""
    stated = options.stated
    engines = []
    for entry in ENGINES:
        if type(source) is entry.source:
            engine = entry.load()
            if stated <= engine.honors and engine.refusal(source, options) is None:
                return engine
            engines.append(engine)
    raise UnsupportedError(explain(engines, source, options, KINDS[type(source)], _honored()))


def verify_source(source: Source, labels: Any, threads: int | None = None) -> Verification:
    """Checks that ``labels`` are the components of a source, with the first engine for it."""
    entry = next(entry for entry in ENGINES if entry.source is type(source))
    return entry.load().verify(source, labels, resolve_threads(threads))


def _honored() -> dict[str, frozenset[str]]:
    """Kinds of input, and the options that some engine honors for them."""
    return {
        kind: frozenset().union(*(each.load().honors for each in ENGINES if each.source is source))
        for source, kind in KINDS.items()
    }


def engine_named(name: str) -> Engine:
    """The engine of this name."""
    return next(entry for entry in ENGINES if entry.name == name).load()
