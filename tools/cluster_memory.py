"""Measures what tasks of contraction take on Ray, with two workers, under a limit.

``python tools/cluster_memory.py --memory 64000000 --times 10 [--row-group ROWS]``

Random edges in a Parquet file, between so many times the ids that fit the limit. A thread of each
worker reads its resident memory every few milliseconds. Prints, by stage, the largest growth of a
worker's own memory (``RssAnon``) from the end of the task before to the peak of a task; what the
worker had more at the end of the task before than at its first, which Ray and allocators keep; and
the growth of all that is resident, pages of Ray's object store included. Ends with 1 if a task has
taken more than the limit, or the labels are not those of one process.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

BYTES_OF_ID = 90
PAUSE = 0.004


def resident() -> tuple[int, int]:
    """This process's own memory, and all that is resident, in bytes."""
    values = dict.fromkeys(("RssAnon", "RssFile", "RssShmem"), 0)
    for line in Path("/proc/self/status").read_text().splitlines():
        name, _, value = line.partition(":")
        if name in values:
            values[name] = int(value.split()[0]) * 1024
    return values["RssAnon"], values["RssAnon"] + values["RssShmem"]


class Sampler:
    """Watches a worker from its first task on, and writes a line for each task that has ended."""

    def __init__(self, path: str) -> None:
        self.path = f"{path}/{os.getpid()}"
        self.begin = self.peak = self.end = self.rest = resident()
        self.stage = ""
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self) -> None:
        """Samples, also while Ray stores what a task has returned."""
        while True:
            now = resident()
            self.peak = (max(self.peak[0], now[0]), max(self.peak[1], now[1]))
            time.sleep(PAUSE)

    def next_stage(self, name: str) -> None:
        """A task begins: the peak of the one before is known."""
        if self.stage:
            kept = self.end[0] - self.begin[0]
            task, everything = self.peak[0] - self.end[0], self.peak[1] - self.begin[1]
            with Path(self.path).open("a") as file:
                file.write(f"{self.stage} {task} {kept} {everything}\n")
        self.stage, self.end, self.peak = name, self.rest, resident()

    def task_ends(self) -> None:
        """What is resident now is no part of the next task."""
        self.rest = resident()


def measured(path: str, run_task: Any) -> Any:
    """A function of Ray's tasks that is watched."""

    def run(stage: Any, task: int, receivers: int, held: Any, source: Any, *inbox: Any) -> Any:
        import sys

        import pyarrow.parquet  # noqa: F401  # what is imported is no part of a task

        from skerry.cluster import solve  # noqa: F401

        sampler = sys.__dict__.get("skerry_sampler")
        if sampler is None:
            sampler = sys.__dict__["skerry_sampler"] = Sampler(path)
        inner = getattr(stage, "stage", stage)
        sampler.next_stage(type(inner).__name__ + ("" if source is None else "-of-the-input"))
        yield from run_task(stage, task, receivers, held, source, *inbox)
        sampler.task_ends()

    return run


def flush(ray: Any) -> None:
    """Lets every worker write its last line."""

    def end() -> int:
        import sys

        sampler = sys.__dict__.get("skerry_sampler")
        if sampler is not None:
            sampler.next_stage("")
        time.sleep(0.2)
        return os.getpid()

    ray.get([ray.remote(end).remote() for _ in range(16)])


def main() -> int:
    """Makes a file, solves it under the limit, and compares."""
    parser = argparse.ArgumentParser(description="Measures the memory of tasks on Ray.")
    parser.add_argument("--memory", type=int, default=64_000_000)
    parser.add_argument("--times", type=float, default=10)
    parser.add_argument("--row-group", type=int, default=1 << 20)
    options = parser.parse_args()
    import ray

    import skerry
    import skerry.ray
    from skerry.cluster import ray_engine

    n = int(options.times * options.memory / BYTES_OF_ID / (1 - np.exp(-2))) + 1
    src, dst = np.random.default_rng(1).integers(0, n, (2, n))
    with tempfile.TemporaryDirectory(prefix="skerry-") as folder:
        path = f"{folder}/edges.parquet"
        pq.write_table(pa.table({"src": src, "dst": dst}), path, row_group_size=options.row_group)
        logs = Path(folder, "logs")
        logs.mkdir()
        ray_engine.run_task = measured(str(logs), ray_engine.run_task)
        ray.init(num_cpus=2, log_to_driver=False, include_dashboard=False)
        began = time.perf_counter()
        result = skerry.ray.distributed_components(
            path, method="contraction", ids="external", memory=options.memory
        )
        seconds = time.perf_counter() - began
        flush(ray)
        print(result.plan)
        alone = skerry.connected_components((src, dst), ids="external")
        peaks: dict[str, tuple[int, int, int]] = {}
        for log in logs.iterdir():
            for line in log.read_text().splitlines():
                name, *figures = line.split()
                before = peaks.get(name, (0, 0, 0))
                own, kept, everything = map(max, before, map(int, figures))
                peaks[name] = (own, kept, everything)
        print(f"{len(alone.ids):,} ids, limit {options.memory:,}, {seconds:.1f} s")
        for name, figures in peaks.items():
            own, kept, everything = (each / 1e6 for each in figures)
            print(f"{name}: {own:.1f} MB, kept before {kept:.1f}, all resident {everything:.1f}")
        same = (result.count, result.num_vertices) == (alone.count, len(alone.ids))
        print(f"{result.count:,} components, {'the same' if same else 'NOT the same'} alone")
        ray.shutdown()
    return int(not same or max(own for own, *_ in peaks.values()) > options.memory)


if __name__ == "__main__":
    sys.exit(main())
