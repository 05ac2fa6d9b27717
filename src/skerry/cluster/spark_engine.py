"""Spark as an engine: stages are ``mapInArrow``, messages are rows that go to their receivers.

A run is one job of Spark: nothing is computed before the reports of the last stage are collected.
Rows of a task are put in order here, so that a task that runs again after a lost executor sends the
same rows in the same order, whatever order its input came in.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any
from uuid import uuid4

import numpy as np

from skerry.cluster.edge_input import BlobReader, TablePart
from skerry.cluster.edge_pieces import spilling_to
from skerry.cluster.free_memory import give_back_memory
from skerry.cluster.joiner import joining_on
from skerry.cluster.pairs import Blob
from skerry.cluster.stage import EDGES, Inbox, Stage, Step
from skerry.cluster.state import StateError
from skerry.config import has_java, spark_folder
from skerry.errors import InputError, OutputError, SkerryError, UnsupportedError
from skerry.optional import require_arrow

MESSAGE = "target int, sender int, sequence int, channel string, data binary"
NAMES = ["target", "sender", "sequence", "channel", "data"]
BATCH_BYTES = "spark.sql.execution.arrow.maxBytesPerBatch"
OWN_ERRORS: tuple[type[SkerryError], ...] = (
    *(StateError, InputError, UnsupportedError, OutputError),
)
"""What a stage may raise; Spark passes on their texts."""
STATE_ERROR = f"{StateError.__module__}.{StateError.__name__}: "
"""Before a message of Spark's own that means lost state."""
FULL = ("No space left on device", "Disk quota exceeded", "File too large")
"""What Java says of a disk that is full."""
BATCH_ROWS = "spark.sql.execution.arrow.maxRecordsPerBatch"
STOP_SECONDS = 10.0
"""How long a run that is stopped waits for its tasks at work; Spark gives them 2 seconds."""


def require_spark(module: str = "pyspark.sql") -> Any:
    """A module of PySpark, or an error that names the extra."""
    try:
        loaded = import_module(module)
    except ImportError:
        raise UnsupportedError("this needs PySpark: pip install 'skerry[spark]'") from None
    if not has_java():
        raise UnsupportedError(
            "Spark needs Java 17 or newer, and there is no `java` here: install a JRE, such as the "
            "package openjdk-17-jre-headless"
        )
    return loaded


@dataclass(frozen=True)
class SparkSource:
    """Edges in a DataFrame, whose partitions are read by the first tasks."""

    frame: Any
    tasks: int
    reader: BlobReader


class SparkExecutor:
    """Runs stages as jobs of Spark. Spark runs a task again that was lost."""

    name = "spark"
    in_order = False

    def __init__(self, session: Any) -> None:
        self._session = session

    @cached_property
    def workers(self) -> int:
        """How many tasks run at a time."""
        return max(1, int(self._session.sparkContext.defaultParallelism))

    def run(self, steps: Sequence[Step], source: SparkSource | None = None) -> list[Any]:
        """Runs stages; returns what the tasks of the last report."""
        with self._settings(), self._stopped_by_interrupts():
            messages = self._first(steps[0], source)
            for step in steps[1:]:
                received = messages.repartitionById(step.tasks, "target")
                messages = received.mapInArrow(_receiver(step.stage), MESSAGE)
            with own_errors():
                rows = messages.select("data").collect()
        return [json.loads(bytes(row[0])) for row in rows]

    def _first(self, step: Step, source: SparkSource | None) -> Any:
        first = 0 if source is None else source.tasks
        frames = []
        if source is not None:
            frames.append(source.frame.mapInArrow(_reader(step.stage, source.reader), MESSAGE))
        if first < step.tasks:
            others = self._session.range(first, step.tasks, 1, step.tasks - first)
            frames.append(others.mapInArrow(_by_number(step.stage), MESSAGE))
        return frames[0] if len(frames) == 1 else frames[0].union(frames[1])

    @contextmanager
    def _stopped_by_interrupts(self) -> Iterator[None]:
        """Ctrl-C ends the jobs of the block, and no others, on the executors too."""
        context, tag = self._session.sparkContext, f"skerry-{uuid4().hex}"
        context.addJobTag(tag)
        try:
            yield
        except BaseException as error:
            interrupt = _interrupt_of(error)
            if interrupt is None:
                raise
            with suppress(Exception):  # a terminal's Ctrl-C may have ended Spark itself
                context.cancelJobsWithTag(tag)
                _wait_for_tasks(context)
            raise interrupt from None
        finally:
            with suppress(Exception):
                context.removeJobTag(tag)

    @contextmanager
    def _settings(self) -> Iterator[None]:
        """Batches of some blobs: ten thousand of 16 MB would fit no memory."""
        wanted = {BATCH_BYTES: str(64 << 20), BATCH_ROWS: "10000"}
        conf = self._session.conf
        before = {name: conf.get(name, None) for name in wanted}
        for name, value in wanted.items():
            conf.set(name, value)
        try:
            yield
        finally:
            with suppress(Exception):
                for name, old in before.items():
                    if old is None:
                        conf.unset(name)
                    else:
                        conf.set(name, old)


def _interrupt_of(error: BaseException | None) -> KeyboardInterrupt | None:
    """The Ctrl-C that an error is, or comes from: PySpark may fail while it handles one."""
    seen: set[int] = set()  # an error may be its own cause
    waiting = [error]
    while waiting:
        each = waiting.pop()
        if isinstance(each, KeyboardInterrupt):
            return each
        if each is not None and id(each) not in seen:
            seen.add(id(each))
            waiting += [each.__cause__, each.__context__]
    return None


def _wait_for_tasks(context: Any) -> None:
    """Lets tasks that were cancelled end, so that nothing is written after the run has ended."""
    end = time.monotonic() + STOP_SECONDS
    tracker = context._jsc.sc().statusTracker()
    while time.monotonic() < end:
        if not any(each.numRunningTasks() for each in tracker.getExecutorInfos()):
            return
        time.sleep(0.05)


Batches = Iterable[Any]


def _receiver(stage: Stage) -> Callable[[Batches], Iterator[Any]]:
    """The function of a stage that gets messages."""

    def run(batches: Batches) -> Iterator[Any]:
        rows = []
        for batch in batches:
            columns = [batch.column(i) for i in range(5)]
            keys = zip(*(column.to_pylist() for column in columns[:4]), strict=True)
            rows += [
                (channel, sender, sequence, target, columns[4][i].as_buffer())
                for i, (target, sender, sequence, channel) in enumerate(keys)
            ]
        rows.sort(key=lambda row: row[:3])
        inbox: dict[str, list[Blob]] = {}
        for channel, _, _, _, data in rows:
            inbox.setdefault(channel, []).append(np.frombuffer(data, np.uint8))
        if rows:
            yield from _rows(stage, rows[0][3], inbox)

    return run


def _reader(stage: Stage, reader: BlobReader) -> Callable[[Batches], Iterator[Any]]:
    """The function of a first stage, which gets the rows of the input."""

    def run(batches: Batches) -> Iterator[Any]:
        from pyspark import TaskContext

        arrow = require_arrow("Spark")

        def blobs() -> Iterator[Blob]:
            for batch in batches:
                yield from reader.blobs([TablePart(arrow.Table.from_batches([batch]))])

        context = TaskContext.get()
        task = 0 if context is None else context.partitionId()
        yield from _rows(stage, task, {EDGES: blobs()})

    return run


def _by_number(stage: Stage) -> Callable[[Batches], Iterator[Any]]:
    """The function of a first stage whose tasks get their numbers only."""

    def run(batches: Batches) -> Iterator[Any]:
        for batch in batches:
            for task in batch.column(0).to_pylist():
                yield from _rows(stage, task, {})

    return run


def _device() -> str | None:
    """The GPU that Spark has lent this task, if any."""
    from pyspark import TaskContext

    context = TaskContext.get()
    gpu = None if context is None else context.resources().get("gpu")
    return None if gpu is None else f"cuda:{gpu.addresses[0]}"


def _rows(stage: Stage, task: int, inbox: Inbox) -> Iterator[Any]:
    with joining_on(_device()), spilling_to(spark_folder(task)):
        yield from _batches(stage(task, inbox), task)
    give_back_memory()


def _batches(messages: Iterable[Any], task: int) -> Iterator[Any]:
    arrow = require_arrow("Spark")
    schema = arrow.schema(
        list(zip(NAMES, ["int32", "int32", "int32", "string", "binary"], strict=True))
    )
    for sequence, (target, channel, blob) in enumerate(messages):
        columns = [[target], [task], [sequence], [channel], [blob.tobytes()]]
        arrays = [
            arrow.array(values, field.type) for values, field in zip(columns, schema, strict=True)
        ]
        yield arrow.record_batch(arrays, schema=schema)


@contextmanager
def own_errors() -> Iterator[None]:
    """Raises what a stage has raised in place of Spark's error, and says what a full disk is."""
    try:
        yield
    except Exception as error:
        raise _own_error(error) from error


def _own_error(error: Exception) -> Exception:
    """The error that a stage has raised, without Spark's traces; else the error itself."""
    text = str(error)
    for kind in OWN_ERRORS:
        marker = f"{kind.__module__}.{kind.__name__}: "
        if marker in text:
            return kind(text.partition(marker)[2].splitlines()[0])
    for reason in FULL:
        if reason in text:
            line = next(line for line in text.splitlines() if reason in line)
            return OutputError(
                f"Spark could not write: {line.strip()}; free space where spark.local.dir and the "
                "output are, and run again with the same state"
            )
    return error
