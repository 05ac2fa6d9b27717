"""``threshold=`` and ``keep=``: edges by weight, for every kind of input that has weights."""

from __future__ import annotations

import itertools
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.sparse
import scipy.sparse as sp

import skerry
import skerry.io
from skerry.errors import InputError
from support.named import as_dict, named_components
from support.weighted_inputs import WeightedInputs

EDGES = WeightedInputs([0, 1, 2, 3, 4], [1, 2, 3, 4, 5], [0.1, 0.5, 0.9, 0.5, 0.2])
SRC, DST, WEIGHT = EDGES.src, EDGES.dst, EDGES.weight
INPUTS = [name for name in EDGES.kinds if " with " not in name and name != "Matrix Market"]
"""Vertices of a Matrix Market file are numbered from 1."""
SIDES = {
    (0.5, None): [1, 2, 3],
    (0.5, "above"): [1, 2, 3],
    (0.5, "below"): [0, 1, 3, 4],
    (0.2, "below"): [0, 4],
    (-1.0, "below"): [],
    (2.0, "above"): [],
}
"""The threshold itself is kept on both sides."""


def number(id):
    return int(str(id).removeprefix("v"))


@pytest.mark.parametrize("name", INPUTS)
@pytest.mark.parametrize("side", SIDES, ids=str)
def test_edges_above_or_below_a_threshold(name, side, tmp_path):
    threshold, keep = side
    graph, weights, options = EDGES.kinds[name](tmp_path)
    options |= {} if weights is None or name == "tables" else {"weight": weights}
    result = skerry.connected_components(graph, threshold=threshold, keep=keep, **options)
    kept = SIDES[side]
    pairs = [(int(SRC[i]), int(DST[i])) for i in kept]
    answer = {number(key): number(label) for key, label in as_dict(result.table()).items()}
    if name == "arrays of external ids":
        answer = {key // 7: label // 7 for key, label in answer.items()}
    expected = named_components(pairs)
    occurs = result.ids is not None and "networkx" not in name
    if not occurs:  # vertices without an edge are there too
        expected = {vertex: expected.get(vertex, vertex) for vertex in answer}
    assert answer == expected
    assert result.verify()
    assert skerry.verify(graph, result, threshold=threshold, keep=keep, **options)


def test_igraph_edges_below_a_threshold():
    igraph = pytest.importorskip("igraph")
    graph = igraph.Graph(list(zip(SRC.tolist(), DST.tolist(), strict=True)))
    graph.es["weight"] = WEIGHT.tolist()
    result = skerry.connected_components(graph, threshold=0.5, keep="below")
    assert result.labels.tolist() == [0, 0, 0, 3, 3, 3]


def test_a_named_algorithm_reads_only_edges_below_the_threshold():
    result = skerry.connected_components(
        EDGES.table(), threshold=0.2, keep="below", algorithm="bfs"
    )
    assert as_dict(result.table()) == {0: 0, 1: 0, 4: 4, 5: 4}


def test_keep_without_a_threshold_is_an_error():
    for graph in ((SRC, DST), EDGES.table()):
        for keep in ("above", "below"):
            with pytest.raises(skerry.InputError, match=r"keep= is given without threshold="):
                skerry.connected_components(graph, keep=keep)
        with pytest.raises(skerry.InputError, match=r'keep must be "above" or "below", got 3'):
            skerry.connected_components(graph, weight="weight", threshold=1, keep=3)


def test_a_vertex_without_an_edge_is_kept_below_a_threshold(tmp_path):
    """Its loop has an infinite weight, which stands for no distance."""
    inf = float("inf")
    rows = {"src": ["a", "b", "c", "x"], "dst": ["b", "c", "c", "y"], "weight": [1.0, 9, inf, inf]}
    pq.write_table(pa.table(rows), tmp_path / "pairs.parquet")
    loops = {"u": [7, 1, 5], "v": [7, 2, 6], "weight": [inf, 0.0, inf]}
    for graph, expected in (
        (pa.table(rows), {"a": "a", "b": "a", "c": "c"}),
        (tmp_path / "pairs.parquet", {"a": "a", "b": "a", "c": "c"}),
        (pa.table(loops), {7: 7, 1: 1, 2: 1}),
    ):
        result = skerry.connected_components(graph, threshold=2, keep="below")
        assert as_dict(result.table()) == expected
    both = pa.table({**loops, "x": ["a", "a", "a"], "y": ["a", "a", "b"]})
    ends = {"source": ("u", "x"), "target": ("v", "y")}
    result = skerry.connected_components(both, **ends, threshold=2, keep="below")
    assert result.count == 2 and result.num_vertices == 3


def test_zeros_that_fill_a_block_are_no_edges_below_a_threshold():
    blocks = sp.bsr_array(np.kron(np.eye(2), [[0, 0.3], [0, 0]]), blocksize=(2, 2))
    result = skerry.connected_components(blocks, threshold=1, keep="below")
    assert result.labels.tolist() == [0, 0, 2, 2]
    for threshold in (None, 0.1):
        with pytest.raises(skerry.InputError, match="an adjacency matrix is square"):
            skerry.connected_components(sp.coo_array(np.ones((3, 2))), threshold=threshold)


def command(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "skerry", *map(str, arguments)], capture_output=True, text=True
    )


def test_the_command_keeps_edges_below_a_threshold(tmp_path):
    (tmp_path / "pairs.csv").write_text("src,dst,distance\na,b,0.1\nb,c,0.5\nx,y,0.7\n")
    options = ("--weight", "distance", "--threshold", "0.5", "--keep", "below")
    labels = tmp_path / "labels.csv"
    run = command("components", tmp_path / "pairs.csv", *options, "-o", labels, "--verify")
    assert run.returncode == 0, run.stderr
    assert labels.read_text().replace('"', "").split()[1:] == ["a,a", "b,a", "c,a"]
    run = command("verify", tmp_path / "pairs.csv", labels, *options)
    assert run.returncode == 0, run.stderr
    assert command("verify", tmp_path / "pairs.csv", labels, *options[:4]).returncode == 1
    run = command("components", tmp_path / "pairs.csv", "--keep", "below")
    assert run.returncode == 2 and "--keep needs --threshold" in run.stderr


# Every format of scipy states the same edges, and blocks outside of a matrix are refused.

FORMATS = ["csr", "csc", "coo", "bsr", "lil", "dok", "dia"]
N = 40


def path(seed: int) -> tuple[set[tuple[int, int]], scipy.sparse.coo_array]:
    """A directed path through some vertices, all of whose edges are bridges."""
    order = np.random.default_rng(seed).permutation(N)[:25].tolist()
    edges = list(itertools.pairwise(order))
    src, dst = zip(*edges, strict=True)
    values = np.arange(1.0, len(edges) + 1)
    return set(edges), scipy.sparse.coo_array((values, (src, dst)), shape=(N, N))


def ends(links) -> set[tuple[int, int]]:
    return {(link.source, link.target) for link in links}


@pytest.mark.parametrize("kind", FORMATS)
def test_ends_are_as_the_matrix_states_them(kind):
    edges, matrix = path(1)
    result = skerry.connected_components(matrix.asformat(kind), forest=True)
    assert ends(result.spanning_forest()) == ends(result.bridges()) == edges
    weight = {(link.source, link.target): link.weight for link in result.spanning_forest()}
    assert weight == {
        (int(i), int(j)): v for i, j, v in zip(*matrix.coords, matrix.data, strict=True)
    }
    part = result.subgraph()
    known = part.vertices
    assert set(zip(known[part.src].tolist(), known[part.dst].tolist(), strict=True)) == edges
    strict = skerry.connected_components(matrix.asformat(kind), threshold=3, forest=True)
    assert ends(strict.spanning_forest()) < edges


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "bsr"])
def test_the_same_from_a_file(kind, tmp_path):
    edges, matrix = path(2)
    scipy.sparse.save_npz(tmp_path / "a.npz", matrix.asformat(kind))
    result = skerry.connected_components(tmp_path / "a.npz", forest=True)
    assert ends(result.spanning_forest()) == ends(result.bridges()) == edges


@pytest.mark.parametrize("options", [{}, {"threshold": 0.5}])
@pytest.mark.parametrize("index", [2**30, 2, -1, 2**31 - 1])
def test_blocks_outside_of_the_matrix(index, options):
    matrix = scipy.sparse.bsr_array(np.ones((8, 8)), blocksize=(4, 4))
    matrix.indices[0] = index
    with pytest.raises(InputError, match="has 2 blocks in a row"):
        skerry.connected_components(matrix, **options)


def test_blocks_of_nothing():
    matrix = scipy.sparse.bsr_array(np.ones((8, 8)), blocksize=(4, 4))
    matrix.data = matrix.data[:, :0, :0]
    with pytest.raises(InputError, match="blocks"):
        skerry.connected_components(matrix)
