"""Checkpoints of a run that goes to disk: its files outlive it, and one more says how far it is."""

from __future__ import annotations

from time import perf_counter
from typing import Any, Protocol

from skerry.engines.streaming.checkpoints import Checkpoints
from skerry.engines.streaming.joined_sets import Counts
from skerry.errors import InputError
from skerry.formats.saved_file import Saved
from skerry.graph.edge_source import ReadPosition
from skerry.result.plan import PhaseTimer

SECONDS = 30.0
"""Between two checkpoints, where memory is not full before."""
DAMAGED = "the checkpoint is damaged: its edges are not those that were written"


class Due:
    """Whether it is time for the next checkpoint."""

    def __init__(self) -> None:
        self._begin = perf_counter()

    @property
    def passed(self) -> bool:
        """Whether it is."""
        return perf_counter() - self._begin >= SECONDS


class SpillSink(Protocol):
    """Where edges are written to."""

    def is_due(self) -> bool:
        """Whether a checkpoint would be of use now."""
        ...

    def saved(self) -> dict[str, Any]:
        """What a checkpoint says, of files that are safe on the disk."""
        ...

    def restore(self, described: dict[str, Any]) -> None:
        """Goes on from what a checkpoint says."""
        ...


class SpillCheckpoints(Checkpoints):
    """Writes a checkpoint now and then, and restores the last one."""

    spills = True

    def restore_spilled(self, sink: SpillSink, counts: Counts, timer: PhaseTimer) -> ReadPosition:
        """As `restore`."""

        def restore(saved: Saved) -> None:
            described = saved.description.get("spilled")
            if not isinstance(described, dict):
                raise InputError(DAMAGED)
            sink.restore(described)

        return self._restored(restore, counts, timer)

    def write_spilled(
        self, sink: SpillSink, counts: Counts, offset: tuple[int, ...] | None, timer: PhaseTimer
    ) -> None:
        """Writes a checkpoint behind a batch, if the sink wants one."""
        if offset is None or self.compares or not sink.is_due():
            return
        with timer.phase("write checkpoint"):
            self._store({"spilled": sink.saved()}, {}, counts, offset)
