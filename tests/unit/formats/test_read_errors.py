"""Reads that fail in the middle of a file: an error, never the answer of a part of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from skerry.formats.registry import FORMATS
from support import read_errors
from support.emulator import compiler
from support.paths import ROOT

PRELOAD = ROOT / "tests/native/preload/fail_read.cpp"


@pytest.mark.skipif(sys.platform != "linux", reason="LD_PRELOAD")
def test_every_read_may_fail(tmp_path):
    if compiler() is None:
        pytest.skip("no C++ compiler")
    library, script = tmp_path / "fail_read.so", Path(read_errors.__file__)
    flags = ["-std=c++20", "-O1", "-shared", "-fPIC"]
    subprocess.run([compiler(), *flags, PRELOAD, "-o", library, "-ldl"], check=True)
    path = os.pathsep.join([str(script.parents[1]), *sys.path])
    done = subprocess.run(
        [sys.executable, script, tmp_path / "fails"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env=os.environ | {"LD_PRELOAD": str(library), "PYTHONPATH": path},
    )
    assert done.returncode == 0, done.stderr
    counts = json.loads(done.stdout)
    assert set(counts) >= {format.name for format in FORMATS if format.read is not None}
    for name, count in counts.items():
        assert count["errors"], name
