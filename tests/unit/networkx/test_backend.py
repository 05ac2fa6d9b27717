"""The backend of networkx: its answers, its order, and when it runs."""

from __future__ import annotations

import gc
import importlib
import os
import subprocess
import sys
import textwrap
import tomllib
import weakref

import networkx as nx
import numpy as np
import pytest

import _skerry_networkx
import skerry.networkx
from skerry.networkx import backend
from support.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
FUNCTIONS = sorted(_skerry_networkx.FUNCTIONS)
DISPATCHES = tuple(map(int, nx.__version__.split(".")[:2])) >= (3, 4)
needs_dispatch = pytest.mark.skipif(not DISPATCHES, reason="backends decide since networkx 3.4")


def graphs():
    yield "empty", nx.Graph()
    yield "one node", nx.empty_graph(1)
    yield "loops", nx.Graph([("b", "b"), ("a", "b")])
    yield "mixed nodes", nx.Graph([(2, "a"), ((1, 2), b"z"), (1.5, frozenset({3}))])
    yield "in no order", nx.Graph([(9, 3), (1, 7), (3, 1), (5, 5), (8, 0)])
    yield "many", nx.gnm_random_graph(300, 200, seed=1)
    yield "multigraph", nx.MultiGraph([(0, 1), (0, 1), (2, 3)])
    yield "view", nx.subgraph_view(nx.path_graph(9), filter_node=lambda node: node != 4)
    yield "frozen", nx.freeze(nx.path_graph(4))


@pytest.mark.parametrize("graph", [pytest.param(graph, id=name) for name, graph in graphs()])
def test_answers_and_their_order_are_those_of_networkx(graph):
    for own, directed in ((graph, False), (graph.to_directed(), True)):
        converted = backend.convert_from_nx(own)
        assert converted.is_directed() is own.is_directed() is directed
        right = nx.weakly_connected_components if directed else nx.connected_components
        right = list(right(own))
        assert list(backend.connected_components(converted)) == right
        assert backend.number_connected_components(converted) == len(right)
        for node in own:
            component = backend.node_connected_component(converted, node)
            assert component == next(each for each in right if node in each)
        if right:
            assert backend.is_connected(converted) is (len(right) == 1)
        assert len(converted) == len(own) and list(converted) == list(own)


def directed_graphs():
    for name, graph in graphs():
        yield name, graph.to_directed()
    yield "random", nx.gnp_random_graph(200, 0.01, seed=2, directed=True)
    yield "acyclic", nx.DiGraph([(3, 1), (3, 2), (1, 0), (2, 0), ("x", 3)])
    yield "multigraph both ways", nx.MultiDiGraph([(0, 1), (0, 1), (1, 0), (1, 2)])
    path = nx.DiGraph([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 3)])
    yield "view of edges", nx.subgraph_view(path, filter_edge=lambda u, v: (u, v) != (2, 0))
    yield "reversed", path.reverse(copy=False)


@pytest.mark.parametrize(
    "graph", [pytest.param(graph, id=name) for name, graph in directed_graphs()]
)
def test_strong_components_and_their_order_are_those_of_networkx(graph):
    right = list(nx.strongly_connected_components(graph))
    forms = [backend.convert_from_nx(graph), backend.convert_from_nx(graph, name="condensation")]
    if list(graph) == list(range(len(graph))):
        edges = np.array(list(graph.edges()), np.int64).reshape(-1, 2)
        forms.append(skerry.networkx.from_edges(edges, num_vertices=len(graph), directed=True))
    for converted in forms:
        assert list(backend.strongly_connected_components(converted)) == right
        assert backend.number_strongly_connected_components(converted) == len(right)
        if right:
            assert backend.is_strongly_connected(converted) is (len(right) == 1)
        condensed = backend.condensation(converted)
        assert type(condensed) is nx.DiGraph
        assert nx.utils.graphs_equal(condensed, nx.condensation(graph))


def test_a_condensation_of_given_components_is_refused():
    graph = nx.DiGraph([(0, 1)])
    parts = [{0}, {1}]
    for args, kwargs in (((graph, parts), {}), ((graph,), {"scc": parts})):
        assert "networkx' own" in backend.can_run("condensation", args, kwargs)
    assert backend.can_run("condensation", (graph,), {"scc": None}) is True


def test_nodes_are_the_own_objects_of_the_graph():
    class Node:
        pass

    nodes = [Node(), Node()]
    (component,) = backend.connected_components(backend.convert_from_nx(nx.Graph([nodes])))
    assert {*map(id, component)} == {*map(id, nodes)}


def test_a_graph_without_nodes_has_no_connectivity():
    graph = nx.DiGraph()
    for function in (backend.is_connected, backend.is_strongly_connected):
        with pytest.raises(nx.NetworkXPointlessConcept):
            function(backend.convert_from_nx(graph))


@pytest.mark.parametrize("node", [7, "7", None, (1, 2), 1.5])
def test_a_missing_node_is_a_key_error(node):
    for graph in (
        backend.convert_from_nx(nx.path_graph(3)),
        skerry.networkx.from_edges([(0, 1), (1, 2)]),
        skerry.networkx.from_edges([("a", "b")]),
    ):
        assert node not in graph
        with pytest.raises(KeyError):
            backend.node_connected_component(graph, node)
        with pytest.raises(TypeError):
            backend.node_connected_component(graph, [node])


# from_edges


def test_from_edges_of_vertex_numbers():
    graph = skerry.networkx.from_edges((np.array([3, 1]), np.array([4, 0])), num_vertices=6)
    assert list(backend.connected_components(graph)) == [{0, 1}, {2}, {3, 4}, {5}]
    assert {type(node) for group in backend.connected_components(graph) for node in group} == {int}
    assert (len(graph), graph.number_of_edges(), 5 in graph, 6 in graph) == (6, 2, True, False)
    assert repr(graph) == "skerry.networkx.Graph(nodes=6, directed=False)"
    assert not graph.is_multigraph()


@pytest.mark.parametrize(
    ("edges", "components"),
    [
        ([("kim", "lee"), ("bo", "al")], [{"al", "bo"}, {"kim", "lee"}]),
        ({"a": ["b"], "c": []}, [{"a", "b"}, {"c"}]),
        (nx.Graph([(3, "x")]), [{3, "x"}]),
    ],
)
def test_from_edges_of_external_ids(edges, components):
    graph = skerry.networkx.from_edges(edges)
    assert list(backend.connected_components(graph)) == components
    assert set(graph) == set().union(*components)


def test_from_edges_of_a_table_with_ids_of_two_columns():
    arrow = pytest.importorskip("pyarrow")
    table = arrow.table({"a": [1, 1], "b": ["x", "y"], "c": [2, 3], "d": ["x", "y"]})
    graph = skerry.networkx.from_edges(table, source=("a", "b"), target=("c", "d"))
    assert list(backend.connected_components(graph)) == [{(1, "x"), (2, "x")}, {(1, "y"), (3, "y")}]
    assert backend.node_connected_component(graph, (3, "y")) == {(1, "y"), (3, "y")}


def test_from_edges_becomes_a_graph_of_networkx():
    for directed in (False, True):
        graph = skerry.networkx.from_edges([(0, 1), (2, 1)], num_vertices=4, directed=directed)
        made = backend.convert_to_nx(graph)
        assert made.is_directed() is graph.is_directed() is directed
        assert list(made) == [0, 1, 2, 3] and set(made.edges) == (
            {(0, 1), (2, 1)} if directed else {(0, 1), (1, 2)}
        )
    assert backend.convert_to_nx([1]) == [1]
    assert backend.convert_from_nx(graph) is graph


def test_from_edges_refuses_what_it_cannot_honor():
    with pytest.raises(skerry.UnsupportedError, match="labels= cannot be chosen here"):
        skerry.networkx.from_edges([(0, 1)], labels="min")


# conversion


def test_a_conversion_gives_back_the_graph_and_does_not_keep_it():
    graph = nx.path_graph(3)
    converted = backend.convert_from_nx(graph, edge_attrs=None, name="is_connected")
    graph.__networkx_cache__ = {"backends": {"skerry": {"key": converted}}}
    assert backend.convert_to_nx(converted) is graph
    gone = weakref.ref(graph)
    gc.disable()
    try:
        del graph
        assert gone() is None  # by its references alone
    finally:
        gc.enable()
    with pytest.raises(skerry.UnsupportedError, match="gone"):
        backend.convert_to_nx(converted)
    assert backend.is_connected(converted)


def test_it_runs_where_it_is_faster():
    large, small = nx.path_graph(backend.MIN_NODES), nx.path_graph(5)
    view = nx.subgraph_view(large)
    counts, early = "number_connected_components", "node_connected_component"
    assert backend.should_run(counts, (large,), {}) is True
    assert backend.should_run(counts, (), {"G": large}) is True
    for name, graph in ((counts, small), (counts, view), (early, large)):
        assert isinstance(backend.should_run(name, (graph,), {}), str)
        assert backend.can_run(name, (graph,), {}) is True
    graph = skerry.networkx.from_edges([(0, 1)])
    small.__networkx_cache__ = {"backends": {"skerry": {"key": graph}}}
    for name in FUNCTIONS:
        assert backend.should_run(name, (graph,), {}) is True
        assert backend.should_run(name, (small,), {}) is True
    small.__networkx_cache__ = {"backends": {"skerry": {}}}
    assert backend.should_run(counts, (small,), {}) is not True
    assert isinstance(backend.can_run(counts, (object(),), {}), str)


# as networkx finds it


def test_the_entry_points_name_what_there_is():
    points = PROJECT["entry-points"]
    assert importlib.import_module(points["networkx.backends"]["skerry"]) is backend
    module, function = points["networkx.backend_info"]["skerry"].split(":")
    info = getattr(importlib.import_module(module), function)()
    assert sorted(info["functions"]) == FUNCTIONS
    for name in FUNCTIONS:
        assert callable(getattr(backend, name)) and callable(getattr(nx, name))
    assert {*FUNCTIONS} == {*backend.__all__} - {
        *("can_run", "should_run", "convert_from_nx", "convert_to_nx")
    }


@pytest.fixture
def installed(tmp_path):
    """Environment variables under which networkx finds the entry points of this source tree."""
    folder = tmp_path / "skerry-0.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: skerry\nVersion: 0.0\n")
    lines = []
    for group, points in PROJECT["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in points.items())]
    (folder / "entry_points.txt").write_text("\n".join(lines) + "\n")
    path = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    return os.environ | {"PYTHONPATH": path, "NETWORKX_WARNINGS_TO_IGNORE": "cache"}


def run(code, environment, cwd):
    command = [sys.executable, "-W", "error", "-c", textwrap.dedent(code)]
    done = subprocess.run(command, env=environment, cwd=cwd, capture_output=True, text=True)
    assert not done.returncode, done.stderr
    return done.stdout.split()


@needs_dispatch
def test_importing_networkx_loads_nothing_of_skerry_but_the_facts(installed, tmp_path):
    code = "import sys, networkx; print(*(name for name in sys.modules if 'skerry' in name))"
    assert run(code, installed, tmp_path) == ["_skerry_networkx"]
    code = "import sys; before = set(sys.modules); import _skerry_networkx\n"
    code += "print(*(set(sys.modules) - before))"
    assert run(code, installed, tmp_path) == ["_skerry_networkx"]


@needs_dispatch
def test_networkx_dispatches_and_keeps_the_conversion(installed, tmp_path):
    code = """
    import networkx as nx, skerry.networkx.backend as backend
    made = []
    convert = backend.convert_from_nx
    backend.convert_from_nx = lambda *args, **options: made.append(1) or convert(*args, **options)
    graph = nx.gnm_random_graph(2000, 1500, seed=1)
    right = nx.number_connected_components(graph)
    print(len(made))
    with nx.config(backend_priority=["skerry"]):
        nx.node_connected_component(graph, 0)
        print(len(made))  # nothing is known yet
        assert nx.number_connected_components(graph) == right
        print(nx.is_connected(graph), len(made))
        assert len(list(nx.connected_components(graph))) == right
        largest = max(nx.connected_components(graph), key=len)
        assert largest == nx.node_connected_component(graph, min(largest))
        print(len(made))
        graph.add_edges_from(nx.utils.pairwise(graph))
        print(nx.number_connected_components(graph), len(made))
        small = nx.path_graph(4)
        print(nx.number_connected_components(small), len(made))
        print(nx.number_connected_components(small, backend="skerry"), len(made))
    """
    expected = "0 0 False 1 1 1 2 1 2 1 3"
    assert run(code, installed, tmp_path) == expected.split()


@needs_dispatch
def test_graphs_of_arrays_in_calls_of_networkx(installed, tmp_path):
    code = """
    import networkx as nx, skerry.networkx
    graph = skerry.networkx.from_edges([(0, 1), (1, 2), (5, 6)])
    print(nx.number_connected_components(graph), nx.is_connected(graph))
    try: nx.weakly_connected_components(graph)
    except nx.NetworkXNotImplemented: print("undirected")
    directed = skerry.networkx.from_edges([(0, 1), (2, 1)], directed=True)
    print(nx.is_weakly_connected(directed), len(nx.condensation(directed)))
    try: nx.is_connected(directed)
    except nx.NetworkXNotImplemented: print("directed")
    try: nx.triangles(graph)
    except NotImplementedError: print("other")
    with nx.config(fallback_to_nx=True): print(nx.diameter(directed.to_networkx().to_undirected()))
    """
    expected = "4 False undirected True 3 directed other 2"
    assert run(code, installed, tmp_path) == expected.split()


@needs_dispatch
@pytest.mark.parametrize("part", ["connected", "strongly_connected", "weakly_connected"])
def test_own_tests_of_networkx(part, installed, tmp_path):
    module = f"networkx.algorithms.components.tests.test_{part}"
    if importlib.util.find_spec(module) is None:
        pytest.skip("this networkx comes without its tests")
    environment = installed | {"NETWORKX_TEST_BACKEND": "skerry", "NETWORKX_FALLBACK_TO_NX": "True"}
    command = [sys.executable, "-m", "pytest", "-q", "--pyargs", module, "-p", "no:cacheprovider"]
    command += ["-p", "skerry.networkx.backend"]  # pytest puts site-packages before our path
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert not done.returncode, done.stdout
