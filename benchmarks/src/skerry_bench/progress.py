"""The progress of a run on a terminal, and the tables at its end."""

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


class RunProgress:
    """A bar with the remaining time. Without a terminal nothing is printed until the end."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console(stderr=True)
        self._progress: Progress | None = None
        self._task: TaskID | None = None

    @contextmanager
    def running(self, total: float) -> Iterator[None]:
        """Shows the bar while the block runs."""
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
        # A long window: the speed is even on one graph, but differs between graphs.
        with Progress(*columns, console=self.console, speed_estimate_period=600) as progress:
            self._progress, self._task = progress, progress.add_task("", total=total)
            try:
                yield
            finally:
                self._progress = None

    def now(self, graph: str, step: str) -> None:
        """Names the current graph and step."""
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, description=escape(f"{graph}: {step}"))

    def step(self, size: float) -> None:
        """A task is done."""
        if self._progress is not None and self._task is not None:
            self._progress.advance(self._task, size)

    def result(self, line: Result) -> None:
        """Prints a result."""
        samples = f"{min(line.seconds) * 1e3:.3g}-{max(line.seconds) * 1e3:.3g}"
        self._print(f"{_title(line)}: {line.median * 1e3:.3g} ms ({samples})")

    def skipped(self, line: Skipped) -> None:
        """Prints a skipped task and why."""
        self._print(f"{_title(line)}: skipped, {line.reason}")

    def _print(self, text: str) -> None:
        if self._progress is not None:
            self._progress.console.print(text, markup=False, highlight=False)


def _title(line: Result | Skipped) -> str:
    study = f"{line.study}: " if line.study else ""
    scope = ", end to end" if line.scope == "end_to_end" else ""
    threads = f", {line.threads} threads" if line.threads is not None else ""
    return f"{study}{line.graph}, {line.implementation}{scope} on {line.device}{threads}"


def markdown_tables(results: Sequence[Result]) -> str:
    """Median milliseconds as Markdown: one line per graph, one table per study and scope."""
    groups: dict[tuple[str, str, str], list[Result]] = {}
    for result in results:
        key = (result.study or "", result.device, result.scope)
        groups.setdefault(key, []).append(result)
    return "\n\n".join(_table(*key, group) for key, group in groups.items())


def _table(study: str, device: str, scope: str, results: Sequence[Result]) -> str:
    heads = list(dict.fromkeys(map(_column, results)))
    cells = {(r.graph, _column(r)): f"{r.median * 1e3:.3g}" for r in results}
    graphs = list(dict.fromkeys(result.graph for result in results))
    title = ", ".join(filter(None, (study, device, scope.replace("_", " "), "median ms")))
    lines = [f"| {title} | {' | '.join(heads)} |", f"|---|{'--:|' * len(heads)}"]
    for graph in graphs:
        values = (cells.get((graph, head), "") for head in heads)
        lines.append(f"| {graph} | {' | '.join(values)} |")
    return "\n".join(lines)


def _column(line: Result) -> str:
    """The implementation, and the parameters of a study that its name does not contain."""
    values = [
        f"{name}={value}"
        for name, value in (line.parameter or {}).items()
        if name in ("threads", "order", "input", "kernels")
    ]
    return ", ".join([line.implementation, *values])
