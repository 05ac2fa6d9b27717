"""`result.without`: as solving the edges that are left."""

from __future__ import annotations

import networkx
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import skerry

PAIRS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=1, max_size=30)


def clusters(result):
    columns = result.table().to_pydict()
    sets = {}
    for id, name in zip(columns["id"], columns["component"], strict=True):
        sets.setdefault(name, set()).add(id)
        assert name in columns["id"]
    return sorted(map(sorted, sets.values()))


@settings(max_examples=200, deadline=None)
@given(PAIRS, st.data(), st.booleans(), st.integers(1, 2))
def test_as_the_edges_that_are_left(pairs, data, external, threads):
    every = sorted({v for pair in pairs for v in pair}) if external else list(range(13))
    ids = data.draw(st.lists(st.sampled_from(every), unique=True))
    rows = data.draw(st.lists(st.integers(0, len(pairs) - 1)))
    src, dst = (np.array([pair[i] for pair in pairs]) for i in (0, 1))
    if external:
        as_id = "v{:02}".format
        graph = pa.table({"src": [*map(as_id, src)], "dst": [*map(as_id, dst)]})
        result = skerry.connected_components(graph, threads=threads)
    else:
        as_id = int
        result = skerry.connected_components((src, dst), num_vertices=13, threads=threads)
    left = result.without([as_id(v) for v in ids], rows)
    right = networkx.Graph()
    right.add_nodes_from(as_id(v) for v in every if not external or v not in ids)
    right.add_edges_from(
        (as_id(u), as_id(v))
        for row, (u, v) in enumerate(pairs)
        if row not in rows and u not in ids and v not in ids
    )
    assert clusters(left) == sorted(map(sorted, networkx.connected_components(right)))
    assert left.verify() and left.plan.vertices == len(right)
    assert left.without().labels.tolist() == left.labels.tolist()  # its own edges are read again
    hubs = {hub.id: hub.edges for hub in left.hubs(20)} if left.num_vertices else {}
    proper = [pair for pair in right.edges if pair[0] != pair[1]]
    assert bool(hubs) <= bool(proper)


def test_files_and_thresholds(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("src,dst,weight\nkim,,1\nkim,lee,0.9\nlee,al,0.1\nal,bo,0.9\nbo,kim,0.8\n")
    result = skerry.connected_components(str(path), threshold=0.5, on_null="drop")
    left = result.without(rows=[4])  # rows count those that are left out, too
    assert clusters(left) == [["al", "bo"], ["kim", "lee"]] and left.verify()
    assert clusters(result.without("bo")) == [["al"], ["kim", "lee"]]
    assert result.without("bo", 4).plan.notes == ("without 1 ids and 1 rows that were named",)


def test_what_is_not_there_is_refused():
    result = skerry.connected_components(pa.table({"a": ["kim"], "b": ["lee"]}))
    with pytest.raises(skerry.InputError, match="'bo' is not an id"):
        result.without("bo")
    with pytest.raises(skerry.InputError, match="rows are integers"):
        result.without(rows=["kim"])
    with pytest.raises(skerry.UnsupportedError, match="reads the edges again"):
        skerry.UnionFind(3).components().without([1])
