"""Every allocation of a call fails once: the call raises `MemoryError`, and the next one is right.

Run as a program, under LD_PRELOAD of tests/native/preload/fail_allocation.cpp, prints for each call
how many native allocations failed, as JSON. ``python`` as an argument makes those of Python fail
instead (``_testcapi.set_nomemory``).
"""

from __future__ import annotations

import ctypes
import json
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import scipy.sparse as sp

import skerry
import skerry.io
from support import sets_by_hand

N, M = 3000, 5000
DRAW = np.random.default_rng(3)
SRC, DST = DRAW.integers(0, N, (2, M)).astype(np.uint32)
WEIGHT = DRAW.random(M)
MATRIX = sp.coo_array((np.ones(M, np.int8), (SRC, DST)), shape=(N, N)).tocsr()
WIDE = (SRC.astype(np.int64) * 2**33 - 2**40, DST.astype(np.int64) * 2**33 - 2**40)
TEXTS = tuple(pa.array([f"person {v}" for v in end.tolist()]) for end in (SRC, DST))
IMAGE = DRAW.random((60, 70)) < 0.6
FOLDER = Path(tempfile.mkdtemp(prefix="skerry-allocations-"))
(FOLDER / "edges.txt").write_text("".join(f"{u} {v}\n" for u, v in zip(SRC, DST, strict=True)))
GOOD = skerry.connected_components((SRC, DST), num_vertices=N)


def _solve(graph: Any, **options: Any) -> Callable[[], Any]:
    return lambda: skerry.connected_components(graph, **options).labels


def _sets(ids: str, *ends: Any) -> Callable[[], Any]:
    def union() -> Any:
        sets = skerry.UnionFind(ids=ids, threads=2)
        for part in (slice(0, M // 2), slice(M // 2, M)):
            sets.union(*(end[part] for end in ends))
        return np.append(sets.labels, sets.connected(ends[0][:5], ends[1][:5]))

    return union


def _saved() -> Any:
    sets = skerry.UnionFind(N)
    sets.union(SRC, DST)
    sets.save(FOLDER / "sets")
    return skerry.UnionFind.load(FOLDER / "sets").labels


def _window() -> Any:
    window = skerry.SlidingWindow(2, num_vertices=N)
    for part in np.array_split(np.arange(M), 4):
        window.push(SRC[part], DST[part])
    return window.labels


def _bridges() -> Any:
    result = skerry.connected_components((SRC, DST), forest=True)
    return np.array([len(result.bridges()), len(result.cut_vertices())])


CALLS: dict[str, Callable[[], Any]] = {
    "edges": _solve((SRC, DST), threads=1),
    "edges, 2 threads": _solve((SRC, DST), threads=2),
    "rows": _solve(MATRIX, threads=2),
    "rows, symmetric": _solve((MATRIX + MATRIX.T).tocsr(), symmetric=True, threads=2),
    "an algorithm by name": _solve((SRC, DST), algorithm="ecl", threads=2),
    "integer ids": _solve(WIDE, ids="external"),
    "texts": _solve(TEXTS),
    "a file": _solve(FOLDER / "edges.txt"),
    "forest": _solve((SRC, DST), forest=True),
    "bridges": _bridges,
    "verify": lambda: np.array([bool(skerry.verify((SRC, DST), GOOD.labels, num_vertices=N))]),
    "UnionFind": _sets("vertices", SRC, DST),
    "UnionFind of integers": _sets("external", *WIDE),
    "UnionFind of texts": _sets("external", *TEXTS),
    "save and load": _saved,
    "window": _window,
    "linkage": lambda: skerry.single_linkage((SRC, DST), WEIGHT).matrix,
    "sweep": lambda: skerry.threshold_sweep((SRC, DST), WEIGHT, [0.2, 0.6])[0.6].labels,
    "strong": lambda: skerry.csgraph.connected_components(MATRIX, connection="strong")[1],
    "image": lambda: skerry.ndimage.label(IMAGE)[0],
}


class Native:
    """Allocations of the kernels."""

    def __init__(self) -> None:
        self.arm = ctypes.CDLL(None).fail_allocation
        self.arm.restype, self.arm.argtypes = ctypes.c_int64, [ctypes.c_int64]
        assert self.arm(-1) >= 0, "the module of kernels was not found"

    def begin(self, k: int) -> None:
        """The k-th from here on fails."""
        self.arm(k)

    def end(self) -> int:
        """How many there were."""
        return int(self.arm(-1))

    @contextmanager
    def failing(self, at: int) -> Iterator[None]:
        """The allocation that fails, counted from 1."""
        self.begin(at - 1)
        try:
            yield
        finally:
            self.end()


def failures(allocations: Native, call: Callable[[], Any], step: int = 1) -> dict[str, int]:
    """Makes every allocation of a call fail; returns how many, and how often it was noticed."""
    right = call()
    counts = {"failed": 0, "MemoryError": 0, "right": 0}
    k = 0
    while True:
        allocations.begin(k)
        try:
            answer = call()
        except MemoryError:
            answer = None
        made = allocations.end()
        if made <= k:
            return counts
        counts["failed"] += 1
        counts["MemoryError" if answer is None else "right"] += 1
        assert answer is None or np.array_equal(answer, right), f"wrong where allocation {k} failed"
        assert np.array_equal(call(), right), f"wrong after allocation {k} failed"
        k += step


def history(allocations: Native, number: int) -> dict[str, int]:
    """Random changes of a `UnionFind` or a window, each done once none of its allocations fails."""
    changes = sets_by_hand.History(number)
    failed = sum(changes.fail_each(allocations.failing) for _ in range(12))
    changes.check_copies()
    return {"failed": failed, "MemoryError": failed, "right": 0}


def main() -> None:
    """Prints the counts of every call and of the histories."""
    warnings.simplefilter("ignore")
    native = Native()
    counts = {name: failures(native, call) for name, call in CALLS.items()}
    for number, kind in enumerate(sets_by_hand.KINDS):
        counts[f"history, {kind.name}"] = history(native, number)
    print(json.dumps(counts))


if __name__ == "__main__":
    main()
