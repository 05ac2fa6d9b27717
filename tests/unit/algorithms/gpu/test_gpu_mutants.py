"""Kernels that are wrong are found out: each mutant here changes a line, and must not pass.

This tests the tests: the emulator, the graphs and the comparison with the oracle.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from skerry.cuda.source import kernel_sources, source_text
from support.emulated import assert_answer_on_device, emulated_gpu
from support.emulator import EmulatedRuntime, works
from support.graphs import medium_graphs, small_graphs

pytestmark = pytest.mark.skipif(not works(), reason="needs a C++ compiler")

SEEDS = range(20)


@dataclass(frozen=True)
class Mutant:
    """A change of the kernels' text."""

    name: str
    old: str
    new: str

    def __call__(self, text):
        """What is made of the text of a source."""
        return text.replace(self.old, self.new)

    def __str__(self):
        return self.name


NO_HOOK = Mutant("no root is hooked", "Memory::compare_and_swap(parent + high, high, low)", "high")
SWAPPED = Mutant(
    "the smaller root goes below the larger",
    "  while (a != b) {\n"
    "    const Vertex high = a > b ? a : b;  // without a branch: either order is as likely\n"
    "    const Vertex low = a > b ? b : a;\n",
    "  while (a != b) {\n"
    "    const Vertex high = a > b ? b : a;\n"
    "    const Vertex low = a > b ? a : b;\n",
)
TORN = Mutant(
    "a hook is not atomic",
    "T compare_and_swap(T* address, T expected, T desired) {\n"
    "    return atomicCAS(address, expected, desired);",
    "T compare_and_swap(T* address, T expected, T desired) {\n"
    "    const T seen = relaxed_load(address);\n"
    "    if (seen == expected) relaxed_store(address, desired);\n"
    "    return seen;",
)
OUTDATED = Mutant(
    "a hook believes L1 that a vertex is a root",
    "T compare_and_swap(T* address, T expected, T desired) {\n"
    "    return atomicCAS(address, expected, desired);",
    "T compare_and_swap(T* address, T expected, T desired) {\n"
    "    const T seen = block_load(address);\n"
    "    if (seen == expected) atomicMin(address, desired);\n"
    "    return seen;",
)
EARLY = Mutant(
    "the finish stops early",
    "Find::template find<SKERRY_LOADS>(parent, static_cast<Vertex>(v), tally)",
    "Device::load(parent + v)",
)
UNSAID = Mutant(
    "no round says that it changed anything",
    "relaxed_store(flag, u64{1})",
    "(void)flag",
)
UNLISTED = Mutant(
    "rows for warps are forgotten",
    "push_front(worklist, static_cast<Vertex>(v), state);",
    "(void)worklist;",
)
UNCOUNTED = Mutant(
    "rows too long for a warp are forgotten",
    "atomicAdd(rows.state + kFront, count)",
    "count - count",
)
UNSHARED = Mutant(
    "of long rows side by side the last are forgotten",
    "i + 1 == count ? rank >= i : rank == i",
    "rank == i",
)
SKIPPED = Mutant(
    "every thread of a row takes its first entry for one that is linked",
    "(linked && e == begin)",
    "(e == begin)",
)
GIVEN_UP = Mutant(
    "a hook that came too late is not made again",
    "if (seen == high || seen == low) break;",
    "break;",
)
UNSYNCED = Mutant(
    "nobody waits for the last join",
    "join_edge(i, stop, tally);\n  __syncthreads();",
    "join_edge(i, stop, tally);",
)
UNCHECKED = Mutant(
    "every entry is taken to have its reverse",
    "return u < v ? hash : u64{0} - hash;",
    "return 0 * hash;",
)

WRONG = [
    (NO_HOOK, "ecl[init=own]", "csr"),
    (NO_HOOK, "afforest", "csr"),
    (NO_HOOK, "thread-per-vertex", "csr"),
    (SWAPPED, "ecl[init=own]", "csr"),
    (SWAPPED, "adaptive-per-row", "csr"),
    (TORN, "ecl[init=own]", "csr"),
    (TORN, "groute", "edges"),
    (GIVEN_UP, "groute", "edges"),
    (TORN, "auto", "edges"),
    (TORN, "stream[share=1]", "edges"),
    (EARLY, "ecl", "symmetric"),
    (EARLY, "ecl[finish=halving]", "symmetric"),
    (EARLY, "ecl[finish=multiple]", "symmetric"),
    (UNSAID, "cc", "edges"),
    (UNSAID, "sv", "edges"),
    (UNSAID, "soman", "edges"),
    (UNSAID, "rem", "edges"),
    (UNLISTED, "ecl[init=own]", "csr"),
    (UNCOUNTED, "rows[strategy=links]", "csr"),
    (UNSHARED, "rows[strategy=direct]", "symmetric"),
    (UNSHARED, "rows[strategy=plain]", "symmetric"),
    (NO_HOOK, "rows[strategy=plain]", "symmetric"),
    (TORN, "rows[strategy=plain]", "symmetric"),
    (SKIPPED, "rows[strategy=plain]", "symmetric"),
    (OUTDATED, "rows[strategy=links]", "csr"),
    (OUTDATED, "rows[strategy=direct]", "symmetric"),
    (OUTDATED, "rows[strategy=plain]", "symmetric"),
    (UNCHECKED, "rows[strategy=links]", "csr"),
    (UNSYNCED, "auto", "edges"),
    (UNSYNCED, "auto", "csr"),
]
"""Mutants, with an algorithm that each makes wrong and the form that it reads."""


def is_right(seed, mutant, name, form):
    """Whether the labels of all graphs are; a mutant that does not compile raises."""
    with emulated_gpu(EmulatedRuntime(seed, edit=mutant), on_device=True):
        try:
            for graph in (*small_graphs(), *medium_graphs()[5:8], *medium_graphs()[12:14]):
                assert_answer_on_device(graph, form, name)
        except AssertionError:
            return False
    return True


@pytest.mark.parametrize(("mutant", "name", "form"), WRONG, ids=str)
def test_mutants_are_found(mutant, name, form):
    assert is_right(0, None, name, form)
    assert not all(is_right(seed << 32, mutant, name, form) for seed in SEEDS)


@pytest.mark.parametrize("mutant", sorted({mutant for mutant, _, _ in WRONG}, key=str), ids=str)
def test_mutants_change_one_place(mutant):
    """One that changes nothing would prove nothing."""
    assert {source_text(source).count(mutant.old) for source in kernel_sources()} == {0, 1}
