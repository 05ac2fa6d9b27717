"""Runs code in a Python that cannot import pyarrow, as where it is not installed."""

from __future__ import annotations

import os
import subprocess
import sys

from support.paths import TESTS

BLOCK = """
import sys

class NoArrow:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "pyarrow":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, NoArrow())
"""


def run_without_arrow(code, *arguments):
    """What the code prints; the test fails if it does not end well."""
    done = subprocess.run(
        [sys.executable, "-c", BLOCK + code, *map(str, arguments)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path])},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
