"""Keeps the best record of each cluster, and compares it with polars' join and group.

    python tools/bench_representatives.py --records 10_000_000 --ids text

Records have an id, a quality and a text; half as many pairs as records form the clusters. Both
sides begin with clusters and records in memory and end with the rows to keep. Each polars query
below gives the same rows but for ties, and the fastest of them counts. CPU and wall seconds are the
medians of alternating runs in one process.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

import skerry


def records_of(count: int, as_text: bool) -> pa.Table:
    """Records in a shuffled order."""
    random = np.random.default_rng(1)
    numbers = random.permutation(count)
    ids = pa.array(numbers)
    if as_text:
        ids = pa.array([f"record-{number:09d}" for number in numbers.tolist()])
    quality = random.random(count)
    return pa.table({"id": ids, "quality": quality, "body": ids})


def pairs_of(records: pa.Table) -> pa.Table:
    """Random pairs, half as many as records."""
    random = np.random.default_rng(2)
    count = records.num_rows
    ends = (records["id"].take(random.integers(0, count, count // 2)) for _ in range(2))
    return pa.table(dict(zip(("source", "target"), ends, strict=True)))


BEST = pl.col("row").get(pl.col("quality").arg_max())
QUERIES: dict[str, Callable[[Any], Any]] = {
    "arg_max": lambda joined: joined.group_by("component").agg(BEST),
    "sort": lambda joined: joined.sort("quality").group_by("component").agg(pl.col("row").last()),
    "over": lambda joined: joined.filter(
        pl.col("quality") == pl.col("quality").max().over("component")
    ),
}


def with_polars(query: str, clusters: pl.DataFrame, records: pl.DataFrame) -> Any:
    """The records to keep."""
    table = records.lazy().select("id", "quality").with_row_index("row")
    joined = table.join(clusters.lazy(), on="id")
    rows = QUERIES[query](joined).select("row").collect()["row"]
    return records[rows.sort()]


def main() -> None:
    """Measures and prints a line for each side."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=10_000_000)
    parser.add_argument("--ids", choices=["text", "integers"], default="text")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    records = records_of(options.records, options.ids == "text")
    result = skerry.connected_components(pairs_of(records))
    in_cluster: Any = pl.from_arrow(result.table())
    known = records.filter(pc.is_in(records["id"], result.table()["id"].combine_chunks()))
    frame: Any = pl.from_arrow(known)
    sides: dict[str, Callable[[], Any]] = {
        "skerry": lambda: result.representatives(known, by="quality").table(),
        **{f"polars {name}": partial(with_polars, name, in_cluster, frame) for name in QUERIES},
    }
    rows = {name: len(run()) for name, run in sides.items()}
    assert len(set(rows.values())) == 1, rows
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in sides}
    for _ in range(options.runs):
        for name, run in sides.items():
            begin, cpu = time.perf_counter(), time.process_time()
            run()
            times[name].append((time.process_time() - cpu, time.perf_counter() - begin))
    base = statistics.median(cpu for cpu, _ in times["skerry"])
    print(f"{len(known):,} records in {result.count:,} clusters, {options.ids} ids")
    for name, measured in times.items():
        cpu, wall = (statistics.median(column) for column in zip(*measured, strict=True))
        print(f"{name:<16}{cpu:8.2f} s CPU{wall:8.2f} s wall{cpu / base:8.2f}")


if __name__ == "__main__":
    main()
