"""The sides of ``tools/bench_cluster.py``, each of which is run in a process of its own.

``python tools/cluster_sides.py ENGINE:METHOD SETTINGS`` prints a line of JSON. What is measured
begins when the engine has started and ends when all labels exist; components are counted later.
CPU time is that of this process and of all that it has started: it depends less on what else the
machine does.
"""

from __future__ import annotations

import ast
import json
import os
import sys
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil


def cpu_seconds(pid: int | None = None) -> float:
    """CPU time of a process, of those that it has started, and of those that they waited for."""
    root = psutil.Process(pid)
    total = 0.0
    for process in [root, *root.children(recursive=True)]:
        try:
            total += sum(process.cpu_times()[:4])
        except psutil.Error:  # it has ended
            continue
    return total


class Watch:
    """Takes the time of what runs under it."""

    def __enter__(self) -> Watch:
        self._cpu, self._begin = cpu_seconds(), time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds = time.perf_counter() - self._begin
        self.cpu = cpu_seconds() - self._cpu


def result_of(watch: Watch, components: int, shuffled: int | None = None) -> dict[str, Any]:
    """What a side returns."""
    return {
        "seconds": watch.seconds,
        "cpu": watch.cpu,
        "components": components,
        "shuffled": shuffled,
        "load": os.getloadavg()[0],
    }


def start_ray() -> Any:
    """Ray with two workers."""
    import ray

    ray.init(num_cpus=2, log_to_driver=False, include_dashboard=False)
    return ray


def start_spark(work: str, jar: str | None = None) -> Any:
    """Spark with two executors."""
    import pyspark

    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_HOME"] = str(Path(pyspark.__file__).parent)
    builder = pyspark.sql.SparkSession.builder.master("local-cluster[2,1,4096]")
    settings = {
        "spark.executor.memory": "4096m",  # all that a worker of the master above has
        "spark.sql.shuffle.partitions": "8",  # 200, the default, are many for two cores
        "spark.ui.showConsoleProgress": "false",
        "spark.ui.retainedStages": "100000",
    }
    if jar is not None:
        settings["spark.jars"] = jar
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setCheckpointDir(f"{work}/checkpoints")
    return session


def shuffled_bytes(session: Any) -> int:
    """What the stages of a session have written for others, as Spark counts it."""
    gateway = session.sparkContext._gateway
    no_quantiles = gateway.new_array(gateway.jvm.double, 0)
    no_statuses = gateway.jvm.java.util.ArrayList()
    store = session._jsc.sc().statusStore()
    stages = store.stageList(None, False, False, no_quantiles, no_statuses)
    return sum(int(stages.apply(i).shuffleWriteBytes()) for i in range(stages.size()))


def run_ray(method: str, settings: dict[str, Any]) -> dict[str, Any]:
    """`skerry.ray`: tasks read the files."""
    import skerry.ray

    start_ray()
    with Watch() as watch:
        result = skerry.ray.distributed_components(
            settings["path"],
            method=method,  # type: ignore[arg-type]
            ids="external",
            tasks=settings["tasks"],
        )
    print(result.plan, file=sys.stderr)
    return result_of(watch, result.count)


def run_spark(method: str, settings: dict[str, Any]) -> dict[str, Any]:
    """`skerry.spark`: a DataFrame of the files."""
    import skerry.spark

    session = start_spark(settings["work"])
    frame = session.read.parquet(settings["path"])
    frame.limit(1).collect()
    with Watch() as watch:
        result = skerry.spark.distributed_components(
            frame,
            method=method,  # type: ignore[arg-type]
            tasks=settings["tasks"],
        )
    print(result.plan, file=sys.stderr)
    measured = result_of(watch, result.count, shuffled_bytes(session))
    session.stop()
    return measured


def run_graphframes(method: str, settings: dict[str, Any]) -> dict[str, Any]:
    """GraphFrames on the same DataFrame, its vertices from the edges, as `skerry.spark` does it."""
    from pyspark.sql import DataFrame

    session = start_spark(settings["work"], settings["jar"])
    frame = session.read.parquet(settings["path"])
    frame.limit(1).collect()
    with Watch() as watch:
        graph = session._jvm.org.graphframes.GraphFrame.fromEdges(frame._jdf)
        solver = graph.connectedComponents().setAlgorithm(method.removesuffix("_aqe"))
        if method.endswith("_aqe"):
            solver = solver.setBroadcastThreshold(-1)
        labels = solver.run()  # it counts its labels, and so has made them all
    shuffled = shuffled_bytes(session)
    components = DataFrame(labels, session).select("component").distinct().count()
    measured = result_of(watch, components, shuffled)
    session.stop()
    return measured


def bts_classes(checkout: str) -> dict[str, Any]:
    """The classes of data-juicer's Ray deduplicator that join pairs, and nothing else of it."""
    import ray

    path = Path(checkout, "data_juicer/ops/deduplicator/ray_bts_minhash_deduplicator.py")
    wanted = {"EdgeBuffer", "BTSUnionFind", "BATCH_SIZE"}
    tree = ast.parse(path.read_text(encoding="utf-8"))
    tree.body = [
        node
        for node in tree.body
        if (isinstance(node, ast.ClassDef) and node.name in wanted)
        or (isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in wanted)
    ]
    # Ray pickles classes of __main__ by value; workers do not have the checkout.
    module = types.ModuleType("__main__")
    module.__dict__["ray"] = ray
    exec(compile(tree, str(path), "exec"), module.__dict__)
    return module.__dict__


class BtsActors:
    """Actors of BTSUnionFind, driven as data-juicer's deduplicator drives them."""

    def __init__(self, checkout: str, count: int) -> None:
        import ray

        self.ray, self.count = ray, count
        classes = bts_classes(checkout)
        self.batch_size = classes["BATCH_SIZE"]
        buffers = [ray.remote(classes["EdgeBuffer"]).remote() for _ in range(count)]
        make = ray.remote(classes["BTSUnionFind"]).remote
        self.finders = [make(256, count, i, buffers, 20, 10) for i in range(count)]
        ray.get([finder.dup_idx.remote([]) for finder in self.finders])  # they have started

    def put(self, pairs: list[tuple[int, int]]) -> list[tuple[int, Any]]:
        """Pairs of a bucket and an id in batches, each with the actor of its buckets."""
        own: list[list[tuple[int, int]]] = [[] for _ in range(self.count)]
        for pair in pairs:
            own[pair[0] % self.count].append(pair)
        return [
            (actor, self.ray.put(part[begin : begin + BTS_BATCH]))
            for actor, part in enumerate(own)
            for begin in range(0, len(part), BTS_BATCH)
        ]

    def join(self, batches: list[tuple[int, Any]]) -> None:
        """Joins the ids of every bucket."""
        get, finders = self.ray.get, self.finders
        get([finders[actor].add_key_value_pairs.remote(batch) for actor, batch in batches])
        get([finder.edge_redistribution.remote() for finder in finders])
        while any(get([finder.balanced_union_find.remote() for finder in finders])):
            get([finder.communication.remote() for finder in finders])
        get([finder.squeeze.remote() for finder in finders])

    def duplicates(self, ids: Any) -> set[int]:
        """Those ids whose component has a smaller one."""
        owners = ids // self.batch_size % self.count
        joined: set[int] = set()
        for actor, finder in enumerate(self.finders):
            queries = [(uid, uid) for uid in ids[owners == actor].tolist()]
            joined.update(self.ray.get(finder.dup_idx.remote(queries)))
        return joined


BTS_BATCH = 200_000


def bts_duplicates(checkout: str, count: int, pairs: list[tuple[int, int]]) -> set[int]:
    """The ids that BTSUnionFind calls duplicates, of pairs of a bucket and an id."""
    import numpy as np

    actors = BtsActors(checkout, count)
    actors.join(actors.put(pairs))
    return actors.duplicates(np.unique([uid for _, uid in pairs]))


def run_bts(method: str, settings: dict[str, Any]) -> dict[str, Any]:
    """BTSUnionFind: every pair is a bucket of two; batches are made before the time is taken."""
    import numpy as np
    import pyarrow.parquet as pq

    start_ray()
    actors = BtsActors(settings["data_juicer"], int(method))
    table = pq.read_table(settings["path"])
    ends = [table[name].to_numpy() for name in ("src", "dst")]
    ids = np.unique(np.concatenate(ends))
    buckets = np.repeat(np.arange(len(table)), 2).tolist()
    pairs = list(zip(buckets, np.stack(ends, axis=1).ravel().tolist(), strict=True))
    batches = actors.put(pairs)
    del pairs, buckets
    with Watch() as watch:
        actors.join(batches)
    return result_of(watch, len(ids) - len(actors.duplicates(ids)))


SIDES: dict[str, Callable[[str, dict[str, Any]], dict[str, Any]]] = {
    "ray": run_ray,
    "spark": run_spark,
    "graphframes": run_graphframes,
    "bts": run_bts,
}


def main() -> int:
    """Runs a side and prints what it has measured."""
    side, settings = sys.argv[1], json.loads(sys.argv[2])
    engine, _, method = side.partition(":")
    measured = SIDES[engine](method, settings)
    print(json.dumps({"side": side, **measured}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
