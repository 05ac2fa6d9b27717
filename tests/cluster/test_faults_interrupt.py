"""Ctrl-C in a Python program on both engines: the work stops, and nothing is left half-written."""

from __future__ import annotations

import signal
import threading
import time
from pathlib import Path

import pytest
import ray

from cluster import faults, test_faults_ray, test_faults_spark
from cluster.conftest import expected
from skerry.cluster.ray_engine import RayExecutor
from skerry.cluster.spark_engine import SparkExecutor

STOP_SECONDS = 60
"""On a loaded machine; a quiet one takes a few."""
STAGES = [("HeapEdges", 1), ("WalkBack", 1), ("CopyLabels", 0)]


@pytest.fixture(autouse=True)
def rooms(monkeypatch):
    faults.rooms_of(monkeypatch)


def interrupt_when(path):
    """Ctrl-C for this process as soon as a file is there."""

    def watch():
        while not path.exists():
            time.sleep(0.02)
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    threading.Thread(target=watch, daemon=True).start()


def interrupted(solve, harm, folder, name, number):
    """A run that is interrupted while a task of this stage is at work."""
    harm.at(name, number, faults.linger, folder / "mark")
    interrupt_when(folder / "mark")
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    began = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            solve()
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - began < STOP_SECONDS
    assert harm.happened
    assert not (folder / "out").exists()
    assert not list(folder.rglob("*.part"))
    harm.no_more()


@pytest.mark.usefixtures("ray_cluster")
@pytest.mark.parametrize(("name", "number"), STAGES)
def test_ctrl_c_stops_a_run_on_ray_that_the_same_call_goes_on_with(
    monkeypatch, tmp_path, name, number
):
    harm = faults.Faults(monkeypatch, RayExecutor)

    def solve():
        return test_faults_ray.solve(tmp_path, "contraction")

    interrupted(solve, harm, tmp_path, name, number)
    assert Path(f"{harm.mark}.ended").exists()  # no task is at work any more
    assert ray.is_initialized()
    assert solve() == expected(test_faults_ray.TABLE, **test_faults_ray.NAMED)


@pytest.mark.parametrize(("name", "number"), STAGES)
def test_ctrl_c_stops_a_run_on_spark_that_the_same_call_goes_on_with(
    spark, monkeypatch, tmp_path, name, number
):
    harm = faults.Faults(monkeypatch, SparkExecutor)

    def solve():
        return test_faults_spark.solve(spark, tmp_path, "contraction")

    interrupted(solve, harm, tmp_path, name, number)
    tracker = spark.sparkContext._jsc.sc().statusTracker()
    assert not any(each.numRunningTasks() for each in tracker.getExecutorInfos())
    assert solve() == test_faults_spark.labels()
