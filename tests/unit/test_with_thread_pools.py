"""Other libraries with thread pools of their own in the process, 50 threads, and forks of it."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys

import pytest

PROGRAM = """
import os, sys, threading
import numpy as np
import skerry

def busy_torch(stop):
    import torch
    torch.set_num_threads(4)
    a = torch.rand(300, 300)
    while not stop.is_set():
        a = torch.softmax(a @ a, 0)

def busy_sklearn(stop):
    from sklearn.cluster import KMeans
    points = np.random.default_rng(1).random((3000, 8))
    while not stop.is_set():
        KMeans(8, n_init=1, max_iter=5).fit(points)

n = 20_000
src, dst = np.random.default_rng(2).integers(0, n, (2, 15_000)).astype(np.int32)
right = skerry.connected_components((src, dst), num_vertices=n, threads=1).labels
stop = threading.Event()
busy = [threading.Thread(target=globals()[f"busy_{name}"], args=(stop,)) for name in sys.argv[1:]]
for thread in busy:
    thread.start()
shared, wrong = skerry.UnionFind(n, threads=4), []

def work(number):
    for part in np.array_split(np.arange(number, len(src), 50), 3):
        shared.union(src[part], dst[part])
        labels = skerry.connected_components((src, dst), num_vertices=n, threads=4).labels
        if not np.array_equal(labels, right):
            wrong.append(number)

threads = [threading.Thread(target=work, args=(number,)) for number in range(50)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
stop.set()
for thread in busy:
    thread.join()
assert not wrong, wrong
assert np.array_equal(shared.labels, right)
if hasattr(os, "fork"):
    child = os.fork()
    if child == 0:
        labels = skerry.connected_components((src, dst), num_vertices=n, threads=4).labels
        os._exit(0 if np.array_equal(labels, right) else 1)
    assert os.waitpid(child, 0)[1] == 0
print("right")
"""
POOLS = ([], ["torch"], ["sklearn"], ["torch", "sklearn"])


@pytest.mark.parametrize("threads", ["", "2"], ids=["", "OMP_NUM_THREADS"])
@pytest.mark.parametrize("pools", POOLS, ids="+".join)
def test_50_threads_beside_other_pools(pools, threads):
    for name in pools:
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"needs {name}")
    if threads and not pools:
        pytest.skip("nothing else reads it")
    limits = {"OMP_NUM_THREADS": threads} if threads else {}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM, *pools],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env=os.environ | limits,
    )
    assert done.stdout == "right\n", done.stderr
    assert done.returncode == 0
