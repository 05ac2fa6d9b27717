"""Ray as an engine: a task of a stage is a task of Ray, with a return value for each receiver."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from skerry.cluster.edge_input import BlobReader, InputPart
from skerry.cluster.joiner import joining_on
from skerry.cluster.outbox import Outbox
from skerry.cluster.pairs import Blob
from skerry.cluster.stage import EDGES, Stage, Step
from skerry.errors import SkerryError, UnsupportedError
from skerry.formats.memory import give_back_memory

TASKS_IN_FLIGHT = 2
"""Tasks that are submitted at a time, for each worker."""
TASKS_OF_WORKER = 4
"""Tasks of a stage, for each worker. A stage of more parts runs several in a task, one after the
other: Ray's own time grows with the number of messages between tasks."""
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

    def run(
        self,
        steps: Sequence[Step],
        source: Sequence[TaskInput] | None = None,
        name: str = "",
    ) -> list[Any]:
        """Runs stages; returns what the tasks of the last report."""
        ray = require_ray()
        window = Window(ray, TASKS_IN_FLIGHT * self.workers)
        bounds = [self._bounds(step.tasks) for step in steps]
        inboxes: list[list[Any]] = [[] for _ in bounds[0][1:]]
        try:
            for number, (step, own) in enumerate(zip(steps, bounds, strict=True)):
                after = bounds[number + 1] if number + 1 < len(steps) else [0, 1]
                remote = ray.remote(run_task).options(
                    num_returns=len(after), name=_name(name, step.stage), **self._resources
                )
                sent = []
                for parts, inbox in zip(pairwise(own), inboxes, strict=True):
                    inputs = source[slice(*parts)] if number == 0 and source else ()
                    window.make_room()
                    *returned, end = remote.remote(
                        step.stage, range(*parts), after, self._held, inputs, *inbox
                    )
                    window.tasks.append(end)
                    sent.append(returned)
                # The messages of all senders to a task, in the order of the senders.
                inboxes = [list(column) for column in zip(*sent, strict=True)]
            window.drain()
            return [json.loads(blob) for row in ray.get(inboxes[0]) for _, _, blob in row]
        except ray.exceptions.RayTaskError as error:
            window.stop()
            cause = error.cause
            if isinstance(cause, SkerryError | MemoryError):
                raise cause from error
            raise
        except BaseException:  # Ctrl-C, or an engine that gives up
            window.stop()
            raise

    def _bounds(self, parts: int) -> list[int]:
        """The first part of each task, and the number of parts."""
        tasks = min(parts, TASKS_OF_WORKER * self.workers)
        return [parts * task // tasks for task in range(tasks + 1)]


def _name(run: str, stage: Any) -> str:
    """What Ray's dashboard calls a task."""
    return " ".join(filter(None, ["skerry", run, type(getattr(stage, "stage", stage)).__name__]))


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
    stage: Stage,
    parts: range,
    after: list[int],
    held: int | None,
    source: Sequence[TaskInput],
    *inbox: Any,
) -> Iterator[Any]:
    """Some parts of a stage: messages by receiver, as lists of targets, channels and blobs.

    ``after`` has the first part of each receiver. The last return value is small: the driver waits
    for it, and fetches no message. Ray stores each value before it asks for the next, so that one
    receiver's messages are in memory at a time.
    """
    received: list[dict[str, Any]] = [{} for _ in parts]
    for messages in inbox:
        for target, channel, blob in messages:
            received[target - parts.start].setdefault(channel, []).append(blob)
    for own, task_input in zip(received, source, strict=False):
        own[EDGES] = task_input.blobs()
    outbox = Outbox(len(after) - 1, held)
    with joining_on("cuda" if require_ray().get_gpu_ids() else None):  # Ray shows it no other
        for part in parts:
            for message in stage(part, received[part - parts.start]):
                outbox.put(bisect_right(after, message.target) - 1, message)
            received[part - parts.start] = {}
            if held is not None:
                give_back_memory()
    del received, inbox
    for receiver in range(len(after) - 1):
        yield outbox.take(receiver)
    if held is not None:
        give_back_memory()
    yield None
