"""Tests on local clusters: only where this folder is asked for, as ``make test-cluster`` does."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import skerry
from support.asked_for import left_out

HERE = Path(__file__).parent


def pytest_configure(config):
    # Other libraries warn of much that is none of our business.
    config.addinivalue_line("filterwarnings", "default")


def pytest_ignore_collect(config):
    return left_out(config, HERE)


def edges(n=4000, m=5000, seed=1, low=-2000):
    """A table of edges between integers, some of them negative."""
    rng = np.random.default_rng(seed)
    src, dst = rng.integers(low, low + n, (2, m))
    return pa.table({"src": src, "dst": dst, "weight": rng.random(m)})


def expected(table, **options):
    """Rows (id, component) as one machine finds them, in order."""
    answer = skerry.connected_components(table, **options).table()
    return sorted(zip(*(column.to_pylist() for column in answer.columns), strict=True))


@pytest.fixture(scope="session")
def table():
    return edges()


@pytest.fixture(scope="module", params=["ray", "spark"])
def cluster(request):
    """A cluster of two workers, for the tests of a file."""
    from cluster.engines import CLUSTERS

    one = CLUSTERS[request.param]()
    one.start()
    yield one
    one.stop()


@pytest.fixture(scope="module")
def ray_cluster():
    """Ray alone, for what only Ray has."""
    from cluster.engines import RayCluster

    one = RayCluster()
    one.start()
    yield one
    one.stop()


@pytest.fixture(scope="module")
def spark_cluster():
    """Spark alone."""
    from cluster.engines import SparkCluster

    one = SparkCluster()
    one.start()
    yield one
    one.stop()


@pytest.fixture
def spark(spark_cluster):
    return spark_cluster.session


def own_processes(matches):
    """Processes that this one has started, and those that they have, by their command lines."""
    processes = []
    import psutil  # `make test` reads this file too, and does without

    for process in psutil.Process().children(recursive=True):
        try:
            if matches(" ".join(process.cmdline())):
                processes.append(process)
        except psutil.Error:  # it has ended
            continue
    return processes


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 2 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("a small disk can be mounted by root only")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.fixture
def many_rounds(monkeypatch):
    """Rounds go on until few vertices are left, whatever the memory."""
    from cluster.faults import rooms_of

    rooms_of(monkeypatch, 100)
