"""Writes a record, each line at once, and resumes the record of a run that was stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from skerry import InputError
from skerry_bench.results import (
    GraphLine,
    Line,
    Result,
    Results,
    RunLine,
    Skipped,
    encode,
    read_lines,
)

MAY_DIFFER = ("time_budget",)
"""Options that may differ when a run is resumed."""


class Journal:
    """Appends to a file, and knows which measurements it has."""

    def __init__(self, path: Path | None, run: RunLine) -> None:
        self.path = path
        self.run = run
        self.lines = Results()
        self._measured: set[tuple[object, ...]] = set()
        self._skipped: set[tuple[object, ...]] = set()
        self.add(run)

    @classmethod
    def resumed(cls, path: Path, run: RunLine) -> Journal:
        """The journal of a run that was stopped; ``run`` would be its line today."""
        _drop_unfinished_line(path)
        lines = list(read_lines(path))
        runs = [line for line in lines if isinstance(line, RunLine) and line.suite == run.suite]
        if not runs:
            raise InputError(f"{path} has no run of {run.suite} to continue")
        before = runs[-1]
        _refuse_differences(path, before, run)
        journal = cls(None, before)
        for line in lines:
            if not isinstance(line, RunLine) and line.run == before.run:
                journal.add(line)
        journal.path = path
        return journal

    def add(self, line: Line) -> None:
        """Adds a line and writes it at once."""
        self.lines.add(line)
        if isinstance(line, Result):
            self._measured.add(line.key)
        if isinstance(line, Skipped):
            self._skipped.add((*line.key, line.reason))
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(encode(line) + "\n")

    def skip(self, line: Skipped) -> None:
        """Adds a line unless the same measurement was skipped for the same reason before."""
        if (*line.key, line.reason) not in self._skipped:
            self.add(line)

    def has(self, key: tuple[object, ...]) -> bool:
        """Whether there is a result with this key."""
        return key in self._measured

    def graph(self, name: str) -> GraphLine | None:
        """The line of a graph, or None."""
        return self.lines.graphs.get((self.run.run, name))


def _refuse_differences(path: Path, before: RunLine, now: RunLine) -> None:
    """One run must not mix machines, commits or options."""
    pairs: list[tuple[str, Any, Any]] = [("machine", before.machine.name, now.machine.name)]
    pairs.append(("commit", before.commit, now.commit))
    for name in {**before.options, **now.options}:
        if name not in MAY_DIFFER:
            pairs.append((name, before.options.get(name), now.options.get(name)))
    for name, then, today in pairs:
        if then != today:
            raise InputError(
                f"{path} cannot be continued: its {name} is {then!r}, now it would be {today!r}"
            )


def _drop_unfinished_line(path: Path) -> None:
    """Removes a half-written last line, which would spoil the next one."""
    try:
        data = path.read_bytes()
        if data and not data.endswith(b"\n"):
            path.write_bytes(data[: data.rfind(b"\n") + 1])
    except OSError as error:
        raise InputError(f"{path} cannot be continued: {error.strerror}") from error
