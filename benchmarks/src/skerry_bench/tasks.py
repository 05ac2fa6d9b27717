"""From a suite, its studies and the options of a run to the list of measurements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from skerry.errors import ArgumentError
from skerry_bench.cases import Case
from skerry_bench.corpus.peer_library import load_gpu
from skerry_bench.gpu_turns import CLOCKS
from skerry_bench.implementation import Device, Implementation
from skerry_bench.microbenchmarks.gpu_peers import IN_TURN, PeerLibrary
from skerry_bench.options import Options
from skerry_bench.peers.measured_peer import MeasuredPeer
from skerry_bench.results import Result, Skipped
from skerry_bench.skerry_algorithms import SkerryAlgorithm
from skerry_bench.studies import STUDIES, Study
from skerry_bench.suites import SUITES, Suite
from skerry_bench.variants import GraphOrder, Variant


@dataclass(frozen=True, slots=True)
class Task:
    """One implementation on one graph, for a suite or one of its studies."""

    suite: str
    implementation: Implementation
    study: str | None = None
    parameter: Mapping[str, Any] | None = None
    order: GraphOrder = "original"
    repeat: int | None = None
    """Samples at most."""
    samples: int | None = None
    """Samples instead of those of the suite."""
    counters: bool = False
    in_turn: bool = False
    """It takes samples in turn with the others on its graph that have this."""
    refusal: str | None = None
    """Why it is known in advance that it cannot be measured."""

    def result(self, run: str, graph: str, seconds: Sequence[float], components: int) -> Result:
        """Its line in the record, without the details of the run."""
        return Result(
            run=run,
            suite=self.suite,
            study=self.study,
            graph=graph,
            implementation=self.implementation.name,
            peer=self.implementation.peer,
            device=self.implementation.device,
            threads=self.implementation.team,
            input=self.implementation.input,
            scope=self.implementation.scope,
            clock=self.implementation.clock,
            seconds=tuple(seconds),
            components=components,
            parameter=self.parameter,
        )

    def skipped(self, run: str, graph: str, reason: str) -> Skipped:
        """Its line in the record if it was not measured."""
        return Skipped(
            run=run,
            suite=self.suite,
            study=self.study,
            graph=graph,
            implementation=self.implementation.name,
            device=self.implementation.device,
            scope=self.implementation.scope,
            clock=self.implementation.clock,
            threads=self.implementation.team,
            parameter=self.parameter,
            reason=" ".join(reason.split())[:500],
        )

    def key(self, graph: str) -> tuple[object, ...]:
        """What identifies its line in a record."""
        return self.skipped("", graph, "").key


def plan_tasks(options: Options) -> list[tuple[Case, list[Task]]]:
    """All graphs with their tasks, smallest first; studies with their own graphs at the end."""
    suite = SUITES[options.suite]
    studies = [STUDIES[name] for name in options.studies]
    shared = [study for study in studies if study.cases is None]
    suite_tasks = [] if options.only_studies else [*_suite_tasks(suite, options)]
    suite_tasks += _tasks_in_turn(suite, options)
    plan: list[tuple[Case, list[Task]]] = []
    if suite_tasks or shared:
        for case in suite.graphs(options.case_options, options.names):
            tasks = list(suite_tasks)
            for study in shared:
                tasks += _study_tasks(study, options, case.name)
            if tasks:
                plan.append((case, tasks))
    for study in studies:
        if study.cases is not None:
            for case in study.cases(options.case_options):
                plan.append((case, [*_study_tasks(study, options, case.name)]))
    return plan


def _suite_tasks(suite: Suite, options: Options) -> Iterator[Task]:
    for device in options.devices:
        compared = suite.compared(device, options.implementation_options, options.algorithms)
        for implementation in compared:
            yield Task(suite.name, implementation)
        yield from _peer_tasks(suite, options, device)


def _peer_tasks(suite: Suite, options: Options, device: Device) -> Iterable[Task]:
    for peer in options.peers.values():
        if peer.device == device:
            for scope in peer.scopes:
                if scope in suite.scopes:
                    yield Task(suite.name, MeasuredPeer(peer, scope, options.threads))


def _tasks_in_turn(suite: Suite, options: Options) -> Iterator[Task]:
    """The algorithms of the suite and the shared libraries, by both clocks or by the suite's."""
    peers = {name: load_gpu(path) for name, path in options.libraries.items()}
    algorithms = dict.fromkeys(("auto", *(options.algorithms or suite.runs("cuda"))))
    for name in peers:
        if name in algorithms:
            raise ArgumentError(f"--peers: the name of {name}.so is that of an algorithm compared")
    clocks = CLOCKS if suite.gpu_clock == "device" else (suite.gpu_clock,)
    for clock in clocks if peers else ():
        compared: list[Implementation] = [
            SkerryAlgorithm(name, "cuda", options.threads, clock_mode=clock) for name in algorithms
        ]
        compared += [PeerLibrary(name, library, clock) for name, library in peers.items()]
        for implementation in compared:
            yield Task(suite.name, implementation, IN_TURN, {"clock": clock}, in_turn=True)


def _study_tasks(study: Study, options: Options, graph: str) -> Iterator[Task]:
    for device in options.devices:
        if device not in study.devices:
            nothing = SkerryAlgorithm("auto", device, 1)
            yield Task(options.suite, nothing, study.name, refusal=study.elsewhere)
            continue
        for variant in study.variants(device, options.threads):
            if study.applies is None or study.applies(graph, variant.algorithm):
                yield _variant_task(study, variant, device, options)


def _variant_task(study: Study, variant: Variant, device: Device, options: Options) -> Task:
    clock = SUITES[options.suite].clock_on(device) if variant.scope == "solve" else None
    implementation = variant.implementation or SkerryAlgorithm(
        variant.algorithm,
        device,
        variant.threads or options.threads,
        variant.scope,
        variant.statistics,
        variant.form,
        variant.clock or (None if variant.statistics else clock),
    )
    return Task(
        options.suite,
        implementation,
        study.name,
        variant.parameter,
        variant.order,
        variant.repeat,
        variant.samples,
        variant.counters,
    )
