"""Every choice of the stages of `rows` gives the same labels: on any shape, width and team."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import skerry
from skerry.algorithms.number_ranges import WORDS
from skerry.graph.build import csr_from_edges
from support.graphs import medium_graphs, small_graphs

NAMED = ("seconds", "rest", "join")
CHOICES = [
    "rows[{}]".format(",".join(f"{name}={word}" for name, word in zip(NAMED, words, strict=True)))
    for words in product(*(WORDS[name] for name in NAMED))
]
NAMES = {
    "empty",
    "one vertex",
    "no edges",
    "loops",
    "duplicates",
    "isolated at the start",
    "star, hub last",
    "shuffled path",
    "complete",
    "joined by the last edge",
    "below the threshold",
    "pairs",
    "shuffled grid",
    "two stars",
    "random, above the threshold",
    "random",
}
SHAPES = [graph for graph in (*small_graphs(), *medium_graphs()) if graph.name in NAMES]


@pytest.mark.parametrize("graph", SHAPES, ids=lambda graph: graph.name)
def test_every_choice_gives_the_same_labels(graph):
    unsorted, one_way = graph.symmetric, graph.csr
    forms = {
        "sorted": csr_from_edges(graph.edges),
        "unsorted": skerry.Csr(unsorted.indptr, unsorted.indices, symmetric=True),
        "one way": skerry.Csr(one_way.indptr, one_way.indices),
    }
    for choice, dtype, threads in product(CHOICES, (np.uint32, np.uint64), (1, 3)):
        for form, rows in forms.items():
            result = skerry.connected_components(
                rows, algorithm=choice, dtype=dtype, threads=threads
            )
            np.testing.assert_array_equal(
                result.labels, graph.labels, err_msg=f"{choice} {form} {dtype} {threads}"
            )


def test_choices_are_words_that_are_checked():
    rows = skerry.algorithm("rows[rest=join,join=window]")
    assert str(rows) == "rows[rest=join,join=window]"
    assert rows.choices["join"] == WORDS["join"]
    for wrong in ("rows[join=1]", "rows[join=links]", "rows[join=]"):
        with pytest.raises(skerry.UnsupportedError, match="is not one of: auto, window, as-read"):
            skerry.algorithm(wrong)
