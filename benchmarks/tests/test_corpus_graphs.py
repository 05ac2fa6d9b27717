"""The corpus: its division into halves, its sizes, and that its graphs are what they should be."""

from __future__ import annotations

from hashlib import sha256

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import skerry
from skerry.graph.build import is_symmetric
from skerry.graph.edges import Edges
from skerry_bench.checksum import checksum
from skerry_bench.corpus.catalog import (
    MAX_LOG,
    MIN_LOG,
    CorpusGraph,
    catalog,
    make_edges,
    make_graph,
)
from skerry_bench.corpus.families import FAMILIES
from skerry_bench.corpus.halves import KNOWN, half_of
from skerry_bench.corpus.orders import ORDERS, reordered
from skerry_bench.corpus.real import real_folder, real_graphs
from skerry_bench.corpus.store import Store
from skerry_bench.corpus.variations import variations

GRAPHS = catalog()
SMALL = [graph for graph in GRAPHS if graph.log <= 14]
CHECKSUMS = {
    "geometric-10": "0e94d3f712ed5d20245b00b576516e46",
    "rmat-10": "ccc3326f059ca307d8b21825d3bc27c4",
    "kronecker-11": "cdf44513fa2f26aef285c51824f639fb",
    "molecules-11": "bfd9f3aebf87d754808acbeb62e7b46a",
    "grid-12": "58641555ec9f03c0ffcdf7d11b1a217e",
    "chain:rook+caterpillar-13": "ef565fb1571693b042d9fa9400fc0ca1",
    "uniform-sparse-13": "6c3edb3a820d630d70d64e42d16180ed",
}


def test_there_are_at_least_150_graphs_and_both_halves_have_many():
    names = [graph.name for graph in GRAPHS]
    assert len(names) == len(set(names)) >= 150
    assert min(len(catalog("tuning")), len(catalog("checking"))) >= 75
    assert len(catalog("tuning")) + len(catalog("checking")) == len(GRAPHS)


def test_a_family_is_for_checking_if_the_first_byte_of_its_hash_is_odd():
    for graph in GRAPHS:
        odd = [
            int(sha256(family.encode()).hexdigest()[:2], 16) % 2 == 1 and family not in KNOWN
            for family in graph.families
        ]
        assert graph.half == ("checking" if any(odd) else "tuning")


def test_variations_are_other_graphs_of_a_half():
    known = {graph.name for graph in GRAPHS}
    for half in ("tuning", "checking"):
        graphs = variations(half)
        names = {graph.name for graph in graphs}
        assert len(names) == len(graphs) > 250 and not names & known
        assert {graph.half for graph in graphs} == {half}
        assert {graph.log for graph in graphs} == set(range(19, 24))
        assert {part.order for graph in graphs for part in graph.parts} == {"natural", *ORDERS}
    assert len(variations()) == sum(len(variations(half)) for half in ("tuning", "checking"))


def test_known_families_are_for_tuning():
    assert {half_of([name]) for name in KNOWN} == {"tuning"}
    assert any(sha256(name.encode()).digest()[0] % 2 for name in KNOWN)


def test_the_catalog_has_every_order_every_mixture_and_every_size():
    assert {part.order for graph in GRAPHS for part in graph.parts} == {"natural", *ORDERS}
    mixed = [graph for graph in GRAPHS if len(graph.parts) > 1]
    assert {graph.mixture for graph in mixed} == {"union", "chain", "interleaved"}
    assert len(mixed) >= 30
    assert {graph.log for graph in GRAPHS} == set(range(MIN_LOG, MAX_LOG + 1))
    for half in ("tuning", "checking"):
        assert {graph.log // 4 for graph in catalog(half)} == {2, 3, 4, 5, 6}


@pytest.mark.parametrize("graph", SMALL, ids=lambda graph: graph.name)
def test_a_small_graph_is_simple_symmetric_and_of_its_size(graph):
    rows = make_graph(graph, 1)
    if graph.families != ("isolated",):
        assert graph.entries * 0.45 <= rows.num_entries <= graph.entries * 1.5
    assert rows.neighbors.dtype == np.uint32
    assert rows.symmetric
    assert is_symmetric(rows)
    src = np.repeat(np.arange(rows.num_vertices), np.diff(rows.offsets.astype(np.int64)))
    assert not (src == rows.neighbors).any()
    pairs = src * rows.num_vertices + rows.neighbors
    assert (np.diff(pairs) > 0).all()


@pytest.mark.parametrize("graph", SMALL, ids=lambda graph: graph.name)
def test_labels_of_a_small_graph_are_those_of_scipy(graph):
    sparse = pytest.importorskip("scipy.sparse")
    rows = make_graph(graph, 1)
    n = rows.num_vertices
    ones = np.ones(rows.num_entries)
    matrix = sparse.csr_array((ones, rows.neighbors, rows.offsets.astype(np.int64)), shape=(n, n))
    count, labels = sparse.csgraph.connected_components(matrix, directed=False)
    smallest = np.full(count, n)
    np.minimum.at(smallest, labels, np.arange(n))
    result = skerry.connected_components(rows)
    assert result.count == count
    assert (result.labels == smallest[labels]).all()


def test_graphs_are_the_same_in_every_run():
    by_name = {graph.name: graph for graph in GRAPHS}
    assert {name: checksum(make_graph(by_name[name], 1)) for name in CHECKSUMS} == CHECKSUMS


@pytest.mark.parametrize("order", ORDERS)
def test_an_order_renames_vertices_and_changes_nothing_else(order):
    ids = np.arange(36, dtype=np.uint32).reshape(6, 6)
    grid = Edges(np.append(ids[:, :-1], ids[:-1]), np.append(ids[:, 1:], ids[1:]), 36)
    after = reordered(grid, order, np.random.default_rng(1))
    degrees = np.bincount(np.append(grid.src, grid.dst), minlength=36)
    renamed = np.bincount(np.append(after.src, after.dst), minlength=36)
    assert sorted(degrees) == sorted(renamed)
    assert (grid.src != after.src).any()
    if order == "degree":
        assert (np.diff(renamed) <= 0).all()
    if order == "hilbert":
        joined = set(zip(after.src.tolist(), after.dst.tolist(), strict=True))
        joined |= {(dst, src) for src, dst in joined}
        assert sum((i, i + 1) in joined for i in range(35)) > 20


def test_a_breadth_first_order_goes_level_by_level():
    path = Edges(np.array([4, 2, 0], "u4"), np.array([2, 0, 3], "u4"), 5)  # 4-2-0-3, and 1 alone
    after = reordered(path, "bfs", np.random.default_rng(1))
    pairs = {
        tuple(sorted(pair)) for pair in zip(after.src.tolist(), after.dst.tolist(), strict=True)
    }
    assert pairs in ({(0, 1), (0, 2), (1, 3)}, {(0, 1), (0, 2), (2, 3)})


def test_a_chain_joins_its_parts_and_a_union_does_not():
    chain = next(graph for graph in GRAPHS if graph.mixture == "chain" and graph.log <= 13)
    assert skerry.connected_components(make_edges(chain)).count == 1


def test_stored_graphs_are_read_back(tmp_path):
    store = Store(tmp_path)
    graph = SMALL[0]
    assert not store.has(graph)
    made, read = store.load(graph), store.load(graph)
    assert store.has(graph)
    assert checksum(made) == checksum(read) == checksum(make_graph(graph, 1))


def test_a_cache_is_filled_by_several_processes(tmp_path):
    store = Store(tmp_path)
    missing = CorpusGraph("missing", (), 10, file=tmp_path / "missing.edges.parquet")
    assert list(store.fill([*SMALL[:2], missing], 2)) == ["missing"]
    assert all(map(store.has, SMALL[:2]))
    assert store.fill(SMALL[:2], 2) == {}


def test_real_graphs_come_from_a_folder_and_are_divided_by_their_name(tmp_path, monkeypatch):
    table = pa.table({"src": pa.array([0, 2], pa.uint32()), "dst": pa.array([1, 3], pa.uint32())})
    metadata = {"n_vertices": "6", "n_edges": "2"}
    pq.write_table(table.replace_schema_metadata(metadata), tmp_path / "some-net.edges.parquet")
    monkeypatch.setenv("SKERRY_CORPUS_GRAPHS", str(tmp_path))
    (graph,) = real_graphs(real_folder())
    assert (graph.name, graph.log, graph.families) == ("some-net", 2, ("some-net",))
    assert graph.half == half_of(["some-net"])
    rows = make_graph(graph)
    assert (rows.num_vertices, rows.num_entries) == (6, 4)


def test_the_big_graphs_of_families_are_within_bounds():
    assert {family.big for family in FAMILIES.values()} <= {None, 23, 24, 25, MAX_LOG}
