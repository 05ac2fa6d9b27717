"""Every graph of the corpus, as data: families, sizes, orders, mixtures.

Each family has a small, a medium and a large graph in its natural order, which the SHA-256 of its
name places in 2^10..14, 2^15..19 and 2^20..22 entries, a big one where the table says so, and a
graph in one or two of its other orders, in 2^17..22.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import numpy as np

from skerry import Csr, Edges
from skerry.graph.build import csr_from_edges
from skerry_bench.cases import Case
from skerry_bench.corpus.families import FAMILIES
from skerry_bench.corpus.halves import Half, half_of
from skerry_bench.corpus.mixtures import MIXTURES
from skerry_bench.corpus.orders import reordered

MIN_LOG, MAX_LOG = 10, 26
"""Binary logarithms of the entries of the smallest and the largest graph."""

ORDER_LOGS = (21, 18)
"""Of the graphs in a family's other orders, plus or minus one."""


class Part(NamedTuple):
    """A share of a graph: of one family, in one order."""

    family: str
    share: float = 1.0
    order: str = "natural"


@dataclass(frozen=True, slots=True)
class CorpusGraph:
    """A graph before it is made."""

    name: str
    parts: tuple[Part, ...]
    log: int
    """The binary logarithm of the entries it is to have."""
    mixture: str = "union"
    """How several parts are put together; see `skerry_bench.corpus.mixtures`."""
    file: Path | None = None
    """A real graph, which has no parts."""

    @property
    def entries(self) -> int:
        """About as many as it will have."""
        return 1 << self.log

    @property
    def families(self) -> tuple[str, ...]:
        """The families of its parts; a real graph is a family of its own."""
        return tuple(part.family for part in self.parts) or (self.name,)

    @property
    def half(self) -> Half:
        """Tuning, or checking."""
        return half_of(self.families)


def byte_of_hash(name: str, index: int) -> int:
    """A byte of the SHA-256 of a name: what stands for a draw."""
    return sha256(name.encode()).digest()[index]


def _family_graphs(name: str) -> Iterator[CorpusGraph]:
    family = FAMILIES[name]
    logs = [
        10 + byte_of_hash(name, 1) % 5,
        15 + byte_of_hash(name, 2) % 5,
        20 + byte_of_hash(name, 3) % 3,
    ]
    for log in (*logs, *([] if family.big is None else [family.big])):
        yield CorpusGraph(f"{name}-{log}", (Part(name),), log)
    skipped = byte_of_hash(name, 4) % 3 if len(family.orders) > 2 else None
    orders = [order for index, order in enumerate(family.orders) if index != skipped]
    for index, order in enumerate(orders):
        log = ORDER_LOGS[index] + byte_of_hash(name, 5 + index) % 3 - 1
        yield CorpusGraph(f"{name}-{order}-{log}", (Part(name, order=order),), log)


def _mixed(mixture: str, log: int, *parts: Part) -> CorpusGraph:
    label = "+".join(part.family for part in parts)
    return CorpusGraph(f"{mixture}:{label}-{log}", parts, log, mixture)


MIXED = (
    _mixed("chain", 21, Part("path", 0.5), Part("rmat", 0.5)),
    _mixed("chain", 25, Part("path", 0.5), Part("rmat", 0.5)),
    _mixed("union", 22, Part("grid", 0.5), Part("rmat", 0.5)),
    _mixed("union", 17, Part("grid", 0.5), Part("rmat", 0.5)),
    _mixed("interleaved", 20, Part("grid", 0.5), Part("path", 0.5, "shuffled")),
    _mixed("interleaved", 22, Part("rmat", 0.8), Part("tiny", 0.2)),
    _mixed("union", 21, Part("rmat", 0.7), Part("molecules", 0.3)),
    _mixed("chain", 20, Part("stencil-27", 0.6), Part("road", 0.4)),
    _mixed("interleaved", 21, Part("geometric", 0.7), Part("tiny", 0.3)),
    _mixed("union", 23, Part("uniform", 0.6), Part("k-mers", 0.4)),
    _mixed("chain", 22, Part("star-hub-last", 0.3), Part("grid-3d", 0.7)),
    _mixed("chain", 19, Part("web", 0.4), Part("path", 0.2), Part("grid", 0.4)),
    _mixed("union", 18, Part("cliques-16", 0.5), Part("binary-tree", 0.5)),
    _mixed("interleaved", 18, Part("small-world", 0.7), Part("cycles", 0.3)),
    _mixed("union", 24, Part("road", 0.5), Part("graph500", 0.5)),
    _mixed("interleaved", 23, Part("attachment", 0.9), Part("cycles", 0.1)),
    _mixed("chain", 13, Part("rook", 0.5), Part("caterpillar", 0.5)),
    _mixed("chain", 16, Part("regular-3", 0.5), Part("bond-percolation", 0.5)),
    _mixed("chain", 21, Part("comb", 0.5), Part("power-law", 0.5)),
    _mixed("union", 22, Part("honeycomb", 0.5), Part("kronecker", 0.5)),
    _mixed("interleaved", 20, Part("chung-lu", 0.8), Part("pairs", 0.2)),
    _mixed("interleaved", 22, Part("random-tree", 0.6), Part("triangles", 0.4)),
    _mixed("union", 21, Part("two-giants", 0.8), Part("isolated", 0.2)),
    _mixed("chain", 22, Part("spider", 0.3), Part("margulis", 0.7)),
    _mixed("union", 18, Part("de-bruijn", 0.5), Part("uniform-critical", 0.5)),
    _mixed("interleaved", 24, Part("uniform-dense", 0.7), Part("functional", 0.3)),
    _mixed("chain", 17, Part("clique-ring", 0.5), Part("deep-tree", 0.5)),
    _mixed("union", 14, Part("sierpinski", 0.5), Part("star-forest", 0.5)),
    _mixed("chain", 23, Part("overlaps", 0.5), Part("hierarchy", 0.5)),
    _mixed("interleaved", 21, Part("grid", 0.6), Part("identities", 0.4)),
    _mixed("chain", 20, Part("cycle", 0.3), Part("file-tree", 0.3), Part("rmat", 0.4)),
    _mixed("union", 12, Part("divisors", 0.5), Part("hub-chain", 0.5)),
)
"""Giants with dust, dense with sparse, ordered with random."""


def catalog(half: Half | None = None) -> list[CorpusGraph]:
    """The graphs of a half, or of both, in the order of their size."""
    every = [graph for name in FAMILIES for graph in _family_graphs(name)] + list(MIXED)
    chosen = [graph for graph in every if half is None or graph.half == half]
    return sorted(chosen, key=lambda graph: (graph.log, graph.name))


def make_edges(graph: CorpusGraph) -> Edges:
    """Its edges: the same in every run."""
    if graph.file is not None:
        return Case(graph.name, "real", graph.file, graph.entries).make(1)
    parts = []
    for index, part in enumerate(graph.parts):
        rng = _stream(graph.name, index)
        edges = FAMILIES[part.family].make(round(part.share * graph.entries), rng)
        parts.append(reordered(edges, part.order, rng))
    if len(parts) == 1:
        return parts[0]
    return MIXTURES[graph.mixture](parts, _stream(graph.name, len(parts)))


def make_graph(graph: CorpusGraph, threads: int | None = None) -> Csr:
    """Its rows: both directions of every edge, sorted, without loops and repeats."""
    return csr_from_edges(make_edges(graph), threads)


def _stream(name: str, index: int) -> np.random.Generator:
    seed = int.from_bytes(sha256(f"{name}/{index}".encode()).digest()[:8], "little")
    return np.random.Generator(np.random.PCG64(seed))
