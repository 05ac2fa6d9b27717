"""What `auto` chooses on a GPU, and that it says so."""

from __future__ import annotations

from itertools import product

import pytest

from skerry.algorithms.gpu.dry_runtime import dry_csr, dry_edges
from skerry.algorithms.gpu.rule_words import BOUND_BITS, RULE_WORDS, SAMPLE_WORDS, rule_words
from skerry.algorithms.gpu.state import Word
from skerry.algorithms.gpu_planner import (
    ONE_BLOCK,
    ROWS,
    TOO_FEW,
    RowSample,
    Strategy,
    choose_for_gpu,
    fits_one_block,
    gpu_reason,
    possible_rules,
    selected_rule,
)

NONE = RowSample(*[0] * 7)
IN_STRETCHES = "of sampled rows are in stretches of adjacent ids: tiles"


@pytest.mark.parametrize("form", ["edges", "csr"])
def test_on_a_gpu_the_form_decides(form):
    spec = choose_for_gpu(form)
    assert spec.form == form
    assert "cuda" in spec.devices and spec.recorded


def test_small_graphs_are_one_launch_on_a_gpu():
    half = ONE_BLOCK // 2
    assert fits_one_block(half, half)
    assert not fits_one_block(half, half + 1)
    for graph in (dry_csr(half, half, 32, 32), dry_edges(half, half, 32)):
        assert gpu_reason(graph, NONE) == "small: one launch does it all"


@pytest.mark.parametrize(
    ("sample", "reason"),
    [
        ((512, 257, 257, 31, 0, 512, 0), f"50% {IN_STRETCHES}"),
        ((512, 204, 0, 0, 512, 128, 0), "25% of sampled rows begin with a hub: a small sample"),
        ((512, 0, 0, 0, 256, 127, 0), "all rows are read"),
        ((0, 0, 0, 0, 0, 0, 0), "all rows are read"),
    ],
)
def test_on_a_gpu_a_sample_of_the_rows_is_the_reason(sample, reason):
    rows = dry_csr(1 << 21, 8 << 20, 32, 32)
    assert gpu_reason(rows, RowSample(*sample)) == f"CSR, symmetric, 4.0 entries a vertex; {reason}"
    edges = dry_edges(1 << 20, 4 << 20, 32)
    assert gpu_reason(edges, RowSample(*sample)).startswith("an edge list")
    ordered = NONE._replace(adjacent=64)
    assert "in the order of its ends" in gpu_reason(edges, ordered)
    assert "in the order of its ends" not in gpu_reason(edges, ordered._replace(adjacent=63))


def strategies(n, entries, symmetric=True):
    return [rule.strategy for rule in possible_rules(n, entries, symmetric)]


def test_tiles_need_short_rows_and_both_directions():
    n = 1 << 21
    assert Strategy.TILES in strategies(n, 4 * n)
    assert Strategy.TILES not in strategies(n, 5 * n)
    assert Strategy.TILES not in strategies(n, 4 * n, symmetric=False)


def test_small_graphs_are_read_without_a_sample():
    for n, entries, reason in (
        (1000, 1 << 16, TOO_FEW),
        (2 << 20, 5 << 20, f"short rows, {TOO_FEW}"),
    ):
        (rule,) = possible_rules(n, entries, True)
        assert rule.reason == reason and rule.strategy == Strategy.DIRECT
        assert len(possible_rules(n, entries + 1, True)) > 1


def test_many_long_rows_are_skipped_without_a_sample():
    assert strategies(1 << 20, (32 << 20) + 1)[:1] == [Strategy.LINKS]
    for n, entries in ((1 << 20, 32 << 20), (1 << 21, (32 << 20) + 1)):
        assert len(strategies(n, entries)) > 1


def selected(n, entries, **counts):
    """What is selected for rows of which each count is one of 512 that were sampled."""
    sample = NONE._replace(rows=512, **counts)
    return selected_rule(possible_rules(n, entries, True), sample).strategy


def test_rows_whose_first_links_make_small_trees_are_read_as_they_are():
    n = 1 << 22
    assert selected(n, 2 * n, linked=409) == Strategy.PLAIN
    assert selected(n, 2 * n, linked=410) == Strategy.DIRECT
    assert selected(n, 2 * n, linked=409, hubs=25) == Strategy.PLAIN
    assert selected(n, 2 * n, linked=409, hubs=26) == Strategy.DIRECT
    assert selected(n, 9 * n // 4, linked=409) == Strategy.DIRECT
    # Below 5 << 20 entries, too, and without a sample where most vertices have no two neighbors.
    assert strategies(n // 4, n // 2) == [Strategy.PLAIN, Strategy.DIRECT]
    assert strategies(n // 16, n // 8) == [Strategy.DIRECT]
    assert strategies(n // 4, n // 4) == [Strategy.PLAIN]
    # With one direction of each edge, half as many entries are as many edges.
    assert Strategy.PLAIN not in strategies(n, 2 * n, symmetric=False)


def test_rows_in_triangles_are_all_read_where_they_are_few():
    n = 1 << 17
    for degree, strategy in ((16, Strategy.DIRECT), (17, Strategy.LINKS)):
        assert selected(n, degree * n, linked=400, triangles=256) == strategy
    assert selected(n, 8 * n, linked=400, triangles=255) == Strategy.LINKS


def test_far_ids_of_rows_that_are_not_short_make_one_large_tree():
    n = 1 << 20
    assert selected(n, 8 * n, linked=460) == Strategy.LINKS
    assert selected(n, 8 * n, linked=460, near=205) == Strategy.LINKS
    assert selected(n, 8 * n, linked=460, near=512) == Strategy.LINKS  # groups of near ids, too
    assert selected(n, 8 * n, linked=500, near=512) == Strategy.DIRECT
    assert selected(n, 8 * n, linked=490, triangles=300) == Strategy.DIRECT
    assert selected(4 * n, 9 * n, linked=500) == Strategy.HUB_LINKS
    assert selected(2 * n, 6 * n, hubs=128) == Strategy.HUB_LINKS


def test_some_rule_always_holds():
    assert not ROWS[-1].size and not ROWS[-1].sample
    for n, entries in ((1, 0), (1 << 20, 3 << 20), (1 << 26, 1 << 30)):
        rules = possible_rules(n, entries, True)
        assert not rules[-1].sample
        assert selected_rule(rules, NONE) is rules[-1]


def device_choice(words, counts):
    """What own/strategy.h does with the words of the rules."""
    strategy = 0
    for first, second in zip(words[::2], words[1::2], strict=True):
        if not first:
            break
        strategy = first >> BOUND_BITS
        bounds = [bound for bound in (first % (1 << BOUND_BITS), second) if bound]
        sampled = counts[Word.SAMPLED]
        shares = [
            (bound >> 16 & 0xFFFF, 1024 * counts[Word(bound >> 32)], bound & 0xFFFF)
            for bound in bounds
        ]
        if not bounds or (
            sampled and all(low * sampled <= count < high * sampled for low, count, high in shares)
        ):
            break
    return strategy


COUNTS = ((31, 409, 127), (32, 410, 128), (32, 486, 0), (32, 487, 0), (512, 512, 512))
"""Of long rows, linked ones and hubs."""


def test_the_words_of_the_rules_select_what_the_table_says():
    seen = set()
    for n, entries in product((1 << 20, 1 << 22), (1 << 21, 1 << 22, 1 << 23, 1 << 24)):
        rules = possible_rules(n, entries, True)
        for near in (0, 204, 205, 255, 256, 460, 461, 512):
            for adjacent, triangles in ((0, 66), (255, 67), (255, 256), (256, 0), (512, 512)):
                for long, linked, hubs in COUNTS:
                    sample = RowSample(512, near, adjacent, long, linked, hubs, triangles)
                    chosen = selected_rule(rules, sample).strategy
                    counts = dict(zip(SAMPLE_WORDS.values(), sample, strict=True))
                    assert device_choice(rule_words(rules), counts) == chosen
                    seen.add(chosen)
    assert seen == set(Strategy) - {Strategy.SELECTED}


def test_there_is_room_for_all_rules():
    longest = max(
        (possible_rules(8 << k, m << k, True) for k in range(27) for m in range(72)), key=len
    )
    assert 2 * len(longest) <= RULE_WORDS
    with pytest.raises(AssertionError, match="more rules"):
        rule_words(ROWS * 2)
