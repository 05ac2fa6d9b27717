"""The report's page in a browser, for all tests of it: one browser and one page a worker."""

from __future__ import annotations

import pytest

from skerry_bench.report.write import write_report
from support.browser import browser
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
def page(folder):
    with browser(folder / "profile") as opened:
        yield opened


@pytest.fixture
def opened(page, report, folder):
    """The page, as it is when it was opened in a window; drawn again only if it must be."""
    del report
    path = folder / "report.html"
    page.prefer("light")
    if page.shown != (path, 1280):
        page.open(path)
    page.reset()
    return page
