"""What is seen of a run: a bar with the time that remains, on a terminal only, and a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from skerry_bench.results import Result, Skipped

__all__ = ["Show", "table_of"]


class Show:
    """Tells how far a run is. Where no terminal watches, it is silent until the end."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console(stderr=True)
        self._progress: Progress | None = None
        self._task: TaskID | None = None

    @contextmanager
    def running(self, total: float) -> Iterator[None]:
        """A bar while the block runs."""
        if not self.console.is_terminal:
            yield
            return
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TimeElapsedColumn(),
            TextColumn("remaining"),
            TimeRemainingColumn(),
        )
        # A long window: measurements on one graph take as long as each other, other graphs' do not.
        with Progress(*columns, console=self.console, speed_estimate_period=600) as progress:
            self._progress, self._task = progress, progress.add_task("", total=total)
            try:
                yield
            finally:
                self._progress = None

    def now(self, graph: str, what: str) -> None:
        """What is being done."""
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, description=escape(f"{graph}: {what}"))

    def step(self, size: float) -> None:
        """A task is done."""
        if self._progress is not None and self._task is not None:
            self._progress.advance(self._task, size)

    def result(self, line: Result) -> None:
        """A result has come."""
        samples = f"{min(line.seconds) * 1e3:.3g}-{max(line.seconds) * 1e3:.3g}"
        self._say(f"{_what(line)}: {line.median * 1e3:.3g} ms ({samples})")

    def skipped(self, line: Skipped) -> None:
        """Something was not measured."""
        self._say(f"{_what(line)}: skipped, {line.reason}")

    def _say(self, text: str) -> None:
        if self._progress is not None:
            self._progress.console.print(text, markup=False, highlight=False)


def _what(line: Result | Skipped) -> str:
    study = f"{line.study}: " if line.study else ""
    scope = ", end to end" if line.scope == "end_to_end" else ""
    threads = f", {line.threads} threads" if line.threads is not None else ""
    return f"{study}{line.graph}, {line.implementation}{scope} on {line.device}{threads}"


def table_of(results: Sequence[Result]) -> str:
    """Median milliseconds as Markdown tables: a row a graph, one table for each study and way."""
    groups: dict[tuple[str, str, str], list[Result]] = {}
    for one in results:
        groups.setdefault((one.study or "", one.device, one.scope), []).append(one)
    return "\n\n".join(_table(*key, group) for key, group in groups.items())


def _table(study: str, device: str, scope: str, results: Sequence[Result]) -> str:
    heads = list(dict.fromkeys(map(_column, results)))
    cells = {(one.graph, _column(one)): f"{one.median * 1e3:.3g}" for one in results}
    graphs = list(dict.fromkeys(one.graph for one in results))
    title = ", ".join(filter(None, (study, device, scope.replace("_", " "), "median ms")))
    lines = [f"| {title} | {' | '.join(heads)} |", f"|---|{'--:|' * len(heads)}"]
    for graph in graphs:
        row = (cells.get((graph, head), "") for head in heads)
        lines.append(f"| {graph} | {' | '.join(row)} |")
    return "\n".join(lines)


def _column(line: Result) -> str:
    """The implementation, and of what a study varies only what its name does not say."""
    values = [
        f"{name}={value}"
        for name, value in (line.parameter or {}).items()
        if name in ("threads", "order")
    ]
    return ", ".join([line.implementation, *values])
