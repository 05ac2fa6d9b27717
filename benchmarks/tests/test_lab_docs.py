"""The lab's pages: their examples run, links lead somewhere, and they stay short."""

from __future__ import annotations

import pytest

import skerry_bench
from lab.paths import LAB
from support import pages

PAGES = sorted(LAB.rglob("*.md"))

MOST_WORDS = 9_350
"""Of all pages, as `wc -w` counts: lower it when pages shrink."""

over_pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(LAB)))


@pytest.mark.parametrize("name", pages.modules(skerry_bench))
def test_docstrings(name, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert list(pages.failures_of_docstrings(name)) == []


@over_pages
def test_examples(page, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert list(pages.failures_of_page(page)) == []


@over_pages
def test_links(page):
    assert pages.broken_links(page) == []


def test_the_pages_do_not_grow():
    assert sum(len(page.read_text().split()) for page in PAGES) <= MOST_WORDS


def test_every_page_is_in_the_index():
    index = (LAB / "docs/README.md").read_text()
    for page in (LAB / "docs").glob("*.md"):
        assert page.name == "README.md" or f"({page.name})" in index, page.name
