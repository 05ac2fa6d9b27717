"""An engine in this process: runs stages one task after the other, for tests and simulations."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from skerry.cluster.pairs import Blob, blobs_of
from skerry.cluster.stage import EDGES, Inbox, Message, Step


class LocalExecutor:
    """Runs stages here. Counts what would travel between machines.

    Parameters
    ----------
    workers
        How many tasks an engine of this size would run at a time.
    order
        Seed of the order in which tasks run and inboxes are filled, which must not matter; None:
        in the order of their numbers.
    repeat
        Whether to run every task twice and compare the messages.
    """

    name = "local"
    in_order = True

    def __init__(self, workers: int = 2, order: int | None = None, repeat: bool = False) -> None:
        self.workers = workers
        self._order = None if order is None else np.random.default_rng(order)
        self._repeat = repeat
        self.bytes_sent: Counter[str] = Counter()
        """By channel."""

    def run(
        self,
        steps: Sequence[Step],
        source: Sequence[Sequence[Any]] | None = None,
        name: str = "",
    ) -> Any:
        """Runs stages; a source is a list of arrays of pairs, or of blobs, for every task."""
        del name
        inboxes: list[dict[str, list[Blob]]] = [{} for _ in range(steps[0].tasks)]
        for task, arrays in enumerate(source or ()):
            by_array = [[each] if each.dtype == np.uint8 else blobs_of(each) for each in arrays]
            inboxes[task][EDGES] = [blob for blobs in by_array for blob in blobs]
        for number, step in enumerate(steps):
            last = number + 1 == len(steps)
            after: list[dict[str, list[Blob]]] = [
                {} for _ in range(1 if last else steps[number + 1].tasks)
            ]
            sent = [self._run_task(step, task, inboxes[task]) for task in self._tasks(step.tasks)]
            for messages in sent:
                for target, channel, blob in messages:
                    after[target].setdefault(channel, []).append(blob)
                    self.bytes_sent[channel] += blob.nbytes
            inboxes = after
        return [json.loads(blob.tobytes()) for blob in inboxes[0].get("report", [])]

    def _tasks(self, count: int) -> list[int]:
        if self._order is None:
            return list(range(count))
        return [int(task) for task in self._order.permutation(count)]

    def _run_task(self, step: Step, task: int, inbox: Inbox) -> list[Message]:
        messages = list(step.stage(task, inbox))
        if self._repeat:
            again = list(step.stage(task, inbox))
            same = [
                (a.target, a.channel) == (b.target, b.channel) and np.array_equal(a.blob, b.blob)
                for a, b in zip(messages, again, strict=True)
            ]
            if not all(same):
                raise AssertionError(f"{step.stage} gave other messages the second time")
        return messages
