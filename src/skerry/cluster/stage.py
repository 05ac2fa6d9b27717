"""What a stage is, and what an engine must do for it.

A stage is a function of the number of its task and of what was sent to it, and yields messages to
tasks of the next stage. It is deterministic: the same blobs give the same messages in the same
order, whichever machine runs it, and however often. What outlives a run is written as state.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from skerry.cluster.pairs import Blob, Pairs, blobs_of

EDGES = "edges"
"""The channel of edges that come from the input."""


class Message(NamedTuple):
    """A blob for a task of the next stage; from the last stage, for the driver."""

    target: int
    channel: str
    blob: Blob


Inbox = Mapping[str, Iterable[Blob]]
"""By channel, what was sent to a task, in the order of the senders. A channel is read once."""

Stage = Callable[[int, Inbox], Iterator[Message]]
"""A pure function that can be pickled."""


class Step(NamedTuple):
    """A stage and how many tasks run it."""

    stage: Stage
    tasks: int


class Executor(Protocol):
    """An engine: it schedules, moves and retries, and knows nothing of graphs."""

    name: str
    in_order: bool
    """Whether a task that runs again gets the edges of the input in the same order."""

    @property
    def workers(self) -> int:
        """How many tasks run at a time."""
        ...

    def run(self, steps: Sequence[Step], source: Any = None, name: str = "") -> list[Any]:
        """Runs stages one after the other; returns what the last ones report.

        Parameters
        ----------
        steps
            Messages of one go to the tasks of the next.
        source
            The engine's own input: what the tasks of the first stage get as `EDGES`; None:
            nothing is sent to them.
        name
            What the engine's own page of jobs calls this, such as a round.
        """
        ...


def send(target: int, channel: str, pairs: Pairs) -> Iterator[Message]:
    """Pairs to a task."""
    for blob in blobs_of(pairs):
        yield Message(target, channel, blob)


def report(value: Any) -> Message:
    """What a task of the last stage tells the driver: anything that JSON can hold."""
    text = json.dumps(value, sort_keys=True).encode()
    return Message(0, "report", np.frombuffer(text, np.uint8))
