"""``python -m skerry.bench``: the same as ``skerry bench``."""

from __future__ import annotations

from skerry.cli.bench import bench_app

__all__: list[str] = []

if __name__ == "__main__":
    bench_app(prog_name="python -m skerry.bench")
