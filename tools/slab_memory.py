"""Labels a volume that is several times larger than the memory the process may have.

Usage: python tools/slab_memory.py FOLDER [--limit SIZE] [--times N] [--output SUFFIX]

Writes a volume to the folder that, with its labels, takes N times the limit, and runs `skerry
label --limit-memory` on it. The system stops it (RLIMIT_DATA) if it allocates more, beside the
stacks of threads, which are hardly used. Prints the seconds and the peak of the resident memory.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from time import perf_counter

import numpy as np

from skerry.option_checks import byte_count

SIDE = 512
"""Pixels along the sides of a plane."""
STACKS = 256 << 20
BYTES = 5
"""Of a voxel, with its label."""


def write_volume(path: Path, size: int) -> tuple[int, int, int]:
    """A volume whose objects go through many planes: noise that moves from plane to plane."""
    shape = (max(1, size // BYTES // SIDE**2), SIDE, SIDE)
    out = np.lib.format.open_memmap(path, "w+", np.uint8, shape)
    noise = np.random.default_rng(1).random((SIDE, SIDE)) < 0.35
    for plane in range(shape[0]):
        out[plane] = np.roll(noise, (plane // 3, plane // 5), (0, 1))
    return shape


def run(volume: Path, labels: Path, limit: int) -> tuple[dict[str, object], int]:
    """What the command reports, and its peak in bytes."""

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (limit + STACKS,) * 2)

    arguments = ["label", volume, "-o", labels, "--limit-memory", limit, "--threads", 2, "--json"]
    command = [sys.executable, "-m", "skerry", *map(str, arguments)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, preexec_fn=bound) as process:
        assert process.stdout is not None
        report = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"the command ended with {os.waitstatus_to_exitcode(status)}")
    return json.loads(report), usage.ru_maxrss * 1024


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", default="500M")
    parser.add_argument("--times", type=float, default=4)
    parser.add_argument("--output", default=".npy", help="format of the labels")
    arguments = parser.parse_args()
    limit = byte_count("--limit", arguments.limit) or 0
    volume = arguments.folder / "volume.npy"
    shape = write_volume(volume, int(limit * arguments.times))
    began = perf_counter()
    report, peak = run(volume, arguments.folder / f"labels{arguments.output}", limit)
    print(
        f"{' x '.join(map(str, shape))} voxels, {report['components']:,} components: "
        f"{perf_counter() - began:.1f} s, peak {peak / 1e6:.0f} MB of {limit / 1e6:.0f} MB"
    )


if __name__ == "__main__":
    main()
