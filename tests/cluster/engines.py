"""Ray and Spark with the same words, so that one contract is tested on both."""

from __future__ import annotations

import pyarrow as pa

import skerry
from cluster.conftest import own_processes
from cluster.sessions import start_ray, start_spark
from skerry.cluster.state import LABELS


class RayCluster:
    """Ray with two workers."""

    name = "ray"
    input_words = "Ray Dataset"
    victims = (lambda line: line.startswith("ray::skerry"),)
    """What tells the command lines of processes that may be killed, kind by kind."""
    lost = "records-00001"
    driver = """
import ray, skerry.ray
ray.init(num_cpus=2, log_to_driver=False, include_dashboard=False)
module, edges = skerry.ray, sys.argv[1]
"""

    def start(self):
        import skerry.ray
        from skerry.cluster.ray_engine import RayExecutor

        start_ray()
        self.module, self.executor = skerry.ray, RayExecutor

    def stop(self):
        import ray

        ray.shutdown()

    def given(self, table, pieces=5):
        """The table in pieces, one more of which is empty."""
        import ray

        size = -(-len(table) // pieces) or 1
        return ray.data.from_arrow([table.slice(i * size, size) for i in range(pieces + 1)])

    def ids(self, values, kind=None):
        return pa.array(values, kind)

    def rows(self, dataset):
        """The rows of an answer, in order."""
        import ray

        tables = ray.get(dataset.to_arrow_refs())
        columns = [pa.chunked_array([table[name] for table in tables]) for name in LABELS]
        return sorted(zip(*(column.to_pylist() for column in columns), strict=True))

    def solve(self, table, vertices=None, source="src", target="dst", **options):
        return self.module.distributed_components(
            table, source=source, target=target, vertices=vertices, **options
        )

    def is_idle(self):
        import ray

        return ray.is_initialized()


class SparkCluster:
    """Spark with two executors."""

    name = "spark"
    input_words = "Spark DataFrame"
    victims = (
        lambda line: "pyspark.daemon" in line or "pyspark.worker" in line,
        lambda line: "CoarseGrainedExecutorBackend" in line,
    )
    lost = "edges-00001"
    driver = """
import skerry.spark
from cluster.sessions import start_spark
module, edges = skerry.spark, start_spark().read.parquet(sys.argv[1])
"""

    def start(self):
        import skerry.spark
        from skerry.cluster.spark_engine import SparkExecutor

        self.session = start_spark()
        self.module, self.executor = skerry.spark, SparkExecutor

    def stop(self):
        self.session.stop()

    def given(self, table, pieces=3):
        frame = self.session.createDataFrame(table).repartition(pieces)
        return frame.union(frame.limit(0))

    def ids(self, values, kind=None):
        return self.session.createDataFrame(pa.table({"id": pa.array(values, kind)}))

    def rows(self, frame):
        return sorted((row["id"], row["component"]) for row in frame.collect())

    def solve(self, frame, vertices=None, source="src", target="dst", **options):
        return self.module.distributed_components(
            frame, source=source, target=target, vertices=vertices, **options
        )

    def is_idle(self):
        tracker = self.session.sparkContext._jsc.sc().statusTracker()
        return not any(each.numRunningTasks() for each in tracker.getExecutorInfos())


CLUSTERS = {"ray": RayCluster, "spark": SparkCluster}


def processes(cluster, kind):
    """Processes of this cluster that may be killed."""
    return own_processes(cluster.victims[kind])


def one_machine(table, **options):
    """Rows (id, component) as one machine finds them, in order."""
    answer = skerry.connected_components(table, source="src", target="dst", **options).table()
    return sorted(zip(*(column.to_pylist() for column in answer.columns), strict=True))
