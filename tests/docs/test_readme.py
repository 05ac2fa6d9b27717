"""What the README claims is so. Its figures are tested by the lab: `make test-lab`."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.csgraph

import skerry
from support.paths import ROOT

README = (ROOT / "README.md").read_text()
SRC, DST = np.array([3, 1]), np.array([0, 2])


def table_row(name: str) -> dict[str, str]:
    """The row of the comparison that begins with these words, by column."""
    lines = [line.strip("| ").split(" | ") for line in README.splitlines() if " | " in line]
    head = next(line for line in lines if line[:2] == ["skerry", "scipy"])
    row = next(line for line in lines if line[0].startswith(name))
    return dict(zip(head, row[1:], strict=True))


def test_the_two_commands_are_near_the_top():
    screen = "\n".join(README.splitlines()[:32])
    assert "make demo" in screen and "make test" in screen and "pip install ." in screen


def test_labels_of_a_component():
    row = table_row("label of a component")
    assert row["skerry"] == "its smallest member, or 0..k-1"
    assert skerry.connected_components((SRC, DST), num_vertices=5).labels.tolist() == [
        0,
        1,
        1,
        0,
        4,
    ]
    matrix = scipy.sparse.coo_array((np.ones(2), (SRC, DST)), shape=(5, 5))
    count, labels = scipy.sparse.csgraph.connected_components(matrix, directed=False)
    assert row["scipy"] == "0..k-1" and sorted(set(labels.tolist())) == list(range(count))
    (nodes,) = nx.connected_components(nx.Graph([(0, 1)]))
    assert row["networkx"] == "sets of nodes" and isinstance(nodes, set)


def test_a_bad_index():
    assert table_row("a bad index")["skerry"] == "an error that names its position"
    with pytest.raises(skerry.InputError, match=r"src\[0\] is 3"):
        skerry.connected_components((SRC, DST), num_vertices=3)


def test_the_answer_is_verified_and_explained():
    result = skerry.connected_components((SRC, DST))
    assert table_row("the answer can be verified")["skerry"] == "yes"
    assert len(result.verify().forest) == result.num_vertices - result.count
    assert table_row("says what ran")["skerry"] == "yes"
    assert result.plan.algorithm and result.plan.reason


def test_every_page_is_in_the_index():
    index = (ROOT / "docs/README.md").read_text()
    for page in sorted(Path(ROOT / "docs").glob("*.md")):
        if page.name != "README.md":
            assert f"({page.name})" in index, page.name
