"""The six kinds of source that engines read, and what each kind of input accepts.

A source is cheap to make: nothing of the graph has been read or checked yet, except what tells its
kind. Engines load it with the number of threads that they have.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from skerry.graph.edge_source import EdgeSource, IdKind, InputFacts
from skerry.graph.grid import Grid
from skerry.ids.id_space import IdSpace
from skerry.ids.objects import Objects
from skerry.request import InputOptions, accepted_by
from skerry.result.forest import ReadEdges
from skerry.result.plan import PassTime
from skerry.result.verify import Verification


class InputKind(NamedTuple):
    """A kind of object that `skerry.connected_components` takes."""

    name: str
    """What messages call it."""
    open: Callable[[Any, InputOptions], Source]
    """Makes a source of such an object; of one on a GPU, from a pair of it and its device."""
    id_kinds: tuple[IdKind, ...]
    """What its ids can mean; the first is what ``ids="auto"`` takes."""

    @property
    def accepts(self) -> frozenset[str]:
        """Input options that mean something for it; others are refused."""
        return accepted_by(self.name)


@dataclass(slots=True, eq=False)
class HostSource:
    """A graph that lies in the memory of the host; see host.py for how it is loaded."""

    graph: Any
    """As the caller gave it: not validated."""
    options: InputOptions
    facts: InputFacts
    ids: IdSpace | None = None
    """Ids of the vertices, where they are not their numbers."""
    notes: tuple[str, ...] = ()
    """What was done to the input before."""
    passes: tuple[PassTime, ...] = ()
    """What took time before."""
    verify: Callable[[Any], Verification] | None = None
    """Checks labels against the original input, where that is not ``graph``."""
    engine: str = ""
    """The engine that made this source of another, for the plan."""
    edges: ReadEdges | None = None
    """Reads the edges of the original input again, where that is not ``graph``."""


class DeviceSource(NamedTuple):
    """A graph whose arrays lie in the memory of a GPU."""

    graph: Any
    options: InputOptions
    facts: InputFacts
    device: int
    """The number of the GPU."""


class GridSource(NamedTuple):
    """An image in the memory of the host, whose neighboring pixels are joined."""

    graph: Grid
    options: InputOptions
    facts: InputFacts


class DeviceGridSource(NamedTuple):
    """An image in the memory of a GPU."""

    graph: Grid
    options: InputOptions
    facts: InputFacts
    device: int
    """The number of the GPU."""


class AdjacencySource(NamedTuple):
    """Rows of Python objects: a networkx graph, or a mapping; see adjacency.py."""

    graph: Any
    """As the caller gave it, or a dict of rows."""
    rows: dict[Any, Any] | None
    """Neighbors of each node, for native code; None where only its library can read the graph."""
    ids: Objects
    options: InputOptions
    facts: InputFacts


@dataclass(slots=True, eq=False)
class StreamSource:
    """Edges that are read in batches: tables, files, iterables."""

    edges: EdgeSource
    options: InputOptions

    @property
    def facts(self) -> InputFacts:
        """What was taken from the input."""
        return self.edges.facts


Source: TypeAlias = (
    HostSource | DeviceSource | GridSource | DeviceGridSource | AdjacencySource | StreamSource
)
