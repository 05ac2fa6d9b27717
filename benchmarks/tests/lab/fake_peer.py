"""Peers for tests of the benchmark: some right, some that lie, some slow or missing."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np

import skerry
from skerry_bench.implementation import PeerAnswer


@dataclass
class FakePeer:
    """Answers by `skerry`, unless told to answer otherwise."""

    name: str = "fake"
    device: str = "cpu"
    parallel: bool = False
    scopes: tuple = ("solve", "end_to_end")
    max_entries: int | None = None
    missing: str | None = None
    answer: object = None
    """From the right labels to what is answered."""
    seconds: float = 0.0
    calls: list = field(default_factory=list)

    def available(self):
        return self.missing

    def version(self):
        return "1.0"

    def prepare(self, graph, threads):
        self.calls.append(("prepare", graph.name, threads))
        return graph.csr

    def solve(self, state):
        self.calls.append(("solve", state.num_vertices))
        return self._answered(state)

    def end_to_end(self, graph, threads):
        self.calls.append(("end_to_end", graph.name, threads))
        return self._answered(graph.edges)

    def _answered(self, graph):
        time.sleep(self.seconds)
        found = skerry.connected_components(graph)
        if self.answer is None:
            return PeerAnswer(labels=found.labels + 7)
        return self.answer(found)


def with_a_wrong_label(solve, result):
    """A result of the same size whose last vertex is in another component."""
    labels = np.array(result.labels)
    ids = np.arange(len(labels), dtype=labels.dtype)
    targets = np.append(labels[:-1], 0 if labels[-1] else ids[-1])
    return solve((ids, targets), num_vertices=len(ids))


def make_ecl_wrong(monkeypatch):
    """From now on the answers of ``ecl`` have one wrong label; all others are right."""
    right = skerry.connected_components

    def wrong(graph, algorithm="auto", **options):
        result = right(graph, algorithm=algorithm, **options)
        return with_a_wrong_label(right, result) if algorithm == "ecl" else result

    monkeypatch.setattr(skerry, "connected_components", wrong)
