"""Progress with rate and remaining time: on a terminal, after a second, and gone when it is done.

A `Watch` stands between a stream of edges and whoever reads it, so all that reads a stream (a fold,
a check, a writer) is watched in the same way, and nothing of it has to know.
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

from skerry.cli.format_numbers import bytes_of, span
from skerry.graph.edge_source import Batch, EdgeSource

__all__ = ["Watch"]

PATIENCE = 0.8
"""Seconds of silence: what is done by then needs no picture."""


class Watch:
    """Counts what passes by, and shows it on stderr if that is a terminal; a context manager."""

    def __init__(self, quiet: bool = False) -> None:
        self.edges = 0
        self.bytes = 0
        """Of the stream that was read last, as far as it was read."""
        self._progress: Progress | None = None
        self._task: Any = None
        self._lock = Lock()
        if not quiet and sys.stderr.isatty():
            self._progress = Progress(
                SpinnerColumn(),
                TextColumn("{task.description}", table_column=Column(no_wrap=True)),
                BarColumn(bar_width=20),
                _Told(Column(no_wrap=True, overflow="crop")),
                console=Console(stderr=True, highlight=False),
                transient=True,
                refresh_per_second=8,
            )
            self._timer = Timer(PATIENCE, self._show)
            self._timer.daemon = True

    def __enter__(self) -> Watch:
        if self._progress is not None:
            self._task = self._progress.add_task("starting", total=None, edges=0, bytes=0)
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

    def say(self, doing: str) -> None:
        """What is being done from now on; how long it will take is not known."""
        if self._progress is not None:
            self._progress.reset(self._task, total=None, description=doing, edges=0, bytes=0)

    def told(self, done: int, total: int | None) -> None:
        """So many bytes of so many, of what is not a stream."""
        self.bytes = done
        if self._progress is not None:
            self._progress.update(self._task, completed=done, total=total, bytes=done)

    def of(
        self, stream: EdgeSource, doing: str, then: str = "", again: str | None = None
    ) -> EdgeSource:
        """The same stream, watched.

        ``then`` is what is done when all of it was read, ``again`` what is done when it is read
        once more.
        """
        tasks = chain([doing], repeat(again or doing))

        def open_watched(threads: int) -> Iterator[Batch]:
            self._begin(stream, next(tasks))
            batches = stream.open(threads)
            try:
                for batch in batches:
                    yield batch
                    self._count(batch)
                    del batch
                if then:
                    self.say(then)
            finally:
                close = getattr(batches, "close", None)
                if close is not None:
                    close()

        return replace(stream, open=open_watched)

    def _begin(self, stream: EdgeSource, doing: str) -> None:
        self.edges = self.bytes = 0
        self._by_bytes = bool(stream.num_bytes)
        if self._progress is not None:
            total = stream.num_bytes or stream.num_edges
            self._progress.reset(self._task, total=total, description=doing, edges=0, bytes=0)

    def _count(self, batch: Batch) -> None:
        src = batch.src
        self.edges += len(src[0]) if isinstance(src, tuple) else len(src)
        self.bytes += batch.consumed
        if self._progress is not None:
            done = self.bytes if self._by_bytes else self.edges
            self._progress.update(self._task, completed=done, edges=self.edges, bytes=self.bytes)


class _Told(ProgressColumn):
    """Percent, rates and the remaining time, as far as they are known."""

    def render(self, task: Task) -> Text:
        seconds = task.elapsed or 0.0
        said = []
        if task.total:
            said.append(f"{min(task.completed / task.total, 1):4.0%}")
        if seconds > 0 and task.fields["edges"]:
            said.append(f"{task.fields['edges'] / seconds / 1e6:.3g}M edges/s")
        if seconds > 0 and task.fields["bytes"]:
            said.append(f"{bytes_of(task.fields['bytes'] / seconds)}/s")
        if task.total and task.completed:
            left = seconds * (task.total / task.completed - 1)
            said.append(f"{span(left)} left")
        else:
            said.append(span(seconds))
        return Text("  ".join(said), style="dim")
