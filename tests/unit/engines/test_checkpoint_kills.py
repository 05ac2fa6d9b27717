"""Runs that are killed at any moment go on from their last checkpoint, to the same labels."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from support import interrupted

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="runs are forks")

EDGES = np.random.default_rng(16).integers(0, 3000, (2500, 2))


def file_of(folder, suffix):
    path = folder / f"edges{suffix}"
    if suffix == ".npy":
        np.save(path, EDGES)
    elif suffix == ".el":
        path.write_text("".join(f"{u} {v}\n" for u, v in EDGES.tolist()))
    else:  # ids that need a table
        path.write_text("src,dst\n" + "".join(f"{u}000003,{v}000003\n" for u, v in EDGES.tolist()))
    return path


def killed(path, folder, kills, seed):
    """In a process of its own, that has no threads and can be forked."""
    script = Path(interrupted.__file__)
    command = [sys.executable, script, path, folder, kills, seed]
    done = subprocess.run(
        list(map(str, command)),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(script.parents[1]), *sys.path])},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(("suffix", "kills"), [(".npy", 30), (".csv", 20)])
def test_killed_runs_go_on_to_the_same_labels(suffix, kills, tmp_path):
    counts = killed(file_of(tmp_path, suffix), tmp_path / "checkpoint", kills, 1)
    assert counts["killed"] >= kills
    assert counts["continued"] >= kills // 2
    assert counts["at writing"] >= kills // 10


@pytest.mark.slow
def test_very_many_killed_runs(tmp_path):
    counts = killed(file_of(tmp_path, ".el"), tmp_path / "checkpoint", 400, 2)
    assert counts["killed"] >= 400
