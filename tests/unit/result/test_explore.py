"""`result.explore`: what the page holds, and what it keeps to itself. tests/page looks at it."""

from __future__ import annotations

import base64
import hashlib
import os
import pickle
import stat
import sys
import webbrowser
from collections import Counter
from pathlib import Path

import networkx
import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import skerry
import skerry.io
from skerry import InputError
from skerry.formats.writers import atomic_file
from skerry.result.explore import data
from skerry.result.explore.data import page_data
from support.emulated import emulated_gpu
from support.pages_of_explore import Elements, data_of, links_of

N = 14
PAIRS = st.lists(st.tuples(st.integers(0, N - 1), st.integers(0, N - 1)), max_size=24)
HOSTILE = [
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "]]>&amp;\"'`${x}",
    "a\u202eb\u2066",
    "\x1b[2J\x00\n\r\u2028",
    "{{data}}{{script}}",
    "\u00e9\U0001f600",
]


def columns(pairs):
    return [np.array(end, np.int64) for end in zip(*pairs, strict=True)] if pairs else [[], []]


@given(PAIRS, st.booleans(), st.sampled_from([1, 3]))
def test_the_page_holds_the_graph(pairs, forest, threads):
    src, dst = (np.array(end, np.int64) for end in columns(pairs))
    result = skerry.connected_components((src, dst), num_vertices=N, forest=forest, threads=threads)
    page = page_data(result)
    graph = networkx.Graph(pairs)
    graph.add_nodes_from(range(N))
    graph.remove_edges_from(list(networkx.selfloop_edges(graph)))
    bridges = {frozenset(bridge) for bridge in networkx.bridges(graph)}
    links = [link for part in page["parts"] for link in links_of(part)]
    assert sorted(sorted(map(int, link[:2])) for link in links) == sorted(map(sorted, graph.edges))
    assert {frozenset(map(int, link[:2])) for link in links if link[2]} == bridges
    assert [part["size"] for part in page["parts"]] == sorted(
        map(len, networkx.connected_components(graph)), reverse=True
    )
    for part in page["parts"]:
        members = {int(id) for id in part["ids"]}
        assert members == networkx.node_connected_component(graph, min(members))
        assert part["size"] == 1 or part["edges"] == sum(u in members for u, _ in pairs)
        assert part.get("bridges", 0) == sum(bridge <= members for bridge in bridges)
        for (u, v, _), row in zip(links_of(part), part.get("rows", []), strict=True):
            assert row == next(i for i, pair in enumerate(pairs) if {*pair} == {int(u), int(v)})


def test_what_a_bridge_splits_off():
    page = page_data(skerry.connected_components([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4)]))
    splits = {frozenset(link[:2]): link[2] for link in links_of(page["parts"][0])}
    assert splits[frozenset("23")] == 2 and splits[frozenset("34")] == 1
    assert sorted(splits.values()) == [0, 0, 0, 1, 2]


PAIR_WEIGHTS = {("0", "1"): "0.5", ("1", "2"): "0.75", ("4", "5"): "0.25"}
SRC, DST = [0, 1, 2, 4, 1], [1, 2, 1, 5, 0]
WEIGHT = [0.5, 0.75, 0.9, 0.25, 0.1]
TABLE = pa.table({"src": SRC, "dst": DST, "weight": WEIGHT})


@pytest.mark.parametrize(("threshold", "forest"), [(None, True), (0.25, True), (0.25, False)])
@pytest.mark.parametrize("form", ["arrays", "table", "batches", "networkx", "matrix"])
def test_weights_of_every_form(form, threshold, forest):
    """The weight of a pair is that of its first edge; a threshold leaves the last edge out."""
    options = {"threshold": threshold, "forest": forest, "weight": "weight"}
    graph = {
        "arrays": (np.array(SRC), np.array(DST)),
        "table": TABLE,
        "batches": TABLE.to_batches(max_chunksize=2),
        "networkx": networkx.Graph(),
        "matrix": sp.coo_array(([0.5, 0.75, 0.25], ([0, 1, 4], [1, 2, 5])), shape=(6, 6)),
    }[form]
    if form == "arrays":
        options["weight"] = np.array(WEIGHT)
    elif form == "networkx":
        graph.add_weighted_edges_from([(0, 1, 0.5), (1, 2, 0.75), (4, 5, 0.25)])
    elif form == "matrix":
        del options["weight"]
    page = page_data(skerry.connected_components(graph, **options))
    weights = {
        tuple(sorted(link[:2])): weight
        for part in page["parts"]
        for link, weight in zip(links_of(part), part.get("weights", []), strict=True)
    }
    assert weights == PAIR_WEIGHTS


def test_a_large_component_is_sampled():
    """The sample is connected, holds all links between its vertices, and says its size."""
    rng = np.random.default_rng(5)
    n = 3000
    src, dst = np.append(rng.integers(0, n, n), 0), np.append(rng.integers(0, n, n), n)
    result = skerry.connected_components((src, dst), num_vertices=n + 1)
    page = page_data(result)
    part = page["parts"][0]
    assert part["size"] == result.largest().size > data.DRAWN == len(part["ids"])
    assert part["label"] == str(result.largest().label)
    members = sorted(map(int, [*part["ids"], *part["others"]]))
    assert members == result.largest().members.tolist() and page["ids"] == n + 1
    inside = {int(id) for id in part["ids"]}
    expected = {frozenset((u, v)) for u, v in zip(src, dst, strict=True) if u != v}
    expected = {pair for pair in expected if pair <= inside}
    links = {frozenset(map(int, link[:2])) for link in links_of(part)}
    assert links == expected
    assert networkx.is_connected(networkx.Graph([tuple(link) for link in links]))
    bridges = networkx.Graph(list(zip(src.tolist(), dst.tolist(), strict=True)))
    bridges = {frozenset(bridge) for bridge in networkx.bridges(bridges)}
    drawn = {frozenset(map(int, link[:2])) for link in links_of(part) if link[2]}
    assert drawn == bridges & links
    assert part["bridges"] == sum(min(bridge) in result.largest().members for bridge in bridges)


def test_ids_that_are_included_are_in_the_sample_with_their_path():
    chain = (np.arange(1999), np.arange(1, 2000))
    other = (np.array([5000]), np.array([5001]))
    ends = tuple(np.append(*both) for both in zip(chain, other, strict=True))
    result = skerry.connected_components(ends, num_vertices=5002)
    page = page_data(result, include=[5001, 700, 900])
    assert [part["ids"] for part in page["parts"][:1]] == [["5000", "5001"]]
    sample = {int(id) for id in page["parts"][1]["ids"]}
    assert len(sample) == data.DRAWN and sample >= set(range(700, 901))
    far = page_data(result, include=[3, 1990])["parts"][0]["ids"]
    assert far == [str(v) for v in range(3, 3 + data.DRAWN)]
    with pytest.raises(InputError, match="7777"):
        page_data(result, include=[7777])
    for include in ([[1, 2]], "12", 12):
        with pytest.raises(InputError, match="list of ids"):
            page_data(result, include=include)


def test_the_page_is_full_at_some_time(monkeypatch):
    monkeypatch.setattr(data, "VERTICES", 7)
    result = skerry.connected_components([(0, 1), (2, 3), (3, 4), (5, 6), (8, 9)])
    page = page_data(result)
    assert [part["ids"] for part in page["parts"]] == [["2", "3", "4"], ["0", "1"], ["5", "6"]]
    assert page["ids"] == 7 and page["vertices"] == 10 and page["components"] == 5
    assert page["classes"] == [[1, 1, 1, 1], [2, 2, 3, 6], [3, 3, 1, 3]]
    assert page_data(result, include=[9])["parts"][0]["ids"] == ["8", "9"]


def test_a_dense_component_has_some_of_its_links():
    clique = np.triu_indices(100, 1)
    part = page_data(skerry.connected_components(clique))["parts"][0]
    assert part["distinct"] == 4950 and len(list(links_of(part))) == data.LINKS
    assert networkx.is_connected(networkx.Graph([link[:2] for link in links_of(part)]))
    assert len({id for link in links_of(part) for id in link[:2]}) == 100


@pytest.mark.parametrize("kind", ["unpickled", "unpickled with a forest", "used up", "device"])
def test_without_edges_the_page_says_so(kind):
    edges = [(0, 1), (1, 2), (2, 0), (5, 6)]
    if kind == "device":
        with emulated_gpu(on_device=True):
            ends = np.array(edges, np.uint32).T.copy()
            page = page_data(skerry.connected_components(tuple(ends)))
    elif kind == "used up":
        batches = iter([tuple(np.array(edges).T)])
        page = page_data(skerry.connected_components(batches, forest=True))
    else:
        result = skerry.connected_components(edges, forest=kind != "unpickled")
        page = page_data(pickle.loads(pickle.dumps(result)))
    assert "again" in page["problem"]
    links = [link for part in page["parts"] for link in links_of(part)]
    assert len(links) == (3 if "forest" in kind or kind == "used up" else 0)
    assert page["hasEdges"] == bool(links) and not any(link[2] for link in links)
    assert [part["size"] for part in page["parts"]][:2] == [3, 2]


@pytest.mark.parametrize("now", ["a,b\n0,1\n0,1\n", "a,b\n0,1\n2,3\n", "a,b\n0,7\n1,2\n"])
def test_a_file_that_has_changed_is_refused(now, tmp_path):
    path = tmp_path / "edges.csv"
    path.write_text("a,b\n0,1\n1,2\n")
    result = skerry.connected_components(path, forest=True)
    path.write_text(now)
    with pytest.raises(InputError, match="is not what it was"):
        page_data(result)


def test_graphs_without_edges_or_vertices():
    assert page_data(skerry.connected_components(([], []), num_vertices=0))["parts"] == []
    page = page_data(skerry.connected_components(([], []), num_vertices=2))
    assert [part["ids"] for part in page["parts"]] == [["0"], ["1"]]


def test_ids_are_shown_as_the_shell_reads_them():
    table = pa.table({"a": ["x,y", "z"], "b": [1, 2], "c": ["q", "q"], "d": [3, 4]})
    result = skerry.connected_components(table, source=("a", "b"), target=("c", "d"))
    assert page_data(result)["parts"][0]["ids"] == ["q,3", '"x,y",1']
    dense = skerry.connected_components(TABLE, labels="dense")
    assert [part["label"] for part in page_data(dense)["parts"]] == ["0", "1"]


@pytest.fixture
def hostile():
    others = [f"id{i}" for i in range(len(HOSTILE))]
    return skerry.connected_components(pa.table({"a": HOSTILE, "b": others}), forest=True)


def test_hostile_ids_are_data(hostile, tmp_path):
    path = hostile.explore(tmp_path / "page.html")
    elements = Elements(path.read_bytes().decode("ascii"))
    assert [tag for tag, _ in elements.inline] == ["style", "script", "script", "script"]
    assert not any(character in elements.inline[1][1] for character in "<>&")
    ids = [id for part in data_of(path)["parts"] for id in part["ids"]]
    assert sorted(ids) == sorted([*HOSTILE, *(f"id{i}" for i in range(len(HOSTILE)))])


def test_halves_of_surrogate_pairs_are_data(tmp_path):
    result = skerry.connected_components(networkx.Graph([("\ud800", "b")]))
    assert data_of(result.explore(tmp_path / "page.html"))["parts"][0]["ids"] == ["b", "\ud800"]


def test_the_policy_allows_the_page_alone(hostile, tmp_path):
    elements = Elements(hostile.explore(tmp_path / "page.html").read_text("ascii"))
    (policy,) = [
        dict(part.strip().split(" ", 1) for part in tag["content"].split(";"))
        for _, tag in elements.tags
        if tag.get("http-equiv") == "Content-Security-Policy"
    ]

    def hashes(name, texts):
        digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()) for text in texts]
        assert policy.pop(name).split() == [f"'sha256-{digest.decode()}'" for digest in digests]

    hashes("style-src", [text for tag, text in elements.inline if tag == "style"])
    hashes("script-src", [text for tag, text in elements.inline if tag == "script"][1:])
    assert policy == {
        "default-src": "'none'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    for tag, attributes in elements.tags:
        assert not [name for name in attributes if name.startswith("on") or name == "style"], tag
        addresses = {name: attributes[name] for name in ("src", "href") if name in attributes}
        assert addresses in ({}, {"href": "data:,"}, {"href": "#part"}), tag


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of Unix")
def test_only_the_owner_may_read_the_page(hostile, tmp_path):
    path = tmp_path / "page.html"
    before = os.umask(0)
    try:
        for _ in range(2):
            assert stat.S_IMODE(hostile.explore(path).stat().st_mode) == 0o600
            path.chmod(0o644)  # a file that others may read is replaced by one that they may not
    finally:
        os.umask(before)
    assert [each.name for each in tmp_path.iterdir()] == ["page.html"]


def test_nothing_is_written_on_an_error(hostile, tmp_path, monkeypatch):
    path = tmp_path / "page.html"
    path.write_text("before")
    with pytest.raises(InputError, match="nobody"):
        hostile.explore(path, include=["nobody"])
    for bad, reason in (("page.csv", "HTML"), ("none/page.html", "no folder")):
        with pytest.raises(InputError, match=reason):
            hostile.explore(tmp_path / bad)
    with pytest.raises(InputError, match="local file"):
        hostile.explore("memory://page.html")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(skerry.OutputError, match="nothing was left"):
        hostile.explore(path)
    monkeypatch.setattr(atomic_file, "temporary_folder", lambda: str(tmp_path))
    with pytest.raises(skerry.OutputError, match="nothing was left"):
        hostile.explore()
    assert path.read_text() == "before" and len(list(tmp_path.iterdir())) == 1


def test_the_input_is_not_overwritten(tmp_path):
    path = tmp_path / "edges.html"
    path.write_text("a,b\n0,1\n")
    result = skerry.connected_components(skerry.io.read_edges(path, format="csv"))
    with pytest.raises(InputError, match="is an input"):
        result.explore(path)
    assert path.read_text() == "a,b\n0,1\n"


def test_redacted_pages_hold_no_ids(tmp_path):
    names = [f"secret-{i:03d}" for i in range(300)]
    table = pa.table({"id_l": names[:-1], "id_r": names[1:], "score": np.arange(299) / 299})
    result = skerry.connected_components(table, weight="score", forest=True)
    path = tmp_path / "page.html"
    orders = []
    for _ in range(2):
        result.explore(path, redact_ids=True)
        assert "secret" not in path.read_text()
        page = data_of(path)
        (part,) = page["parts"]
        assert set(part) == {"size", "ids", "edges", "bridges", "links", "distinct", "weights"}
        assert part["ids"] == 300 and page["title"] == ""
        pairs = list(zip(part["links"][::3], part["links"][1::3], strict=True))
        assert sorted(Counter(np.ravel(pairs).tolist()).values()) == [1, 1] + [2] * 298
        assert sorted(map(float, part["weights"])) == (np.arange(299) / 299).tolist()
        orders.append(pairs)
    chain = [(i, i + 1) for i in range(299)]
    assert orders[0] != orders[1] and chain not in orders


def test_without_a_path_a_browser_opens_a_new_file(hostile, monkeypatch):
    opened = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    page = hostile.explore()
    try:
        assert opened == [page.as_uri()] and data_of(page)["components"] == len(HOSTILE)
    finally:
        page.unlink()
    assert isinstance(page, Path)
