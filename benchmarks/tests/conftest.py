"""Set-up of the lab's tests: `lab` and the product's `support` importable; pages in a browser.

There is one browser for each worker.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2] / "tests")]

import support.cli  # noqa: E402, F401 (commands are made once)
from lab.made_up_results import all_lines, write  # noqa: E402
from lab.report_page import ReportPage  # noqa: E402
from skerry_bench.report.write import write_report  # noqa: E402
from support.browser import browser  # noqa: E402
from support.session import (  # noqa: E402, F401 (hooks of pytest)
    pytest_collection_finish,
    pytest_collection_modifyitems,
)


@pytest.fixture(autouse=True)
def any_spread(monkeypatch):
    """Tests measure microseconds beside other tests."""
    monkeypatch.setattr("skerry_bench.sampler.MAX_SPREAD", float("inf"))


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
    return ReportPage(chromium)


@pytest.fixture(scope="session")
def _report_pages(chromium, report, folder):
    """The report in a window of some size, opened once: drawing it takes seconds."""
    del report

    @cache
    def opened_at(width, height):
        page = ReportPage(chromium)
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
