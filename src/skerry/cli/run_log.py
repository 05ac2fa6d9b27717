"""``--log json``: what a command does, as lines of JSON on standard error, for programs.

Nothing else goes to standard error then: no progress bar, and messages become lines of the log.
docs/command-line.md lists the events and their fields.
"""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from threading import Lock
from time import monotonic
from typing import Annotated, Any

import typer

import skerry
from skerry.cli.terminal import as_json, print_error

INTERVAL = 1.0
"""Seconds between two lines of progress."""

_logs: list[RunLog] = []


class LogChoice(StrEnum):
    """How a run is logged."""

    JSON = "json"


class RunLog:
    """Writes events; those of a phase with its name."""

    def __init__(self, command: str) -> None:
        self._lock = Lock()
        self._start = self._began = self._shown = monotonic()
        self._phase: str | None = None
        self._before = (0, 0)
        self._counts = (0, 0)
        self.exit_code = 0
        """What the command will end with."""
        self.write("start", command=command, version=skerry.__version__)

    def write(self, event: str, **fields: Any) -> None:
        """Writes one line."""
        time = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = as_json({"time": time, "event": event, **fields})
        with self._lock:
            print_error(line)

    def begin(self, phase: str, total: int | None = None, edges: int = 0, bytes: int = 0) -> None:
        """Ends the phase before, and begins one that may go on from earlier counts."""
        self.end()
        self._phase, self._began, self._shown = phase, monotonic(), monotonic()
        self._before = self._counts = (edges, bytes)
        self.write("begin", phase=phase, total=total)

    def count(self, done: int, total: int | None, edges: int, bytes: int) -> None:
        """Counts, and writes progress if a second has passed since the last line."""
        self._counts = (edges, bytes)
        now = monotonic()
        if now - self._shown >= INTERVAL:
            self._shown = now
            self.write("progress", phase=self._phase, done=done, total=total, **self._rates(now))

    def end(self) -> None:
        """Ends the phase, if there is one."""
        if self._phase is not None:
            now = monotonic()
            seconds = round(now - self._began, 6)
            self.write("end", phase=self._phase, seconds=seconds, **self._rates(now))
            self._phase = None

    def error(self, message: str, exit_code: int) -> None:
        """Writes why the command ends."""
        self.exit_code = exit_code
        self.write("error", message=message, exit_code=exit_code)

    def finish(self) -> None:
        """Writes the last line."""
        self.end()
        seconds = round(monotonic() - self._start, 6)
        self.write("finish", exit_code=self.exit_code, seconds=seconds)

    def _rates(self, now: float) -> dict[str, int]:
        seconds = max(now - self._began, 1e-9)
        edges, read = self._counts
        return {
            "edges": edges,
            "bytes": read,
            "edges_per_second": round((edges - self._before[0]) / seconds),
            "bytes_per_second": round((read - self._before[1]) / seconds),
        }


def current_log() -> RunLog | None:
    """The log of the command that runs, if it has one."""
    return _logs[-1] if _logs else None


def log_result(**fields: Any) -> None:
    """Writes the result to the log of the command that runs, if it has one."""
    if _logs:
        _logs[-1].write("result", **fields)


def _start(context: typer.Context, choice: LogChoice | None) -> None:
    if choice is None or context.resilient_parsing:
        return
    log = RunLog(context.command_path.partition(" ")[2])
    _logs.append(log)

    def stop() -> None:
        log.finish()
        _logs.remove(log)

    context.call_on_close(stop)


LogFormat = Annotated[
    LogChoice | None,
    typer.Option(
        "--log",
        callback=_start,
        help="Log the run to standard error as lines of JSON, for programs.",
        show_default=False,
    ),
]
