"""A record that is being written: each line at once, and taken up again where a run was stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from skerry.errors import InputError
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

__all__ = ["Journal"]

MAY_DIFFER = ("time_budget",)
"""Options that another part of the same run may have otherwise."""


class Journal:
    """Appends to a file; knows what is in it already."""

    def __init__(self, path: Path | None, run: RunLine) -> None:
        self.path = path
        self.run = run
        self.lines = Results()
        self._measured: set[tuple[object, ...]] = set()
        self._passed_over: set[tuple[object, ...]] = set()
        self.add(run)

    @classmethod
    def going_on(cls, path: Path, run: RunLine) -> Journal:
        """The record of a run that was stopped; ``run`` is what would be its line today."""
        _drop_unfinished_line(path)
        found = list(read_lines(path))
        runs = [one for one in found if isinstance(one, RunLine) and one.suite == run.suite]
        if not runs:
            raise InputError(f"{path} holds no run of {run.suite} that could be continued")
        before = runs[-1]
        _refuse_differences(path, before, run)
        journal = cls(None, before)
        for line in found:
            if not isinstance(line, RunLine) and line.run == before.run:
                journal.add(line)
        journal.path = path
        return journal

    def add(self, line: Line) -> None:
        """Writes a line at once."""
        self.lines.add(line)
        if isinstance(line, Result):
            self._measured.add(line.key)
        if isinstance(line, Skipped):
            self._passed_over.add((*line.key, line.reason))
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(encode(line) + "\n")

    def skip(self, line: Skipped) -> None:
        """Writes a line, unless it says what is there already."""
        if (*line.key, line.reason) not in self._passed_over:
            self.add(line)

    def has(self, key: tuple[object, ...]) -> bool:
        """Whether there is a result of it."""
        return key in self._measured

    def graph(self, name: str) -> GraphLine | None:
        """The line of a graph."""
        return self.lines.graphs.get((self.run.run, name))


def _refuse_differences(path: Path, before: RunLine, now: RunLine) -> None:
    """A record of two machines, versions or sizes under one head would be a lie."""
    pairs: list[tuple[str, Any, Any]] = [("machine", before.machine.name, now.machine.name)]
    pairs.append(("commit", before.commit, now.commit))
    for name in {**before.options, **now.options}:
        if name not in MAY_DIFFER:
            pairs.append((name, before.options.get(name), now.options.get(name)))
    for name, then, today in pairs:
        if then != today:
            raise InputError(
                f"{path} cannot be continued: its {name} is {then!r}, and it would be {today!r} now"
            )


def _drop_unfinished_line(path: Path) -> None:
    """What a killed run left half written would make its next line unreadable."""
    try:
        data = path.read_bytes()
        if data and not data.endswith(b"\n"):
            path.write_bytes(data[: data.rfind(b"\n") + 1])
    except OSError as error:
        raise InputError(f"{path} cannot be continued: {error.strerror}") from error
