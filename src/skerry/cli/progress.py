"""Progress with rate and remaining time: on a terminal, after a second, and removed when done.

A `ProgressDisplay` stands between a source of edges and its reader. So everything that reads a
source (an engine, a verification, a writer) shows its progress in the same way, and has no code for
it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, repeat
from threading import Lock, Timer
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, SpinnerColumn, Task, TextColumn
from rich.table import Column
from rich.text import Text

from skerry.cli.format_numbers import bytes_of, clock_time
from skerry.io import Batch, EdgeSource, ReadPosition

__all__ = ["ProgressDisplay"]

READ = "read edges"
DELAY = 0.8
"""Seconds before anything is shown: what is done by then needs no progress bar."""


class ProgressDisplay:
    """Counts edges and bytes, and shows them if standard error is a terminal; a context manager."""

    def __init__(self, quiet: bool = False) -> None:
        self.edges = 0
        self.bytes = 0
        """Of the source that was read last, as far as it was read."""
        self._progress: Progress | None = None
        self._task: Any = None
        self._lock = Lock()
        if not quiet and sys.stderr.isatty():
            self._progress = Progress(
                SpinnerColumn(),
                TextColumn("{task.description}", table_column=Column(no_wrap=True)),
                BarColumn(bar_width=20),
                _Rates(Column(no_wrap=True, overflow="crop")),
                console=Console(stderr=True, highlight=False),
                transient=True,
                refresh_per_second=8,
            )
            self._timer = Timer(DELAY, self._show)
            self._timer.daemon = True

    def __enter__(self) -> ProgressDisplay:
        if self._progress is not None:
            self._task = self._progress.add_task(
                "starting", total=None, edges=0, bytes=0, before=(0, 0, 0)
            )
            self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._progress is not None:
            self._timer.cancel()
            with self._lock:
                progress, self._progress = self._progress, None
                progress.stop()

    def _show(self) -> None:
        with self._lock:
            if self._progress is not None:
                self._progress.start()

    def begin(self, task: str) -> None:
        """Starts a task of unknown length."""
        if self._progress is not None:
            # rich replaces all fields by those named here, and draws them at once.
            counts = {"edges": 0, "bytes": 0, "before": (0, 0, 0)}
            self._progress.reset(self._task, total=None, description=task, **counts)

    def update(self, done: int, total: int | None) -> None:
        """Sets the bytes done, and their total where it is known, of what is not a source."""
        self.bytes = done
        if self._progress is not None:
            self._progress.update(self._task, completed=done, total=total, bytes=done)

    def advance(self, done: int, total: int) -> None:
        """Sets how much is done of something that has neither edges nor bytes: rows written."""
        if self._progress is not None:
            self._progress.update(self._task, completed=done, total=total)

    def show_pass(self, name: str, done: int, total: int) -> None:
        """Shows how far a pass is that reads no source: see `skerry.request.Spill`."""
        if name == READ:  # its batches are tracked
            return
        if not done:
            self.begin(name)
        self.advance(done, total)

    def track(
        self, source: EdgeSource, task: str, then: str = "", again: str | None = None
    ) -> EdgeSource:
        """The same source, with progress.

        ``then`` is the task after the last batch, ``again`` the task of a second reading.
        """
        tasks = chain([task], repeat(again or task))

        def tracked(batches: Iterator[Batch]) -> Iterator[Batch]:
            try:
                for batch in batches:
                    yield batch
                    self._count(batch)
                    del batch
                if then:
                    self.begin(then)
            finally:
                close = getattr(batches, "close", None)
                if close is not None:
                    close()

        def open_tracked(threads: int) -> Iterator[Batch]:
            self._begin_source(source, next(tasks), ReadPosition())
            yield from tracked(source.open(threads))

        def open_at(threads: int, position: ReadPosition) -> Iterator[Batch]:
            assert source.open_at is not None
            begin = next(tasks)
            continued = f"{begin} on from a checkpoint" if position.offset else begin
            self._begin_source(source, continued, position)
            yield from tracked(source.open_at(threads, position))

        return replace(
            source, open=open_tracked, open_at=None if source.open_at is None else open_at
        )

    def _begin_source(self, source: EdgeSource, task: str, position: ReadPosition) -> None:
        _, self.edges, self.bytes = position
        self._by_bytes = bool(source.num_bytes)
        if self._progress is not None:
            total = source.num_bytes or source.num_edges
            done = self.bytes if self._by_bytes else self.edges
            counts = {
                "edges": self.edges,
                "bytes": self.bytes,
                "before": (done, self.edges, self.bytes),  # which rates leave out
            }
            self._progress.reset(
                self._task, total=total, completed=done, description=task, **counts
            )

    def _count(self, batch: Batch) -> None:
        src = batch.src
        self.edges += len(src[0]) if isinstance(src, tuple) else len(src)
        self.bytes += batch.consumed
        if self._progress is not None:
            done = self.bytes if self._by_bytes else self.edges
            self._progress.update(self._task, completed=done, edges=self.edges, bytes=self.bytes)


class _Rates(ProgressColumn):
    """Percent, rates and the remaining time, as far as they are known."""

    def render(self, task: Task) -> Text:
        seconds = task.elapsed or 0.0
        parts = []
        if task.total:
            parts.append(f"{min(task.completed / task.total, 1):4.0%}")
        completed, edges, read = task.fields["before"]
        if seconds > 0 and task.fields["edges"] > edges:
            parts.append(f"{(task.fields['edges'] - edges) / seconds / 1e6:.3g}M edges/s")
        if seconds > 0 and task.fields["bytes"] > read:
            parts.append(f"{bytes_of((task.fields['bytes'] - read) / seconds)}/s")
        if task.total and task.completed > completed:
            remaining = seconds * (task.total - task.completed) / (task.completed - completed)
            parts.append(f"{clock_time(remaining)} left")
        else:
            parts.append(clock_time(seconds))
        return Text("  ".join(parts), style="dim")
