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


def cpu_seconds() -> float:
    """CPU time of this process, of those that it has started, and of those that they waited for."""
    root = psutil.Process()
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


def run_bts(method: str, settings: dict[str, Any]) -> dict[str, Any]:
    """BTSUnionFind on pairs: the bucket of a pair is its number, its actor the remainder.

    Its own deduplicator hands it tuples of a bucket and an id in batches; they are made before
    the time is taken. It keeps an id exactly if its component has a smaller one: the components are
    the ids less those.
    """
    import numpy as np
    import pyarrow.parquet as pq

    ray = start_ray()
    actors = int(method)
    classes = bts_classes(settings["data_juicer"])
    buffers = [ray.remote(classes["EdgeBuffer"]).remote() for _ in range(actors)]
    make = ray.remote(classes["BTSUnionFind"]).remote
    finders = [make(256, actors, i, buffers, 20, 10) for i in range(actors)]
    table = pq.read_table(settings["path"])
    src, dst = (table[name].to_numpy() for name in ("src", "dst"))
    ids = np.unique(np.concatenate([src, dst]))
    numbers = np.arange(len(src))
    batches = []
    for actor in range(actors):
        own = numbers % actors == actor
        keys = np.repeat(numbers[own], 2).tolist()
        ends = np.stack([src[own], dst[own]], axis=1).ravel().tolist()
        pairs = list(zip(keys, ends, strict=True))
        batches += [
            (actor, ray.put(pairs[begin : begin + 200_000]))
            for begin in range(0, len(pairs), 200_000)
        ]
    ray.get([finder.dup_idx.remote([]) for finder in finders])  # they have started
    with Watch() as watch:
        ray.get([finders[actor].add_key_value_pairs.remote(ref) for actor, ref in batches])
        ray.get([finder.edge_redistribution.remote() for finder in finders])
        while any(ray.get([finder.balanced_union_find.remote() for finder in finders])):
            ray.get([finder.communication.remote() for finder in finders])
        ray.get([finder.squeeze.remote() for finder in finders])
    owners = ids // classes["BATCH_SIZE"] % actors
    joined = 0
    for actor, finder in enumerate(finders):
        queries = [(uid, uid) for uid in ids[owners == actor].tolist()]
        joined += len(ray.get(finder.dup_idx.remote(queries)))
    return result_of(watch, len(ids) - joined)


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
