"""Examples in docstrings, in the README and in docs/ run and print what they say."""

from __future__ import annotations

import pytest

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
