"""Logging: silent by default, ``-v`` shows it on standard error."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import skerry
from support.cli import invoke, ok, run


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    (tmp_path / "pairs.csv").write_text("id_l,id_r\nkim,lee\n")
    return tmp_path / "pairs.csv"


@pytest.mark.parametrize("before", [True, False])
def test_verbose_says_what_is_read_and_what_runs(pairs: Path, before: bool) -> None:
    command = ["components", pairs, "--json"]
    done = run("-v", *command) if before else run(*command, "--verbose")
    assert json.loads(done.stdout)["components"] == 1  # standard output is as without it
    lines = done.stderr.splitlines()
    assert all(line.startswith("skerry: ") for line in lines)
    assert "pairs.csv: csv; source id_l; target id_r; with a header" in done.stderr
    assert "streaming engine, stream on cpu" in done.stderr
    assert any("join edges took" in line for line in lines)


def test_more_verbose_names_the_modules(pairs: Path) -> None:
    done = run("-vv", "components", pairs, "-q")
    assert "skerry.formats.open: " in done.stderr and "compression None" in done.stderr


def test_without_it_nothing_is_logged(pairs: Path) -> None:
    assert run("components", pairs, "-q").stderr == ""
    assert "skerry:" not in ok("components", pairs)


def test_it_ends_with_the_command(pairs: Path) -> None:
    logger = logging.getLogger("skerry")
    before = (list(logger.handlers), logger.level)
    assert invoke("-v", "components", pairs).exit_code == 0
    assert (list(logger.handlers), logger.level) == before


def test_the_library_adds_a_handler_that_prints_nothing() -> None:
    code = (
        "import logging, skerry\n"
        "print([type(each).__name__ for each in logging.getLogger('skerry').handlers])\n"
        "logging.getLogger('skerry.formats').error('to nobody')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("['NullHandler']\n", "")


def test_the_library_logs_files(pairs: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", logger="skerry"):
        skerry.connected_components(str(pairs))
    assert any("source id_l" in record.getMessage() for record in caplog.records)


def test_warnings_are_of_our_class(tmp_path: Path) -> None:
    with pytest.warns(skerry.SkerryWarning, match="2 x 2"):
        skerry.connected_components(np.array([[0, 1], [0, 2]]))
    np.save(tmp_path / "square.npy", np.array([[0, 1], [0, 2]]))
    with pytest.warns(skerry.SkerryWarning, match="2 x 2"):
        skerry.connected_components(str(tmp_path / "square.npy"))
    assert issubclass(skerry.SkerryWarning, UserWarning)
