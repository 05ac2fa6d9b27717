"""Environments with nothing but a package, for the tests of what people install."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import NamedTuple

import pytest

BUILD = ("scikit_build_core", "nanobind", "setuptools_scm", "hatchling", "hatch_vcs")

builds = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="paths of POSIX"),
    pytest.mark.skipif(
        not all(importlib.util.find_spec(name) for name in BUILD), reason="no tools of the build"
    ),
    pytest.mark.xdist_group("packaging"),  # its fixtures build: once
]
"""Marks of a test that builds packages."""


def pip(python: Path | str, *arguments: object) -> None:
    """Runs pip; skips the test where it cannot reach what it needs."""
    command = [str(python), "-m", "pip", "--disable-pip-version-check", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=clean())
    unreachable = (
        "No matching distribution",
        "connection",
        "Connection",
        "Could not find a version",
    )
    if done.returncode and any(word in done.stdout + done.stderr for word in unreachable):
        pytest.skip("pip cannot reach an index of packages")
    assert done.returncode == 0, done.stdout + done.stderr


def clean() -> dict[str, str]:
    """The environment, without what leads to the sources of this checkout, and with a date."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    return {"SOURCE_DATE_EPOCH": "1735689600"} | kept


class Installed(NamedTuple):
    """A fresh environment with a package in it."""

    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / "bin/python"

    def run(self, *command: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*map(str, command)],
            cwd=self.folder,
            env=clean(),
            capture_output=True,
            text=True,
            check=False,
        )

    def skerry(self, *arguments: object) -> str:
        done = self.run(self.folder / "bin/skerry", *arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        assert done.stderr == ""
        return done.stdout


def install(folder: Path, *packages: object) -> Installed:
    venv.create(folder, with_pip=True)
    here = Installed(folder)
    pip(here.python, "install", *packages)
    return here
