"""`skerry.csgraph`: what scipy answers, for everything that scipy takes."""

from __future__ import annotations

import inspect
import subprocess
import sys
from importlib import import_module
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse import csgraph

import skerry
import skerry.csgraph
from support.emulated import emulated_gpu
from support.graphs import small_graphs

FORMATS = ("csr", "csc", "coo", "lil", "dok", "dia", "bsr")
BY_SCIPY = csgraph.connected_components


def assert_as_scipy(graph, **options):
    count, labels = skerry.csgraph.connected_components(graph, **options)
    right_count, right = BY_SCIPY(graph, **options)
    assert (type(count), count) == (type(right_count), right_count)
    assert type(labels) is type(right) and labels.dtype == right.dtype and labels.flags.writeable
    if options.get("connection", "weak").lower() == "strong" and options.get("directed", True):
        # Versions of scipy number strong components differently: only the sets must be theirs,
        # and edges lead to a component of the same or of a smaller number.
        assert len(set(zip(labels.tolist(), right.tolist(), strict=True))) == count
        if scipy.sparse.issparse(graph):
            source, target = scipy.sparse.coo_array(graph).coords
            assert np.all(labels[source] >= labels[target])
    else:
        np.testing.assert_array_equal(labels, right)
    assert skerry.csgraph.connected_components(graph, return_labels=False, **options) == count


def scipy_tests():
    name = "scipy.sparse.csgraph.tests.test_connected_components"
    try:
        module = import_module(name)
    except ImportError:  # some distributions leave them out
        return []
    tests = [value for key, value in vars(module).items() if key.startswith("test_")]
    return [
        test for test in tests if not inspect.signature(test).parameters
    ]  # no arguments of pytest


@pytest.mark.parametrize("test", scipy_tests(), ids=lambda test: test.__name__)
def test_of_scipy(test, monkeypatch):
    monkeypatch.setattr(csgraph, "connected_components", skerry.csgraph.connected_components)
    monkeypatch.setattr(skerry.csgraph, "_csgraph_of_scipy", scipy_unpatched)
    test()


def scipy_unpatched():
    functions = {name: getattr(csgraph, name) for name in dir(csgraph)}
    return SimpleNamespace(**functions | {"connected_components": BY_SCIPY})


def test_the_signature_is_that_of_scipy():
    parameters = inspect.signature(skerry.csgraph.connected_components).parameters.values()
    right = inspect.signature(BY_SCIPY).parameters.values()
    assert [(each.name, each.default, each.kind) for each in parameters] == [
        (each.name, each.default, each.kind) for each in right
    ]


@pytest.mark.parametrize("graph", small_graphs(), ids=lambda graph: graph.name)
@pytest.mark.parametrize("form", FORMATS)
def test_every_format(graph, form):
    if form == "dia" and graph.n > 100:
        pytest.skip("as many diagonals as vertices")
    for matrix in (graph.csr, graph.symmetric):
        assert_as_scipy(matrix.asformat(form))
        assert_as_scipy(matrix.asformat(form), directed=False, connection="strong")
        assert_as_scipy(matrix.asformat(form), connection="strong")


@pytest.mark.parametrize("wrap", [scipy.sparse.csr_matrix, scipy.sparse.csr_array, np.asarray])
def test_weak_undirected_and_strong(wrap):
    graph = wrap(np.array([[0, 1, 0, 0], [1, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]]))
    for connection in ("weak", "Weak", "strong", "STRONG"):
        for directed in (True, False, 1, 0):
            assert_as_scipy(graph, directed=directed, connection=connection)
    assert skerry.csgraph.connected_components(graph, True, "strong", False) == 3


def test_stored_zeros_are_edges_where_they_are_for_scipy():
    zero = np.zeros(1)
    assert_as_scipy(scipy.sparse.csr_array((zero, [1], [0, 1, 1]), shape=(2, 2)))
    assert_as_scipy(scipy.sparse.coo_array((zero, ([0], [1])), shape=(2, 2)))
    assert_as_scipy(scipy.sparse.dia_array((np.zeros((1, 2)), [1]), shape=(2, 2)))
    block = scipy.sparse.bsr_array((np.zeros((1, 2, 2)), [0], [0, 1]), shape=(2, 2))
    assert skerry.csgraph.connected_components(block, return_labels=False) == 1


@pytest.mark.parametrize(
    "dense",
    [
        np.array([[0, np.nan, 1], [np.inf, 0, 0], [0, 0, 0]]),
        np.ma.masked_array(np.ones((3, 3)), mask=[[1, 1, 0], [1, 1, 1], [1, 1, 1]]),
        np.zeros((3, 3), bool),
        np.matrix([[0, 1], [0, 0]]),
        np.zeros((0, 0)),
        np.asfortranarray([[0, 0, 2], [0, 0, 0], [0, 0, 0]]),
    ],
    ids=["no edges of nan and inf", "masked", "bool", "matrix", "empty", "by columns"],
)
def test_dense_arrays(dense):
    assert_as_scipy(dense)
    assert_as_scipy(dense, connection="strong")


def test_matrices_of_pydata():
    matrix = scipy.sparse.csr_array(np.array([[0, 1], [0, 0]]))

    class Sparse:
        def to_scipy_sparse(self, accept_fv):
            assert 0 in accept_fv and np.inf in accept_fv
            return matrix.tocoo()

    assert skerry.csgraph.connected_components(Sparse(), return_labels=False) == 1
    assert skerry.csgraph.connected_components(Sparse(), connection="strong")[0] == 2


@pytest.mark.parametrize("connection", ["weak", "strong"])
@pytest.mark.parametrize("kind", [scipy.sparse.csr_array, scipy.sparse.csc_array])
@pytest.mark.parametrize("indices", [np.int32, np.int64])
@pytest.mark.parametrize(
    ("offsets", "neighbor", "message"),
    [([0, 1, 1, 1], 7, "7"), ([0, 1, 0, 1], 1, "falls from 1 to 0 at row 1")],
)
def test_what_scipy_does_not_check_is_an_error(
    kind, indices, connection, offsets, neighbor, message
):
    matrix = kind((3, 3))
    matrix.indptr, matrix.indices = np.array(offsets, indices), np.array([neighbor], indices)
    matrix.data = np.ones(1)
    with pytest.raises(skerry.InputError, match=message):
        skerry.csgraph.connected_components(matrix, connection=connection)


def test_coo_indices_that_scipy_does_not_check_again():
    matrix = scipy.sparse.coo_array(([1.0], ([0], [1])), shape=(3, 3))
    matrix.coords[1][0] = 7
    with pytest.raises(skerry.InputError, match=r"col\[0\] is 7"):
        skerry.csgraph.connected_components(matrix, connection="strong")


@pytest.mark.parametrize(
    "graph", [np.zeros((2, 3)), np.zeros(3), scipy.sparse.csr_array((2, 3)), *map(np.zeros, [()])]
)
def test_what_is_not_square_is_a_value_error(graph):
    for solve in (BY_SCIPY, skerry.csgraph.connected_components):
        with pytest.raises(ValueError):
            solve(graph)


def test_another_connection_is_a_value_error():
    for directed in (True, False):
        with pytest.raises(ValueError, match="connection must be 'weak' or 'strong', got 'both'"):
            skerry.csgraph.connected_components(np.eye(2), directed, "both")


def test_labels_from_2_to_the_31_vertices_on_have_64_bits():
    many = np.lib.stride_tricks.as_strided(np.zeros(1, np.uint32), (2**31 - 1,), (0,))
    assert skerry.csgraph._signed(many).dtype == np.int32
    wide = SimpleNamespace(itemsize=4, __len__=None, astype=np.dtype)
    more = type("Labels", (SimpleNamespace,), {"__len__": lambda _self: 2**31})(**vars(wide))
    assert skerry.csgraph._signed(more) == np.dtype(np.int64)


def cupyx_matrix(matrix):
    """A matrix that says it is of cupyx; the emulated GPU takes arrays of NumPy."""
    kind = type("csr_matrix", (), {"__module__": "cupyx.scipy.sparse._csr", "tocoo": None})
    made = kind()
    for name in ("shape", "format", "data", "indptr", "indices"):
        setattr(made, name, getattr(matrix, name))
    return made


def test_matrices_of_cupyx_stay_on_the_gpu():
    graph = next(each for each in small_graphs() if each.n > 10)
    given = cupyx_matrix(graph.csr)
    with emulated_gpu(on_device=True):
        count, labels = skerry.csgraph.connected_components(given)
        assert skerry.csgraph.connected_components(given, return_labels=False) == count
    right_count, right = BY_SCIPY(graph.csr)
    assert count == right_count and labels.dtype == np.int32
    np.testing.assert_array_equal(np.asarray(labels), right)


def test_strong_components_of_cupyx_are_theirs(monkeypatch):
    calls = []
    theirs = SimpleNamespace(connected_components=lambda *call: calls.append(call) or (1, None))
    monkeypatch.setattr(skerry.csgraph, "_csgraph_of_cupyx", lambda: theirs)
    given = cupyx_matrix(scipy.sparse.csr_array((2, 2)))
    assert skerry.csgraph.connected_components(given, connection="strong") == (1, None)
    assert calls == [(given, True, "strong", True)]


def test_importing_it_does_not_import_scipy():
    code = "import sys, skerry.csgraph; sys.exit('scipy' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_scipy_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.sparse", None)
    with pytest.raises(skerry.UnsupportedError, match=r"skerry\[scipy\]"):
        skerry.csgraph.connected_components(np.eye(2))
