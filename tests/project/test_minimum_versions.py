"""tools/minimum_versions.py: the oldest versions that pyproject.toml allows."""

from __future__ import annotations

import importlib.util
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOL = ROOT / "tools/minimum_versions.py"

pytestmark = pytest.mark.skipif(not TOOL.exists(), reason="no tools/minimum_versions.py")


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("minimum_versions", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_dependency_has_one_minimum(tool):
    projects = [tomllib.loads(path.read_text()) for path in tool.PROJECTS if path.exists()]
    constraints = tool.minimums(projects)
    assert {"numpy", "pyarrow", "typer", "rich", "polars", "pandas", "pytest"} <= set(constraints)
    assert all("==" in constraint for constraint in constraints.values())


def project(*requirements):
    return {"project": {"dependencies": list(requirements)}}


def test_constraints_are_read_off_requirements(tool):
    text = "Some_package[extra] >=1.2,<3; sys_platform == 'linux'"
    assert tool.minimums([project(text, "skerry[arrow]")]) == {
        "some-package": "some-package==1.2; sys_platform == 'linux'"
    }
    for requirements in (("numpy",), ("numpy<3",), ("numpy>=1", "numpy>=2")):
        with pytest.raises(ValueError, match="minimum"):
            tool.minimums([project(*requirements)])
