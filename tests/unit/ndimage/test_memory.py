"""The memory of a call: its labels, and an eighth of their size."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

MEASURE = """
import sys
from pathlib import Path
import numpy as np
import skerry.ndimage

shape, dtype, options = eval(sys.argv[1])
noise = np.random.default_rng(1).random((64, *shape[1:])) < 0.4
image = np.zeros(shape, dtype)
for begin in range(0, shape[0], 64):
    image[begin : begin + 64] = noise[: shape[0] - begin]
skerry.ndimage.label(np.ones((9, 9)))

def peak():
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))

Path("/proc/self/clear_refs").write_text("5")  # the peak so far is forgotten
before = peak()
labels, _ = skerry.ndimage.label(image, threads=2, **options)
print((peak() - before) / labels.nbytes)
"""
CASES = [
    ((4096, 8192), "?", {"connectivity": 2}),
    ((8192, 2048), "i4", {"values": "equal"}),
    ((512, 256, 256), "u1", {"connectivity": 3}),
    ((512, 256, 256), "f8", {"delta": 0.5}),
    ((4096, 64, 64), "u2", {"batch_axes": 1}),
]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("case", CASES, ids=str)
def test_labels_and_an_eighth(case):
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, repr(case)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert 1 <= float(done.stdout) <= 1 + 1 / 8, done.stdout
