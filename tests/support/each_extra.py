"""What each extra is for, as a program: prints a JSON object, extra -> "" or the error's text.

tests/project/test_extras.py runs this in environments that have one extra or none.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import skerry
from skerry import csgraph
from skerry.ndimage import label_slabs

IMAGE = np.eye(3, dtype=bool)
PAIRS = (np.array([0, 1]), np.array([1, 2]))


def write_labels():
    """Labels an image in a file."""
    with tempfile.TemporaryDirectory() as folder:
        np.save(Path(folder, "image.npy"), IMAGE)
        for suffix in (".tif", ".nii", ".zarr", ".h5"):
            label_slabs(Path(folder, "image.npy"), Path(folder, f"labels{suffix}"))


def run_on(engine):
    """Runs the command with an engine."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "edges.csv")
        path.write_text("a,b\n1,2\n")
        command = [sys.executable, "-m", "skerry", "components", path, "--engine", engine]
        command += ["--limit-memory", "1"]  # what fits one process is solved in it
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)


USES = {
    "arrow": lambda: skerry.connected_components([("kim", "lee")]).table(),
    "scipy": lambda: csgraph.connected_components(np.eye(3), connection="strong"),
    "ray": lambda: run_on("ray"),
    "spark": lambda: run_on("spark"),
    "images": write_labels,
    "cuda": lambda: skerry.connected_components(PAIRS, device="cuda").labels,
}


def main() -> None:
    said = {}
    for extra, use in USES.items():
        try:
            use()
            said[extra] = ""
        except Exception as error:
            said[extra] = str(error)
    print(json.dumps(said))


main()
