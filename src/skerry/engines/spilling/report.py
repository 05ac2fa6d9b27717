"""What a run on disk tells about its passes: the name of each, how far it is, and its time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from skerry.result.plan import PhaseTimer

ReportPass = Callable[[str, int, int], None]
"""Called with the name of the pass, how much of it is done, and how much it has in all."""


class PassReport:
    """Times the passes and tells how far they are."""

    def __init__(self, timer: PhaseTimer, report: ReportPass | None) -> None:
        self.timer = timer
        self._report = report
        self._name = ""

    @contextmanager
    def begin(self, name: str) -> Iterator[None]:
        """A pass."""
        self._name = name
        self.advance(0, 0)
        with self.timer.phase(name):
            yield

    def advance(self, done: int, total: int) -> None:
        """Tells how far the pass is."""
        if self._report is not None:
            self._report(self._name, done, total)
