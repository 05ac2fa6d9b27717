"""Progress as a command shows it: on a terminal, or as lines of its log."""

from __future__ import annotations

from skerry.cli.progress import ProgressDisplay
from skerry.cli.run_log import RunLog, current_log
from skerry.io import Batch, EdgeSource, ReadPosition


def progress_display(quiet: bool = False) -> ProgressDisplay:
    """The display of a command: its log where it has one, else that of a terminal."""
    log = current_log()
    return ProgressDisplay(quiet) if log is None else _LoggedProgress(log)


class _LoggedProgress(ProgressDisplay):
    """Shows nothing, and logs what would be shown."""

    def __init__(self, log: RunLog) -> None:
        super().__init__(quiet=True)
        self._run_log = log
        self._total: int | None = None

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        self._run_log.end()

    def begin(self, task: str) -> None:
        super().begin(task)
        self._total = None
        self._run_log.begin(task)

    def update(self, done: int, total: int | None) -> None:
        super().update(done, total)
        self._run_log.count(done, total, 0, done)

    def advance(self, done: int, total: int) -> None:
        super().advance(done, total)
        self._run_log.count(done, total, 0, 0)

    def _begin_source(self, source: EdgeSource, task: str, position: ReadPosition) -> None:
        super()._begin_source(source, task, position)
        self._total = source.num_bytes or source.num_edges
        self._run_log.begin(task, self._total, self.edges, self.bytes)

    def _count(self, batch: Batch) -> None:
        super()._count(batch)
        done = self.bytes if self._by_bytes else self.edges
        self._run_log.count(done, self._total, self.edges, self.bytes)
