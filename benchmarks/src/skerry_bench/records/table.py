"""The file of a record: a line of JSON about the run, then a CSV with a line for each graph.

A column ``PATH@THREADS`` (``PATH`` on a GPU) has the microseconds of the fastest turn, and is
empty where there is none; paths of another build begin with its name: ``NAME:PATH@THREADS``. The
columns before them are what the graph is like, and what the sample of "rows" has shown.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from skerry import InputError
from skerry.errors import ArgumentError


@dataclass(slots=True)
class Table:
    """A record in memory, and the file that it is appended to."""

    path: Path
    run: dict[str, Any]
    columns: tuple[str, ...]
    """``"graph"`` first."""
    rows: dict[str, dict[str, float]] = field(default_factory=dict)
    """By the graph's name; without empty cells."""

    def begin(self) -> None:
        """Writes the head, or continues a file that has the same columns, device and half."""
        if self.path.exists():
            before = read_table(self.path)
            same = ("device", "half", "machine", "commit")
            if before.columns != self.columns or any(
                before.run.get(name) != self.run.get(name) for name in same
            ):
                raise ArgumentError(
                    f"{self.path} is a record of other paths, of another half or device, or of "
                    "another machine or commit: use another --out"
                )
            self.run, self.rows = before.run, before.rows
            self.path.write_text(_complete(self.path))
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._append("# " + json.dumps(self.run), ",".join(map(_quoted, self.columns)))

    def add(self, graph: str, cells: Mapping[str, float]) -> None:
        """Appends a graph; a run that is killed keeps those before."""
        self.rows[graph] = dict(cells)
        texts = [_short(cells[name]) if name in cells else "" for name in self.columns[1:]]
        self._append(",".join([_quoted(graph), *texts]))

    def _append(self, *lines: str) -> None:
        with self.path.open("a") as file:
            file.write("".join(f"{line}\n" for line in lines))


def _quoted(text: str) -> str:
    return f'"{text}"' if "," in text else text


def _short(number: float) -> str:
    """Four digits are more than a time has."""
    return f"{number:.0f}" if number >= 1000 or number == int(number) else f"{number:.4g}"


def _complete(path: Path) -> str:
    """Its text without a line that a killed run has not completed."""
    text = path.read_text()
    return text[: text.rfind("\n") + 1]


def read_table(path: Path) -> Table:
    """The record of a file."""
    lines = _complete(path).splitlines()
    try:
        run = json.loads(lines[0].removeprefix("# "))
        columns = next(csv.reader(lines[1:2]))
        table = Table(path, run, tuple(columns))
        for cells in csv.reader(lines[2:]):
            named = zip(columns[1:], cells[1:], strict=True)
            table.rows[cells[0]] = {name: float(text) for name, text in named if text}
    except (ValueError, IndexError, StopIteration) as error:
        raise InputError(f"{path}: not a record of paths: {error}") from None
    return table
