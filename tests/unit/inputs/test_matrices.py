"""Every format of scipy states the same edges, and blocks outside of a matrix are refused."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.sparse

import skerry
from skerry.errors import InputError

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
