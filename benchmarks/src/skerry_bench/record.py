"""Results as they come: a JSON line each in a file, and a table at the end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rich.console import Console

from skerry_bench.machine import describe

__all__ = ["Record"]


class Record:
    """Writes every result at once, so that a stopped run keeps what it has."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._results: list[dict[str, Any]] = []
        self.console = Console(markup=False, highlight=False, soft_wrap=True)
        self._write({"machine": describe()})

    def add(self, **result: Any) -> None:
        """Keeps one result and says so."""
        self._results.append(result)
        self._write(result)
        facts = ", ".join(f"{key} {_short(value)}" for key, value in result.items())
        self.console.print(facts)

    def table(self, rows: str, columns: str, value: str) -> None:
        """Prints the results as a Markdown table, ready for the docs."""
        across = list(dict.fromkeys(str(r[columns]) for r in self._results if value in r))
        down = list(dict.fromkeys(str(r[rows]) for r in self._results if value in r))
        cells = {(str(r[rows]), str(r[columns])): r[value] for r in self._results if value in r}
        self.console.print(f"\n| {value} | {' | '.join(across)} |")
        self.console.print(f"|---|{'--:|' * len(across)}")
        for name in down:
            line = (_short(cells.get((name, column), "")) for column in across)
            self.console.print(f"| {name} | {' | '.join(line)} |")

    def _write(self, result: dict[str, Any]) -> None:
        if self._path is not None:
            with self._path.open("a") as file:
                file.write(json.dumps(result) + "\n")


def _short(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"
    if isinstance(value, list | tuple):
        return f"[{len(value)} samples]"
    return f"{value:,}" if isinstance(value, int) else str(value)
