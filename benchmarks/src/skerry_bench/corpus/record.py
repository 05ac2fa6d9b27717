"""The record of a run on the corpus: lines of JSON, appended as they are measured."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from skerry import InputError


@dataclass(frozen=True, slots=True)
class Result:
    """The samples of an implementation on a graph."""

    graph: str
    implementation: str
    """Ours by the algorithm's name (``@1``: with one thread), others by their library's."""
    device: str
    threads: int | None
    clock: str
    """``"wall"``; on a GPU ``"queued"``, kernels alone, or ``"device"``, with the host's part."""
    peer: bool
    seconds: tuple[float, ...]
    ran: str | None = None
    """What ``auto`` chose."""
    error: str | None = None

    @property
    def median(self) -> float:
        """Seconds; infinite without a sample."""
        return median(self.seconds) if self.seconds else float("inf")


@dataclass(frozen=True, slots=True)
class GraphRecord:
    """A graph, and what it is like."""

    graph: str
    half: str
    families: tuple[str, ...]
    features: dict[str, float]
    ten_edges: float | None = None
    """Seconds of a call on ten edges, right before and after the graph was measured on a CPU."""


@dataclass(slots=True)
class Record:
    """All lines of a file."""

    path: Path | None = None
    run: dict[str, Any] = field(default_factory=dict)
    """Of the last run: machine, commit, threads."""
    graphs: dict[str, GraphRecord] = field(default_factory=dict)
    results: list[Result] = field(default_factory=list)

    def begin(self, **run: Any) -> None:
        """The first line of a run."""
        self.run = run
        self._write({"kind": "run"} | run)

    def add(self, graph: GraphRecord, results: list[Result]) -> None:
        """Appends a graph with all its results at once: a stopped run has whole graphs only."""
        self.graphs[graph.graph] = graph
        self.results += results
        lines = [{"kind": "result"} | asdict(result) for result in results]
        self._write(*lines, {"kind": "graph"} | asdict(graph))

    def _write(self, *lines: dict[str, Any]) -> None:
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a") as file:
                file.write("".join(json.dumps(line) + "\n" for line in lines))


def read_record(path: Path) -> Record:
    """The record of a file; empty if there is no file."""
    record = Record(path)
    if not path.exists():
        return record
    pending: list[Result] = []
    for number, text in enumerate(path.read_text().splitlines(), 1):
        try:
            line = json.loads(text)
            kind = line.pop("kind")
            if kind == "run":
                record.run = line
                pending = []
            elif kind == "result":
                pending.append(Result(**line | {"seconds": tuple(line["seconds"])}))
            else:
                graph = GraphRecord(**line | {"families": tuple(line["families"])})
                record.graphs[graph.graph] = graph
                record.results += pending
                pending = []
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(
                f"{path}, line {number}: not a record of the corpus: {error}"
            ) from None
    return record
