"""Tests of what needs others' packages: only where this folder is asked for.

``make test-integrations`` does, in an environment that has them.
"""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent


def pytest_configure(config):
    # Other libraries warn of much that is none of our business.
    config.addinivalue_line("filterwarnings", "default")


def pytest_ignore_collect(config):
    given = (Path(argument.split("::")[0]).resolve() for argument in config.args)
    return None if any(path.is_relative_to(HERE) for path in given) else True
