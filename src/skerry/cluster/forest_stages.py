"""Route (a), for vertices that fit one worker: forests of tasks are merged in a tree.

The forest of a task is a pair (id, smallest id of its tree) for every id. Such pairs are edges
again, so that merging forests is joining once more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from skerry.cluster.id_types import IdCodec
from skerry.cluster.joiner import TaskJoiner
from skerry.cluster.pairs import Pairs, concatenated, pairs_of
from skerry.cluster.stage import EDGES, Inbox, Message, Step, report, send
from skerry.cluster.state import StateFolder
from skerry.ids.content_sum import ContentSum

FAN_IN = 8
"""Forests that one task merges."""


@dataclass(frozen=True)
class EdgeFiles:
    """Edges that a round has written: files for each of the tasks that read them."""

    state: StateFolder
    names: tuple[str, ...]
    facts: tuple[ContentSum, ...]
    readers: int
    """Tasks that read. Few, so that edges between the same ids meet in one table."""

    def read_by(self, tasks: int) -> EdgeFiles:
        """The same files, for so many tasks at most."""
        return replace(self, readers=max(1, min(tasks, len(self.names))))

    def batches(self, task: int) -> Iterator[Pairs]:
        """The edges of a task, some at a time."""
        begin, end = (len(self.names) * i // self.readers for i in (task, task + 1))
        for name, facts in zip(self.names[begin:end], self.facts[begin:end], strict=True):
            yield from self.state.batches_of_pairs(name, facts)


def edges_of(task: int, inbox: Inbox, files: EdgeFiles | None) -> Iterator[Pairs]:
    """All edges that a task gets, some at a time."""
    if files is not None:
        yield from files.batches(task)
    for blob in inbox.get(EDGES, ()):
        yield pairs_of(blob)


def joined(task: int, inbox: Inbox, files: EdgeFiles | None) -> TaskJoiner:
    """All edges that a task gets, joined."""
    joiner = TaskJoiner()
    for pairs in edges_of(task, inbox, files):
        joiner.add(pairs)
    return joiner


@dataclass(frozen=True)
class JoinForests:
    """Joins edges and sends the forest to one task of the next stage."""

    fan_in: int
    files: EdgeFiles | None = None

    def __call__(self, task: int, inbox: Inbox) -> Iterator[Message]:
        """Runs the stage."""
        yield from send(task // self.fan_in, EDGES, joined(task, inbox, self.files).labels())


@dataclass(frozen=True)
class SpreadLabels:
    """Joins the last forests, in one task, and sends equal ranges of ids to tasks that write."""

    writers: int
    files: EdgeFiles | None = None

    def __call__(self, task: int, inbox: Inbox) -> Iterator[Message]:
        """Runs the stage."""
        labels = joined(task, inbox, self.files).labels()
        ends = 2 * (np.arange(1, self.writers) * (len(labels) // 2) // self.writers)
        for writer, part in enumerate(np.split(labels, ends)):
            yield from send(writer, "labels", part)


@dataclass(frozen=True)
class WriteLabels:
    """Writes the labels that it is sent, and reports how many there are, and of components."""

    state: StateFolder
    codec: IdCodec

    def __call__(self, task: int, inbox: Inbox) -> Iterator[Message]:
        """Runs the stage."""
        labels = concatenated(inbox.get("labels", ()))
        yield report(write_labels(self.state, task, labels, self.codec))


def write_labels(state: StateFolder, task: int, labels: Pairs, codec: IdCodec) -> dict[str, object]:
    """Writes pairs of ids and labels, and returns what is reported."""
    name = f"labels/part-{task:05}.parquet"
    facts = state.write_pairs(name, labels, codec)
    count = int(np.count_nonzero(labels[0::2] == labels[1::2]))
    return {"name": name, "facts": facts, "components": count}


def merge_steps(tasks: int, files: EdgeFiles | None = None) -> tuple[list[Step], EdgeFiles | None]:
    """Steps that join in ``tasks`` tasks and merge until one task can take all that is left.

    Returns the files too if there is no step, so that this one task has to read them.
    """
    steps: list[Step] = []
    tasks = tasks if files is None else files.readers
    while tasks > 1:
        fan_in = min(tasks, FAN_IN)
        steps.append(Step(JoinForests(fan_in, files), tasks))
        tasks, files = -(-tasks // fan_in), None
    return steps, files
