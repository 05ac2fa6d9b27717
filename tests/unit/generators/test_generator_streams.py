"""Streams of generated edges, and the table that finds generators by name."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import skerry
from skerry import generators
from skerry.errors import InputError
from skerry.generators.builder import make
from skerry.generators.streams import stream
from skerry.generators.table import GENERATORS, parse, recipe

SMALL = {
    "grid": "rows=40,columns=31",
    "torus": "rows=20,columns=33",
    "path": "n=1500,shuffled=true",
    "star": "n=1500",
    "complete": "n=60",
    "uniform": "n=700,m=2000",
    "random_picks": "n=400",
    "rmat": "scale=9,edge_factor=5,shuffled=yes",
    "graph500": "scale=8",
    "graph500_reference": "scale=8",
    "delaunay": "points=500",
    "geometric": "n=800,degree=10",
    "road": "width=25,shuffled=true",
    "web": "n=500,links=5",
    "preferential_attachment": "n=500,shuffled=1",
    "profile": "n=500,m=2000,largest_degree=60,components=9,shuffled=1",
    "ring": "n=500,chords=700,shuffled=1",
    "rmat_of": "n=500,m=1500",
    "mawi": "n=2^11",
    "tiny": "components=500",
    "planted": "sizes=300+40x5+20x1,chords=100",
}


def joined(edges, team=2):
    batches = list(edges.open(team))
    empty = np.empty(0, np.uint32)
    return (
        np.concatenate([empty, *(batch.src for batch in batches)]),
        np.concatenate([empty, *(batch.dst for batch in batches)]),
    )


def test_every_generator_is_tried_here():
    assert SMALL.keys() == GENERATORS.keys()
    for name, generator in GENERATORS.items():
        assert getattr(generators, name).recipe is generator.make


@settings(max_examples=8, deadline=None)
@given(batch=st.integers(1, 3000), team=st.integers(1, 3), seed=st.integers(0, 2**64 - 1))
@pytest.mark.parametrize("name", SMALL)
def test_a_stream_has_the_edges_of_the_graph(name, batch, team, seed):
    seeded = any(parameter.name == "seed" for parameter in GENERATORS[name].parameters)
    graph = parse(f"{name}:{SMALL[name]}" + (f",seed={seed}" if seeded else ""))
    expected, edges = make(graph), stream(graph, max(batch, 7))
    assert edges.id_kind == "vertices"
    assert (edges.num_vertices, edges.num_edges) == (expected.num_vertices, expected.num_edges)
    assert expected.num_edges > 100
    for _ in range(2):  # a stream can be read again
        src, dst = joined(edges, team)
        np.testing.assert_array_equal(src, expected.src)
        np.testing.assert_array_equal(dst, expected.dst)


@pytest.mark.parametrize("name", SMALL)
def test_batches_are_bounded(name):
    graph = parse(f"{name}:{SMALL[name]}")
    batches = list(stream(graph, 100).open(1))
    sizes = [len(batch.src) for batch in batches]
    assert max(sizes) <= 100
    assert min(sizes) > 0
    assert len(sizes) < 2.5 * sum(sizes) / 100 + 2
    starts = [int(batch.location.removeprefix("edge ")) for batch in batches]
    assert starts == [sum(sizes[:k]) for k in range(len(sizes))]
    assert {batch.src.dtype for batch in batches} == {np.dtype(np.uint32)}


def test_edges_that_cannot_be_split_come_together():
    crowded = generators.geometric.recipe(60, radius=1.5)
    sizes = [len(batch.src) for batch in stream(crowded, 10).open(1)]
    assert sizes == [60 * 59 // 2]


def test_empty_streams():
    for graph in (
        generators.path.recipe(0),
        generators.path.recipe(1),
        generators.road.recipe(0),
        generators.geometric.recipe(0),
    ):
        edges = stream(graph)
        assert edges.num_edges == 0
        assert list(edges.open(1)) == []
    with pytest.raises(InputError, match="batch must be at least 1"):
        stream(generators.path.recipe(3), 0)


def test_ids_are_wide_where_they_must_be():
    edges = stream(generators.uniform.recipe(2**33, 50), 20)
    assert {batch.src.dtype for batch in edges.open(1)} == {np.dtype(np.uint64)}


def test_a_graph_larger_than_memory_can_be_begun():
    edges = stream(generators.uniform.recipe(2**40, 2**50), 1000)
    batches = edges.open(1)
    first = next(batches)
    batches.close()
    few = make(generators.uniform.recipe(2**40, 1000))
    np.testing.assert_array_equal(first.src, few.src)


def test_planted_recipes_have_the_known_answer():
    sizes = [300, *[5] * 40, *[1] * 20]
    planted = recipe("planted", sizes=sizes, chords=100, seed=5)
    assert planted == parse("planted:sizes=300+40x5+20x1,chords=100,seed=5")
    edges = make(planted)
    direct = generators.planted(sizes, 100, seed=5)
    np.testing.assert_array_equal(edges.src, direct.src)
    labels = skerry.connected_components(edges).labels
    np.testing.assert_array_equal(labels, generators.planted_labels(sizes, seed=5))


def test_the_table_matches_the_signatures():
    for name, generator in GENERATORS.items():
        assert generator.name == name
        assert generator.summary
        arguments = inspect.signature(getattr(generators, name).recipe).parameters
        assert [parameter.name for parameter in generator.parameters] == list(arguments)
        for parameter in generator.parameters:
            assert parameter.summary
            default = arguments[parameter.name].default
            assert parameter.required == (default is inspect.Parameter.empty)
            if not parameter.required:
                assert parameter.default == default
                assert (
                    parameter.default is None
                    or parameter.read(str(parameter.default)) == parameter.default
                )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("grid:rows=2^3,columns=1_000", generators.grid.recipe(8, 1000)),
        ("path:n=1e3", generators.path.recipe(1000)),
        (" path : n = 2**4 , shuffled = no ", generators.path.recipe(16)),
        ("mawi:n=100,hub_share=17/24", generators.mawi.recipe(100)),
        ("geometric:n=50,radius=1/4", generators.geometric.recipe(50, radius=0.25)),
        ("planted:sizes=5+2x3", generators.planted.recipe([5, 3, 3])),
        ("random-picks:n=9", generators.random_picks.recipe(9)),
        ("rmat:scale=3,edge-factor=2", generators.rmat.recipe(3, 2)),
    ],
)
def test_text_to_recipe(text, expected):
    assert parse(text) == expected


def test_values_need_no_text():
    assert recipe("rmat", scale=np.int64(5), a=0.5) == generators.rmat.recipe(5, a=0.5)
    assert recipe("path", n=5, shuffled=True) == generators.path.recipe(5, shuffled=True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rmatt:scale=3", "did you mean 'rmat'"),
        ("", "no generator"),
        ("rmat:scal=3", "did you mean 'scale'"),
        ("rmat", "needs scale"),
        ("grid:", "needs rows and columns"),
        ("rmat:scale=x", "scale must be an integer"),
        ("path:n=1.5", "n must be an integer"),
        ("path:n=1e30", "n must be an integer"),
        ("path:n=2^9999", "n must be an integer"),
        ("path:n=nan", "n must be an integer"),
        ("path:n=-5", "n must not be negative"),
        ("path:n", "must be name=value"),
        ("path:n=1,n=2", "given twice"),
        ("path:n=3,shuffled=maybe", "shuffled must be true or false"),
        ("road:width=3,keep=1/0", "keep must be a number"),
        ("road:width=3,keep=nan", "keep must be a probability"),
        ("planted:sizes=3y", "sizes must be"),
        ("planted:sizes=-2x5", "sizes must be"),
        ("planted:sizes=0", "integers from 1 up"),
        ("uniform:n=0,m=3", "m must be 0 when n is 0"),
    ],
)
def test_bad_text_is_refused(text, message):
    with pytest.raises(InputError, match=message):
        parse(text)


def test_values_of_the_wrong_type():
    for bad in (True, 1.5, None, [3]):
        with pytest.raises(InputError, match="n must be an integer"):
            recipe("path", n=bad)
    with pytest.raises(InputError, match="keep must be a number"):
        recipe("road", width=3, keep=True)
