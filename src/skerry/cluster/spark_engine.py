"""Spark as an engine: stages are ``mapInArrow``, messages are rows that go to their receivers.

A run is one job of Spark: nothing is computed before the reports of the last stage are collected.
Rows of a task are sorted, so that a task that runs again after a lost executor sends the same rows
in the same order, whatever order its input came in. Messages are rows of bytes: rows of pairs,
which Spark could join itself, are twice as many bytes in its shuffles.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np

from skerry.cluster.edge_input import BlobReader, TablePart
from skerry.cluster.edge_pieces import spilling_to
from skerry.cluster.joiner import joining_on
from skerry.cluster.pairs import Blob
from skerry.cluster.stage import EDGES, Inbox, Message, Stage, Step
from skerry.cluster.state import StateError
from skerry.config import has_java, spark_folder
from skerry.errors import InputError, OutputError, SkerryError, UnsupportedError
from skerry.formats.memory import give_back_memory
from skerry.optional import require_arrow

MESSAGE = "place int, target int, sender int, sequence int, channel string, data binary"
NAMES = ["place", "target", "sender", "sequence", "channel", "data"]
OWN_ERRORS: tuple[type[SkerryError], ...] = (
    *(StateError, InputError, UnsupportedError, OutputError),
)
"""What a stage may raise; Spark passes on their texts."""
STATE_ERROR = f"{StateError.__module__}.{StateError.__name__}: "
"""Before a message of Spark's own that means lost state."""
FULL = ("No space left on device", "Disk quota exceeded", "File too large")
"""What Java says of a disk that is full."""
STOP_SECONDS = 3.0
"""How long a run that is stopped waits for its tasks at work; Spark gives them 2 seconds."""
ROW_BYTES = 1 << 17
"""Bytes of a message in a row: Spark hands 10,000 rows over at a time, and 2 GB at most."""
PARTS_OF_PARTITION = 4
"""Parts in a partition at most, where there are more than tasks: Spark starts less tasks, and what
it hands over at a time is still a small part of a task's memory."""


def spark_module(module: str) -> Any:
    """A module of PySpark, or an error that names the extra."""
    try:
        return import_module(module)
    except ImportError:
        raise UnsupportedError("this needs PySpark: pip install 'skerry[spark]'") from None


def require_spark() -> Any:
    """PySpark that can start a session here."""
    loaded = spark_module("pyspark.sql")
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
    """None: there are no edges."""
    tasks: int
    reader: BlobReader


class SparkExecutor:
    """Runs stages as jobs of Spark. Spark runs a task again that was lost."""

    name = "spark"
    in_order = False

    def __init__(self, session: Any) -> None:
        self._session = session
        self._context = classic_context(session)

    @cached_property
    def workers(self) -> int:
        """How many tasks run at a time, by default."""
        functions = spark_module("pyspark.sql.functions")
        numbers = self._session.range(1 << 16).select(functions.spark_partition_id().alias("part"))
        with self.named("number of workers"):
            (last,) = numbers.agg(functions.max("part")).first()
        return int(last) + 1

    def run(
        self, steps: Sequence[Step], source: SparkSource | None = None, name: str = ""
    ) -> list[Any]:
        """Runs stages; returns what the tasks of the last report."""
        places = [*(self._places(step.tasks) for step in steps[1:]), ()]
        with self.named(name), self._stopped_by_interrupts():
            messages = self._first(steps[0], source, Sending(name, places[0]))
            for step, own, after in zip(steps[1:], places, places[1:], strict=False):
                received = messages.repartition(len(set(own)), "place")
                received = received.sortWithinPartitions("target", "channel", "sender", "sequence")
                messages = received.mapInArrow(_receiver(step.stage, Sending(name, after)), MESSAGE)
            with own_errors():
                rows = messages.select("data").collect()
        return [json.loads(bytes(row[0])) for row in rows]

    def _places(self, tasks: int) -> tuple[int, ...]:
        """For each part a number that Spark's hash sends to its partition."""
        few = -(-tasks // PARTS_OF_PARTITION)
        partitions = min(tasks, max(2 * self.workers, few))
        keys = keys_of_partitions(partitions)
        return tuple(keys[task * partitions // tasks] for task in range(tasks))

    def _first(self, step: Step, source: SparkSource | None, sending: Sending) -> Any:
        frames, first = [], 0
        if source is not None and source.frame is not None:
            first = source.tasks
            frames.append(
                source.frame.mapInArrow(_reader(step.stage, source.reader, sending), MESSAGE)
            )
        if first < step.tasks:
            others = self._session.range(first, step.tasks, 1, step.tasks - first)
            frames.append(others.mapInArrow(_by_number(step.stage, sending), MESSAGE))
        return frames[0] if len(frames) == 1 else frames[0].union(frames[1])

    @contextmanager
    def named(self, name: str) -> Iterator[None]:
        """What Spark's pages call the jobs of the block; Spark Connect has tags instead."""
        description = f"skerry {name}"
        if self._context is None:
            with _tagged(self._session.addTag, self._session.removeTag, description):
                yield
            return
        before = self._context.getLocalProperty(DESCRIPTION)
        self._context.setLocalProperty(DESCRIPTION, description)
        try:
            yield
        finally:
            with suppress(Exception):
                self._context.setLocalProperty(DESCRIPTION, before)

    @contextmanager
    def _stopped_by_interrupts(self) -> Iterator[None]:
        """Ctrl-C ends the jobs of the block, and no others, on the executors too."""
        tag, session, context = f"skerry-{uuid4().hex}", self._session, self._context
        add, remove, cancel = (
            (session.addTag, session.removeTag, session.interruptTag)
            if context is None
            else (context.addJobTag, context.removeJobTag, context.cancelJobsWithTag)
        )
        try:
            with _tagged(add, remove, tag):
                yield
        except BaseException as error:
            interrupt = _interrupt_of(error)
            if interrupt is None:
                raise
            with suppress(Exception):  # a terminal's Ctrl-C may have ended Spark itself
                cancel(tag)
                # Tasks that were cancelled end, so that nothing is written after the run.
                time.sleep(STOP_SECONDS)
            raise interrupt from None


DESCRIPTION = "spark.job.description"


@contextmanager
def _tagged(add: Callable[[str], None], remove: Callable[[str], None], tag: str) -> Iterator[None]:
    add(tag)
    try:
        yield
    finally:
        with suppress(Exception):
            remove(tag)


def classic_context(session: Any) -> Any:
    """The context of a session; None with Spark Connect, which has none."""
    return None if ".connect." in type(session).__module__ else session.sparkContext


def keys_of_partitions(partitions: int) -> list[int]:
    """For each partition an integer that Spark's `HashPartitioning` sends there."""
    keys: dict[int, int] = {}
    number = 0
    while len(keys) < partitions:
        keys.setdefault(_spark_hash(number) % partitions, number)
        number += 1
    return [keys[partition] for partition in range(partitions)]


def _spark_hash(value: int) -> int:
    """Murmur3 of an integer, as Spark's hash() has it: with the seed 42, signed."""
    mixed = _rotated(value * 0xCC9E2D51, 15) * 0x1B873593
    mixed = _rotated(42 ^ mixed, 13) * 5 + 0xE6546B64
    mixed = (mixed & WORD) ^ 4
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1)):
        mixed = (mixed ^ mixed >> shift) * factor & WORD
    return mixed - (1 << 32) if mixed >> 31 else mixed


WORD = (1 << 32) - 1


def _rotated(value: int, bits: int) -> int:
    value &= WORD
    return (value << bits | value >> 32 - bits) & WORD


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


Batches = Iterable[Any]


class Sending(NamedTuple):
    """How a stage sends: what Spark's plans call it, and the places of the parts that receive."""

    run: str
    places: tuple[int, ...]

    def named(self, stage: Stage, function: Callable[[Batches], Iterator[Any]]) -> Any:
        """The function of a stage, by the name of the run and of the stage."""
        kind = type(getattr(stage, "stage", stage)).__name__
        function.__name__ = "_".join([*self.run.split(), kind])
        return function

    def rows(self, stage: Stage, task: int, inbox: Inbox) -> Iterator[Any]:
        """Runs the stage; its messages as rows."""
        with joining_on(_device()), spilling_to(spark_folder(task)):
            yield from self._batches(stage(task, inbox), task)
        give_back_memory()

    def _batches(self, messages: Iterable[Message], task: int) -> Iterator[Any]:
        arrow = require_arrow("Spark")
        kinds = ["int32", "int32", "int32", "int32", "string", "binary"]
        schema = arrow.schema(list(zip(NAMES, kinds, strict=True)))
        pieces = ((each, piece) for each in messages for piece in _pieces(each))
        for sequence, ((target, channel, _), piece) in enumerate(pieces):
            key = self.places[target] if self.places else 0
            row = key, target, task, sequence, channel, piece.tobytes()
            arrays = [
                arrow.array([value], field.type) for value, field in zip(row, schema, strict=True)
            ]
            yield arrow.record_batch(arrays, schema=schema)


def _pieces(message: Message) -> Iterator[Blob]:
    blob = message.blob
    if message.channel == "report":
        yield blob
        return
    for begin in range(0, len(blob), ROW_BYTES):
        yield blob[begin : begin + ROW_BYTES]


def _receiver(stage: Stage, sending: Sending) -> Any:
    """The function of a stage that gets messages, sorted: part after part."""

    def run(batches: Batches) -> Iterator[Any]:
        rows = (row for batch in batches for row in _rows_of(batch))
        for target, own in groupby(rows, itemgetter(0)):
            inbox: dict[str, list[Blob]] = {}
            for _, channel, data in own:
                inbox.setdefault(channel, []).append(np.frombuffer(data, np.uint8))
            yield from sending.rows(stage, target, inbox)

    return sending.named(stage, run)


def _rows_of(batch: Any) -> Iterator[tuple[int, str, Any]]:
    targets, channels = (batch.column(NAMES.index(n)).to_pylist() for n in ("target", "channel"))
    data = batch.column(NAMES.index("data"))
    for i, (target, channel) in enumerate(zip(targets, channels, strict=True)):
        yield target, channel, data[i].as_buffer()


def _reader(stage: Stage, reader: BlobReader, sending: Sending) -> Any:
    """The function of a first stage, which gets the rows of the input."""

    def run(batches: Batches) -> Iterator[Any]:
        from pyspark import TaskContext

        arrow = require_arrow("Spark")

        def blobs() -> Iterator[Blob]:
            for batch in batches:
                yield from reader.blobs([TablePart(arrow.Table.from_batches([batch]))])

        context = TaskContext.get()
        task = 0 if context is None else context.partitionId()
        yield from sending.rows(stage, task, {EDGES: blobs()})

    return sending.named(stage, run)


def _by_number(stage: Stage, sending: Sending) -> Any:
    """The function of a first stage whose tasks get their numbers only."""

    def run(batches: Batches) -> Iterator[Any]:
        for batch in batches:
            for task in batch.column(0).to_pylist():
                yield from sending.rows(stage, task, {})

    return sending.named(stage, run)


def _device() -> str | None:
    """The GPU that Spark has lent this task, if any."""
    from pyspark import TaskContext

    context = TaskContext.get()
    gpu = None if context is None else context.resources().get("gpu")
    return None if gpu is None else f"cuda:{gpu.addresses[0]}"


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
