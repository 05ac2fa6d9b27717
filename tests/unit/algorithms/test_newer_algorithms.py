"""What sets `thrifty`, `fastsv` and `jayanti-tarjan` apart; that they are right, others test."""

from __future__ import annotations

import numpy as np
import pytest

import skerry
from support.graphs import large_graphs


def solve(edges, name, n=None, threads=1):
    return skerry.connected_components(
        edges, num_vertices=n, algorithm=name, threads=threads, statistics=True, device="cpu"
    )


def statistics(edges, name, **options):
    return solve(edges, name, **options).plan.statistics


def path(n, order=None):
    numbers = np.arange(n) if order is None else order
    return numbers[:-1], numbers[1:]


def broom(n):
    """A path 0, n, n - 1, .. 1 that ends at a hub, the last vertex, which has n leaves more."""
    hub, leaves = 2 * n + 1, np.arange(n + 1, 2 * n + 1)
    handle = np.concatenate([[0], np.arange(n, 0, -1), [hub]])
    return np.append(handle[:-1], leaves), np.append(handle[1:], np.full(n, hub))


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_thrifty_labels_a_star_by_its_first_push(threads):
    n = 5000
    leaves = np.arange(n - 1)
    result = solve((leaves, np.full(n - 1, n - 1)), "thrifty", threads=threads)
    assert not result.labels.any()  # the hub is the last vertex, the label the first
    assert result.plan.statistics.rounds == 2  # the push, and a pull that changes nothing


def test_the_hub_is_not_the_label_of_its_component():
    edges = [(0, 1), (7, 3), (7, 4), (7, 5), (7, 9)]
    labels = solve(edges, "thrifty", 11).labels
    assert labels.tolist() == [0, 0, 2, 3, 3, 3, 6, 3, 8, 3, 10]


def test_a_zero_planted_at_the_hub_travels_less_far_than_one_at_vertex_0():
    hub, vertex_0 = (
        statistics(broom(300), f"thrifty[plant={plant},density=0]").rounds for plant in (1, 0)
    )
    assert hub == 4  # the push, two pulls, one that changes nothing
    assert vertex_0 > 300  # a step a round: the path runs against the order of the sweep


def test_thrifty_always_pulls_where_the_density_is_0():
    for graph in large_graphs()[:5]:  # not a shuffled path, of tens of thousands of rounds
        pulls, both = (
            statistics(graph.edges, name) for name in ("thrifty[density=0]", "thrifty[density=1]")
        )
        assert pulls.rounds <= both.rounds, graph.name


@pytest.mark.parametrize("choice", ["aggressive=1", "aggressive=0"])
def test_fastsv_takes_few_rounds_on_long_paths(choice):
    n = 1 << 14
    shuffled = np.random.default_rng(5).permutation(n)
    for edges in (path(n), path(n, np.arange(n)[::-1]), path(n, shuffled)):
        result = solve(edges, f"fastsv[{choice}]")
        assert result.count == 1
        assert result.plan.statistics.rounds <= 2 * 14
    assert statistics(path(n, shuffled), "label-propagation").rounds > 1000


@pytest.mark.parametrize("name", ["fastsv", "jayanti-tarjan"])
def test_rows_and_edges_are_read_as_they_are(name):
    graph = large_graphs()[0]
    for form in ("edges", "csr", "symmetric"):
        result = solve(getattr(graph, form), name)
        np.testing.assert_array_equal(result.labels, graph.labels)
        names = [step.name for step in result.plan.passes if step.name != "convert ids"]
        assert names == [name, "canonical labels"][: len(names)]


def test_a_random_order_keeps_trees_flat_where_the_order_of_numbers_makes_a_list():
    src, dst = (ends[::-1] for ends in path(1 << 12))  # links a root below a single vertex
    src, dst = np.append(src, (1 << 12) - 1), np.append(dst, 0)  # and walks from the last one
    by_number = statistics((src, dst), "jayanti-tarjan[random=0,tries=0]")
    random = statistics((src, dst), "jayanti-tarjan[tries=0]")
    assert by_number.longest == (1 << 12) - 1
    assert random.longest < 64


def test_more_tries_make_shorter_paths():
    n = 1 << 12
    ends = np.random.default_rng(1).integers(0, n, (2, 4 * n))
    never, once, twice = (
        statistics(tuple(ends), f"jayanti-tarjan[tries={tries}]").steps for tries in (0, 1, 2)
    )
    assert twice < once < never


def test_a_seed_changes_the_order_and_no_label():
    n = 1 << 10
    ends = tuple(np.random.default_rng(2).integers(0, n, (2, n)))
    results = [solve(ends, f"jayanti-tarjan[seed={seed}]", n) for seed in (1, 2, 1)]
    assert results[0].plan.statistics == results[2].plan.statistics
    assert results[0].plan.statistics != results[1].plan.statistics
    for result in results[1:]:
        np.testing.assert_array_equal(result.labels, results[0].labels)
