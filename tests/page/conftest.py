"""Pages in a browser: only where this folder is asked for, as ``make test-page`` does."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.asked_for import left_out
from support.browser import Page, browser

HERE = Path(__file__).parent


def pytest_ignore_collect(config):
    return left_out(config, HERE)


@pytest.fixture(scope="session")
def explore_page(tmp_path_factory):
    """A window of a browser."""
    with browser(tmp_path_factory.mktemp("profile")) as pipe:
        yield Page(pipe)
