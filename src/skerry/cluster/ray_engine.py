"""Ray as an engine: a task of a stage is a task of Ray, with a return value for each receiver."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

from skerry.cluster.content_stages import ContentReader, SumContent, content_of_reports
from skerry.cluster.counted import counted
from skerry.cluster.driver import LabelFiles
from skerry.cluster.edge_input import (
    BlobReader,
    EdgeReader,
    IdReader,
    InputPart,
    VertexPart,
    as_id_column,
    edge_bound,
    has_integers,
    integer_codec,
    parts_of_files,
)
from skerry.cluster.free_memory import give_back_memory
from skerry.cluster.id_stages import ListIds, TaskIds, number_steps, row_steps
from skerry.cluster.joiner import joining_on
from skerry.cluster.outbox import Outbox
from skerry.cluster.pairs import Blob
from skerry.cluster.solve import ClusterInput
from skerry.cluster.stage import EDGES, Stage, Step
from skerry.cluster.state import StateError, StateFolder
from skerry.errors import InputError, SkerryError, UnsupportedError
from skerry.formats.options import ReadOptions
from skerry.graph.edge_source import Batch, EdgeSource
from skerry.ids.content_sum import ContentSum
from skerry.inputs.edge_sources import read_options, with_id_kind
from skerry.inputs.tables import table_source
from skerry.machine import memory_total
from skerry.optional import require_arrow
from skerry.request import InputOptions

TASKS_IN_FLIGHT = 2
"""Tasks that are submitted at a time, for each worker."""
HELD_SHARE = 32
"""A task holds as much of its messages as this part of its memory, and writes the rest to disk."""
STOP_SECONDS = 5.0
"""How long a run that is stopped waits for its tasks in flight."""


def require_ray() -> Any:
    """Ray, or an error that names the extra."""
    try:
        import ray
    except ImportError:
        raise UnsupportedError("this needs Ray: pip install 'skerry[ray]'") from None
    return ray


@dataclass(frozen=True)
class BlockPart:
    """Blocks of a Ray Dataset, which a task fetches one after the other."""

    block: Any

    def open(self, options: ReadOptions) -> EdgeSource:
        """The edges of the block."""
        return table_source(require_ray().get(self.block), options)


@dataclass(frozen=True)
class TaskInput:
    """What a task of the first stage reads."""

    parts: tuple[InputPart, ...]
    reader: BlobReader

    def blobs(self) -> Iterator[Blob]:
        """The edges, or their ids."""
        return self.reader.blobs(self.parts)


class RayExecutor:
    """Runs stages as tasks of Ray. Ray runs a task again whose worker died."""

    name = "ray"
    in_order = True

    def __init__(self, workers: int, num_gpus: float = 0, held: int | None = None) -> None:
        self.workers = workers
        self._held = held
        self._resources = {"num_cpus": 1, **({"num_gpus": num_gpus} if num_gpus else {})}

    def run(self, steps: Sequence[Step], source: Sequence[TaskInput] | None = None) -> list[Any]:
        """Runs stages; returns what the tasks of the last report."""
        ray = require_ray()
        window = Window(ray, TASKS_IN_FLIGHT * self.workers)
        inboxes: list[list[Any]] = [[] for _ in range(steps[0].tasks)]
        try:
            for number, step in enumerate(steps):
                last = number + 1 == len(steps)
                receivers = 1 if last else steps[number + 1].tasks
                remote = ray.remote(run_task).options(num_returns=receivers + 1, **self._resources)
                sent = []
                for task, inbox in enumerate(inboxes):
                    own = source[task] if number == 0 and source and task < len(source) else None
                    window.make_room()
                    *returned, end = remote.remote(
                        step.stage, task, receivers, self._held, own, *inbox
                    )
                    window.tasks.append(end)
                    sent.append(returned)
                # The messages of all senders to a task, in the order of the senders.
                inboxes = [list(column) for column in zip(*sent, strict=True)]
            window.drain()
            return [json.loads(blob) for row in ray.get(inboxes[0]) for _, blob in row]
        except ray.exceptions.RayTaskError as error:
            window.stop()
            cause = error.cause
            if isinstance(cause, SkerryError | MemoryError):
                raise cause from error
            raise
        except BaseException:  # Ctrl-C, or an engine that gives up
            window.stop()
            raise


class Window:
    """The tasks in flight: few, so that few are left at work when a run is stopped.

    They are not cancelled: a task that ends while Ray cancels it may abort this process (Ray's pull
    request 54798, and again in Ray 2.60).
    """

    def __init__(self, ray: Any, room: int) -> None:
        self._ray = ray
        self._room = room
        self.tasks: list[Any] = []

    def make_room(self) -> None:
        """Waits until a further task may be submitted; raises what a task has raised."""
        while len(self.tasks) >= self._room:
            self._wait_for_one()

    def drain(self) -> None:
        """Waits for all tasks."""
        while self.tasks:
            self._wait_for_one()

    def _wait_for_one(self) -> None:
        ready, self.tasks = self._ray.wait(self.tasks)
        self._ray.get(ready)

    def stop(self) -> None:
        """Lets the tasks in flight end, so that nothing is written after the run has ended."""
        with suppress(Exception):
            self._ray.wait(self.tasks, num_returns=len(self.tasks), timeout=STOP_SECONDS)


def run_task(
    stage: Stage, task: int, receivers: int, held: int | None, source: TaskInput | None, *inbox: Any
) -> Iterator[Any]:
    """A task: messages by receiver, as lists of channels and blobs; of a last stage, reports.

    The last return value is small: the driver waits for it, and fetches no message. Ray stores each
    value before it asks for the next, so that one receiver's messages are in memory at a time.
    """
    received: dict[str, Any] = {}
    for messages in inbox:
        for channel, blob in messages:
            received.setdefault(channel, []).append(blob)
    if source is not None:
        received[EDGES] = source.blobs()
    outbox = Outbox(receivers, held)
    with joining_on("cuda" if require_ray().get_gpu_ids() else None):  # Ray shows it no other
        for message in stage(task, received):
            outbox.put(message)
    del received, inbox
    if held is not None:
        give_back_memory()
    for receiver in range(receivers):
        yield outbox.take(receiver)
    if held is not None:
        give_back_memory()
    yield None


class RayEngine:
    """A Ray cluster and an input for it."""

    def __init__(
        self,
        dataset: Any,
        options: InputOptions,
        address: str | None,
        num_gpus: float = 0,
        memory: int | None = None,
    ) -> None:
        self.input = dataset
        self._memory = memory
        self.options = options
        self._address = address
        self._num_gpus = num_gpus
        self._ids = StateFolder("")
        self._tasks = 0
        self.is_files = isinstance(dataset, str | os.PathLike | list | tuple)
        if not self.is_files and not hasattr(dataset, "iter_internal_ref_bundles"):
            raise InputError(
                f"cannot read edges from {type(dataset).__module__}.{type(dataset).__qualname__}: "
                "pass a Ray Dataset, or paths of files"
            )

    @cached_property
    def ray(self) -> Any:
        """Ray, initialized."""
        ray = require_ray()
        if not ray.is_initialized():
            ray.init(address=self._address, log_to_driver=False)
        return ray

    @cached_property
    def executor(self) -> RayExecutor:
        """Runs stages on all CPUs, or on all GPUs."""
        known = self.ray.cluster_resources()
        held = None if self._memory is None else self._memory // HELD_SHARE
        if not self._num_gpus:
            return RayExecutor(max(1, int(known.get("CPU", 1))), held=held)
        if known.get("GPU", 0) < self._num_gpus:
            raise UnsupportedError(
                f"num_gpus={self._num_gpus:g}, and the cluster has {known.get('GPU', 0):g} GPUs"
            )
        return RayExecutor(int(known["GPU"] / self._num_gpus), self._num_gpus, held)

    @property
    def single_machine(self) -> bool:
        """Whether the cluster is one machine, and it is this one."""
        nodes = [node for node in self.ray.nodes() if node.get("Alive")]
        return len(nodes) == 1

    @property
    def worker_memory(self) -> int:
        """The share of a CPU in the memory of the cluster, as Ray knows it."""
        known = int(self.ray.cluster_resources().get("memory", 0)) or memory_total()
        return known // self.executor.workers

    @cached_property
    def read(self) -> ReadOptions:
        """How parts are read."""
        return read_options(self.options)

    def parts(self, wanted: int) -> list[InputPart]:
        """The input in parts that tasks can read."""
        if self.is_files:
            return parts_of_files(self.input, self.read, self.options.format, wanted)[0]
        return [BlockPart(reference) for reference in self.blocks]

    @cached_property
    def blocks(self) -> list[Any]:
        """References to the blocks of the data set, which is computed here, once."""
        blocks = [
            block
            for bundle in self.input.materialize().iter_internal_ref_bundles()
            for block in zip(bundle.block_refs, bundle.metadata, strict=True)
        ]
        # A block without rows may be without columns, too.
        return [reference for reference, metadata in blocks if metadata.num_rows != 0]

    @cached_property
    def translates(self) -> bool:
        """Whether ids are no integers, and are numbered first."""
        return not has_integers(self._all_parts(1), self.read)

    def content(self, tasks: int) -> ContentSum:
        """The sum of all edges and further vertices."""
        reader = ContentReader(self.read, self.options.selection)
        steps = [Step(SumContent(), tasks)]
        return content_of_reports(self.executor.run(steps, self._inputs(tasks, [reader] * tasks)))

    def prepare(self, state: StateFolder, tasks: int) -> None:
        """Numbers ids, by tasks that read the same parts as later."""
        self._ids, self._tasks = state, tasks
        reader = IdReader(self.read, self.options.selection)
        lists = [Step(ListIds(state, tasks), tasks)]
        reports = self.executor.run(lists, self._inputs(tasks, [reader] * tasks))
        self.executor.run(counted(number_steps(state, reports, tasks, tasks)))

    def read_tasks(self, tasks: int) -> int:
        """As many as there are parts: what does not fit is joined by and by."""
        self._tasks = tasks
        return tasks

    def export(self, labels: LabelFiles, folder: StateFolder) -> None:
        """Writes labels under their ids."""
        reports = self.executor.run(counted(row_steps(labels, folder, self._tasks)))
        written = sum(each["rows"] for each in reports)
        if written != labels.vertices:
            raise StateError(f"{folder.path}: {written:,} of {labels.vertices:,} rows written")

    def read_labels(self, labels: LabelFiles) -> Any:
        """A data set of files."""
        if not self.translates:
            return self.ray.data.read_parquet(labels.paths)
        folder = StateFolder(labels.state.file("rows"))
        self.export(labels, folder)
        return self.ray.data.read_parquet(folder.path)

    def source(self, tasks: int, reader: EdgeReader) -> list[TaskInput]:
        """For each task, parts in succession."""
        if not self.translates:
            return self._inputs(tasks, [reader] * tasks)
        readers = [replace(reader, ids=TaskIds(self._ids, task)) for task in range(tasks)]
        return self._inputs(tasks, readers)

    def _all_parts(self, wanted: int) -> list[InputPart]:
        """The input and the further vertices, which may be all ids that there are."""
        parts = self.parts(wanted)
        if self.options.vertices is not None:
            parts = [*parts, VertexPart(self.options.vertices)]
        return parts

    def _inputs(self, tasks: int, readers: Sequence[BlobReader]) -> list[TaskInput]:
        parts = self._all_parts(tasks)
        ends = [len(parts) * task // tasks for task in range(tasks + 1)]
        return [
            TaskInput(tuple(parts[begin:end]), each)
            for (begin, end), each in zip(pairwise(ends), readers, strict=True)
        ]

    def all_edges(self) -> EdgeSource:
        """All edges, read by this process."""
        if self.is_files:
            source = parts_of_files(self.input, self.read, self.options.format, 1)[1]
            return with_id_kind(source, self.options).edges
        sources = (BlockPart(reference).open(self.read) for reference in self.blocks)
        first = next(sources, None) or table_source(_no_rows(self.input, self.read), self.read)

        def batches(threads: int) -> Iterator[Batch]:
            for reference in self.blocks:
                yield from BlockPart(reference).open(self.read).open(threads)

        return replace(first, name="the data set", open=batches, open_at=None)

    def read_table(self, table: Any) -> Any:
        """A data set of a table."""
        return self.ray.data.from_arrow(table)


def _no_rows(dataset: Any, read: ReadOptions) -> Any:
    """A table of the data set's columns; of those that are asked for, if it has lost its schema."""
    schema = dataset.schema()
    if schema is not None and schema.names:
        return schema.base_schema.empty_table()
    arrow = require_arrow("Ray")
    columns = [read.source or "src", read.target or "dst", *([read.weight] if read.weight else [])]
    names = [each for column in columns for each in (column if type(column) is tuple else [column])]
    return arrow.schema([(str(name), arrow.int64()) for name in dict.fromkeys(names)]).empty_table()


def ray_input(engine: RayEngine) -> ClusterInput:
    """What is solved."""
    if engine.is_files:
        num_edges = edge_bound(engine.input, engine.all_edges(), engine.options.format)
    else:
        num_edges = engine.input.count()

    def reader() -> EdgeReader:
        codec = integer_codec(engine.all_edges(), engine.parts(1), engine.read)
        return EdgeReader(engine.read, engine.options.selection, codec)

    vertices = engine.options.vertices
    return ClusterInput(
        engine.all_edges,
        num_edges,
        reader,
        engine.options,
        further=0 if vertices is None else len(as_id_column(vertices)),
        exact=not engine.is_files or engine.all_edges().num_edges is not None,
    )
