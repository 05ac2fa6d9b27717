"""What was sent is what was received: every task tells each receiver how much it has sent to it.

Engines move messages reliably, and lose them all the same: files of a shuffle that a retried task
wrote in another order, or that vanished with a machine. A label that does not arrive would be a
wrong label. So each task sends its counts to all tasks of the next stage, which compare.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from skerry.cluster.pairs import Blob
from skerry.cluster.stage import Inbox, Message, Stage, Step
from skerry.cluster.state import StateError

COUNTS = "counts "
"""Channels of counts begin so; the channel that they are about follows."""


@dataclass(frozen=True)
class Counted:
    """A stage that checks what it received and says what it has sent."""

    stage: Stage
    senders: int | None
    """Tasks of the stage before; None: there is none, or its messages come from the input."""
    receivers: int | None
    """Tasks of the next stage; None: the driver receives."""

    def __call__(self, task: int, inbox: Inbox) -> Iterator[Message]:
        """Runs the stage."""
        if self.senders is not None:
            inbox = self._checked(inbox)
        sent: list[Counter[str]] = [Counter() for _ in range(self.receivers or 0)]
        for message in self.stage(task, inbox):
            if self.receivers is not None:
                sent[message.target][message.channel] += message.blob.nbytes
            yield message
        for target, sizes in enumerate(sent):
            yield Message(target, COUNTS, _words(task))
            for channel in sorted(sizes):
                yield Message(target, COUNTS + channel, _words(sizes[channel]))

    def _checked(self, inbox: Inbox) -> dict[str, list[Blob]]:
        blobs = {channel: list(received) for channel, received in inbox.items()}
        heard = sorted(int(blob.view(np.uint64)[0]) for blob in blobs.get(COUNTS, []))
        if heard != list(range(self.senders or 0)):
            raise StateError(
                f"{type(self.stage).__name__}: messages came from {len(heard):,} tasks, not once "
                f"from each of {self.senders:,}"
            )
        data = {name: each for name, each in blobs.items() if not name.startswith(COUNTS)}
        for channel in sorted({name.removeprefix(COUNTS) for name in blobs} - {""}):
            announced = sum(int(b.view(np.uint64)[0]) for b in blobs.get(COUNTS + channel, []))
            received = _size(data.get(channel, []))
            if announced != received:
                raise StateError(
                    f"{type(self.stage).__name__}: {received:,} bytes of {channel} came, and "
                    f"{announced:,} were sent"
                )
        return data


def counted(steps: Sequence[Step]) -> list[Step]:
    """The same steps, with what they send compared with what they receive."""
    senders = [None, *(step.tasks for step in steps[:-1])]
    receivers = [*(step.tasks for step in steps[1:]), None]
    return [
        Step(Counted(step.stage, before, after), step.tasks)
        for step, before, after in zip(steps, senders, receivers, strict=True)
    ]


def _words(number: int) -> Blob:
    return np.array([number], np.uint64).view(np.uint8)


def _size(blobs: Iterable[Blob]) -> int:
    return sum(blob.nbytes for blob in blobs)
