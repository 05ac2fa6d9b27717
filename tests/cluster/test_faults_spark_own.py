"""What Spark itself does or lacks: tasks that it runs twice, a full local disk, a killed driver."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pyarrow.parquet as pq
import pytest

from cluster import faults
from cluster.conftest import expected
from cluster.sessions import end_java, python_path, start_spark, two_addresses
from cluster.test_faults_spark import labels, solve
from skerry.cluster.spark_engine import SparkExecutor
from skerry.errors import OutputError


@pytest.fixture(autouse=True)
def harm(monkeypatch):
    faults.rooms_of(monkeypatch)
    return faults.Faults(monkeypatch, SparkExecutor)


@pytest.fixture
def started():
    """Starts a session in a Java process of its own."""
    sessions = []

    def start(*master, **settings):
        end_java()
        sessions.append(start_spark(*master, **settings))
        return sessions[-1]

    yield start
    for session in sessions:
        session.stop()
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
        session = started(url, **SPECULATION)
        harm.everywhere(faults.hang_at_first, tmp_path / "marks")
        assert solve(session, tmp_path, "contraction", tasks=4) == labels()
        happened = {path.name for path in (tmp_path / "marks").iterdir()}
        session.stop()
    stages = {f"{name}-{number}" for name, number in faults.CONTRACTION}
    assert happened >= stages | {f"{each}.again" for each in stages}


def wait_for_tasks(session):
    """Until no executor is at work."""
    tracker = session.sparkContext._jsc.sc().statusTracker()
    while any(each.numRunningTasks() for each in tracker.getExecutorInfos()):
        time.sleep(0.1)


@pytest.mark.parametrize("name", ["HeapEdges", "PickRepresentatives"])
def test_a_full_local_disk_of_spark_is_an_error_and_the_next_run_goes_on(
    harm, small_disk, tmp_path, name, started
):
    """Edges that a task sets aside, and what Spark keeps for the next stage, find no room."""
    session = started(**{"spark.local.dir": str(small_disk)})
    harm.at(name, 0, faults.fill_disk, small_disk / "filler")
    with pytest.raises(OutputError, match=r"No space left|disk is full"):
        solve(session, tmp_path, "contraction")
    assert not (tmp_path / "out").exists()
    harm.no_more()
    wait_for_tasks(session)  # another attempt may be at it
    (small_disk / "filler").unlink(missing_ok=True)
    assert solve(session, tmp_path, "contraction") == labels()


DRIVER = """
import os, sys
import skerry.cluster.driver, skerry.spark
from cluster.sessions import start_spark
skerry.cluster.driver._fits = lambda _, files: files.total("minima") <= 100
spark = start_spark()
def stop(sentence):
    print(sentence, flush=True)
    if sentence.startswith("round 3") and sys.argv[3] == "die":
        os.kill(os.getpid(), 9)
result = skerry.spark.distributed_components(
    spark.read.parquet(sys.argv[1]), method="contraction", tasks=4,
    state=sys.argv[2], progress=stop,
)
print("resumed", [note for note in result.plan.notes if "earlier run" in note])
result.write(sys.argv[2] + "-out")
"""


def test_a_driver_that_is_killed_goes_on(tmp_path, table):
    script, state = tmp_path / "driver.py", tmp_path / "state"
    script.write_text(DRIVER)
    pq.write_table(table, tmp_path / "edges.parquet")
    command = [sys.executable, str(script), str(tmp_path / "edges.parquet"), str(state)]
    environment = {**os.environ, "PYTHONPATH": python_path()}
    first = subprocess.run([*command, "die"], env=environment, capture_output=True, text=True)
    assert first.returncode == -signal.SIGKILL, first.stderr
    second = subprocess.run([*command, "live"], env=environment, capture_output=True, text=True)
    assert second.returncode == 0, second.stderr
    assert "2 rounds were done by an earlier run" in second.stdout
    assert "round 1" not in second.stdout
    written = pq.read_table(f"{state}-out").sort_by("id")
    rows = list(zip(*(column.to_pylist() for column in written.columns), strict=True))
    assert rows == expected(table, source="src", target="dst")
