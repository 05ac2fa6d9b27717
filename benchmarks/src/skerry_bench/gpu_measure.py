"""Timings by a GPU's own clock, within a budget, once kernels are compiled and memory is warm."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rich.console import Console

import skerry
from skerry.cuda.runtime import Runtime
from skerry_bench.gpu_graphs import Given, small
from skerry_bench.record import Record
from skerry_bench.timing import Timing

__all__ = ["Bench", "Sheet", "describe_gpu", "table"]


@dataclass
class Bench:
    """A device and how thoroughly to measure on it."""

    runtime: Runtime
    times: int = 11
    warm: int = 3
    budget: float = 5.0
    """Seconds after which a measurement takes no more samples."""
    calls: int = 200
    """How often a call is made to see what it costs the host."""
    scale: float = 1.0
    """Share of the graphs' full size."""
    release: Callable[[], None] = lambda: None
    """Gives back the memory of a graph that is done with."""
    keep_busy: Callable[[], None] = lambda: None
    """Gives the device something to do that takes longer than a call takes the host."""
    _compiled: set[tuple[str, str | None, bool]] = field(default_factory=set)

    def measure(
        self,
        given: Given,
        algorithm: str,
        form: str | None = None,
        *,
        times: int | None = None,
        busy: bool = False,
        **options: Any,
    ) -> tuple[skerry.Components, Timing]:
        """The last answer, and milliseconds between events right before and after the call.

        A first run that takes half of the budget is the only one. ``busy``: the device has
        something else to do first, so that the host's part of the call is not in the time.
        """
        self.compile(algorithm, form, **options)
        call = lambda: given.solve(algorithm, form, **options)  # noqa: E731
        answer, first = self._once(call, busy)
        if first >= 500 * self.budget:
            return answer, Timing((first,))
        spent, samples = first, list[float]()
        warm = self.warm if first * self.warm < 500 * self.budget else 1
        most = self.times if times is None else times
        for number in range(1 - warm, most):
            if samples and spent + first > 1e3 * self.budget:
                break
            del answer  # so that the next one finds its memory
            answer, milliseconds = self._once(call, busy)
            spent += milliseconds
            if number >= 0:
                samples.append(milliseconds)
        return answer, Timing(tuple(samples))

    def compile(self, algorithm: str, form: str | None = None, **options: Any) -> None:
        """Runs an algorithm on a small graph, once: the first use of a kernel compiles it."""
        key = (algorithm, form, bool(options.get("statistics")))
        if key not in self._compiled:
            self._compiled.add(key)
            self._once(lambda: self._small.solve(algorithm, form, **options))

    @cached_property
    def _small(self) -> Given:
        return small(self.runtime)

    def wait(self) -> None:
        """Until the device is idle."""
        now = self.runtime.record_event()
        self.runtime.seconds(now, now)

    def _once(
        self, call: Callable[[], skerry.Components], busy: bool = False
    ) -> tuple[skerry.Components, float]:
        if busy:
            self.keep_busy()
        begin = self.runtime.record_event()
        answer = call()
        end = self.runtime.record_event()
        return answer, self.runtime.seconds(begin, end) * 1e3


class Sheet:
    """Results by part: a line each as they come, and what tables are made of."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._results: list[dict[str, Any]] = []

    @property
    def console(self) -> Console:
        """Where tables go."""
        return self._record.console

    def add(self, part: str, timing: Timing | None = None, **result: Any) -> dict[str, Any]:
        """Keeps, writes and prints one result."""
        if timing is not None:
            result |= {"ms": timing.median, "spread": timing.spread, "samples": timing.samples}
        whole = {"part": part, **result}
        self._results.append(whole)
        self._record.add(**whole)
        return whole

    @contextmanager
    def attempt(self, **what: Any) -> Iterator[None]:
        """Keeps the failure of what is done inside, so that the rest is measured all the same."""
        try:
            yield
        except (RuntimeError, MemoryError, skerry.SkerryError) as error:
            self.add("failed", **what, error=f"{type(error).__name__}: {error}"[:500])

    def of(self, part: str) -> list[dict[str, Any]]:
        """The results of one part so far."""
        return [one for one in self._results if one["part"] == part]


def table(
    console: Console, title: str, head: Sequence[str], lines: Sequence[Sequence[Any]]
) -> None:
    """Prints a Markdown table, ready for the docs; nothing where there are no lines."""
    if not lines:
        return
    console.print(f"\n{title}\n\n| {' | '.join(head)} |\n|---|{'--:|' * (len(head) - 1)}")
    for line in lines:
        console.print(f"| {' | '.join(map(_cell, line))} |")


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.3f}" if value < 10 else f"{value:.1f}" if value < 1000 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def describe_gpu() -> dict[str, Any]:
    """The current GPU, its driver and the versions that compile for it."""
    import cupy

    runtime = cupy.cuda.runtime
    properties = runtime.getDeviceProperties(runtime.getDevice())
    return {
        "device": properties["name"].decode(),
        "capability": f"{properties['major']}.{properties['minor']}",
        "processors": int(properties["multiProcessorCount"]),
        "memory": int(properties["totalGlobalMem"]),
        "driver": _driver_release(),
        "cuda_driver": int(runtime.driverGetVersion()),
        "cuda_runtime": int(runtime.runtimeGetVersion()),
        "cupy": str(cupy.__version__),
    }


def _driver_release() -> str:
    command = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=20)
        return done.stdout.splitlines()[0].strip()
    except (OSError, subprocess.SubprocessError, IndexError):
        return "unknown"
