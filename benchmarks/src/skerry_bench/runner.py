"""Runs tasks: makes each graph once, measures all implementations on it, writes results at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import skerry
from skerry import Plan, SkerryError, generators
from skerry.algorithms.gpu_planner import ONE_BLOCK
from skerry.cuda.runtime import Runtime
from skerry.machine import memory_free
from skerry_bench.cases import Case, recipe_case
from skerry_bench.counters import l2_counts
from skerry_bench.energy import energy_per_call
from skerry_bench.energy_meters import Meter
from skerry_bench.gpu_device import GpuDevice
from skerry_bench.implementation import Answer, Implementation, PeerAnswer
from skerry_bench.journal import Journal
from skerry_bench.options import Options
from skerry_bench.progress import RunProgress
from skerry_bench.results import GraphLine, Result
from skerry_bench.run_details import with_plans
from skerry_bench.runtime_model import RuntimeModel
from skerry_bench.sampler import (
    Clock,
    SamplingPolicy,
    TimeLimitError,
    UnsteadyError,
    refuse_unsteady,
    take_samples,
)
from skerry_bench.tasks import Task
from skerry_bench.time_budget import TimeBudget, weight
from skerry_bench.turns import measure_in_turn
from skerry_bench.variants import GraphOrder
from skerry_bench.workload import (
    Workload,
    WrongAnswerError,
    make_workload,
    sorted_by_degree,
    with_shuffled_edges,
)

EVERY_GRAPH = "*"
"""The graph in the record of a task that cannot be measured on any."""

BYTES_PER_ENTRY = 20  # peak memory while a graph is built in both forms

ORDERS: Mapping[GraphOrder, Callable[[Workload], Workload]] = {
    "degree": sorted_by_degree,
    "shuffled-edges": with_shuffled_edges,
}


class Runner:
    """Measures tasks graph by graph; what fails or does not fit is recorded with the reason."""

    def __init__(
        self,
        journal: Journal,
        options: Options,
        progress: RunProgress,
        gpu: GpuDevice | None = None,
        no_gpu: str = "this run measures no GPU",
        meters: Mapping[str, Sequence[Meter]] | None = None,
    ) -> None:
        self.journal = journal
        self.wrong: list[str] = []
        """Wrong answers."""
        self._options = options
        self._progress = progress
        self._gpu = gpu
        self._no_gpu = no_gpu
        self._meters = meters or {}
        self._time = TimeBudget(options.time_budget)
        self._model = RuntimeModel(options.policy)
        self._compiled: set[tuple[str, str, bool]] = set()

    def run(self, plan: Sequence[tuple[Case, Sequence[Task]]]) -> None:
        """Measures all that is not in the journal yet."""
        refused = self._refused(plan)
        todo = [
            (case, self._open([task for task in tasks if task.key("") not in refused], case))
            for case, tasks in plan
        ]
        with self._progress.running(sum(case.size * len(tasks) for case, tasks in todo)):
            weights = [weight(len(tasks), case.size) for case, tasks in todo]
            self._time = TimeBudget(self._options.time_budget, weights)
            for case, tasks in todo:
                self._time.next()
                self._on_graph(case, tasks)
                if self._gpu is not None:
                    self._gpu.release()

    def _open(self, tasks: Sequence[Task], case: Case) -> list[Task]:
        """Tasks that the record has no result of; those in turn are measured together or not."""
        left = [task for task in tasks if not self.journal.has(task.key(case.name))]
        in_turn = sum(task.in_turn for task in tasks)
        if in_turn == sum(task.in_turn for task in left):
            return left
        return [task for task in left if not task.in_turn]

    def _refused(self, plan: Sequence[tuple[Case, Sequence[Task]]]) -> set[tuple[object, ...]]:
        """Tasks that cannot be measured on any graph: recorded once, not for each graph."""
        distinct = {task.key(""): task for _, tasks in plan for task in tasks}
        refused = set()
        for key, task in distinct.items():
            reason = task.refusal
            if reason is None and task.implementation.device == "cuda" and self._gpu is None:
                reason = self._no_gpu
            reason = reason or task.implementation.refusal(0)
            if reason is not None:
                refused.add(key)
                line = task.skipped(self.journal.run.run, EVERY_GRAPH, reason)
                self.journal.skip(line)
                self._progress.skipped(line)
        return refused

    def _on_graph(self, case: Case, tasks: Sequence[Task]) -> None:
        open_tasks = []
        for task in tasks:
            reason = self._time.spent() or task.implementation.refusal(case.size)
            if reason is None:
                open_tasks.append(task)
            else:
                self._skip(task, case, reason)
        if not open_tasks:
            return
        self._progress.now(case.name, "making the graph")
        try:
            original = self._made(case, open_tasks)
        except Exception as error:
            for task in open_tasks:
                self._skip(task, case, self._reason(error, f"{case.name}"))
            return
        reordered: dict[GraphOrder, Any] = {"original": original}
        self._in_turn([task for task in open_tasks if task.in_turn], case, original)
        alone = [task for task in open_tasks if not task.in_turn]
        # The slowest come last, so that they use up no time of the others.
        for task in sorted(alone, key=lambda task: self._expected(task, original)):
            if task.order not in reordered:
                reordered[task.order] = ORDERS[task.order](original)
            self._on_task(task, case, reordered[task.order])

    def _made(self, case: Case, tasks: Sequence[Task]) -> Any:
        """The workload with its verified answer; adds its line to the record."""
        on_device = any(task.implementation.device == "cuda" for task in tasks)
        runtime = self._gpu.runtime if self._gpu is not None and on_device else None
        needed, free = BYTES_PER_ENTRY * case.size, memory_free()
        if case.host_bytes is not None:
            needed = 0.0 if runtime is not None else case.host_bytes
        if free and needed > free:
            raise MemoryError(
                f"the graph needs about {needed / 1e9:.1f} GB; {free / 1e9:.1f} GB are free"
            )
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
            raise SkerryError(f"{case.name} is not the graph of the record: its checksum differs")
        return work

    def _on_task(self, task: Task, case: Case, work: Any) -> None:
        implementation = task.implementation
        reason = self._time.spent(self._expected(task, work))
        reason = reason or self._model.too_slow(implementation, work.name, work.num_entries)
        if reason is not None:
            self._skip(task, case, reason)
            return
        self._progress.now(case.name, implementation.name)
        policy = self._policy_of(task)
        try:
            result = self._measured(task, work, policy)
            if task.counters:
                counts = l2_counts(case, implementation.name)
                result = replace(result, statistics={**(result.statistics or {}), **counts})
        except TimeLimitError:
            self._model.add_stopped(implementation, work.name, work.num_entries, policy.limit)
            self._skip(task, case, f"did not finish within {policy.limit:.3g} s")
        except Exception as error:  # a peer may raise anything; the others are still measured
            self._skip(task, case, self._reason(error, f"{implementation.name} on {case.name}"))
        else:
            self._add(result, case)

    def _in_turn(self, tasks: Sequence[Task], case: Case, work: Any) -> None:
        if not tasks or self._gpu is None:
            return
        self._progress.now(case.name, "in turn")
        for task in tasks:
            if not task.implementation.peer:
                with suppress(Exception):  # it comes again, and is recorded, with the call itself
                    self._compile(task.implementation, self._gpu.runtime)
        for turn in measure_in_turn(tasks, work, self._gpu, self._options.policy.repeat):
            task = turn.task
            if turn.error is not None:
                subject = f"{task.implementation.name} on {case.name}"
                self._skip(task, case, self._reason(turn.error, subject))
                continue
            run = self.journal.run.run
            try:
                refuse_unsteady(turn.seconds)
            except UnsteadyError as error:
                self._skip(
                    task, case, self._reason(error, f"{task.implementation.name} on {case.name}")
                )
                continue
            result = task.result(run, work.name, turn.seconds, work.components)
            self._add(result if turn.plan is None else with_plans(result, [turn.plan]), case)

    def _add(self, result: Result, case: Case) -> None:
        self.journal.add(result)
        self._progress.result(result)
        self._progress.step(case.size)

    def _expected(self, task: Task, work: Any) -> float:
        return self._model.expected(task.implementation, work.num_entries)

    def _policy_of(self, task: Task) -> SamplingPolicy:
        """The policy of the run, with a lower limit if little time is left for the graph."""
        policy, left = self._options.policy, self._time.left
        if task.samples is not None and self._options.repeat is None:
            policy = replace(policy, repeat=task.samples)
        elif task.repeat is not None:
            policy = replace(policy, repeat=min(policy.repeat, task.repeat))
        if left is not None and max(left, policy.slow) < policy.limit:
            policy = replace(policy, patience=max(left, policy.slow) / policy.budget)
        return policy

    def _measured(self, task: Task, work: Any, policy: SamplingPolicy) -> Result:
        implementation = task.implementation
        clock = self._clock_of(implementation, work.runtime)
        if clock.runtime is not None:
            self._compile(implementation, clock.runtime)
        plans: list[Plan] = []

        def check(answer: Answer) -> str:
            if isinstance(answer, skerry.Components):
                plans.append(answer.plan)
            return str(work.check(answer))

        begin = self._time.clock()
        call = implementation.prepare(work)
        stoppable = not implementation.peer and not implementation.own_process
        samples = take_samples(call, check, policy, clock, stoppable=stoppable)
        energy = self._energy(implementation, call, work, clock, samples.answer)
        seconds, total = samples.seconds, self._time.clock() - begin
        self._model.add(implementation, work.name, work.num_entries, seconds, total)
        refuse_unsteady(seconds)
        result = task.result(self.journal.run.run, work.name, seconds, work.components)
        result = replace(
            result, peak_bytes=samples.peak, verified_by=samples.verified_by, energy=energy
        )
        if isinstance(samples.answer, PeerAnswer):
            return replace(result, statistics=samples.answer.statistics)
        return with_plans(result, plans) if plans else result

    def _energy(
        self,
        implementation: Implementation,
        call: Callable[[], Answer],
        work: Any,
        clock: Clock,
        answer: Answer,
    ) -> Mapping[str, float] | None:
        """Joules of a call, after all samples; a process of its own has measured them itself."""
        if isinstance(answer, PeerAnswer) and answer.seconds:
            return answer.energy
        meters = self._meters.get(implementation.device, ())
        if not meters or implementation.own_process:
            return None
        energy, last = energy_per_call(call, meters, clock.runtime)
        if last is not None:
            work.check(last)
        return energy

    def _clock_of(self, implementation: Implementation, runtime: Runtime | None) -> Clock:
        if implementation.peer or implementation.own_process or implementation.device != "cuda":
            return Clock()
        if self._gpu is None:
            return Clock(implementation.clock, runtime)
        return Clock(implementation.clock, runtime, self._gpu.keep_busy)

    def _compile(self, implementation: Implementation, runtime: Runtime) -> None:
        """Solves a small graph, once: the first use of a kernel compiles it.

        The answer is checked and its plan read, because these have kernels of their own.
        """
        statistics = bool(getattr(implementation, "statistics", False))
        key = (implementation.name, implementation.input, statistics)
        if key not in self._compiled:
            self._compiled.add(key)
            recipe = generators.uniform.recipe(ONE_BLOCK, ONE_BLOCK)
            small = make_workload(recipe_case("small", recipe), 1, runtime)
            answer = implementation.prepare(small)()
            small.check(answer)
            if isinstance(answer, skerry.Components):
                _ = answer.plan

    def _skip(self, task: Task, case: Case, reason: str) -> None:
        line = task.skipped(self.journal.run.run, case.name, reason)
        self.journal.skip(line)
        self._progress.skipped(line)
        self._progress.step(case.size)

    def _reason(self, error: BaseException, subject: str) -> str:
        if isinstance(error, WrongAnswerError):
            self.wrong.append(f"{subject}: {error}")
            return f"WRONG ANSWER: {error}"
        return f"{type(error).__name__}: {error}"
