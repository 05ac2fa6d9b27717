"""Counts of a run with statistics: exact, whichever threads end together and add theirs up."""

from __future__ import annotations

import numpy as np
import pytest

from skerry.algorithms.gpu.state import Count, Word, count_of
from skerry.cuda.runtime import Widths
from support.emulator import EmulatedRuntime, works

pytestmark = pytest.mark.skipif(not works(), reason="needs a C++ compiler")

WALK = "Find::template find<SKERRY_LOADS>(parent, static_cast<Vertex>(v), tally)"
STEPS = "walk_so_far(parent[v], tally)"
WALKER = """
template <class Tally>
Vertex walk_so_far(Vertex steps, Tally& tally) {
  for (Vertex i = 0; i < steps; ++i) tally.step();
  if (steps % 3 == 0) tally.hooked();
  if (steps != 0) tally.end_find();
  return steps;
}
extern "C" __global__ void finish("""
CHOSEN = ("SKERRY_FINISH=JumpSingle", "SKERRY_LOADS=Device")
DEFINES = (*Widths(32, 32, 32).defines, "SKERRY_COUNTING", *CHOSEN)


def walks_of_given_length(text):
    """The last pass, where a vertex walks as many steps as its place says."""
    assert text.count(WALK) == 1
    return text.replace(WALK, STEPS).replace('extern "C" __global__ void finish(', WALKER)


def every_lane_adds(text):
    """A mutant: each lane adds what all of them have counted."""
    assert text.count("if (!is_first_of(together)) return;") == 1
    return walks_of_given_length(text).replace("if (!is_first_of(together)) return;", "")


def counted(steps, seed, blocks, threads, edit=walks_of_given_length):
    runtime = EmulatedRuntime(seed << 32, edit=edit)
    state = runtime.zeros(Word.STATE_WORDS, np.uint64)
    kernel = runtime.kernel("finish", "finish", DEFINES)
    kernel((blocks,), (threads,), (np.array(steps, np.uint32), len(steps), state))
    return tuple(count_of(state.tolist(), which) for which in Count)


@pytest.mark.parametrize(("blocks", "threads"), [(1, 32), (3, 64), (2, 40), (40, 32), (1, 1)])
def test_counts_are_exact(blocks, threads):
    random = np.random.default_rng(blocks * threads)
    for seed, most in enumerate((0, 1, 2, 5, 6, 40, 3000)):
        steps = random.integers(0, most + 1, 1000) * (random.random(1000) < 0.7)
        found = counted(steps, seed, blocks, threads)
        hooks, finds = (steps % 3 == 0).sum(), (steps != 0).sum()
        right = tuple(map(int, (hooks, finds, steps.sum(), steps.max())))
        assert found == right, (seed, most)


def test_lanes_do_come_together():
    """Or the emulator would not have shown that they add up."""
    hooks, *_ = counted(np.zeros(64), 0, 1, 64, every_lane_adds)
    assert hooks > 64


def test_copies_are_added_up():
    state = [0] * Word.STATE_WORDS
    for copy in range(32):
        for which in Count:
            state[Word.COUNTS + 16 * copy + which] = 10**which * (copy + 1)
    assert [count_of(state, which) for which in Count] == [528, 5280, 52800, 32000]
