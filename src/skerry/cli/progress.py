"""Progress with rate and remaining time: on a terminal, after a second, and removed when done.

A `ProgressDisplay` stands between a source of edges and its reader. So everything that reads a
source (an engine, a verification, a writer) shows its progress in the same way, and has no code for
it. The work only says how far it is; a thread of its own draws that, so that whatever goes wrong
with the terminal does not end the work.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, repeat
from threading import Event, Thread
from time import monotonic

from rich.cells import cell_len, set_cell_size

from skerry.cli.format_numbers import bytes_of, clock_time
from skerry.cli.safe_console import SafeConsole
from skerry.cli.terminal import clear_status, show_status
from skerry.io import Batch, EdgeSource, ReadPosition
from skerry.printable import printable

_log = logging.getLogger(__name__)

READ = "read edges"
DELAY = 0.8
"""Seconds before anything is shown: what is done by then needs no progress bar."""
INTERVAL = 0.125
"""Seconds between two drawings."""
USUAL_WIDTH = 80
"""Columns of a terminal that does not say how many it has."""
BAR = 20
SPINNER, ASCII_SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏", "|/-\\"


@dataclass(frozen=True, slots=True)
class Task:
    """What is done now, and how far it is."""

    name: str = "starting"
    done: int = 0
    """Bytes, edges or rows, as ``total`` is."""
    total: int | None = None
    edges: int = 0
    bytes: int = 0
    before: tuple[int, int, int] = (0, 0, 0)
    """``done``, ``edges`` and ``bytes`` of an earlier run, which rates leave out."""
    began: float = field(default_factory=monotonic)

    def figures(self, seconds: float) -> list[str]:
        """Percent, remaining time and rates, as far as they are known, the important first."""
        done, edges, bytes_before = self.before
        figures = []
        if self.total:
            figures.append(f"{min(self.done / self.total, 1):4.0%}")
        if self.total and self.done > done:
            remaining = max(seconds * (self.total - self.done) / (self.done - done), 0)
            figures.append(f"{clock_time(remaining)} left")
        else:
            figures.append(clock_time(seconds))
        if seconds > 0 and self.edges > edges:
            figures.append(f"{(self.edges - edges) / seconds / 1e6:.3g}M edges/s")
        if seconds > 0 and self.bytes > bytes_before:
            figures.append(f"{bytes_of((self.bytes - bytes_before) / seconds)}/s")
        return figures

    def line(self, width: int, now: float, plain: bool = False) -> str:
        """The line to draw: what does not fit is left out, the bar first.

        ``plain`` is for terminals that know only ASCII.
        """
        frames = ASCII_SPINNER if plain else SPINNER
        seconds = now - self.began
        start = f"{frames[int(now / INTERVAL) % len(frames)]} {printable(self.name)}"
        figures = self.figures(seconds)
        end = "  ".join(figures)
        while len(figures) > 1 and cell_len(start) + 1 + len(end) > width:
            figures.pop()
            end = "  ".join(figures)
        room = max(width - len(end) - 1, 0)
        if cell_len(start) > room:
            start = set_cell_size(start, room)
        elif self.total and cell_len(start) + 1 + BAR <= room:
            full = round(BAR * min(self.done / self.total, 1))
            bar, remaining = "#-" if plain else "━┄"
            start += f" {bar * full}{remaining * (BAR - full)}"
        return f"{start} {end}"[: max(width, 0)]


class ProgressDisplay:
    """Counts edges and bytes, and shows them if standard error is a terminal; a context manager."""

    def __init__(self, quiet: bool = False) -> None:
        self.edges = 0
        self.bytes = 0
        """Of the source that was read last, as far as it was read."""
        self._task = Task()
        self._ended = Event()
        shown = not quiet and sys.stderr.isatty() and not SafeConsole(stderr=True).is_dumb_terminal
        self._thread = Thread(target=self._draw, daemon=True) if shown else None

    def __enter__(self) -> ProgressDisplay:
        if self._thread is not None:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
            clear_status()

    def _draw(self) -> None:
        pause = DELAY
        while not self._ended.wait(pause) and self._try_to_draw():
            pause = INTERVAL

    def _try_to_draw(self) -> bool:
        try:
            draw(self._task)
        except Exception as error:  # the terminal has gone, for instance: the work goes on
            _log.debug("progress cannot be drawn: %r", error)
            return False
        return True

    def _set(self, task: Task) -> None:
        """Changes what is drawn next."""
        self._task = task

    def begin(self, task: str) -> None:
        """Starts a task of unknown length."""
        self._set(Task(task))

    def update(self, done: int, total: int | None) -> None:
        """Sets the bytes done, and their total where it is known, of what is not a source."""
        self.bytes = done
        self._set(replace(self._task, done=done, total=total, bytes=done))

    def advance(self, done: int, total: int) -> None:
        """Sets how much is done of something that has neither edges nor bytes: rows written."""
        self._set(replace(self._task, done=done, total=total))

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
        done = self.bytes if self._by_bytes else self.edges
        self._set(
            Task(
                task,
                done,
                source.num_bytes or source.num_edges,
                self.edges,
                self.bytes,
                (done, self.edges, self.bytes),
            )
        )

    def _count(self, batch: Batch) -> None:
        src = batch.src
        self.edges += len(src[0]) if isinstance(src, tuple) else len(src)
        self.bytes += batch.consumed
        done = self.bytes if self._by_bytes else self.edges
        self._set(replace(self._task, done=done, edges=self.edges, bytes=self.bytes))


def draw(task: Task) -> None:
    """Draws the line of a task; the last column stays free, or some terminals would wrap it."""
    try:
        columns = os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError):
        columns = 0
    plain = "utf" not in (sys.stderr.encoding or "").lower()
    line = task.line((columns or USUAL_WIDTH) - 1, monotonic(), plain)
    show_status(line, cell_len(line))
