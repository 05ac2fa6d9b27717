"""What Spark itself does or loses: tasks that it runs twice, a full local disk, a number."""

from __future__ import annotations

import time

import pyarrow.parquet as pq
import pytest

import skerry.spark
from cluster import faults
from cluster.engines import SparkCluster, one_machine
from cluster.sessions import end_java, start_spark, two_addresses
from cluster.test_faults import TABLE, TEXTS, solve
from skerry.cluster.spark_engine import SparkExecutor
from skerry.cluster.state import StateError
from skerry.errors import OutputError


@pytest.fixture(autouse=True)
def harm(monkeypatch):
    faults.rooms_of(monkeypatch)
    return faults.Faults(monkeypatch, SparkExecutor)


@pytest.fixture
def started():
    """Starts a session in a Java process of its own."""
    clusters = []

    def start(*master, **settings):
        end_java()
        clusters.append(SparkCluster())
        clusters[-1].session = start_spark(*master, **settings)
        clusters[-1].module = skerry.spark
        return clusters[-1]

    yield start
    for one in clusters:
        one.stop()
    end_java()


SPECULATION = {
    "spark.speculation": "true",
    "spark.speculation.interval": "100ms",
    "spark.speculation.quantile": "0.5",
    "spark.speculation.multiplier": "1.1",
    "spark.speculation.task.duration.threshold": "2s",  # where a stage has one task
}


def test_a_task_that_spark_runs_twice_changes_nothing(harm, tmp_path, started):
    """In every stage a task hangs until Spark starts it on the other machine as well."""
    with two_addresses(tmp_path) as url:
        cluster = started(url, **SPECULATION)
        harm.everywhere(faults.hang_at_first, tmp_path / "marks")
        assert solve(cluster, tmp_path, "contraction", tasks=4) == one_machine(TABLE)
        happened = {path.name for path in (tmp_path / "marks").iterdir()}
        cluster.stop()
    stages = {f"{name}-{number}" for name, number in faults.CONTRACTION}
    assert happened >= stages | {f"{each}.again" for each in stages}


@pytest.mark.parametrize("name", ["HeapEdges", "PickRepresentatives"])
def test_a_full_local_disk_of_spark_is_an_error_and_the_next_run_goes_on(
    harm, small_disk, tmp_path, name, started
):
    """Edges that a task sets aside, and what Spark keeps for the next stage, find no room."""
    cluster = started(**{"spark.local.dir": str(small_disk)})
    harm.at(name, 0, faults.fill_disk, small_disk / "filler")
    with pytest.raises(OutputError, match=r"No space left|disk is full"):
        solve(cluster, tmp_path, "contraction")
    assert not (tmp_path / "out").exists()
    harm.no_more()
    while not cluster.is_idle():
        time.sleep(0.1)  # another attempt may be at it
    (small_disk / "filler").unlink(missing_ok=True)
    assert solve(cluster, tmp_path, "contraction") == one_machine(TABLE)


def test_a_number_of_an_id_lost_is_an_error(spark_cluster, tmp_path):
    """An inner join would leave out the edges of the id."""
    assert solve(spark_cluster, tmp_path, "forest", TEXTS) == one_machine(TEXTS)
    (tmp_path / "out").rename(tmp_path / "out-1")
    numbers = next((tmp_path / "state" / "ids").glob("part-*.parquet"))
    numbers.with_name(f".{numbers.name}.crc").unlink()
    pq.write_table(pq.read_table(numbers).slice(1), numbers)
    with pytest.raises(StateError, match="an id has no number"):
        solve(spark_cluster, tmp_path, "forest", TEXTS)
    assert not (tmp_path / "out" / "_SUCCESS").exists()
