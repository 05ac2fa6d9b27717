"""Jobs of stages run in this process, and the graphs they are tried on."""

from __future__ import annotations

import numpy as np

import skerry
from skerry.cluster.driver import Job, solve
from skerry.cluster.pairs import interleaved
from skerry.cluster.state import StateFolder
from skerry.result.plan import PhaseTimer
from support.local_executor import LocalExecutor


def graph(name, size=600):
    """Edges between 64-bit ids that are spread over the whole range."""
    rng = np.random.default_rng(7)
    n = size
    families = {
        "random": lambda: (rng.integers(0, n, n), rng.integers(0, n, n)),
        "sparse": lambda: (rng.integers(0, n, n // 3), rng.integers(0, n, n // 3)),
        "dense": lambda: (rng.integers(0, n // 8, n), rng.integers(0, n // 8, n)),
        "path": lambda: (np.arange(n - 1), np.arange(1, n)),
        "star": lambda: (np.zeros(n, np.int64), np.arange(n)),
        "loops": lambda: (np.arange(n), np.arange(n)),
        "pairs": lambda: (np.arange(0, n, 2), np.arange(1, n, 2)),
        "repeated": lambda: (np.full(n, 3), np.full(n, 5)),
        "none": lambda: (np.empty(0, np.int64), np.empty(0, np.int64)),
    }
    src, dst = families[name]()
    ids = np.random.default_rng(8).integers(0, 2**64, n + 1, dtype=np.uint64)
    ids[:3] = 0, 2**64 - 1, 2**63
    order = rng.permutation(len(src))
    return interleaved(ids[src[order]], ids[dst[order]])


GRAPHS = ("random", "sparse", "dense", "path", "star", "loops", "pairs", "repeated", "none")


def expected(edges):
    """Pairs of ids and labels as one machine finds them, in rows."""
    result = skerry.connected_components((edges[0::2], edges[1::2]), ids="external")
    ids = np.asarray(result.ids, np.uint64)
    return np.column_stack([ids, ids[result.labels]]).reshape(-1, 2)


def divided(edges, tasks, seed=None):
    """The edges of each task: pieces of the list, or drawn for every edge."""
    rows = edges.reshape(-1, 2)
    if seed is None:
        parts = np.array_split(rows, tasks)
    else:
        owner = np.random.default_rng(seed).integers(0, tasks, len(rows))
        parts = [rows[owner == task] for task in range(tasks)]
    return [[np.ascontiguousarray(part).reshape(-1)] for part in parts]


def run(
    folder, source, parts, method="contraction", room=1 << 20, executor=None, seed=0, **options
):
    """The files of labels; ``room`` is the number of vertices that one task may solve."""
    limit = {"room": options.pop("ids_at_a_time")} if options else {}
    memory = (90 + 16 * min(8, parts)) * room
    job = Job(StateFolder(str(folder)), method, len(source), parts, memory, seed=seed, **limit)
    return solve(executor or LocalExecutor(), job, source, PhaseTimer())


def labels_of(files):
    """All rows of the files of labels, by id."""
    read = [files.read(part) for part in range(len(files.names))]
    rows = np.concatenate(read).reshape(-1, 2)
    return rows[np.argsort(rows[:, 0], kind="stable")]
