"""Whether entries of a CSR have their reverses: a device finds out where the caller is silent."""

from __future__ import annotations

import numpy as np
import pytest

import skerry
from skerry.algorithms.gpu import row_solver
from skerry.algorithms.gpu_planner import CHECKED_FROM, RowPlan, Strategy, row_plan
from support.emulated import emulated_gpu
from support.emulator import EmulatedRuntime, works
from support.oracle import scipy_labels

pytestmark = pytest.mark.skipif(not works(), reason="needs a C++ compiler")

FOUND, MISSED = "found to be symmetric", "found not to be symmetric"
ALGORITHMS = ["auto", *(f"rows[strategy={strategy.name.lower()}]" for strategy in Strategy)]


N = 6000


def pairs(seed):
    """Both directions of random edges, whose first links leave some trees: rows are skipped.

    There are vertices without neighbors and a row of 900 entries.
    """
    rng = np.random.default_rng(seed)
    random = rng.integers(0, N - 100, (16_000, 2))
    hub = np.column_stack((np.full(900, N - 50), 1000 + 3 * np.arange(900)))
    edges = np.unique(np.sort(np.vstack((random, hub)), axis=1), axis=0)
    edges = edges[edges[:, 0] != edges[:, 1]]
    return np.vstack((edges, edges[:, ::-1]))


def chain():
    """Both directions of a path: all rows of such a graph are read."""
    edges = np.column_stack((np.arange(N - 1), np.arange(1, N)))
    return np.vstack((edges, edges[:, ::-1]))


def rows_of(entries, n=N, known=None, ids=np.uint32):
    """The entries as rows, each in ascending order."""
    entries = entries[np.lexsort((entries[:, 1], entries[:, 0]))]
    offsets = np.zeros(n + 1, ids)
    np.cumsum(np.bincount(entries[:, 0], minlength=n), out=offsets[1:])
    return skerry.Csr(offsets, entries[:, 1].astype(ids), known)


def without_one(entries):
    return np.delete(entries, len(entries) // 3, axis=0)


def twice_one_way(entries):
    return np.vstack((entries, entries[:1]))


def turned(entries):
    """As many entries in every row, and as many that name every vertex."""
    changed = entries.copy()
    changed[[0, 99], 1] = changed[[99, 0], 1]  # of different rows
    return changed


def with_loops(entries):
    return np.vstack((entries, [[7, 7], [N - 1, N - 1], [7, 7]]))


def twice_both_ways(entries):
    return np.vstack((entries, entries[:1], entries[:1, ::-1]))


@pytest.mark.parametrize("ids", [np.uint32, np.int64])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        (lambda entries: entries, FOUND),
        (with_loops, FOUND),
        (twice_both_ways, FOUND),
        (without_one, MISSED),
        (twice_one_way, MISSED),
        (turned, MISSED),
    ],
)
def test_reverses_are_found_and_missed(change, verdict, seed, ids):
    entries = change(pairs(seed))
    labels = scipy_labels(N, *entries.T)
    with emulated_gpu(EmulatedRuntime(seed << 32, 1 + seed), True, nothing_is_small=True):
        for name in ALGORITHMS:
            result = skerry.connected_components(rows_of(entries, ids=ids), algorithm=name)
            assert np.array_equal(result.labels, labels), name
            if name == "auto":
                assert f"CSR, {verdict}, " in result.plan.reason


def test_no_key_makes_a_difference(monkeypatch):
    entries = pairs(5)
    for key in (0, 1, (1 << 64) - 1):
        monkeypatch.setattr(row_solver, "KEY", key)
        for change, verdict in ((np.asarray, FOUND), (without_one, MISSED)):
            with emulated_gpu(on_device=True, nothing_is_small=True):
                reason = skerry.connected_components(rows_of(change(entries))).plan.reason
            assert verdict in reason


def test_what_the_caller_says_is_not_checked():
    with emulated_gpu(on_device=True, nothing_is_small=True):
        for known, words in ((True, "CSR, symmetric, "), (False, "CSR, not known to be symmetric")):
            result = skerry.connected_components(rows_of(pairs(1), known=known), statistics=True)
            assert result.plan.reason.startswith(words)
            assert "check reverses" not in [step.name for step in result.plan.passes]


@pytest.mark.parametrize("change", [np.asarray, without_one])
def test_what_reads_all_rows_checks_nothing(change):
    """Rows of a path are too short to be skipped."""
    entries = change(chain())
    with emulated_gpu(on_device=True, nothing_is_small=True):
        result = skerry.connected_components(rows_of(entries))
        assert np.array_equal(result.labels, scipy_labels(N, *entries.T))
        assert result.plan.reason.startswith("CSR, not known to be symmetric, ")
        assert result.plan.reason.endswith("all rows are read")


def test_only_what_skips_rows_has_a_plan_where_reverses_are_not_known():
    n, entries = 1 << 18, 8 << 18
    links, direct, plain = Strategy
    assert row_plan(n, entries, None) == row_plan(n, entries, True)
    assert links in row_plan(n, entries, None)
    assert plain in row_plan(n, n, True) and plain not in row_plan(n, n, None)
    both = RowPlan(direct, direct, direct)
    for few in ((CHECKED_FROM // 8, CHECKED_FROM), (entries, entries), (1 << 18, 4 << 18)):
        assert row_plan(*few, None)[:3] == both[:3]
    for forced in (None, *Strategy):
        assert row_plan(n, entries, False, forced)[:3] == both[:3]
    assert row_plan(*few, None, links) == row_plan(*few, True, links)
    assert row_plan(*few, None, plain) == both


@pytest.mark.parametrize("fault", ["fall", "entry"])
def test_bad_rows_are_refused(fault):
    rows = rows_of(pairs(2))
    if fault == "fall":
        rows.offsets[2000] = rows.offsets[-1] // 2
    else:
        rows.neighbors[-1] = N
    with (
        emulated_gpu(on_device=True, nothing_is_small=True),
        pytest.raises(skerry.InputError),
    ):
        skerry.connected_components(rows).count  # noqa: B018 (waits for the device)
