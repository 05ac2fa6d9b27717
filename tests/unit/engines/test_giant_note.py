"""The note on a component that holds most of a graph with external ids, and the ids in it."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import skerry
from skerry.engines.giant_note import find_giant
from skerry.engines.streaming import join
from skerry.engines.streaming.join import EdgeSample
from skerry.errors import InputError
from skerry.union_find.forest import Forest
from support.cli import ok
from support.emulated import emulated_gpu


def pairs_with_a_hub(pairs=1000, hub="unknown"):
    """Pairs of people, most of whom have an edge to one id that is no person."""
    people = [f"p{number:05}" for number in range(2 * pairs)]
    src = people[::2] + people[: 3 * pairs // 2]
    dst = people[1::2] + [hub] * (3 * pairs // 2)
    return pa.table({"a": src, "b": dst})


def giant_notes(result):
    return [note for note in result.plan.notes if "largest component" in note]


def test_a_bad_id_that_joins_everything_is_named():
    (note,) = giant_notes(skerry.connected_components(pairs_with_a_hub(500)))
    assert note == (
        "the largest component holds 75% of all vertices; the id with the most edges is "
        "'unknown' (750)"
    )


@pytest.mark.parametrize("algorithm", ["auto", "ecl"])
def test_a_sample_of_many_edges_will_do(algorithm):
    table = pairs_with_a_hub(20_000)
    result = skerry.connected_components(table.to_batches(max_chunksize=700), algorithm=algorithm)
    (note,) = giant_notes(result)
    assert "'unknown' (" in note
    assert note.endswith("estimated from a sample")
    count = int(note.partition("'unknown' (")[2].partition(")")[0].replace(",", ""))
    assert count == pytest.approx(30_000, rel=0.1)
    again = skerry.connected_components(table.to_batches(max_chunksize=700), algorithm=algorithm)
    assert giant_notes(again) == [note]


def test_integer_ids_and_a_blank_text():
    edges = (np.zeros(300, np.int64), np.arange(1, 301))
    (note,) = giant_notes(skerry.connected_components(edges, ids="external"))
    assert note.endswith("holds 100% of all vertices; the id with the most edges is 0 (300)")
    (note,) = giant_notes(skerry.connected_components(pairs_with_a_hub(500, " ")))
    assert "is ' ' (750)" in note


def test_ids_of_several_columns():
    table = pa.table({"s": ["x"] * 200, "n": [0] * 200, "t": ["y"] * 200, "m": range(200)})
    result = skerry.connected_components(table, source=("s", "n"), target=("t", "m"))
    (note,) = giant_notes(result)
    assert note.endswith("is ('x', 0) (200)")


def test_a_path_has_no_hub():
    people = [f"p{number:04}" for number in range(1001)]
    (note,) = giant_notes(
        skerry.connected_components(pa.table({"a": people[:-1], "b": people[1:]}))
    )
    assert note.endswith("no id has 1% of the edges or more")


def test_there_is_no_note_without_a_giant():
    people = [f"p{number:04}" for number in range(1000)]
    result = skerry.connected_components(pa.table({"a": people[::2], "b": people[1::2]}))
    assert giant_notes(result) == []
    small = skerry.connected_components(pa.table({"a": ["x"] * 50, "b": people[:50]}))
    assert giant_notes(small) == []
    numbers = skerry.connected_components((np.zeros(300, int), np.arange(300)))
    assert giant_notes(numbers) == []


def test_a_hub_of_another_component_is_not_named():
    giant = [f"p{number:04}" for number in range(1001)]
    src = giant[:-1] + ["hub"] * 400
    dst = giant[1:] + [f"q{number}" for number in range(400)]
    (note,) = giant_notes(skerry.connected_components(pa.table({"a": src, "b": dst})))
    assert "hub" not in note


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("algorithm", ["auto", "ecl"])
def test_a_hub_of_a_networkx_graph(directed, algorithm):
    networkx = pytest.importorskip("networkx")
    graph = (networkx.DiGraph if directed else networkx.Graph)()
    graph.add_edges_from((("leaf", number), "hub") for number in range(5000))
    graph.add_edges_from((number, number + 1) for number in range(0, 1000, 2))
    (note,) = giant_notes(skerry.connected_components(graph, algorithm=algorithm))
    assert "'hub' (" in note


def test_a_hub_found_on_a_gpu():
    with emulated_gpu():
        (note,) = giant_notes(skerry.connected_components(pairs_with_a_hub(500), device="cuda"))
    assert "'unknown' (750)" in note


def test_the_summary_shows_it(tmp_path):
    import pyarrow.parquet as pq

    pq.write_table(pairs_with_a_hub(500), tmp_path / "pairs.parquet")
    summary = ok("components", tmp_path / "pairs.parquet", "--source", "a", "--target", "b")
    assert "'unknown' (750)" in " ".join(summary.split())


def test_a_sample_stands_for_all_edges(monkeypatch):
    monkeypatch.setattr(join, "SAMPLE_SIZE", 64)
    monkeypatch.setattr(join, "SAMPLE_ROWS", 8)
    sample = EdgeSample()
    for begin in range(0, 100_000, 37):
        column = np.arange(begin, min(begin + 37, 100_000))
        sample.add(np.full(len(column), -1), column, len(column))
    assert sample.edges == 100_000
    assert not sample.is_exact
    assert sample.degrees()[-1] == pytest.approx(100_000, rel=0.1)
    assert sum(len(part[0]) for part in sample._parts) < 2000


def test_more_than_half_is_needed():
    assert find_giant(np.repeat([0, 500], 500)) is None
    assert find_giant(np.zeros(99, np.uint32)) is None
    giant = find_giant(np.repeat([0, 600], [600, 400]).astype(np.uint32))
    assert (giant.label, giant.size, giant.share) == (0, 600, 0.6)


# Batches whose ids are all known are checked and joined in one pass; others are joined again.

FIRST = (np.arange(100), np.arange(100) // 2)


def labels(batches, ids, **options):
    return skerry.connected_components(batches, ids=ids, **options).labels.tolist()


@pytest.mark.parametrize("ids", ["external", "vertices"])
@pytest.mark.parametrize("dtype", [np.int32, np.uint32, np.int64, np.uint64])
def test_a_batch_with_one_new_id_is_joined_as_if_all_came_at_once(ids, dtype):
    random = np.random.default_rng(1)
    batches = []
    for high in (30, 30, 900, 20, 1500, 1500):
        ends = random.integers(0, high, (2, 60)).astype(dtype)
        ends[0, -2] = high - 1  # not the last edge, which is looked at first
        batches.append(tuple(ends))
    every = tuple(np.concatenate(ends) for ends in zip(*batches, strict=True))
    assert labels(batches, ids) == labels([every], ids)


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_a_negative_id_in_a_later_batch_is_not_a_large_vertex(dtype):
    batches = [FIRST, (np.array([3, -5], dtype), np.array([4, 7], dtype))]
    batches = [tuple(end.astype(dtype) for end in ends) for ends in batches]
    result = skerry.connected_components(batches, ids="external")
    assert result.ids[0] == -5 and result.connected(-5, 7) and len(result.ids) == 101
    with pytest.raises(InputError, match="edge 1 has the vertex -5"):
        skerry.connected_components(batches, ids="vertices")


def test_an_id_above_the_number_of_vertices_is_an_error_in_a_later_batch():
    batches = [FIRST, (np.array([3, 100]), np.array([4, 7]))]
    with pytest.raises(InputError, match="edge 1 has the vertex 100"):
        skerry.connected_components(batches, ids="vertices", num_vertices=100)


def test_a_loop_in_a_later_batch_is_an_id_of_the_graph():
    """Of ids that leave gaps, those that were never joined occur only in loops."""
    batches = [(np.array([1]), np.array([50])), (np.array([1, 7]), np.array([50, 7]))]
    assert skerry.connected_components(batches, ids="external").ids.tolist() == [1, 7, 50]


def test_ids_as_wide_as_two_columns_differ_are_joined():
    batches = [FIRST, (np.array([3], np.int32), np.array([90]))]
    assert labels(batches, "external") == labels([FIRST], "external")


@pytest.mark.parametrize("threads", [1, 2])
def test_a_join_that_meets_an_unknown_id_leaves_a_valid_forest(threads):
    forest = Forest(10, threads)
    assert forest.try_join(np.array([1, 2]), np.array([2, 99]), threads) == (False, False)
    assert forest.try_join(np.array([1, 4]), np.array([2, 4]), threads) == (True, True)
    assert forest.count() == 9 and forest.find(np.array([1, 2, 4])).tolist() == [1, 1, 4]


def test_ascending_ids_are_not_joined_twice(monkeypatch):
    """Every batch has new ids; after a failure, and where the last edge shows it, none is tried."""
    tried = []
    try_join = Forest.try_join

    def counted(self, *arguments):
        tried.append(len(arguments[0]))
        return try_join(self, *arguments)

    monkeypatch.setattr(Forest, "try_join", counted)
    ids = np.arange(64_000)
    batches = [(ids[i : i + 1000], ids[i : i + 1000] + 1) for i in range(0, 64_000, 1000)]
    assert not any(labels(batches, "external")) and not tried
    hidden = [(np.array([0, high, 0]), np.array([0, high - 1, 0])) for high in range(1, 400)]
    skerry.connected_components(hidden, ids="vertices")
    assert 0 < len(tried) < 20
