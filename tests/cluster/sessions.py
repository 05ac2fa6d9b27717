"""Local clusters of two workers: of Ray, of Spark, and of Spark on two addresses."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import skerry

SOURCES = (str(Path(skerry.__file__).parents[1]), str(Path(__file__).parents[1]))
"""Folders that workers import from: skerry, and the tests, for what does harm."""
LOCAL = "127.0.0.1"
OTHER = "127.0.0.2"
"""Another address of this machine: to Spark, another machine."""


def python_path():
    """``PYTHONPATH`` of a process that runs what this one does."""
    folders = [*SOURCES, os.environ.get("DATA_JUICER"), os.environ.get("PYTHONPATH")]
    return os.pathsep.join(dict.fromkeys(os.pathsep.join(filter(None, folders)).split(os.pathsep)))


def start_ray():
    """Ray with two workers."""
    import ray

    os.environ["PYTHONPATH"] = python_path()
    ray.init(num_cpus=2, log_to_driver=False, include_dashboard=False)
    ray.data.DataContext.get_current().enable_progress_bars = False


def spark_home():
    import pyspark

    return str(Path(pyspark.__file__).parent)


def start_spark(master="local-cluster[2,1,1024]", **settings):
    """Spark with two executors."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_HOME"] = spark_home()
    wanted = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.bindAddress": LOCAL,
        "spark.driver.host": LOCAL,
        "spark.executorEnv.PYTHONPATH": python_path(),
        "spark.sql.shuffle.partitions": "2",
        **settings,
    }
    builder = SparkSession.builder.master(master)
    for name, value in wanted.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


def end_java():
    """Ends the Java process of sessions that were stopped: it remembers its first local folder."""
    from pyspark import SparkContext

    gateway, SparkContext._gateway, SparkContext._jvm = SparkContext._gateway, None, None
    if gateway is not None:
        gateway.shutdown()
        gateway.proc.stdin.close()
        gateway.proc.wait(60)


def _service(folder, name, *arguments):
    """A process of Spark's own cluster, and the file of what it says."""
    log = folder / f"{name}-{arguments[1]}.log"
    home = spark_home()
    command = [f"{home}/bin/spark-class", f"org.apache.spark.deploy.{name}", *arguments]
    environment = {**os.environ, "SPARK_HOME": home, "SPARK_NO_DAEMONIZE": "1"}
    with log.open("w") as output:
        process = subprocess.Popen(
            command, stdout=output, stderr=output, env=environment, cwd=folder
        )
    return process, log


def _line(log, pattern, seconds=120):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if match := re.search(pattern, log.read_text()):
            return match[0]
        time.sleep(0.1)
    raise AssertionError(log.read_text())


@contextmanager
def two_addresses(folder):
    """A master of Spark and a worker on each of two addresses; yields the master's URL."""
    started = [_service(folder, "master.Master", "--host", LOCAL, "--port", "0")]
    try:
        url = _line(started[0][1], r"spark://[\d.:]+")
        for number, address in enumerate((LOCAL, OTHER)):
            work = folder / f"work-{number}"
            worker = ("--host", address, "--cores", "1", "--memory", "1g", "--work-dir", str(work))
            started.append(_service(folder, "worker.Worker", *worker, url))
        for _, log in started[1:]:
            _line(log, "registered with master")
        yield url
    finally:
        for process, _ in reversed(started):
            process.terminate()
        for process, _ in started:
            process.wait(60)
