"""The lab on a real GPU: only where this folder is asked for, as ``make test-gpu`` does."""

from __future__ import annotations

from pathlib import Path

from support.asked_for import left_out

HERE = Path(__file__).parent


def pytest_configure(config):
    # Other libraries warn of much that is none of our business.
    config.addinivalue_line("filterwarnings", "default")


def pytest_ignore_collect(config):
    return left_out(config, HERE)
