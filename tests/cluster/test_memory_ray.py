"""Workers of Ray obey a limit while they run task after task."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from cluster.sessions import python_path
from support.cluster_memory import peak_is_known
from support.paths import ROOT


@pytest.mark.skipif(not peak_is_known(), reason="the memory of a process is not known here")
def test_no_worker_takes_more_than_its_memory():
    """Twice the ids that fit: allocators kept what tasks had freed, and tasks what they sent."""
    command = [sys.executable, ROOT / "tools" / "cluster_memory.py", "--memory", "48000000"]
    environment = {**os.environ, "PYTHONPATH": python_path()}
    run = subprocess.run(
        [*command, "--times", "2"], env=environment, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "HeapEdges-of-the-input: " in run.stdout
