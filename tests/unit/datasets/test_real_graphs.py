"""Real graphs with known answers, where they lie beside the repository (shared/graphs)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest

import skerry
from support.oracle import scipy_labels
from support.paths import SHARED
from support.specs import specs_on

FOLDER = SHARED / "graphs"
FILES = {path.name.removesuffix(".edges.parquet"): path for path in FOLDER.glob("*.edges.parquet")}
SMALL = ("dictionary28", "email-Enron", "luxembourg_osm", "debian-bookworm-deps")
CHOSEN = ("ecl", "union-find", "afforest", "rem", "schd", "rows", "bfscc")

pytestmark = pytest.mark.skipif(not FILES, reason=f"no graphs in {FOLDER}")


@dataclass(frozen=True)
class RealGraph:
    """A graph of the folder with the answer that its file tells."""

    edges: skerry.Edges
    components: int


@cache
def load(name):
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(FILES[name])
    metadata = {key.decode(): value.decode() for key, value in table.schema.metadata.items()}
    src, dst = (table[column].to_numpy() for column in ("src", "dst"))
    assert len(src) == int(metadata["n_edges"])
    return RealGraph(
        skerry.Edges(src, dst, int(metadata["n_vertices"])), int(metadata["n_components"])
    )


@pytest.mark.parametrize("name", FILES)
def test_auto(name):
    graph = load.__wrapped__(name)
    result = skerry.connected_components(graph.edges)
    assert result.count == graph.components
    assert result.verify()


@pytest.mark.parametrize("name", [name for name in SMALL if name in FILES])
def test_algorithms(name):
    graph = load(name)
    right = scipy_labels(graph.edges.num_vertices, graph.edges.src, graph.edges.dst)
    assert len(np.unique(right)) == graph.components
    for spec in specs_on("cpu"):
        result = skerry.connected_components(graph.edges, algorithm=spec, threads=2)
        assert np.array_equal(result.labels, right), spec.name


@pytest.mark.parametrize("name", [name for name in SMALL if name in FILES])
def test_csr(name):
    """As CSR, with and without both directions."""
    from skerry.graph.build import csr_from_edges

    graph = load(name)
    full = csr_from_edges(graph.edges)
    one_way = skerry.Csr(*upper(full))
    for csr in (full, skerry.Csr(full.offsets, full.neighbors), one_way):
        for algorithm in ("auto", *CHOSEN):
            result = skerry.connected_components(csr, algorithm=algorithm, threads=2)
            assert result.count == graph.components, (csr, algorithm)


def upper(csr):
    """The entries above the diagonal."""
    n = csr.num_vertices
    row = np.repeat(np.arange(n), np.diff(csr.offsets.astype(np.int64)))
    kept = row < csr.neighbors
    offsets = np.append(0, np.cumsum(np.bincount(row[kept], minlength=n)))
    return offsets.astype(np.uint64), csr.neighbors[kept]
