"""The note on a component that holds most of a graph with external ids, and the ids in it."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import skerry
from skerry.engines.giant_note import find_giant
from skerry.engines.streaming import join
from skerry.engines.streaming.join import EdgeSample
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


def test_integer_ids_and_the_empty_text():
    edges = (np.zeros(300, np.int64), np.arange(1, 301))
    (note,) = giant_notes(skerry.connected_components(edges, ids="external"))
    assert note.endswith("holds 100% of all vertices; the id with the most edges is 0 (300)")
    (note,) = giant_notes(skerry.connected_components(pairs_with_a_hub(500, "")))
    assert "is '' (750)" in note


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
