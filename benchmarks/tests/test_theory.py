"""The counts beside the theorems: against plain loops, and against what the theorems say."""

from __future__ import annotations

from math import exp, log2

import numpy as np
import pytest
from typer.testing import CliRunner

import skerry
from skerry_bench import theory
from skerry_bench.cli.command import bench_app


def plain_lines(addresses, width):
    groups = [addresses[i : i + width] for i in range(0, len(addresses), width)]
    return sum(len({int(each) // width for each in group}) for group in groups)


def edges_of(vertices, degree):
    graph = skerry.generators.uniform(vertices, round(degree * vertices), seed=5)
    return (np.asarray(ends, np.int64) for ends in (graph.src, graph.dst))


@pytest.mark.parametrize("size", [1, 7, 32, 100])
@pytest.mark.parametrize("width", [4, 32])
def test_lines_are_those_of_a_plain_loop(size, width):
    addresses = np.random.default_rng(size).integers(0, 200, size)
    assert theory.lines(addresses, width) == plain_lines(addresses, width)


def plain_round(src, dst, parents):
    """Algorithm 1, an edge after the other, on the parents before the round."""
    before = list(parents)
    for u, v in zip(src, dst, strict=True):
        low, high = sorted((before[u], before[v]))
        if low < high:
            parents[high] = low
    for v in range(len(parents)):
        while parents[v] != parents[parents[v]]:
            parents[v] = parents[parents[v]]
    return 2 * sum(before[u] != before[v] for u, v in zip(src, dst, strict=True))


@pytest.mark.parametrize("degree", [0.5, 1.0, 3.0])
def test_rounds_are_those_of_a_plain_loop_and_end_with_the_components(degree):
    src, dst = edges_of(500, degree)
    parents, plain = np.arange(500), list(range(500))
    for each in theory.rounds(src, dst, parents):
        assert each.ends == plain_round(src, dst, plain)
        assert each.all == 2 * len(src)
    assert each.ends == 0
    assert parents.tolist() == plain
    assert skerry.connected_components((src, dst), num_vertices=500).labels.tolist() == plain


def test_updated_ends_are_read_where_they_lie_before_the_round():
    src, dst = np.array([0, 2, 4]), np.array([40, 42, 44])
    first, last = theory.rounds(src, dst, np.arange(64))
    assert (first.lines, first.updated) == (2, 2)  # rows 0 and 1 of 32 words
    assert (last.lines, last.updated) == (2, 2)
    far = theory.rounds(src, dst + 100, np.arange(200))
    assert [each.updated for each in far] == [2, 2]


@pytest.mark.parametrize("q", [0.6, 1.0, 4.0])
def test_groups_have_all_edges_and_one_group_is_cc(q):
    src, dst = edges_of(1000, 4.0)
    groups = theory.stages(src, dst, 1000, q)
    assert sum(group[0].all for group in groups) == 2 * len(src)
    assert len(groups) == -(-len(src) // round(q * 1000))
    if q == 4.0:
        assert groups[0][0].ends == 2 * np.count_nonzero(src != dst)


@pytest.mark.parametrize("c", [0.6, 1.0, 2.0])
def test_the_giant_solves_its_equation(c):
    """The share s of the giant component of a random graph is the root of s = 1 - exp(-2 c s)."""
    share = theory.giant(c)
    assert share == pytest.approx(1 - exp(-2 * c * share), abs=1e-9) and share > 0.3


@pytest.mark.parametrize("degree", [1.0, 2.0, 4.0])
def test_theorems_2_and_3_and_the_lemma_hold_as_counted(degree):
    counted = theory.count(1 << 14, degree)
    assert counted.largest == pytest.approx(theory.giant(degree), abs=0.02)
    assert counted.saved[0] >= counted.vertices / 2
    cc, stages = counted.staged
    assert cc - stages > counted.lemma(len(counted.cc))


def test_sorting_costs_more_lines_than_it_saves_at_the_width_of_a_warp():
    src, dst = edges_of(1 << 14, 2.0)
    plain, sorted_ = theory.sorted_access(src, dst, 1 << 14, 32)
    assert plain == theory.lines(src) + theory.lines(dst)
    assert sorted_ > plain
    one_line, _ = theory.sorted_access(src % 64, dst % 64, 64, 64)
    assert one_line == 2 * -(-len(src) // 64)


def test_the_width_that_sorting_needs_is_the_root_of_its_inequality():
    for vertices in (1 << 18, 200_000_000):
        w = theory.needed_width(vertices)
        assert 8 * (log2(vertices) - log2(w)) == pytest.approx(w * log2(w), rel=1e-4)


def test_the_command_prints_the_tables():
    done = CliRunner().invoke(bench_app, ["theory", "--vertices", "1024"])
    assert done.exit_code == 0, done.output
    assert "| Theorem 3: f(c) |" in done.output and "35.0 for n = 200M" in done.output
