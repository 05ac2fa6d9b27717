"""`skerry.threshold_sweep`: as one call of `connected_components` for each threshold."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import skerry
import skerry.io
from skerry.engines.thresholds import collect, ordered_forest
from skerry.engines.thresholds.sweep import FEW, Levels
from skerry.errors import InputError, UnsupportedError
from support.named import named_components
from support.weighted_inputs import WeightedInputs

EDGES = WeightedInputs([0, 1, 2, 3, 4, 6], [1, 2, 3, 4, 5, 6], [0.1, 0.5, 0.9, 0.5, 0.2, 0.4])
SRC, DST, WEIGHT = EDGES.src, EDGES.dst, EDGES.weight
AT = [0.5, 0.05, 0.9, 0.5, 2.0, -1.0]


def ids_of(result):
    ids = result.ids
    if ids is None or isinstance(ids, list):
        return ids
    if isinstance(ids, tuple):
        return [part.tolist() for part in ids]
    return ids.tolist()


def assert_as_single_calls(graph, weights, thresholds, keep="above", **options):
    """Compares labels, ids, counts and sizes with a call for each threshold."""
    sweep = skerry.threshold_sweep(graph, weights, thresholds, keep=keep, **options)
    columns = sweep.columns()
    assert list(sweep) == list(thresholds) and len(sweep) == len(thresholds)
    for position, threshold in enumerate(thresholds):
        single = skerry.connected_components(
            graph, weight=weights, threshold=threshold, keep=keep, **options
        )
        ours = sweep[threshold]
        assert ours.labels.tolist() == single.labels.tolist()
        assert ours.labels.dtype == single.labels.dtype
        assert ids_of(ours) == ids_of(single)
        assert sweep.counts[position] == single.count == ours.count
        assert columns["vertices"][position] == single.num_vertices
        assert columns["edges"][position] == single.plan.edges
        assert columns["largest"][position] == max(single.sizes().tolist(), default=0)
    return sweep


@pytest.mark.parametrize("keep", ["above", "below"])
@pytest.mark.parametrize("name", EDGES.kinds)
def test_a_sweep_is_one_call_for_each_threshold(name, keep, tmp_path):
    graph, weights, options = EDGES.kinds[name](tmp_path)
    sweep = assert_as_single_calls(graph, weights, AT, keep, **options)
    for threshold in AT:
        assert sweep[threshold].verify()


EDGE = st.tuples(st.integers(0, 12), st.integers(0, 12))
FLOATS = st.sampled_from([-np.inf, -1.5, 0.0, -0.0, 0.1, 0.3, 0.5, 0.7, 1.0, np.inf])


@st.composite
def weighted_edges(draw):
    pairs = draw(st.lists(EDGE, max_size=30))
    kind = draw(st.sampled_from(["float64", "float32", "int64", "uint8", "bool"]))
    values = draw(st.lists(FLOATS, min_size=len(pairs), max_size=len(pairs)))
    if kind.startswith("float"):
        weights = np.array(values, kind)
    else:
        weights = (10 * np.clip(np.abs(np.array(values)), 0, 12)).astype(kind)
    src, dst = (np.array([pair[end] for pair in pairs], np.int64) for end in (0, 1))
    return src, dst, weights


@settings(max_examples=150, deadline=None)
@given(
    weighted_edges(),
    st.lists(st.one_of(FLOATS, st.integers(-1, 130)), min_size=1, max_size=6),
    st.sampled_from(["above", "below"]),
    st.sampled_from([None, 13, 20]),
    st.integers(1, 40),
)
def test_any_weights_and_thresholds(edges, thresholds, keep, num_vertices, pending):
    src, dst, weights = edges
    before = ordered_forest.PENDING, collect.PIECE
    ordered_forest.PENDING = collect.PIECE = pending  # so that the forest is made anew often
    try:
        assert_as_single_calls((src, dst), weights, thresholds, keep, num_vertices=num_vertices)
        assert_as_single_calls((src, dst), weights, thresholds, keep, ids="external")
    finally:
        ordered_forest.PENDING, collect.PIECE = before


@settings(max_examples=100, deadline=None)
@given(weighted_edges(), st.lists(FLOATS, min_size=1, max_size=40), st.booleans())
def test_a_sweep_agrees_with_a_plain_union_find(edges, thresholds, above):
    src, dst, weights = edges
    pairs = pa.table({"src": src, "dst": dst, "w": weights.astype(float)})
    keep = "above" if above else "below"
    sweep = skerry.threshold_sweep(pairs, "w", thresholds, keep=keep)
    for threshold in thresholds:
        kept = [
            (u, v)
            for u, v, w in zip(src.tolist(), dst.tolist(), weights.tolist(), strict=True)
            if (w >= threshold if above else w <= threshold or (u == v and w == np.inf))
        ]
        truth = named_components(kept)
        result = sweep[threshold].table().to_pydict()
        assert dict(zip(result["id"], result["component"], strict=True)) == truth


def test_many_thresholds_are_searched_for():
    """More than a few thresholds are found by bisection, with the same levels."""
    rng = np.random.default_rng(0)
    weights = rng.choice(np.linspace(0, 1, 41), 500)
    for keep in ("above", "below"):
        few = Levels([0.5, *np.linspace(0, 1, FEW - 1)], keep)
        assert few._searched is None
        many = Levels(np.linspace(0, 1, 101).tolist(), keep)
        assert many._searched is not None
        passes = weights[:, None] >= np.linspace(0, 1, 101)
        if keep == "below":
            passes = weights[:, None] <= np.linspace(0, 1, 101)
        assert many.of(weights).tolist() == (101 - passes.sum(axis=1)).tolist()
        assert many.of(weights.astype(np.float32)).max() <= 101


def test_a_threshold_is_compared_in_the_precision_of_the_weights():
    weights = np.array([0.8, 0.8], np.float32)
    edges = (np.array([0, 1]), np.array([1, 2]))
    assert_as_single_calls(edges, weights, [0.8, np.float64(0.8)], num_vertices=3)


def test_missing_weights_are_refused_or_left_out():
    pairs = pa.table({"src": [0, 1, 2], "dst": [1, 2, 3], "weight": [0.9, None, float("nan")]})
    with pytest.raises(InputError, match="weight is null"):
        skerry.threshold_sweep(pairs, "weight", [0.5])
    assert_as_single_calls(pairs, "weight", [0.5, 0.95], on_null="drop")
    with pytest.raises(InputError, match=r"weight\[1\] is NaN"):
        skerry.threshold_sweep((SRC[:2], DST[:2]), np.array([1.0, np.nan]), [0.5])


@pytest.mark.parametrize(
    ("thresholds", "message"),
    [
        ([], "thresholds is empty"),
        (0.5, "thresholds must be a list of numbers, got 0.5"),
        ([0.5, float("nan")], "a threshold must be a number, got nan"),
        (["0.5"], "a threshold must be a number, got '0.5'"),
        ([True], "a threshold must be a number"),
    ],
)
def test_thresholds_that_are_none(thresholds, message):
    with pytest.raises(InputError, match=message):
        skerry.threshold_sweep((SRC, DST), WEIGHT, thresholds)


def test_what_has_no_weights_is_refused():
    csr = skerry.Csr(np.array([0, 1, 1], np.uint64), np.array([1], np.uint32))
    for graph in (csr, {0: [1]}):
        with pytest.raises(UnsupportedError, match="not supported"):
            skerry.threshold_sweep(graph, None, [0.5])
    with pytest.raises(InputError, match="an array with the weight of each edge"):
        skerry.threshold_sweep((SRC, DST), None, [0.5])
    with pytest.raises(InputError, match="vertex -1"):
        skerry.threshold_sweep((np.array([-1]), np.array([0])), np.array([1.0]), [0.5])
    with pytest.raises(InputError, match="most vertices would have none"):
        skerry.threshold_sweep((np.array([2**30]), np.array([0])), np.array([1.0]), [0.5])


def test_a_threshold_that_was_not_swept():
    sweep = skerry.threshold_sweep((SRC, DST), WEIGHT, [0.5, 0.6])
    with pytest.raises(InputError, match=r"0\.7 is not a threshold of this sweep: 0\.5, 0\.6"):
        sweep[0.7]


def test_the_table_of_a_sweep():
    sweep = skerry.threshold_sweep(EDGES.table(), "weight", [0.5, 0.1])
    assert sweep.table().to_pylist() == [
        {"threshold": 0.5, "edges": 3, "vertices": 4, "components": 1, "largest": 4},
        {"threshold": 0.1, "edges": 6, "vertices": 7, "components": 2, "largest": 6},
    ]
    assert repr(sweep).splitlines()[0].split() == sweep.table().column_names


def test_progress_of_a_sweep(tmp_path):
    calls = []
    skerry.threshold_sweep(
        EDGES.parquet(tmp_path), "weight", [0.5, 0.3], progress=lambda *counts: calls.append(counts)
    )
    assert calls[-1][0] == 4


def test_a_stream_is_read_once():
    opened = []

    def batches():
        opened.append(1)
        yield EDGES.table()

    sweep = skerry.threshold_sweep(batches(), "weight", [0.1, 0.5, 0.9])
    assert sweep.counts.tolist() == [2, 1, 1] and opened == [1]
    with pytest.raises(UnsupportedError, match="used up by reading it"):
        sweep[0.5].verify()


def test_memory_does_not_grow_with_the_edges():
    """The forest and the edges since it was made are all that is held."""
    forest = ordered_forest.OrderedForest()
    rng = np.random.default_rng(1)
    for _ in range(50):
        src, dst = rng.integers(0, 1000, (2, 100_000))
        forest.add(src, dst, rng.integers(0, 5, 100_000).astype(np.uint16), 999)
        held = sum(len(part.src) for part in forest._parts)
        assert held <= ordered_forest.PENDING + 100_000 + 999
    assert len(forest.take().src) == 999


def test_bytes_a_vertex_of_a_sweep(monkeypatch):
    """What docs/thresholds.md says."""
    monkeypatch.setattr(ordered_forest, "PENDING", 1000)
    rng = np.random.default_rng(1)
    n, forest = 200_000, ordered_forest.OrderedForest()
    tracemalloc.start()
    for _ in range(40):
        src, dst = rng.integers(0, n, (2, 20_000), dtype=np.uint32)
        forest.add(src, dst, rng.integers(0, 9, 20_000).astype(np.uint16), n - 1)
    peak = tracemalloc.get_traced_memory()[1]
    src, dst, keys = forest.take()
    tracemalloc.stop()
    assert 40 * n < peak < 60 * n
    assert src.itemsize + dst.itemsize + keys.itemsize == 10 and len(src) < n


def test_vertex_numbers_end_with_the_edges_that_are_used():
    """In every form alike; docs/thresholds.md says so."""
    ends = SRC, DST
    arrays = skerry.connected_components(ends, weight=WEIGHT, threshold=0.5)
    rows = skerry.connected_components(
        EDGES.table(), weight="weight", threshold=0.5, ids="vertices"
    )
    swept = skerry.threshold_sweep(ends, WEIGHT, [0.5])[0.5]
    assert arrays.num_vertices == rows.num_vertices == swept.num_vertices == 5
    all_of_them = skerry.connected_components(ends, weight=WEIGHT, threshold=0.5, num_vertices=7)
    assert all_of_them.num_vertices == 7
