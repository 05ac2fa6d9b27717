"""``python -m skerry_bench``: the same as ``skerry bench``."""

from __future__ import annotations

from skerry_bench.cli.command import bench_app

if __name__ == "__main__":
    bench_app(prog_name="python -m skerry_bench")
