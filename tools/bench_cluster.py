"""Measures `skerry.ray` or `skerry.spark` on this machine: the runs of docs/cluster.md.

``python tools/bench_cluster.py {ray,spark} {random,rmat} METHOD [--tasks N] [--folder DIR]``

20 million edges in 4 Parquet files, which are made in the folder if they are not there: random
between 5 million ids, or R-MAT of scale 23. Two workers. Prints the seconds, the load and the plan.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from skerry import generators

EDGES, IDS, FILES = 20_000_000, 5_000_000, 4


def make_files(folder: Path, kind: str) -> Path:
    """Files of edges."""
    path = folder / kind
    if path.exists():
        return path
    if kind == "random":
        src, dst = np.random.default_rng(1).integers(0, IDS, (2, EDGES))
    else:
        graph = generators.rmat(23, 3, 0.57, 0.19, 0.19, shuffled=True, seed=1)
        src, dst = (np.asarray(end)[:EDGES].astype(np.int64) for end in (graph.src, graph.dst))
    path.mkdir(parents=True)
    for number in range(FILES):
        rows = slice(number * EDGES // FILES, (number + 1) * EDGES // FILES)
        table = pa.table({"src": src[rows], "dst": dst[rows]})
        pq.write_table(table, path / f"{number}.parquet", row_group_size=1 << 20)
    return path


def run_ray(path: Path, method: Any, tasks: int) -> Any:
    """A run on a Ray that is started here."""
    import ray

    import skerry.ray

    ray.init(num_cpus=2, log_to_driver=False, include_dashboard=False)
    begin = time.perf_counter()
    result = skerry.ray.distributed_components(str(path), method=method, tasks=tasks)
    return time.perf_counter() - begin, result


def run_spark(path: Path, method: Any, tasks: int) -> Any:
    """A run on two executors that are started here."""
    import pyspark

    import skerry.spark

    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_HOME"] = str(Path(pyspark.__file__).parent)
    builder = pyspark.sql.SparkSession.builder.master("local-cluster[2,1,4096]")
    session = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    frame = session.read.parquet(str(path))
    frame.limit(1).collect()
    begin = time.perf_counter()
    result = skerry.spark.distributed_components(frame, method=method, tasks=tasks)
    return time.perf_counter() - begin, result


def main() -> int:
    """Makes the files, runs once, and prints."""
    parser = argparse.ArgumentParser(description="Measures skerry on Ray or Spark.")
    parser.add_argument("engine", choices=["ray", "spark"])
    parser.add_argument("kind", choices=["random", "rmat"])
    parser.add_argument("method", choices=["stream", "forest", "contraction"])
    parser.add_argument("--tasks", type=int, default=2)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir(), "skerry-bench"))
    options = parser.parse_args()
    path = make_files(options.folder, options.kind)
    run = run_ray if options.engine == "ray" else run_spark
    seconds, result = run(path, options.method, options.tasks)
    print(f"{options.kind}: {seconds:.2f} s, load {os.getloadavg()[0]:.1f}, {result}")
    print(result.plan)
    return 0


if __name__ == "__main__":
    sys.exit(main())
