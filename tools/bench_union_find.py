"""Measure `UnionFind` beside one call on the same arrays, and single questions.

``python tools/bench_union_find.py [--vertices N] [--batches B] [--threads T] [--repeat R]``

Random edges come in batches of 2^20; 1% of the vertices have none, so that no shortcut for graphs
in one piece applies. Batches and the single call alternate, so that both meet the same load of the
machine. "repeated" adds the same batches once more: all edges lie inside of components. ``--json``
prints the times, for a comparison of two builds by ``--against``, a Python that imports the other.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from time import perf_counter
from timeit import repeat
from typing import Any

import numpy as np

import skerry

BATCH = 1 << 20


def timed(work: Any, *arguments: Any) -> tuple[float, Any]:
    """Seconds, and the answer."""
    begin = perf_counter()
    answer = work(*arguments)
    return perf_counter() - begin, answer


def add_all(sets: Any, batches: list[Any]) -> None:
    """Adds all batches."""
    for src, dst in batches:
        sets.union(src, dst)


def read_labels(sets: Any) -> Any:
    """All labels; builds before this one have a method for it."""
    return sets.labels() if callable(sets.labels) else sets.labels


def drawn(vertices: int, count: int) -> tuple[Any, Any]:
    """Sources and targets of so many batches; every hundredth vertex has no edge."""
    random = np.random.default_rng(1)
    ends = random.integers(0, vertices, (2, count * BATCH), dtype=np.uint32)
    ends -= ends % 100 == 99
    return ends[0], ends[1]


def measure(vertices: int, count: int, threads: int) -> dict[str, float]:
    """Seconds of one round."""
    src, dst = drawn(vertices, count)
    batches = [(src[i : i + BATCH], dst[i : i + BATCH]) for i in range(0, len(src), BATCH)]
    graph = skerry.Edges(src, dst, vertices)
    sets = skerry.UnionFind(vertices, threads=threads)
    fresh, _ = timed(add_all, sets, batches)
    labeled, labels = timed(read_labels, sets)
    again, _ = timed(add_all, sets, batches)
    call, result = timed(lambda: skerry.connected_components(graph, threads=threads).labels)
    assert (labels == result).all()
    return {"batches": fresh, "labels": labeled, "repeated": again, "one call": call}


def question(vertices: int) -> float:
    """Microseconds of one ``connected(u, v)``; the best of many rounds."""
    sets = skerry.UnionFind(vertices)
    sets.union(*drawn(vertices, 4))
    pairs = np.random.default_rng(2).integers(0, vertices, (1000, 2)).tolist()

    def query(connected: Any = sets.connected) -> None:
        for u, v in pairs:
            connected(u, v)

    return min(repeat(query, number=10, repeat=20)) / 10 / len(pairs) * 1e6


def other_build(python: str, arguments: argparse.Namespace) -> dict[str, float]:
    """One round in another process, whose PYTHONPATH leads to another build."""
    command = [sys.executable, __file__, "--json", "--repeat", "1"]
    for name in ("vertices", "batches", "threads"):
        command += [f"--{name}", str(getattr(arguments, name))]
    done = subprocess.run(
        command,
        env=os.environ | {"PYTHONPATH": python},
        capture_output=True,
        text=True,
        check=True,
    )
    times: dict[str, float] = json.loads(done.stdout)
    return times


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--vertices", type=int, default=5_000_000)
    parser.add_argument("--batches", type=int, default=16)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--against", help="PYTHONPATH of another build")
    arguments = parser.parse_args()
    shape = arguments.vertices, arguments.batches, arguments.threads
    measure(arguments.vertices, 1, arguments.threads)  # warms up
    if arguments.json:
        print(json.dumps(measure(*shape)))
        return
    rounds, others = [], []
    for _ in range(arguments.repeat):
        rounds.append(measure(*shape))
        if arguments.against:
            others.append(other_build(arguments.against, arguments))
            rounds[-1]["own, alone"] = other_build(os.environ["PYTHONPATH"], arguments)["repeated"]
    edges = arguments.batches * BATCH
    for name in ("batches", "labels", "repeated", "one call"):
        times = [each[name] for each in rounds]
        print(
            f"{name:<10} {statistics.median(times) * 1e3:8.1f} ms, best {min(times) * 1e3:8.1f} ms"
            f", {edges / min(times) / 1e6:8.1f} M edges/s"
        )
    ratios = [(each["batches"] + each["labels"]) / each["one call"] for each in rounds]
    print(
        f"batches and labels / one call: median {statistics.median(ratios):.2f}, "
        f"best {min(ratios):.2f}, worst {max(ratios):.2f}"
    )
    if others:
        faster = [b["repeated"] / a["own, alone"] for a, b in zip(rounds, others, strict=True)]
        print(
            f"repeated edges, other build / this: median {statistics.median(faster):.2f}, "
            f"{min(faster):.2f} to {max(faster):.2f}"
        )
    print(f"one connected(u, v): {question(arguments.vertices):.3f} us")


if __name__ == "__main__":
    main()
