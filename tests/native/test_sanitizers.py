"""All native kernels under the sanitizers, on small graphs; ``make sanitize`` runs larger ones.

Building takes a minute or two for each sanitizer. ``pytest -m "not slow"`` leaves these out.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from support.paths import ROOT

TOOL = ROOT / "tools/sanitize.py"
CANNOT = 77


@pytest.mark.slow
@pytest.mark.skipif(not TOOL.exists(), reason="no tools/sanitize.py")
@pytest.mark.skipif(sys.platform == "win32", reason="made for gcc and clang")
@pytest.mark.parametrize(("kind", "size"), [("thread", 400), ("address", 150)])
def test_kernels_are_clean(kind, size):
    command = [sys.executable, str(TOOL), kind, "--size", str(size)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    if done.returncode == CANNOT:
        pytest.skip(done.stdout.strip())
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
