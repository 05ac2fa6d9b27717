"""Formats that are read in Python: Pajek, GML, GEXF, GraphML, adjacency lists, JSON Lines."""

from __future__ import annotations

import gzip
import io
import json
import random

import pytest

import skerry
import skerry.io
from skerry.errors import InputError, UnsupportedError
from skerry.formats.readers import xml_elements
from skerry.formats.readers.xml_elements import elements
from support.edge_files import pairs, weights, write


def parts(path, **options):
    """The components, as sets of ids."""
    groups = skerry.connected_components(path, **options).groups()
    lists = (group.tolist() if hasattr(group, "tolist") else group.to_pylist() for group in groups)
    return set(map(frozenset, lists))


def sets(*words):
    return {frozenset(word) for word in words}


# Pajek

FOUR = '*Vertices 4\n1 "a"\n2 "b" 0.5 0.5 ic Red\n3 c\n 4 "d"\n'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (FOUR, ["a", "b", "c", "d"]),
        (FOUR + "*Arcslist\n1 2 3\n", ["abc", "d"]),
        (FOUR + "*Edgeslist\n 1 4 3\n2 4\n", ["abcd"]),
        (FOUR + '*Edges :1 "x"\n1 2\n*Edges :2 "y"\n3 4\n', ["ab", "cd"]),
        (FOUR + "*arcs\n1 2 2.5 c Blue\n\n% 3 4\n*EDGES\n4 2 1\n", ["abd", "c"]),
        (FOUR + "*Matrix\n0 1 0 0\n0 0 0 0\n0 0 0 1\n0 0 0 0\n", ["ab", "cd"]),
        ("%x\n*Network n\n" + FOUR + "*Arcs\r\n1 2\r\n", ["ab", "c", "d"]),
        (FOUR.replace(" 4\n", " 4 2\n", 1) + "*Matrix\n0 1\n1 1\n", ["abcd"]),
        ("*Vertices 4\n*Edges\n1 3\n", ["13", "2", "4"]),
        ("*Vertices 3\n2 x\n*Edges\n1 2\n", ["1x", "3"]),
        ('*Vertices 2\n1 ""\n2 "3"\n', ["1", "3"]),
    ],
)
def test_pajek(text, expected, tmp_path):
    assert parts(write(tmp_path, "a.net", text)) == sets(*expected)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("*Vertices 2\n1 a\n2 b\n*Edges\n1 9\n", "line 5: there is no vertex 9: there are 2"),
        ("*Vertices 2\n1 a\n2 b\n*Edges\n1 0\n", "line 5: there is no vertex 0"),
        ("*Vertices 2\n1 a\n2 a\n", "vertices 1 and 2 are both called 'a'.*remove all labels"),
        ("*Vertices 2\n1 2\n", "vertices 2 and 1 are both called '2'"),
        ("*Vertices 2\n1 a\n1 b\n", "line 3: vertex 1 is there twice"),
        ("*Vertices 2\n3 a\n", "line 2: there is no vertex 3"),
        ("*Vertices 2\n*Edges\n1 b\n", "line 3: 'b' is not the number of a vertex"),
        ("*Vertices 2\n*Edges\n1\n", "line 3: expected the numbers of two vertices"),
        ("*Vertices 2\n*Matrix\n1 1 1\n", "line 3: row 1 of the matrix has 3 cells"),
        ("*Vertices 2\n*Matrix\n1 1\n", "has 1 rows instead of 2"),
        ("*Vertices 2\n*Vertices 3\n", "line 2: a second section"),
        ("*Vertices 2\n*Partition x\n", r"line 2: sections \*Partition are not read"),
        ("*Edges\n1 2\n", r"line 1: \*Edges comes before"),
        ("*Vertices many\n", "line 1: expected"),
        ("*Vertices 1000000000\n", "line 1: 1,000,000,000 vertices in a file of 21 bytes"),
        ("1 2\n", "line 1: expected a section"),
        ("% nothing\n", r"no section \*Vertices"),
    ],
)
def test_wrong_pajek(text, words, tmp_path):
    with pytest.raises(InputError, match=rf"a\.net: .*{words}"):
        parts(write(tmp_path, "a.net", text))


def test_weights_of_pajek(tmp_path):
    path = write(tmp_path, "a.net", FOUR + "*Arcs\n1 2 2.5\n3 4 0.5\n*Matrix\n" + "0 0 0 3\n" * 4)
    found = weights(skerry.io.read_edges(path, weight="weight"))
    assert found[4:] == [2.5, 0.5, 3.0, 3.0, 3.0, 3.0]
    assert parts(path, weight="weight", threshold=2.6) == sets("abcd")
    for section in ("*Arcs\n1 2\n", "*Arcs\n1 2 x\n", "*Arcslist\n1 2\n"):
        with pytest.raises(InputError, match=r"line 7: .*weight"):
            parts(write(tmp_path, "a.net", FOUR + section), weight="w", threshold=1)


# GML


def gml(networkx, graph):
    sink = io.BytesIO()
    networkx.write_gml(graph, sink)
    return sink.getvalue()


@pytest.mark.parametrize("seed", range(8))
def test_gml_as_networkx_writes_it(seed, tmp_path):
    networkx = pytest.importorskip("networkx")
    draw = random.Random(seed)
    names = draw.sample(["a", "b c", 'q"uote', "é", "&amp;", "[x]", "#", "7", "漢", "z\u2028"], 8)
    graph = networkx.gnm_random_graph(8, 5, seed=seed)
    graph = networkx.relabel_nodes(graph, dict(enumerate(names)))
    networkx.set_edge_attributes(graph, 2.5, "score")
    networkx.set_node_attributes(graph, {name: {"graph": [1, 2], "k": "]"} for name in names})
    path = write(tmp_path, "a.gml.gz", gml(networkx, graph))
    assert parts(path) == {frozenset(each) for each in networkx.connected_components(graph)}
    found = weights(skerry.io.read_edges(path, weight="score"))
    assert sorted(found)[: graph.number_of_edges()] == [2.5] * graph.number_of_edges()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("graph [ edge[source 1 target 2] node [ id 1 ] node [ id 2 ] ]", [(1, 1), (2, 2), (1, 2)]),
        ('graph [ node [ id 1 label "a" ] node [ id 2 label "a" ] ]', [(1, 1), (2, 2)]),
        ('graph [ node [ id 1 label "a" ] node [ id 2 ] ]', [(1, 1), (2, 2)]),
        ("graph [ node [ id 1 label 7 ] node [ id 2 label -8 ] ]", [(7, 7), (-8, -8)]),
        ('graph[node[id 1 label "two\nlines"]]', [("two\nlines",) * 2]),
        ('graph [ node [ id 0 label "&#x41;&lt;&none;" ] ]', [("A<&none;",) * 2]),
        ('graph [ node [ id x label "] node [" x [ id 5 ] ] # end ]\n]', [("] node [",) * 2]),
        ("Creator x\nnode [ id 9 ]\ngraph [ node [ id 1 ] g [ node [ id 3 ] ] ]", [(1, 1)]),
        ("graph [ node [ id 1 ]" + " edge [ source 1 target 1 ]" * 2 + " ]", [(1, 1)] * 3),
    ],
)  # fmt: skip
def test_gml(text, expected, tmp_path):
    assert pairs(skerry.io.read_edges(write(tmp_path, "a.gml", text))) == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('graph [ node [ id 1 label "&#xD800;" ] ]', "half of a surrogate pair"),
        ("graph [\nnode [ id 1 ]\nedge [ source 1 target 2 ] ]", "line 3: the edge has an end '2'"),
        ("graph [\nnode [ id 1 ]\nnode [ id 1 ] ]", "line 3: the node 1 is there twice"),
        ("graph [\nnode [ label 1 ] ]", "line 2: the node has none as its id"),
        ("graph [ node [ id 1 ]", "line 1: the file ends within a list"),
        ("graph [ ]\ngraph [ ]", "line 2: a second graph"),
        ("graph [ ] ]", r"line 1: expected a key, found '\]'"),
        ("graph [ node ]", "line 1: node has no value"),
        ('graph [ node [ id "1 ] ]', "line 1: a text begins here"),
        ("x 1", "there is no graph in it"),
        ("graph [ node [ id 99999999999999999999 ] ]", "fit into no 64-bit integer"),
        ("graph [ node [ id 1.5 ] ]", "has 1.5 as its id"),
    ],
)
def test_wrong_gml(text, words, tmp_path):
    with pytest.raises(InputError, match=rf"a\.gml: .*{words}"):
        parts(write(tmp_path, "a.gml", text))
    with pytest.raises(InputError, match="line 1: the edge has no number as its weight"):
        parts(
            write(tmp_path, "a.gml", "graph [ edge [ source 1 target 1 ] ]"),
            weight="w",
            threshold=1,
        )


# XML


class Pieces:
    """A stream that counts how often it is read."""

    def __init__(self, data):
        self.data = io.BytesIO(data)
        self.reads = 0

    def read_fully(self, count):
        self.reads += 1
        return self.data.read(count)


LONG = {
    "a comment": b"<g><!--%s--></g>",
    "a comment before": b"<!--%s--><g/>",
    "a comment behind": b"<g/><!--%s-->",
    "an attribute": b"<g><a x='%s'/></g>",
    "a name": b"<g><%s/></g>",
    "an instruction": b"<g><?x %s?></g>",
    "a type": b"<!DOCTYPE g [<!-- %s -->]><g/>",
}


@pytest.mark.parametrize("token", LONG.values(), ids=LONG)
def test_a_token_is_parsed_again_a_few_times_only(token):
    """A token of 4 MB comes in pieces that double; with pieces of 64 kB there would be 64."""
    stream = Pieces(token % (b"x" * (4 << 20)))
    assert [each.name for each in elements("f", stream, "g", ("g",))][-1] == "g"
    assert stream.reads < 20


@pytest.mark.parametrize("token", LONG.values(), ids=LONG)
def test_a_token_has_a_bound(token, monkeypatch):
    monkeypatch.setattr(xml_elements, "LONGEST_TOKEN", 1 << 20)
    with pytest.raises(InputError, match="f: line 1: a tag or a comment has more than 1,048,576"):
        list(elements("f", Pieces(token % (b"x" * (9 << 20))), "g", ("g",)))


def test_much_text_is_no_token_and_not_kept():
    for open_, close in ((b"", b""), (b"<![CDATA[", b"]]>")):
        text = b"<g><data>" + open_ + b"x y\n" * (1 << 20) + close + b"</data></g>"
        (root,) = elements("f", Pieces(text), "g", ("g",), ("data",))
        assert len(root.values[0].text) < 3000


def test_depth_and_entities_have_bounds():
    with pytest.raises(InputError, match="more than 1,000 elements are within each other"):
        list(elements("f", Pieces(b"<g>" * 2000), "g", ("g",)))
    bomb = b"<!DOCTYPE g [<!ENTITY a 'x'><!ENTITY b '&a;&a;'>]><g>&b;</g>"
    with pytest.raises(InputError, match="line 1: declares the entity 'a'"):
        list(elements("f", Pieces(bomb), "g", ("g",)))


def test_an_element_is_named_by_its_line(tmp_path):
    head = '<graphml><graph>\n<node id="a"/>\n'
    for text, words in (
        ("<node/>\n<broken", "line 3: <node {}> has no id"),
        ("\n<edge\nsource='a'/>", "line 4: <edge {'source': 'a'}> has no target"),
    ):
        with pytest.raises(InputError, match=words):
            parts(write(tmp_path, "a.graphml", head + text))


def test_gexf_weights_of_every_kind(tmp_path):
    text = """<gexf><graph><attributes class="node"><attribute id="0" title="score"/></attributes>
    <attributes class="edge"><attribute id="0" title="time"/><attribute id="1" title="score"/>
    </attributes><nodes><node id="a"><nodes><node id="b"/></nodes></node></nodes><edges>
    <edge source="a" target="b" weight="2"><attvalues><attvalue for="0" value="9"/>
    <attvalue for="1" value="0.5"/></attvalues></edge></edges></graph></gexf>"""
    path = write(tmp_path, "a.gexf", text)
    for weight, value in (("weight", 2.0), ("score", 0.5), ("time", 9.0)):
        assert weights(skerry.io.read_edges(path, weight=weight))[-1] == value
    assert set(pairs(skerry.io.read_edges(path))) == {("a", "a"), ("b", "b"), ("a", "b")}
    with pytest.raises(InputError, match="the edge a - b has no number as its weight none"):
        parts(path, weight="none", threshold=1)


# Adjacency lists


def test_adjacency_lists(tmp_path):
    path = write(tmp_path, "a.adjlist", "# by hand\na b\u00e9 c # x\n\n  d\n7 8\r\n9 7\r8 8")
    assert parts(path) == {frozenset(["a", "b\u00e9", "c"]), frozenset("d"), frozenset("789")}
    with pytest.raises(InputError, match=r"a\.adjlist: line 2: the text is not in UTF-8"):
        parts(write(tmp_path, "a.adjlist", b"a b\n\xff c\n"))


# JSON Lines


def lines(*values):
    return "".join(json.dumps(value) + "\n" for value in values)


@pytest.mark.parametrize("name", ["a.jsonl", "a.ndjson", "a.jsonl.gz", "a.jsonl.zst", "bare"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (lines([1, 2], [-3, 4]), [(1, 2), (-3, 4)]),
        (lines(["é", "b"], ["c\n", " "]), [("é", "b"), ("c\n", " ")]),
        (lines([1, 2, 0.5], [3, 2**64 - 1, 1]), [(1, 2), (3, 2**64 - 1)]),
        (lines({"w": 1, "dst": 2, "src": 1}, {"src": 3, "dst": 4, "x": {}}), [(1, 2), (3, 4)]),
        (lines({"to": "x", "from": "y"}), [("y", "x")]),
        (lines({"p": 5, "q": 6}) + "\n  \r\n" + '{"q":8,"p":7}', [(5, 6), (7, 8)]),
    ],
)
def test_json_lines(name, text, expected, tmp_path):
    source = skerry.io.read_edges(write(tmp_path, name, text))
    assert source.facts.format == "jsonl"
    assert pairs(source) == expected


def test_columns_and_weights_of_json_lines(tmp_path):
    path = write(tmp_path, "a.jsonl", lines({"i": 1, "j": 2, "k": 3, "s": 0.5}))
    with pytest.raises(InputError, match="not clear; name them"):
        skerry.io.read_edges(path)
    for source, target in (("i", "k"), (0, 2)):
        edges = skerry.io.read_edges(path, source=source, target=target, weight="s")
        assert (pairs(edges), weights(edges)) == ([(1, 3)], [0.5])
        assert (edges.facts.source, edges.facts.target, edges.facts.weight) == (("i",), ("k",), "s")
    arrays = write(tmp_path, "b.jsonl", lines([1, 2, 3], [4, 5, 0.5]))
    for weight in ("score", 2):
        assert weights(skerry.io.read_edges(arrays, weight=weight)) == [3, 0.5]
    assert weights(skerry.io.read_edges(arrays, source=0, target=1, weight="2")) == [3, 0.5]
    for options in ({"header": True}, {"groups": "i"}, {"delimiter": ","}):
        with pytest.raises(UnsupportedError):
            skerry.io.read_edges(path, **options)


@pytest.mark.parametrize("missing", ["", None])
def test_lines_without_an_id_are_refused_or_left_out(missing, tmp_path):
    rows = [["a", missing, 1], ["a", "b", 1], [missing, "c", 1], ["c", "a", None], ["c", "d", 2]]
    for first in (0, 1):
        path = write(tmp_path, "a.jsonl", lines(*rows[first:]))
        with pytest.raises(InputError, match=r'line \d: the id .* is missing; on_null="drop"'):
            pairs(skerry.io.read_edges(path))
        kept = skerry.io.read_edges(path, on_null="drop", weight=2)
        assert (pairs(kept), weights(kept)) == ([("a", "b"), ("c", "d")], [1, 2])
        result = skerry.connected_components(kept, forest=True)
        assert any(f"left out: {3 - first} edges with a null" in note for note in result.plan.notes)
        assert [link.row for link in result.why("c", "d")] == [4 - first]
    path = write(tmp_path, "a.jsonl", lines(rows[0]))
    assert pairs(skerry.io.read_edges(path, on_null="drop")) == []


@pytest.mark.parametrize(
    ("last", "words"),
    [
        ("[1, 2]", "expected an object with src, dst as in the first line"),
        ('{"src": 1}', "expected an object with src, dst"),
        ('{"src": 1, "dst": "2"}', 'the id in column dst is "2"; expected an integer'),
        ('{"src": 1, "dst": null}', "the id in column dst is missing"),
        ('{"src": 1, "dst": 2.0}', "the id in column dst is 2.0"),
        ('{"src": true, "dst": 2}', "the id in column src is true"),
        ('{"src": 1, "dst": NaN}', "not JSON in one line"),
        ('{"src": 1,', "not JSON in one line"),
        ('"x"', "expected an object or an array"),
        ("[" * 100_000, "not JSON in one line"),
        ('{"src": 1, "dst": ' + "9" * 5000 + "}", "not JSON in one line"),
    ],
)
def test_wrong_json_lines(last, words, tmp_path):
    path = write(tmp_path, "a.jsonl", lines({"src": 1, "dst": 2}) + "\n" + last + "\n")
    with pytest.raises(InputError, match=rf"a\.jsonl: line 3: {words}") as caught:
        parts(path)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("weight", ['"1"', "null", "true", "[]", "1" + "0" * 400])
def test_wrong_weights_of_json_lines(weight, tmp_path):
    path = write(tmp_path, "a.jsonl", f"[1, 2, 3]\n[1, 2, {weight}]\n")
    with pytest.raises(InputError, match=r"a\.jsonl: line 2: the weight .* is not a number"):
        parts(path, weight="w", threshold=1)


def test_several_files_of_json_lines_fit_or_are_refused(tmp_path):
    first = write(tmp_path, "a.jsonl", lines({"src": 1, "dst": 2, "from": 7, "x": 0}))
    empty = write(tmp_path, "b.jsonl", "\n")
    other = write(tmp_path, "c.jsonl.gz", lines({"x": 0, "dst": 3, "src": 2}))
    assert parts([first, empty, other]) == {frozenset([1, 2, 3])}
    for wrong in ({"from": 1, "to": 2}, {"src": "1", "dst": "2"}):
        with pytest.raises(InputError, match="cannot be read into one graph"):
            parts([first, write(tmp_path, "d.jsonl", lines(wrong))])


def test_bombs_of_gzip_take_no_memory(tmp_path):
    """A megabyte of a token, of depth and of text in some kilobytes: refused, or read past."""
    for text in (b"<graphml>" + b"<a>" * 400_000, b"<graphml " + b"x" * (9 << 20)):
        path = tmp_path / "a.graphml.gz"
        path.write_bytes(gzip.compress(text, 1))
        with pytest.raises(InputError):
            parts(path)
