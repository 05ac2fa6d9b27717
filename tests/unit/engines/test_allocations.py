"""Memory that is not there when a kernel needs it: `MemoryError`, and the next call is right."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from support import allocations
from support.emulator import compiler
from support.paths import ROOT
from support.sets_by_hand import KINDS

PRELOAD = ROOT / "tests/native/preload/fail_allocation.cpp"


@pytest.mark.skipif(sys.platform != "linux", reason="LD_PRELOAD")
def test_every_native_allocation_may_fail(tmp_path):
    """In `rows` and the other algorithms by name one ended the process: in nanobind's arguments."""
    if compiler() is None:
        pytest.skip("no C++ compiler")
    library = tmp_path / "fail_allocation.so"
    flags = ["-std=c++20", "-O1", "-shared", "-fPIC"]
    subprocess.run([compiler(), *flags, PRELOAD, "-o", library, "-ldl"], check=True)
    script = Path(allocations.__file__)
    done = subprocess.run(
        [sys.executable, script],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env=os.environ
        | {
            "LD_PRELOAD": str(library),
            "PYTHONPATH": os.pathsep.join([str(script.parents[1]), *sys.path]),
        },
    )
    assert done.returncode == 0, done.stderr
    counts = json.loads(done.stdout)
    histories = {f"history, {kind.name}" for kind in KINDS}
    assert set(counts) == set(allocations.CALLS) | histories
    for name in allocations.CALLS:
        count = counts[name]
        assert count["failed"] == count["MemoryError"] + count["right"] > 0, name
    assert sum(counts[name]["failed"] for name in histories) > 60
    assert sum(count["MemoryError"] for count in counts.values()) > 100
