"""Examples in docstrings, in the README and in docs/ run and print what they say."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.csgraph

import skerry
from support import pages
from support.paths import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PAGES += sorted((ROOT / "docs/site").glob("*.md"))
NEED_CUPY = {
    f"skerry.cuda.{name}" for name in ("cupy_runtime", "edge_slot", "events", "launch", "staging")
}


@pytest.mark.parametrize("name", pages.modules(skerry))
def test_docstrings(name, monkeypatch, tmp_path):
    if name in NEED_CUPY:
        pytest.importorskip("cupy")
    if name in ("skerry.sklearn", "skerry.datatrove"):  # their classes inherit from others'
        pytest.importorskip(name.removeprefix("skerry."))
    monkeypatch.chdir(tmp_path)  # examples may write files
    assert list(pages.failures_of_docstrings(name)) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages(page, monkeypatch, tmp_path):
    """The blocks of a page run one after the other, in a folder of its own."""
    if page.name == "gallery-images.md":  # `make docs` has the packages
        pytest.importorskip("skimage")
    monkeypatch.chdir(tmp_path)
    assert list(pages.failures_of_page(page)) == []


@pytest.mark.parametrize(
    "page", [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"], ids=lambda page: page.name
)
def test_links_within_the_repository(page):
    broken = pages.broken_links(page)
    if not (ROOT / "benchmarks").exists():  # an sdist: the lab and the workflows are not in it
        broken = [link for link in broken if "benchmarks/" not in link]
    assert broken == []


def test_what_is_wrong_on_a_page_is_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("[a](page.md#x) [b](gone.md)\n```python\n>>> n = 1\n>>> n\n2\n\n```\n")
    assert pages.broken_links(page) == ["gone.md"]
    (failure,) = pages.failures_of_page(page)
    assert "Got:\n    1" in failure


def test_every_algorithm_is_documented():
    text = (ROOT / "docs/algorithms.md").read_text()
    for spec in skerry.catalog():
        assert f"`{spec.name}`" in text or f"### {spec.name}\n" in text, spec.name


def test_public_names_have_docstrings():
    for name in skerry.__all__:
        assert getattr(skerry, name).__doc__, name


# What the README claims is so. Its figures are tested by the lab: `make test-lab`.

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
