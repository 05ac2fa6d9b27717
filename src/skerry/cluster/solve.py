"""From an input and options to an answer, for any engine."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol
from uuid import uuid4

import numpy as np

import skerry._native as _native
from skerry.cluster.choice import ClusterOptions, Route, engine_route, stream_route
from skerry.cluster.counted import counted
from skerry.cluster.driver import Job, LabelFiles, claim, solve
from skerry.cluster.edge_input import EdgeReader
from skerry.cluster.pairs import Pairs, concatenated, pairs_of, sorted_pairs, split_by_owner
from skerry.cluster.result import DistributedComponents, FileAnswer, StreamAnswer, conclude_check
from skerry.cluster.stage import EDGES, Executor, Inbox, Message, Step, report, send
from skerry.cluster.state import StateFolder
from skerry.config import temporary_folder
from skerry.engines.dispatch import dispatch
from skerry.errors import UnsupportedError
from skerry.graph.edge_source import EdgeSource
from skerry.ids.content_sum import ContentSum
from skerry.machine import memory_free
from skerry.request import InputOptions, SolveOptions
from skerry.result.plan import PhaseTimer, Plan
from skerry.result.verify import Verification

SHARE = 2
"""One process may take this part of the free memory: a half."""


NO_LIMIT = 1 << 62


class ClusterEngine(Protocol):
    """An engine, and what it does beside running stages."""

    @property
    def executor(self) -> Executor:
        """Runs stages."""
        ...

    @property
    def single_machine(self) -> bool:
        """Whether all workers are on this machine, so that they see its folders."""
        ...

    @property
    def worker_memory(self) -> int:
        """Bytes that a task may use, if the caller does not say."""
        ...

    @property
    def translates(self) -> bool:
        """Whether ids are numbered before, so that files of labels hold numbers."""
        ...

    def content(self, tasks: int) -> ContentSum:
        """The sum of all edges that are used and of further vertices, read by so many tasks."""
        ...

    def prepare(self, state: StateFolder, tasks: int) -> None:
        """Numbers ids that are not integers, for so many tasks."""
        ...

    def read_tasks(self, tasks: int) -> int:
        """How many tasks read edges, where there are ``tasks`` parts."""
        ...

    def export(self, labels: LabelFiles, folder: StateFolder) -> None:
        """Writes labels under ids that were numbered, as Parquet files into a folder."""
        ...

    def source(self, tasks: int, reader: EdgeReader) -> Any:
        """The input, as the executor takes it, for so many tasks."""
        ...

    def read_labels(self, labels: LabelFiles) -> Any:
        """The engine's data set of labels, under their ids."""
        ...

    def read_table(self, table: Any) -> Any:
        """The engine's data set of a table in memory."""
        ...


@dataclass(frozen=True)
class ClusterInput:
    """What is solved."""

    all_edges: Callable[[], EdgeSource]
    """All edges, read here."""
    num_edges: int | None
    """How many, or at most how many; None: unknown."""
    reader: Callable[[], EdgeReader]
    options: InputOptions
    gathered_bytes: int = 0
    """What this process takes for edges, beside ids, if it reads them all."""
    exact: bool = True
    """Whether ``num_edges`` is the number of edges, and no bound."""
    refusal: str = ""
    """Why "auto" does not read all edges here, whatever the memory of this process."""
    further: int = 0
    """Ids that are vertices whether or not they have an edge: each is read as a loop."""

    @property
    def num_rows(self) -> int | None:
        """Edges and loops, on which the memory of a run depends."""
        return None if self.num_edges is None else self.num_edges + self.further

    @property
    def stated(self) -> dict[str, str]:
        """The options that decide which edges there are; of vertices, the content counts."""
        names = sorted(self.options.stated - {"vertices"})
        return {name: repr(getattr(self.options, name)) for name in names}


def distribute(
    engine: ClusterEngine,
    graph: ClusterInput,
    options: ClusterOptions,
    state: str | None = None,
    progress: Callable[[str], None] | None = None,
) -> DistributedComponents:
    """Solves by the route that memory allows, or the one that was asked for."""
    here = memory_free() // SHARE - graph.gathered_bytes
    alone = stream_route(options, graph.num_rows, here)
    if alone is not None and not (graph.refusal and options.method == "auto"):
        return _stream(engine, graph, alone)
    executor = engine.executor
    route = engine_route(options, graph.num_rows, executor.workers, engine.worker_memory)
    assert route.method != "stream"
    folder, keep = _state_folder(engine, state)
    tell, timer = progress or (lambda _: None), PhaseTimer()
    identity: dict[str, Any] = {}
    if state is not None:  # a temporary folder has no earlier run
        tell("identifying the input")
        with timer.phase("identify the input"):
            identity = {"options": graph.stated, "content": engine.content(route.tasks)}
    reader = graph.reader()
    job = Job(
        StateFolder(folder),
        route.method,
        route.tasks,
        route.tasks,
        route.memory,
        reader.codec,
        route.room if route.method == "contraction" else NO_LIMIT,
        identity=identity,
    )
    claim(job)
    if engine.translates:
        tell("numbering ids")
        with timer.phase("number ids"):
            engine.prepare(job.state, route.tasks)
    job = replace(job, tasks=engine.read_tasks(route.tasks))
    labels = solve(executor, job, engine.source(job.tasks, reader), timer, progress)

    def check(files: LabelFiles) -> Verification:
        return _check(engine, job, files, reader)

    answer = FileAnswer(
        labels,
        executor,
        engine.read_labels,
        check,
        engine.export if engine.translates else None,
        keep,
    )
    return DistributedComponents(answer, _plan(executor, route, labels, graph, timer))


def _stream(engine: ClusterEngine, graph: ClusterInput, route: Route) -> DistributedComponents:
    read = graph.options._replace(
        source=None, target=None, weight=None, on_null="error", format=None, ids="auto"
    )
    read = read._replace(delimiter=None, header=None, ids_as_text=False, groups=None)
    result = dispatch(graph.all_edges(), read, SolveOptions())
    plan = result.plan
    plan = replace(plan, notes=(*plan.notes, f"in this process: {route.reason}"))
    return DistributedComponents(StreamAnswer(result, engine.read_table), plan)


def _state_folder(engine: ClusterEngine, state: str | None) -> tuple[str, Any]:
    """The folder of the state, and what keeps it as long as it is needed."""
    if state is not None:
        return state, None
    if not engine.single_machine:
        raise UnsupportedError(
            "state= must name a folder that all machines of the cluster see (a shared file system, "
            "or an address such as s3://bucket/run-1): rounds and labels are written there"
        )
    keep = TemporaryState(tempfile.mkdtemp(prefix="skerry-", dir=temporary_folder()))
    return keep.path, keep


class TemporaryState:
    """A folder that is removed with the answer, or at the end of the process."""

    def __init__(self, path: str) -> None:
        self.path = path
        weakref.finalize(self, shutil.rmtree, path, ignore_errors=True)

    def keep_until_exit(self) -> None:
        """For data sets that read the folder later, and do not know of it."""
        _KEPT.append(self)


_KEPT: list[TemporaryState] = []


def _check(engine: ClusterEngine, job: Job, files: LabelFiles, reader: EdgeReader) -> Verification:
    steps = check_steps(files, job.tasks, job.parts)
    source = engine.source(job.tasks, reader)
    reports = engine.executor.run(counted(steps), source, "verify")
    # By the other route, or with other ranks and another number of parts.
    name = f"verify-{uuid4().hex}"
    other = replace(
        job,
        state=StateFolder(job.state.file(name)),
        method="contraction" if job.method == "forest" else job.method,
        parts=job.parts + 1,
        seed=job.seed + 1,
    )
    try:
        second = solve(engine.executor, other, source, PhaseTimer())
    finally:
        job.state.remove(name)
    return conclude_check(reports, files, second.components)


def _plan(
    executor: Executor, route: Route, labels: LabelFiles, graph: ClusterInput, timer: PhaseTimer
) -> Plan:
    notes = [
        f"round {number}: {each['vertices']:,} vertices -> {each['left']:,}, {each['edges']:,} "
        "edges left"
        for number, each in enumerate(labels.rounds, 1)
    ]
    if labels.resumed:
        notes.append(f"{labels.resumed:,} rounds were done by an earlier run")
    if graph.num_edges is None or not graph.exact:
        notes.append("edges were not counted")
    if graph.refusal:
        notes.append(f"not in this process: {graph.refusal}")
    return Plan(
        algorithm=route.method,
        device=f"{executor.name}, {executor.workers} workers",
        threads=0,
        reason=route.reason,
        form="edges",
        vertices=labels.vertices,
        edges=(graph.num_edges or 0) if graph.exact else 0,
        passes=timer.times,
        notes=tuple(notes),
        engine=executor.name,
    )


@dataclass(frozen=True)
class SendEnds:
    """Sends edges to the owners of their first ends; tasks behind those of edges send labels."""

    edge_tasks: int
    parts: int
    labels: LabelFiles

    def __call__(self, task: int, inbox: Inbox) -> Iterator[Message]:
        """Runs the stage."""
        if task >= self.edge_tasks:
            labels = self.labels.read(task - self.edge_tasks)
            for part, pairs in enumerate(split_by_owner(labels, self.parts)):
                yield from send(part, "labels", pairs)
            return
        for blob in inbox.get(EDGES, ()):
            for part, pairs in enumerate(split_by_owner(pairs_of(blob), self.parts)):
                yield from send(part, "ends", pairs)


@dataclass(frozen=True)
class SendLabels:
    """Sends the label of one end of every edge to the owner of the other end."""

    parts: int

    def __call__(self, task: int, inbox: Inbox) -> Iterator[Message]:
        """Runs the stage."""
        labels, repeated = _table(inbox)
        yield from send(task, "labels", labels)
        ends = sorted_pairs(concatenated(inbox.get("ends", ())))
        matched = np.empty_like(ends)
        written, missing = _native.match_pairs(ends, labels, False, matched)
        for part, pairs in enumerate(split_by_owner(matched[: 2 * written], self.parts)):
            yield from send(part, "labeled", pairs)
        yield from send(task, "missing", np.array([missing, repeated], np.uint64))


@dataclass(frozen=True)
class CompareLabels:
    """Compares the labels of both ends."""

    def __call__(self, task: int, inbox: Inbox) -> Iterator[Message]:
        """Runs the stage."""
        del task
        labels, repeated = _table(inbox)
        labeled = sorted_pairs(concatenated(inbox.get("labeled", ())))
        different = np.empty_like(labeled)
        written, missing = _native.match_pairs(labeled, labels, True, different)
        before = concatenated(inbox.get("missing", ()))
        yield report(
            {
                "edges": len(labeled) // 2,
                "different": written,
                "missing": missing + int(before[0]),
                "repeated": repeated + int(before[1]),
                "vertices": len(labels) // 2,
                "components": int(np.count_nonzero(labels[0::2] == labels[1::2])),
            }
        )


def _table(inbox: Inbox) -> tuple[Pairs, int]:
    """The labels of ids, and how many ids have more than one."""
    labels = sorted_pairs(concatenated(inbox.get("labels", ())))
    return labels, int(np.count_nonzero(labels[2::2] == labels[:-2:2]))


def check_steps(labels: LabelFiles, tasks: int, parts: int) -> list[Step]:
    """The steps of a check whose edges come in ``tasks`` tasks."""
    return [
        Step(SendEnds(tasks, parts, labels), tasks + len(labels.names)),
        Step(SendLabels(parts), parts),
        Step(CompareLabels(), parts),
    ]
