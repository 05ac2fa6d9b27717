"""Runs tasks: makes each graph once, measures all implementations on it, writes results at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import skerry
from skerry.algorithms.planner import ONE_BLOCK
from skerry.cuda.runtime import Runtime
from skerry.errors import SkerryError
from skerry.generators import recipes
from skerry.result.plan import Plan
from skerry_bench.cases import Case, recipe_case
from skerry_bench.counters import l2_counts
from skerry_bench.implementation import Found
from skerry_bench.journal import Journal
from skerry_bench.memory import available_bytes
from skerry_bench.ours import Implementation
from skerry_bench.results import GraphLine, Result, Skipped
from skerry_bench.samples import Pace, TooLongError, take
from skerry_bench.shares import Shares, weight
from skerry_bench.show import Show
from skerry_bench.speeds import Speeds
from skerry_bench.tasks import Options, Task
from skerry_bench.told import with_plans
from skerry_bench.workload import Workload, WrongAnswerError, make_workload, sorted_by_degree

__all__ = ["DeviceSide", "Runner"]

EVERY_GRAPH = "*"
"""In the record, where something could be measured on none."""

BYTES_AN_ENTRY = 20  # a graph in both forms while it is built, at its peak


@dataclass(frozen=True, slots=True)
class DeviceSide:
    """The GPU that is measured on."""

    runtime: Runtime
    release: Callable[[], None] = lambda: None
    """Gives back the memory of a graph that is done with."""


class Runner:
    """Goes through the graphs; what fails or does not fit is recorded as skipped, with why."""

    def __init__(
        self,
        journal: Journal,
        options: Options,
        show: Show,
        device: DeviceSide | None = None,
        no_device: str = "no GPU is measured on",
    ) -> None:
        self.journal = journal
        self.wrong: list[str] = []
        """What gave a wrong answer."""
        self._options = options
        self._show = show
        self._device = device
        self._no_device = no_device
        self._shares = Shares(options.time_budget)
        self._speeds = Speeds(options.pace)
        self._compiled: set[tuple[str, str, bool]] = set()

    def run(self, plan: Sequence[tuple[Case, Sequence[Task]]]) -> None:
        """Measures all that is not in the journal yet."""
        refused = self._refused(plan)
        todo = [
            (
                case,
                [
                    task
                    for task in tasks
                    if task.key("") not in refused and not self.journal.has(task.key(case.name))
                ],
            )
            for case, tasks in plan
        ]
        with self._show.running(sum(case.size * len(tasks) for case, tasks in todo)):
            weights = [weight(len(tasks), case.size) for case, tasks in todo]
            self._shares = Shares(self._options.time_budget, weights)
            for case, tasks in todo:
                self._shares.next()
                self._on_graph(case, tasks)
                if self._device is not None:
                    self._device.release()

    def _refused(self, plan: Sequence[tuple[Case, Sequence[Task]]]) -> set[tuple[object, ...]]:
        """What cannot be measured on any graph: told once, not for each of them."""
        distinct = {task.key(""): task for _, tasks in plan for task in tasks}
        refused = set()
        for key, task in distinct.items():
            reason = task.refusal
            if reason is None and task.implementation.device == "cuda" and self._device is None:
                reason = self._no_device
            reason = reason or task.implementation.refusal(0)
            if reason is not None:
                refused.add(key)
                line = task.skipped(self.journal.run.run, EVERY_GRAPH, reason)
                self.journal.skip(line)
                self._show.skipped(line)
        return refused

    def _on_graph(self, case: Case, tasks: Sequence[Task]) -> None:
        open_tasks = []
        for task in tasks:
            reason = self._shares.spent() or task.implementation.refusal(case.size)
            if reason is None:
                open_tasks.append(task)
            else:
                self._skip(task, case, reason)
        if not open_tasks:
            return
        self._show.now(case.name, "making the graph")
        try:
            work = self._made(case, open_tasks)
        except Exception as error:
            for task in open_tasks:
                self._skip(task, case, self._reason(error, f"{case.name}"))
            return
        sorted_work: list[Workload] = []
        # What is slow comes last: whatever time it takes is nobody else's.
        for task in sorted(open_tasks, key=lambda task: self._expected(task, work)):
            if task.by_degree and not sorted_work:
                sorted_work.append(sorted_by_degree(work))
            self._on_task(task, case, sorted_work[0] if task.by_degree else work)

    def _made(self, case: Case, tasks: Sequence[Task]) -> Workload:
        """The graph, its line in the record and its verified answer."""
        needed, free = BYTES_AN_ENTRY * case.size, available_bytes()
        if free and needed > free:
            raise MemoryError(
                f"the graph takes about {needed / 1e9:.1f} GB, and {free / 1e9:.1f} are free"
            )
        on_device = any(task.implementation.device == "cuda" for task in tasks)
        runtime = self._device.runtime if self._device is not None and on_device else None
        work = make_workload(case, self._options.threads, runtime)
        line = GraphLine(
            run=self.journal.run.run,
            graph=case.name,
            stand_in=case.stand_in,
            recipe=case.recipe,
            family=case.family,
            vertices=work.num_vertices,
            edges=work.num_edges,
            entries=work.num_entries,
            components=work.components,
            checksum=work.checksum,
            published=case.published,
        )
        known = self.journal.graph(case.name)
        if known is None:
            self.journal.add(line)
        elif known.checksum != line.checksum:
            raise SkerryError(f"{case.name} is another graph now than the record says")
        return work

    def _on_task(self, task: Task, case: Case, work: Workload) -> None:
        implementation = task.implementation
        reason = self._shares.spent(self._expected(task, work))
        reason = reason or self._speeds.too_slow(implementation, work.name, work.num_entries)
        if reason is not None:
            self._skip(task, case, reason)
            return
        self._show.now(case.name, implementation.name)
        pace = self._pace_of(task)
        try:
            result = self._measured(task, work, pace)
            if task.counters:
                counts = l2_counts(case, implementation.name)
                result = replace(result, statistics={**(result.statistics or {}), **counts})
        except TooLongError:
            self._speeds.note_stopped(implementation, work.name, work.num_entries, pace.limit)
            self._skip(task, case, f"did not finish within {pace.limit:.3g} s")
        except Exception as error:  # whatever another library raises: the rest is measured
            self._skip(task, case, self._reason(error, f"{implementation.name} on {case.name}"))
        else:
            self.journal.add(result)
            self._show.result(result)
            self._show.step(case.size)

    def _expected(self, task: Task, work: Workload) -> float:
        return self._speeds.expected(task.implementation, work.num_entries)

    def _pace_of(self, task: Task) -> Pace:
        """With as much patience as there is time left for the graph, if that is not too little."""
        pace, left = self._options.pace, self._shares.left
        if task.repeat is not None:
            pace = replace(pace, repeat=min(pace.repeat, task.repeat))
        if left is not None and max(left, pace.slow) < pace.limit:
            pace = replace(pace, patience=max(left, pace.slow) / pace.budget)
        return pace

    def _measured(self, task: Task, work: Workload, pace: Pace) -> Result:
        implementation = task.implementation
        runtime = (
            work.runtime if implementation.device == "cuda" and not implementation.peer else None
        )
        if runtime is not None:
            self._compile(implementation, runtime)
        plans: list[Plan] = []

        def check(found: Found) -> str:
            if isinstance(found, skerry.Components):
                plans.append(found.plan)
            return work.check(found)

        begin = self._shares.clock()
        call = implementation.prepare(work)
        samples = take(call, check, pace, runtime, stop=not implementation.peer)
        seconds, took = samples.seconds, self._shares.clock() - begin
        self._speeds.note(implementation, work.name, work.num_entries, seconds, took)
        result = task.result(self.journal.run.run, work.name, seconds, work.components)
        result = replace(result, peak_bytes=samples.peak, verified_by=samples.verified_by)
        return with_plans(result, plans) if plans else result

    def _compile(self, implementation: Implementation, runtime: Runtime) -> None:
        """Runs it on a small graph, once: the first use of a kernel compiles it.

        Its answer is looked at too, as that has kernels of its own.
        """
        key = (
            implementation.name,
            implementation.input,
            bool(getattr(implementation, "statistics", False)),
        )
        if key not in self._compiled:
            self._compiled.add(key)
            small = make_workload(
                recipe_case("small", recipes.uniform(ONE_BLOCK, ONE_BLOCK)), 1, runtime
            )
            found = implementation.prepare(small)()
            small.check(found)
            if isinstance(found, skerry.Components):
                assert found.plan

    def _skip(self, task: Task, case: Case, reason: str) -> None:
        line: Skipped = task.skipped(self.journal.run.run, case.name, reason)
        self.journal.skip(line)
        self._show.skipped(line)
        self._show.step(case.size)

    def _reason(self, error: BaseException, what: str) -> str:
        if isinstance(error, WrongAnswerError):
            self.wrong.append(f"{what}: {error}")
            return f"WRONG ANSWER: {error}"
        return f"{type(error).__name__}: {error}"
