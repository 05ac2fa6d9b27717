"""Whatever people hold in Python: frames, relations, tensors, networks, batches, names."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import skerry
from skerry.io import read_edges
from support.named import as_dict, named_components

NAMES = [("kim", "bo"), ("al", "al"), ("lee", "kim"), ("x", "y")]
NUMBERS = [(30, 10), (-7, -7), (50, 30), (1, 2)]
TABLES = {
    "text": pa.table(dict(zip(("src", "dst"), zip(*NAMES, strict=True), strict=True))),
    "numbers": pa.table(dict(zip(("src", "dst"), zip(*NUMBERS, strict=True), strict=True))),
}
RIGHT = {"text": named_components(NAMES), "numbers": named_components(NUMBERS)}


def answer(graph, **arguments):
    result = skerry.connected_components(graph, **arguments)
    assert result.verify(), result.verify()
    return as_dict(result.table())


class OnlyArray:
    """A record batch as another library would hand it over."""

    def __init__(self, table):
        self.batch = table.combine_chunks().to_batches()[0]

    def __arrow_c_array__(self, requested_schema=None):
        return self.batch.__arrow_c_array__(requested_schema)


class OnlyStream:
    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


class OnlyDataframe:
    def __init__(self, table):
        self.table = table

    def __dataframe__(self, nan_as_null=False, allow_copy=True):
        return self.table.__dataframe__(nan_as_null, allow_copy)


def polars_frame(table):
    return pytest.importorskip("polars").from_arrow(table)


def pandas_frame(table):
    pytest.importorskip("pandas")
    return table.to_pandas()


def pandas_of_arrow(table):
    pandas = pytest.importorskip("pandas")
    return table.to_pandas(types_mapper=pandas.ArrowDtype)


def duckdb_relation(table):
    duckdb = pytest.importorskip("duckdb")
    return duckdb.from_arrow(table).select("src", "dst")


FRAMES = {
    "table": lambda table: table,
    "batch": lambda table: table.combine_chunks().to_batches()[0],
    "reader": lambda table: table.to_reader(),
    "array protocol": OnlyArray,
    "stream protocol": OnlyStream,
    "dataframe protocol": OnlyDataframe,
    "polars": polars_frame,
    "pandas": pandas_frame,
    "pandas of arrow": pandas_of_arrow,
    "duckdb": duckdb_relation,
    "pair of columns": lambda table: (table["src"], table["dst"]),
    "pair of polars series": lambda table: tuple(polars_frame(table).get_columns()),
    "pair of pandas series": lambda table: tuple(pandas_frame(table)[c] for c in ("src", "dst")),
    "list of tables": lambda table: [table.slice(0, 2), table.slice(2)],
    "list of batches": lambda table: table.to_batches(max_chunksize=1),
    "generator of tables": lambda table: (table.slice(i, 1) for i in range(table.num_rows)),
    "generator of pairs": lambda table: (
        (table["src"].slice(i, 1), table["dst"].slice(i, 1)) for i in range(table.num_rows)
    ),
}


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("kind", TABLES)
def test_frames(frame, kind):
    graph = FRAMES[frame](TABLES[kind])
    arguments = {}
    if kind == "numbers" and "pair" in frame:
        arguments = {"ids": "external"}  # integers in arrays are vertex numbers
    result = skerry.connected_components(graph, **arguments)
    assert as_dict(result.table()) == RIGHT[kind]
    if frame == "reader" or frame.startswith("generator"):
        with pytest.raises(skerry.UnsupportedError):
            result.verify()
    else:
        assert result.verify()


@pytest.mark.parametrize("make", [polars_frame, pandas_frame, duckdb_relation])
def test_frames_with_a_forced_algorithm(make):
    assert answer(make(TABLES["text"]), algorithm="ecl") == RIGHT["text"]
    assert answer(make(TABLES["text"]), threads=1, labels="min") == RIGHT["text"]


def test_pandas_with_columns_that_are_none_of_our_business():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"l": ["a", "b"], "r": ["b", "c"], "other": [object(), 3]})
    assert answer(frame, source="l", target="r") == {"a": "a", "b": "a", "c": "a"}
    with pytest.raises(skerry.InputError, match="is not clear; name them"):
        skerry.connected_components(frame)
    with pytest.raises(skerry.InputError, match="column other: row 0 of the ids is <object"):
        skerry.connected_components(frame, source="l", target="other")
    missing = pandas.DataFrame({"src": [1, None], "dst": [2, 3]})
    with pytest.raises(skerry.InputError, match="floating-point"):
        skerry.connected_components(missing)
    missing = pandas.DataFrame({"src": ["a", None], "dst": ["b", "c"]})
    with pytest.raises(skerry.InputError, match="null in row 1"):
        skerry.connected_components(missing)


def test_frames_as_vertex_lists():
    for make in (polars_frame, pandas_frame):
        frame = make(pa.table({"id": ["zoe", "al"]}))
        for vertices in (frame, frame["id"]):
            assert answer(TABLES["text"], vertices=vertices) == {**RIGHT["text"], "zoe": "zoe"}


NAME_ARRAYS = {
    "negative": ([-3, 5], [5, 9], {-3: -3, 5: -3, 9: -3}),
    "sparse": ([0, 1], [2**40, 1], {0: 0, 1: 1, 2**40: 0}),
    "uint64": (np.array([2**64 - 1, 1], np.uint64), np.array([2**63, 1], np.uint64), None),
    "text": (["b", "c"], ["a", "c"], {"a": "a", "b": "a", "c": "c"}),
    "bytes": (np.array([b"b", b"c"]), np.array([b"a", b"c"]), {b"a": b"a", b"b": b"a", b"c": b"c"}),
    "objects": (np.array(["b", "c"], object), ["a", "c"], {"a": "a", "b": "a", "c": "c"}),
    "integers as objects": (np.array([4, 1], object), [2, 1], {1: 1, 2: 2, 4: 2}),
    "arrow text": (pa.array(["b"]), pa.array(["a"]), {"a": "a", "b": "a"}),
}


@pytest.mark.parametrize("case", NAME_ARRAYS)
@pytest.mark.parametrize("algorithm", ["auto", "ecl"])
def test_arrays_of_names(case, algorithm):
    src, dst, right = NAME_ARRAYS[case]
    right = right or {1: 1, 2**63: 2**63, 2**64 - 1: 2**63}
    integers = case in ("negative", "sparse", "uint64")
    if integers:
        with pytest.raises(skerry.InputError, match=r'[pP]ass ids="external"'):
            skerry.connected_components((src, dst), algorithm=algorithm)
    kind = {"ids": "external"} if integers else {}
    result = skerry.connected_components((src, dst), algorithm=algorithm, **kind)
    assert as_dict(result.table()) == right
    assert result.verify()


def test_dates():
    days = np.array(["2020-05-01", "2021-01-01", "2019-01-01"], "M8[D]")
    result = skerry.connected_components((days[:2], days[1:]))
    assert result.largest().label == days.min().item()


def test_tables_of_names():
    right = {"a": "a", "b": "a", "c": "c", "d": "c", "e": "c"}
    pairs = [("b", "a"), ("d", "c"), ("e", "d")]
    assert answer(pairs) == right
    assert answer(np.array(pairs)) == right
    assert answer(np.array(pairs).T) == right
    assert answer([["b", "a"], ["d", "c"], ["e", "d"]]) == right
    for mixed in ([("a", 1), ("b", 2), ("c", 3)], (["a", 1], ["b", 2])):
        with pytest.raises(skerry.InputError):
            skerry.connected_components(mixed)


def test_what_numbers_mean():
    pairs = ([5, 1], [3, 1])
    assert skerry.connected_components(pairs).num_vertices == 6
    assert answer(pairs, ids="external") == {1: 1, 3: 3, 5: 3}
    assert answer(np.array([[5, 3], [1, 1], [1, 1]]), ids="external") == {1: 1, 3: 3, 5: 3}
    assert skerry.connected_components(pairs, ids="vertices").num_vertices == 6
    assert answer(pairs, vertices=[7]) == {0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 3, 6: 6, 7: 7}
    assert answer(pairs, vertices=[7], ids="external") == {1: 1, 3: 3, 5: 3, 7: 7}
    assert skerry.connected_components(pairs, vertices=[2], num_vertices=9).num_vertices == 9
    with pytest.raises(skerry.InputError, match=r"vertices\[0\] is 9"):
        skerry.connected_components(pairs, vertices=[9], num_vertices=9)
    with pytest.raises(skerry.UnsupportedError, match="vertices= is not supported for sparse"):
        skerry.connected_components(sp.csr_array((3, 3)), vertices=[1])
    big = ([0], [2**25])
    assert skerry.connected_components(big, ids="vertices").num_vertices == 2**25 + 1
    with pytest.raises(skerry.InputError, match=r'Pass ids="external" .* num_vertices=33554433'):
        skerry.connected_components(big)
    assert skerry.connected_components(big, ids="external").num_vertices == 2
    assert skerry.connected_components(big, num_vertices=2**25 + 1).num_vertices == 2**25 + 1


def test_weights_of_arrays_and_matrices():
    src, dst, weight = np.array([0, 1, 2]), np.array([1, 2, 3]), np.array([0.5, 0.9, 0.1])
    for column in (weight, weight.tolist(), pa.array(weight)):
        result = skerry.connected_components((src, dst), weight=column, threshold=0.5)
        assert result.labels.tolist() == [0, 0, 0]
    edges = skerry.Edges(src, dst, 4)
    result = skerry.connected_components(edges, weight=weight, threshold=0.9)
    assert result.labels.tolist() == [0, 1, 1, 3]
    matrix = sp.coo_array((weight, (src, dst)), shape=(4, 4))
    for format in ("csr", "csc", "coo", "lil", "dok"):
        result = skerry.connected_components(matrix.asformat(format), threshold=0.5)
        assert result.labels.tolist() == [0, 0, 0, 3]
    for graph, arguments, message in (
        ((src, dst), {"threshold": 1}, "needs weight=, an array"),
        ((src, dst), {"threshold": 1, "weight": weight[:2]}, "src has 3 ids and weight 2"),
        ((src, dst), {"threshold": 1, "weight": weight * np.nan}, r"weight\[0\] is NaN"),
        ((src, dst), {"threshold": 1, "weight": ["a"] * 3}, "must be a column of numbers"),
    ):
        with pytest.raises(skerry.InputError, match=message):
            skerry.connected_components(graph, **arguments)
    rows = skerry.Csr(np.zeros(1, np.uint64), np.empty(0, np.uint32))
    for graph, arguments, message in (
        (matrix, {"threshold": 1, "weight": weight}, "weight= is not supported for sparse"),
        (rows, {"threshold": 1}, "threshold= is not supported for skerry.Csr"),
    ):
        with pytest.raises(skerry.UnsupportedError, match=message):
            skerry.connected_components(graph, **arguments)


def test_batches():
    batches = [([0, 2], [1, 3]), (np.array([3]), np.array([4])), np.array([[6, 6], [0, 1], [0, 0]])]
    for graph in (batches, iter(batches), (batch for batch in batches)):
        result = skerry.connected_components(graph)
        assert result.labels.tolist() == [0, 0, 2, 2, 2, 5, 6]
    assert skerry.connected_components(batches).verify()
    assert skerry.connected_components(iter([])).num_vertices == 0
    names = [(["b"], ["a"]), (np.array(["c"]), pa.array(["a"]))]
    assert answer(names) == {"a": "a", "b": "a", "c": "a"}
    assert answer(batches, ids="external")[6] == 6
    assert skerry.connected_components(iter(batches), num_vertices=9, algorithm="ecl").count == 6
    for wrong, message in (
        (iter([([0], [1]), ([-5], [1])]), 'batch 1: edge 0 has the vertex -5.*ids="external"'),
        (iter([([0], [1, 2])]), "1 sources and 2 targets"),
        (iter([5]), "batch 0 is builtins.int: a batch is a pair"),
        (iter([np.zeros((3, 3), int)]), r"shape \(m, 2\) or \(2, m\)"),
        (iter([([0.5], [1])]), "batch 0: src: floats are not ids"),
    ):
        with pytest.raises(skerry.InputError, match=message):
            skerry.connected_components(wrong)


class Tensor:
    """What torch and JAX offer: DLPack, and nothing of NumPy's."""

    def __init__(self, array):
        self.array = array
        self.ndim = array.ndim

    def __dlpack__(self, **arguments):
        return self.array.__dlpack__(**arguments)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_tensors():
    index = np.array([[0, 2, 5], [1, 3, 3]])
    right = [0, 0, 2, 2, 4, 2]
    assert skerry.connected_components(Tensor(index)).labels.tolist() == right
    pair = (Tensor(index[0]), Tensor(index[1]))
    assert skerry.connected_components(pair).labels.tolist() == right
    assert skerry.connected_components(Tensor(index.T.copy())).labels.tolist() == right


def test_torch():
    torch = pytest.importorskip("torch")
    index = torch.tensor([[0, 2, 5], [1, 3, 3]])
    assert skerry.connected_components(index).labels.tolist() == [0, 0, 2, 2, 4, 2]


@given(
    pairs=st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), max_size=20),
    kind=st.sampled_from(["numbers", "text", "tuples", "anything"]),
)
def test_networkx(pairs, kind):
    networkx = pytest.importorskip("networkx")
    make = {
        "numbers": lambda k: k,
        "text": lambda k: f"n{k}",
        "tuples": lambda k: (k % 3, f"n{k}"),
        "anything": lambda k: k if k % 2 else frozenset([k]),
    }[kind]
    graph = networkx.Graph([(make(u), make(v)) for u, v in pairs])
    graph.add_node(make(20))
    result = skerry.connected_components(graph)
    right = {frozenset(group) for group in networkx.connected_components(graph)}
    assert {frozenset(group) for group in result.groups()} == right
    assert result.verify()
    assert result.count == len(right)
    assert result.connected(make(20), make(20))
    if kind != "anything":
        made = [(make(u), make(v)) for u, v in pairs]
        assert as_dict(result.table()) == named_components(made, [make(20)])
    with pytest.raises(skerry.InputError, match="is not an id"):
        result.connected("nobody", "nobody")


def test_networkx_weights_and_kinds():
    networkx = pytest.importorskip("networkx")
    graph = networkx.MultiDiGraph()
    graph.add_weighted_edges_from([("b", "a", 0.5), ("b", "a", 0.9), ("c", "a", 0.1)])
    result = skerry.connected_components(graph, weight="weight", threshold=0.6, algorithm="ecl")
    assert as_dict(result.table()) == {"a": "a", "b": "a", "c": "c"}
    assert "converted from a networkx graph" in result.plan.notes
    graph.add_edge("x", "y")
    with pytest.raises(skerry.InputError, match=r"edge \('x', 'y'\) has the weight None"):
        skerry.connected_components(graph, threshold=0.6)
    with pytest.raises(skerry.UnsupportedError, match="vertices= is not supported for networkx"):
        skerry.connected_components(graph, vertices=["q"])
    assert skerry.connected_components(networkx.Graph()).table().num_rows == 0
    with pytest.raises(skerry.UnsupportedError, match="have no Arrow table"):
        skerry.connected_components(networkx.Graph([(object(), object())])).table()


def test_igraph():
    igraph = pytest.importorskip("igraph")
    graph = igraph.Graph([(3, 1), (0, 2)])
    graph.add_vertex()
    assert skerry.connected_components(graph).labels.tolist() == [0, 1, 0, 1, 4]
    with pytest.raises(skerry.InputError, match='attribute "name", and there is none'):
        skerry.connected_components(graph, ids="external")
    graph.vs["name"] = list("edcba")
    graph.es["score"] = [1.0, 0.1]
    found = answer(graph, ids="external", weight="score", threshold=0.5)
    assert found == {"a": "a", "b": "b", "c": "c", "d": "b", "e": "e"}
    with pytest.raises(skerry.InputError, match="no attribute 'weight'"):
        skerry.connected_components(graph, threshold=1)
    graph.vs["name"] = list("aabbc")
    with pytest.raises(skerry.InputError, match="have the same name"):
        skerry.connected_components(graph, ids="external")


def test_files(tmp_path):
    path = tmp_path / "edges.txt"
    path.write_text("# two ids a line\n7 9\n9 -4\n5 5\n")
    right = {-4: -4, 5: 5, 7: -4, 9: -4}
    for graph in (path, str(path), [path], [str(path), path], str(tmp_path), tmp_path / "*.txt"):
        assert answer(graph) == right
    assert answer(path, algorithm="ecl") == right
    assert answer(path, vertices=[100]) == {**right, 100: 100}
    table = pa.table({"l": ["b"], "r": ["a"], "weight": [0.5]})
    import pyarrow.parquet as pq

    pq.write_table(table, tmp_path / "edges.parquet")
    assert answer(tmp_path / "edges.parquet", source="l", target="r") == {"a": "a", "b": "a"}
    assert answer(tmp_path / "edges.parquet", source="l", target="r", threshold=0.6) == {}


def test_what_is_nothing_of_all_that():
    for graph in (None, 5, b"edges", SimpleNamespace(edges=[])):
        with pytest.raises(skerry.InputError, match="cannot read a graph from"):
            skerry.connected_components(graph)


@pytest.mark.parametrize(
    "graph", ["([0], [1])", "[(0, 1)] * 3", "__import__('scipy.sparse').sparse.eye(3)"]
)
def test_nothing_is_imported_that_is_not_needed(graph):
    code = (
        f"import sys, skerry; skerry.connected_components({graph}).labels; "
        "sys.exit(any(name in sys.modules for name in ('pyarrow', 'skerry.fold', 'networkx')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_delimited_text_as_it_is_said_to_be(tmp_path):
    file = tmp_path / "pairs.csv"
    file.write_text("007|8\n8|9\n")
    said = {"delimiter": "|", "header": False}
    edges = read_edges(file, ids_as_text=True, **said)
    assert skerry.connected_components(edges).ids.tolist() == ["007", "8", "9"]
    file.write_text("7|8\n8|9\n")
    assert skerry.connected_components(read_edges(file, **said)).ids.tolist() == [7, 8, 9]
    edges = read_edges(file, delimiter="|", header=True)
    assert skerry.connected_components(edges).ids.tolist() == [8, 9]
