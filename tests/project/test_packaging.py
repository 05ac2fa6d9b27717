"""The package as people get it: built as a wheel, installed where nothing else is, and run."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from support.paths import ROOT

BUILD = ("scikit_build_core", "nanobind")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="paths of POSIX"),
]


def pip(python: Path | str, *arguments: object) -> None:
    """Runs pip; skips the test where it cannot reach what it needs."""
    command = [str(python), "-m", "pip", "--disable-pip-version-check", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    unreachable = (
        "No matching distribution",
        "connection",
        "Connection",
        "Could not find a version",
    )
    if done.returncode and any(word in done.stdout + done.stderr for word in unreachable):
        pytest.skip("pip cannot reach an index of packages")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def skerry(tmp_path_factory: pytest.TempPathFactory):
    """Runs the command of a fresh installation; gives what it prints."""
    folder = tmp_path_factory.mktemp("wheel")
    here = all(importlib.util.find_spec(name) for name in BUILD)
    # With the tools that built the checkout, what they compiled is there and is used.
    apart = f"--config-settings=build-dir={folder / 'build'}"
    pip(
        *(sys.executable, "wheel", ROOT, "--no-deps", "--wheel-dir", folder / "dist"),
        "--no-build-isolation" if here else apart,
    )
    (wheel,) = (folder / "dist").glob("skerry-*.whl")
    venv.create(folder / "fresh", with_pip=True)
    python = folder / "fresh" / "bin" / "python"
    pip(python, "install", wheel)
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}

    def run(*arguments: object) -> str:
        command = [folder / "fresh" / "bin" / "skerry", *map(str, arguments)]
        done = subprocess.run(
            command, cwd=folder, env=clean, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert done.stderr == ""
        return done.stdout

    return run


def test_demo(skerry) -> None:
    assert "2,136 components" in skerry("demo")


def test_doctor(skerry) -> None:
    told = skerry("doctor")
    assert "fresh/lib" in told  # the installed one, not this checkout
    assert "scipy          missing" in told


def test_components(skerry, tmp_path: Path) -> None:
    edges, labels = tmp_path / "g.parquet", tmp_path / "l.parquet"
    skerry("generate", "planted", "--sizes", "100+20x5", "-o", edges)
    assert "21 components" in skerry("components", edges, "--verify", "-o", labels)
    assert "21 components" in skerry("verify", edges, labels)
    assert "ECL-CC" in skerry("graphs")
    (tmp_path / "pairs.csv").write_text("a,b\nkim,lee\n")
    assert skerry("components", tmp_path / "pairs.csv", "--header", "-o", "-").splitlines() == [
        "id,component",
        '"kim","kim"',
        '"lee","kim"',
    ]
