"""Graphs in the files of LDBC Graphalytics, and labels in its form of output."""

from __future__ import annotations

import numpy as np
import pytest

import skerry
import skerry.io
from skerry.errors import InputError, UnsupportedError
from skerry.io import read_edges
from support.cli import invoke, ok, refused, run
from support.edge_files import COMPRESS, pairs, write
from support.paths import SHARED

FOLDER = SHARED / "acceptance"
LDBC = {path.stem: path for path in sorted(FOLDER.glob("ldbc/*.e"))}

VERTICES = "7\n9000000000000000000\n3\n12\n40\n5\n"
EDGES = "7 3 0.5\n9000000000000000000 12 0.25\n3 7 0.5\n"
LABELS = [(3, 3), (5, 5), (7, 3), (12, 12), (40, 40), (9 * 10**18, 12)]
PROPERTIES = """# A graph of ours
graph.small.vertex-file = small.v
graph.small.edge-file: small.e
graph.small.meta.vertices = 6
graph.small.meta.edges=3
graph.small.directed = true
graph.small.edge-properties.names = weight
graph.small.edge-properties.types = real
! The end
"""


@pytest.fixture
def small(tmp_path):
    """A graph of three files, with two vertices that have no edge."""
    write(tmp_path, "small.v", VERTICES)
    write(tmp_path, "small.e", EDGES)
    return write(tmp_path, "small.properties", PROPERTIES)


def labels_of(result):
    columns = result.columns()
    return sorted(zip(columns["id"].tolist(), columns["component"].tolist(), strict=True))


@pytest.mark.parametrize("suffix", [".properties", ".e"])
def test_a_graph_is_its_vertices_and_its_edges(small, suffix):
    result = skerry.connected_components(small.with_suffix(suffix))
    assert labels_of(result) == LABELS
    assert (result.num_vertices, result.count, result.plan.edges) == (6, 4, 3)
    assert result.plan.input.format == "ldbc"
    assert result.verify()


def test_the_vertices_come_as_loops_that_are_no_edges(small):
    source = skerry.io.read_edges(small)
    kinds = [(batch.only_vertices, len(batch.src)) for batch in source.open(1)]
    assert kinds == [(True, 6), (False, 3)]
    assert pairs(source)[6:] == [(7, 3), (9 * 10**18, 12), (3, 7)]
    assert source.num_bytes == len(VERTICES) + len(EDGES)


def test_gathered_edges_are_those_of_the_file(small):
    result = skerry.connected_components(small, algorithm="ecl", statistics=True)
    assert labels_of(result) == LABELS
    assert result.plan.edges == 3


@pytest.mark.parametrize(("threshold", "keep", "count"), [(0.4, "above", 5), (0.4, "below", 5)])
def test_a_threshold_removes_edges_and_no_vertices(small, threshold, keep, count):
    for path in (small, small.with_suffix(".e")):
        result = skerry.connected_components(path, threshold=threshold, keep=keep)
        assert (result.num_vertices, result.count) == (6, count)


def test_the_weight_is_found_by_its_name(tmp_path, small):
    write(tmp_path, "small.e", "7 3 9 0.5\n5 12 9 0.25\n3 7 9 0.5\n")
    write(tmp_path, "small.properties", PROPERTIES.replace("= weight", "= length, weight"))
    result = skerry.connected_components(small, weight="weight", threshold=0.4)
    assert result.connected(7, 3)
    assert not result.connected(5, 12)
    with pytest.raises(InputError, match="no property 'age'; there are: length, weight"):
        skerry.connected_components(small, weight="age", threshold=0.4)


@pytest.mark.parametrize("suffix", COMPRESS)
def test_files_may_be_compressed(tmp_path, suffix):
    write(tmp_path, f"small.v{suffix}", VERTICES)
    edges = write(tmp_path, f"small.e{suffix}", EDGES)
    stated = write(tmp_path, "small.properties", PROPERTIES)
    for path in (edges, stated):
        assert labels_of(skerry.connected_components(path)) == LABELS


@pytest.mark.parametrize("ids", [[1, 2, 5], [1, 2, 10**15], [1, 2, 2**64 - 1], [-4, 1, 2], []])
@pytest.mark.parametrize("edge", ["1 3", "3 2", "1 -3", "6 1", "1 4000000000", "2 0", "1 2"])
def test_an_end_that_is_no_vertex_is_an_error(tmp_path, ids, edge):
    write(tmp_path, "a.v", "".join(f"{id}\n" for id in ids))
    path = write(tmp_path, "a.e", f"2 1\n{edge}\n" if ids else f"{edge}\n")
    if {int(end) for end in edge.split()} <= set(ids):
        assert skerry.connected_components(path).num_vertices == len(ids)
    else:
        with pytest.raises(InputError, match=r"a\.e, from line 1 on: the id -?\d+ is no vertex of"):
            skerry.connected_components(path)


def test_a_graph_may_have_no_edge_and_no_vertex(tmp_path):
    edges = write(tmp_path, "a.e", "")
    write(tmp_path, "a.v", "4\n2\n")
    assert labels_of(skerry.connected_components(edges)) == [(2, 2), (4, 4)]
    write(tmp_path, "a.v", "")
    assert skerry.connected_components(edges).num_vertices == 0


@pytest.mark.usefixtures("small")
def test_a_folder_is_read_by_its_edge_files(tmp_path):
    write(tmp_path, "other.properties", "not a graph = at all")
    write(tmp_path, "small.wcc", "7 3\n")
    result = skerry.connected_components(tmp_path)
    assert labels_of(result) == LABELS
    assert result.plan.edges == 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("vertices = 6", "vertices = 7"), r"small\.v: the properties say 7 vertices, but 6 are"),
        (("edges=3", "edges=4"), r"small\.e: the properties say 4 edges, but 3 are there"),
        (("edges=3", "edges=many"), "meta.edges must be a number, got 'many'"),
        (("small.v\n", "gone.v\n"), r"gone\.v: there is no such file; .*small\.properties needs"),
        (("small.v\n", "small.e\n"), "small.e is both graph.small.vertex-file and"),
        (("small.v\n", "\n"), "graph.small.vertex-file is missing"),
        (("edge-file", "edges"), "names no graph"),
        (("! The end", "graph.b.edge-file = b.e"), "names 2 graphs"),
    ],
)
def test_wrong_properties_are_refused(tmp_path, small, change, message):
    assert change[0] in PROPERTIES
    write(tmp_path, "small.properties", PROPERTIES.replace(*change))
    with pytest.raises(InputError, match=message):
        skerry.connected_components(small)


def test_edges_need_their_vertices(tmp_path):
    path = write(tmp_path, "a.e", EDGES)
    with pytest.raises(InputError, match=r'a\.v: there is no such file; .*format="snap" reads'):
        skerry.connected_components(path)
    assert skerry.connected_components(read_edges(path, format="snap")).num_vertices == 4


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("small.v", "1\nx\n", r"small\.v: line 2: 'x' is not a whole number"),
        ("small.e", "7 3\n5\n", r"small\.e: line 2: a column is missing in the line '5'"),
        ("small.e", "7 3\n# 5 5\n", r"small\.e: line 2: '#' is not a whole number"),
    ],
)
def test_a_bad_line_is_named(tmp_path, small, name, text, message):
    write(tmp_path, name, text)
    with pytest.raises(InputError, match=message):
        skerry.connected_components(small.with_suffix(".e"))


def test_options_of_columns_are_refused(small):
    with pytest.raises(UnsupportedError, match="mean nothing for ldbc files"):
        skerry.connected_components(small, source=1, target=0)


def test_a_pipe_is_refused():
    answer = run("components", "/dev/stdin", "--format", "ldbc", input=EDGES)
    assert answer.returncode != 0
    assert "an ldbc graph has two files" in answer.stderr


@pytest.mark.parametrize("ends", [(0, 0), (0, 1)])
def test_a_column_may_be_both_ends(tmp_path, ends):
    """Lines with one digit: a block has as many edges as half its bytes."""
    lines = "".join(f"{number % 10}\n" for number in range(5000))
    path = write(tmp_path, "a.txt", lines if ends == (0, 0) else lines.replace("\n", " 1\n"))
    result = skerry.connected_components(path, source=ends[0], target=ends[1])
    assert result.plan.edges == 5000
    assert result.num_vertices == 10


def test_labels_are_written_as_ldbc_has_them(tmp_path, small):
    path = tmp_path / "small-WCC"
    skerry.connected_components(small).write(path, format="wcc")
    assert path.read_text() == "".join(f"{vertex} {label}\n" for vertex, label in LABELS)
    skerry.io.write_labels(np.array([0, 0, 2]), tmp_path / "a.wcc")
    assert (tmp_path / "a.wcc").read_text() == "0 0\n1 0\n2 2\n"


def test_labels_that_are_not_integers_are_refused(tmp_path):
    result = skerry.connected_components({"a": ["b"]})
    with pytest.raises(UnsupportedError, match="vertices and components that are integers"):
        result.write(tmp_path / "a.wcc")
    with pytest.raises(UnsupportedError, match="two columns, a vertex and its component"):
        skerry.connected_components([(0, 1)]).write(tmp_path / "a.wcc", sizes=True)


def test_commands_read_write_and_verify(tmp_path, small):
    out = tmp_path / "out.wcc"
    summary = ok("components", small, "-o", out)
    assert "6 vertices, 3 edges (ldbc" in summary
    assert "verified" in ok("verify", small, out)
    assert "6, 2 without an edge" in ok("info", small)
    published = tmp_path / "small-WCC"
    published.write_bytes(out.read_bytes())
    assert "all 3 edges" in ok("verify", small.with_suffix(".e"), published)
    refused("components", small, "--source", "1", "--target", "0")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("7 3\n", "7 7\n"), "7"),  # two labels in a component
        (("5 5\n", "5 3\n"), "3"),  # a label for two components
        (("5 5\n", ""), "5"),  # a vertex without an edge is missing
    ],
)
def test_the_command_notices_wrong_labels(tmp_path, small, change, message):
    text = "".join(f"{vertex} {label}\n" for vertex, label in LABELS)
    assert change[0] in text
    answer = invoke("verify", small, write(tmp_path, "wrong.wcc", text.replace(*change)))
    assert answer.exit_code == 1
    assert message in answer.output


def test_a_graph_is_converted_with_its_vertices(tmp_path, small):
    out = tmp_path / "small.parquet"
    ok("convert", small, out)
    assert labels_of(skerry.connected_components(out)) == LABELS


@pytest.mark.parametrize("name", LDBC)
def test_published_labels_of_ldbc(name):
    path = LDBC[name]
    result = skerry.connected_components(path)
    expected = np.loadtxt(path.with_name(f"{name}-WCC"), np.int64)
    assert labels_of(result) == sorted(map(tuple, expected.tolist()))
    properties = path.with_suffix(".properties")
    if name == "test-wcc-directed":  # as published, it names its file of vertices twice
        with pytest.raises(InputError, match="is both"):
            skerry.connected_components(properties)
    else:
        assert labels_of(skerry.connected_components(properties)) == labels_of(result)


@pytest.mark.skipif(not FOLDER.exists(), reason=f"no graphs in {FOLDER}")
def test_published_labels_of_p2p_31():
    path = FOLDER / "p2p-31" / "p2p-31.e.gz"
    result = skerry.connected_components(path)
    assert (result.num_vertices, result.count, result.plan.edges) == (62_586, 12, 147_892)
    assert "12 components" in ok("verify", path, path.with_name("p2p-31-WCC.gz"))
