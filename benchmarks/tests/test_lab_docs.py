"""Examples in the docstrings of the lab and on its pages run; its links lead somewhere."""

from __future__ import annotations

import pytest

import skerry_bench
from lab.paths import LAB
from support import pages

PAGES = [
    LAB / "README.md",
    LAB / "graphalytics/README.md",
    *sorted((LAB / "docs").glob("*.md")),
]

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
