"""Simulate Rem's algorithm on threads in lockstep: what concurrent writes to a parent cost.

``python tools/rem_lockstep.py [--scale 18] [--threads 20000] [-o RECORD.jsonl]``

Cong & Muzio's Rem for GPUs is not published; ours keeps the smallest of the values that threads
write to a parent at the same time (kernels/gpu/published/rem.cu), plain stores keep any one of
them. This counts writes, steps and verification rounds of both on an R-MAT and a random graph with
ten edges a vertex. It is a model: all threads of a step read before any of them writes.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from skerry import generators

Ids = npt.NDArray[np.int64]


class Counts(NamedTuple):
    """What a run has counted."""

    rounds: int
    writes: int
    steps: int
    components: int


class Forest:
    """The parents, and how concurrent writes to one are resolved."""

    def __init__(self, vertices: int, smallest: bool) -> None:
        self.parent: Ids = np.arange(vertices)
        self.smallest = smallest
        self.writes = 0
        self.steps = 0
        self._random = np.random.default_rng(1)

    def unite(self, a: Ids, b: Ids) -> npt.NDArray[np.bool_]:
        """Unites pairs, a thread each, with splicing; returns which threads have written."""
        a, b = a.copy(), b.copy()
        above_a, above_b = self.parent[a], self.parent[b]
        wrote = np.zeros(len(a), bool)
        live = np.flatnonzero(a != b)
        while len(live := live[above_a[live] != above_b[live]]):
            swap = above_a[live] < above_b[live]
            high, low = np.where(swap, b[live], a[live]), np.where(swap, a[live], b[live])
            over = np.where(swap, above_b[live], above_a[live])
            under = np.where(swap, above_a[live], above_b[live])
            self._write(high, under)
            wrote[live] = True
            a[live], above_a[live] = over, self.parent[over]
            b[live], above_b[live] = low, under
            live = live[over != high]
        return wrote

    def flatten(self) -> None:
        """Points every vertex to its root."""
        while not np.array_equal(above := self.parent[self.parent], self.parent):
            self.parent = above

    def _write(self, where: Ids, values: Ids) -> None:
        self.writes += len(where)
        self.steps += 1
        if self.smallest:
            np.minimum.at(self.parent, where, values)
        else:
            order = self._random.permutation(len(where))
            self.parent[where[order]] = values[order]


def rem(vertices: int, src: Ids, dst: Ids, threads: int, smallest: bool) -> Counts:
    """Unites all edges, then verifies those that wrote until no write was lost."""
    forest = Forest(vertices, smallest)
    parts = [slice(i, i + threads) for i in range(0, len(src), threads)]
    recorded = np.concatenate([forest.unite(src[part], dst[part]) for part in parts])
    edges = np.flatnonzero(recorded)
    rounds = 1
    while True:
        forest.flatten()
        lost = edges[forest.parent[src[edges]] != forest.parent[dst[edges]]]
        if not len(lost):
            components = len(np.unique(forest.parent))
            return Counts(rounds, forest.writes, forest.steps, components)
        rounds += 1
        for i in range(0, len(lost), threads):
            again = lost[i : i + threads]
            forest.unite(src[again], dst[again])


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--scale", type=int, default=18)
    parser.add_argument("--threads", type=int, default=20_000, help="that run at once")
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    n = 1 << arguments.scale
    lines: list[dict[str, Any]] = []
    for name, recipe in (
        ("R-MAT", generators.rmat.recipe(arguments.scale, 10, shuffled=True)),
        ("random", generators.uniform.recipe(n, 10 * n)),
    ):
        edges = generators.make(recipe)
        src, dst = edges.src.astype(np.int64), edges.dst.astype(np.int64)
        for smallest in (True, False):
            counts = rem(n, src, dst, arguments.threads, smallest)
            kept = "smallest" if smallest else "any"
            run = {"vertices": n, "edges": len(src), "threads": arguments.threads}
            lines.append({"graph": name, **run, "stays": kept, **counts._asdict()})
            print(json.dumps(lines[-1]), flush=True)
    if arguments.output:
        arguments.output.write_text("".join(json.dumps(line) + "\n" for line in lines))


if __name__ == "__main__":
    main()
