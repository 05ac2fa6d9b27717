"""The report's page in a browser, for all tests of it: one browser for each worker."""

from __future__ import annotations

from functools import cache

import pytest

import support.cli  # noqa: F401 (commands are made once)
from skerry_bench.report.write import write_report
from support.browser import Page, browser
from support.made_up_results import all_lines, write

GRAPHS = ("2d-2e20.sym", "amazon0601", "europe_osm", "internet", "uk-2002")


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("report")


@pytest.fixture(scope="session")
def report(folder):
    lines = all_lines(names=GRAPHS)
    return write_report([write(folder / "all.jsonl", lines)], folder / "report.html")


@pytest.fixture(scope="session")
def chromium(folder):
    with browser(folder / "profile") as pipe:
        yield pipe


@pytest.fixture(scope="session")
def page(chromium):
    """A page for a file of a test's own."""
    return Page(chromium)


@pytest.fixture(scope="session")
def _report_pages(chromium, report, folder):
    """The report in a window of some size, opened once: drawing it takes seconds."""
    del report

    @cache
    def opened_at(width, height):
        page = Page(chromium)
        page.open(folder / "report.html", width, height)
        return page

    return opened_at


@pytest.fixture
def report_at(_report_pages):
    """The report in a window of some size, as it is when it was opened."""

    def at(width, height):
        page = _report_pages(width, height)
        page.prefer("light")
        page.reset()
        return page

    return at


@pytest.fixture
def opened(report_at):
    """The report, as it is when it was opened in a window; drawn again only if it must be."""
    return report_at(1280, 900)
