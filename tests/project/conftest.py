from __future__ import annotations

import sys
from pathlib import Path

import pytest

from support.packages import pip
from support.paths import ROOT


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of the checkout: what its build folder has compiled is used."""
    folder = tmp_path_factory.mktemp("wheel")
    pip(sys.executable, "wheel", ROOT, "--no-deps", "--no-build-isolation", "-w", folder)
    return next(folder.glob("skerry-*.whl"))
