"""Terminals for the tests of the command line."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session")
def terminals() -> Iterator[object]:
    from support.terminals import Terminals  # only where there are terminals of Unix

    server = Terminals()
    yield server
    server.close()
