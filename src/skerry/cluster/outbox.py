"""What a task has sent so far, until its engine takes it: some of it in memory, the rest on disk.

Ray takes the messages of a task when it has ended, receiver by receiver. A task that joins many
tables one after the other would hold all their trees until then.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from skerry.cluster.pairs import Blob
from skerry.cluster.stage import Message
from skerry.config import temporary_folder
from skerry.formats.spill_file import SpillFile, SpillFolder


class Stored(NamedTuple):
    """Where a blob is in the file."""

    begin: int
    size: int


class Outbox:
    """Messages by receiver."""

    def __init__(self, receivers: int, held: int | None) -> None:
        self._sent: list[list[tuple[int, str, Blob | Stored]]] = [[] for _ in range(receivers)]
        self._room = held
        """Bytes that may still be held in memory; None: any number."""
        self._file: SpillFile | None = None

    def put(self, receiver: int, message: Message) -> None:
        """Keeps a message for a receiver, which may be several targets."""
        target, channel, blob = message
        self._sent[receiver].append((target, channel, self._kept(blob)))

    def _kept(self, blob: Blob) -> Blob | Stored:
        if self._room is None:
            return blob
        if blob.nbytes <= self._room:
            self._room -= blob.nbytes
            return blob.copy()  # and not all that it is a part of
        if self._file is None:
            self._file = SpillFolder(temporary_folder()).file(np.uint8)
        begin = self._file.size
        self._file.append(blob)
        return Stored(begin, blob.nbytes)

    def take(self, receiver: int) -> list[tuple[int, str, Any]]:
        """Targets, channels and blobs for a receiver; reports as bytes. They are forgotten here."""
        messages, self._sent[receiver] = self._sent[receiver], []
        taken: list[tuple[int, str, Any]] = []
        for target, channel, kept in messages:
            blob = self._read(kept) if isinstance(kept, Stored) else kept
            taken.append((target, channel, blob.tobytes() if channel == "report" else blob))
        return taken

    def _read(self, stored: Stored) -> Blob:
        assert self._file is not None
        return self._file.part(stored.begin, stored.begin + stored.size)
