"""The last pass of our own GPU algorithms: it labels any forest, whichever tree is the largest."""

from __future__ import annotations

import numpy as np
import pytest

from skerry.algorithms.gpu.state import Word
from skerry.cuda.runtime import Widths
from support.emulator import EmulatedRuntime, works

pytestmark = pytest.mark.skipif(not works(), reason="needs a C++ compiler")

KERNELS = [("stream", "label_vertices"), ("rows", "label_vertices"), ("batches", "flatten_links")]
SHORTENING = "find_end<kUnbounded>(links, largest, 0, tally)"


def shortens_the_largest_path(text):
    """A mutant: every thread shortens the path from the largest tree's vertex to its root."""
    assert text.count(SHORTENING) == 1
    return text.replace(SHORTENING, "find_end(links, largest, 0, tally)")


def forests(random):
    """Parents of paths in random order, of random trees and of stars, with a deep vertex each."""
    n = int(random.integers(2, 400))
    order = np.arange(n)
    path = np.maximum(order - 1, 0)
    steep = np.maximum(order - random.integers(1, 4, n), 0)
    tree = (order * random.random(n)).astype(np.int64)
    two = np.where(order < 2, order, order - 2)
    for parent in (path, steep, tree, two, np.minimum(order, n // 3)):
        yield parent.astype(np.uint32), int(random.integers(n // 2, n))


def roots_of(parent):
    roots = parent.copy()
    while (roots[roots] != roots).any():
        roots = roots[roots]
    return roots


def wrong_labels(source, kernel, seed, edit=None):
    """How many of the labels of some forests are wrong."""
    random = np.random.default_rng(seed)
    runtime = EmulatedRuntime(seed << 32, edit=edit)
    launch = runtime.kernel(source, kernel, Widths(32, 32, 32).defines)
    wrong = 0
    for parent, deep in forests(random):
        for largest in (0, deep + 1):
            links, state = parent.copy(), runtime.zeros(Word.STATE_WORDS, np.uint64)
            state[Word.LARGEST] = largest
            launch((int(random.integers(1, 7)),), (64,), (links, len(links), state))
            wrong += int((links != roots_of(parent)).sum())
    return wrong


@pytest.mark.parametrize(("source", "kernel"), KERNELS, ids=str)
def test_every_vertex_gets_its_root(source, kernel):
    assert sum(wrong_labels(source, kernel, seed) for seed in range(20)) == 0


def test_a_path_that_all_threads_shorten_is_found():
    """Which gave wrong labels once in five hundred runs of paths in random order on a GPU."""
    runs = (wrong_labels(*KERNELS[0], seed, shortens_the_largest_path) for seed in range(100))
    assert any(runs)
