"""From a suite, its studies and the options of a run to the list of what is to be measured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import skerry
from skerry.errors import InputError
from skerry_bench.cases import Case
from skerry_bench.implementation import Device, Peer
from skerry_bench.ours import Implementation, OfPeer, Ours
from skerry_bench.results import Result, Skipped
from skerry_bench.samples import Pace
from skerry_bench.studies import STUDIES, Study
from skerry_bench.suites import SUITES, Places, Suite

__all__ = ["Options", "Task", "plan_tasks"]


@dataclass(frozen=True, slots=True)
class Options:
    """What the caller asked for."""

    suite: str
    devices: tuple[Device, ...] = ("cpu",)
    scale: float = 1.0
    threads: int = 1
    repeat: int | None = None
    """Samples; None: as many as the suite has by default."""
    budget: float | None = None
    """Seconds for a measurement; None: 3, and 1 where only a GPU is measured on."""
    time_budget: float | None = None
    """Seconds for the whole run."""
    algorithms: tuple[str, ...] | None = None
    """Instead of those of the suite."""
    peers: Mapping[str, Peer] = field(default_factory=dict)
    external: tuple[str, ...] = ()
    """Programs of others, as ``NAME=COMMAND``."""
    studies: tuple[str, ...] = ()
    only_studies: bool = False
    names: tuple[str, ...] = ()
    """Graphs; all by default."""
    folder: Path | None = None
    files: tuple[Path, ...] = ()

    def __post_init__(self) -> None:
        if self.suite not in SUITES:
            raise InputError(f"no suite {self.suite!r}; there are: {', '.join(SUITES)}")
        for name in self.studies:
            if name not in STUDIES:
                raise InputError(f"no study {name!r}; there are: {', '.join(STUDIES)}")
        if not self.scale > 0:
            raise InputError(f"scale must be positive, got {self.scale}")
        for name in self.algorithms or ():
            if name != "auto":
                skerry.algorithm(name)

    @property
    def pace(self) -> Pace:
        """How thoroughly to measure."""
        # A GPU's clock is its own and steady: fewer samples of long calls tell as much.
        repeat = self.repeat or SUITES[self.suite].repeat
        if self.devices == ("cuda",):
            return Pace(repeat, self.budget or 1.0, patience=40.0)
        return Pace(repeat, self.budget or 3.0)

    @property
    def places(self) -> Places:
        """Which graphs."""
        return Places(self.scale, self.folder, self.files)

    def told(self) -> dict[str, Any]:
        """For the line of the run."""
        return {
            "scale": self.scale,
            "device": "both" if len(self.devices) > 1 else self.devices[0],
            "threads": self.threads,
            "repeat": self.pace.repeat,
            "budget": self.pace.budget,
            "time_budget": self.time_budget,
            "algorithms": None if self.algorithms is None else list(self.algorithms),
            "peers": list(self.peers),
            "external": list(self.external),
            "studies": list(self.studies),
            "only_studies": self.only_studies,
            "graphs": list(self.names),
            "folder": None if self.folder is None else str(self.folder),
            "files": [str(path) for path in self.files],
        }


@dataclass(frozen=True, slots=True)
class Task:
    """One implementation on one graph, for a suite or one of its studies."""

    suite: str
    implementation: Implementation
    study: str | None = None
    parameter: Mapping[str, Any] | None = None
    by_degree: bool = False
    repeat: int | None = None
    counters: bool = False
    refusal: str | None = None
    """Why it is known from the start that it cannot be measured."""

    @property
    def clock(self) -> str:
        """The sampler's mode: device events for our own calls on a GPU, else the wall clock."""
        ours = self.implementation.device == "cuda" and not self.implementation.peer
        return "device" if ours else "wall"

    def result(self, run: str, graph: str, seconds: Sequence[float], components: int) -> Result:
        """Its line, to be completed."""
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
            clock=self.clock,
            seconds=tuple(seconds),
            components=components,
            parameter=self.parameter,
        )

    def skipped(self, run: str, graph: str, reason: str) -> Skipped:
        """Its line where it was not measured."""
        return Skipped(
            run=run,
            suite=self.suite,
            study=self.study,
            graph=graph,
            implementation=self.implementation.name,
            device=self.implementation.device,
            scope=self.implementation.scope,
            clock=self.clock,
            threads=self.implementation.team,
            parameter=self.parameter,
            reason=" ".join(reason.split())[:500],
        )

    def key(self, graph: str) -> tuple[object, ...]:
        """What it is in a record."""
        return self.skipped("", graph, "").key


def plan_tasks(options: Options) -> list[tuple[Case, list[Task]]]:
    """All graphs with their tasks, smallest first; studies with graphs of their own at the end."""
    suite = SUITES[options.suite]
    studies = [STUDIES[name] for name in options.studies]
    shared = [study for study in studies if study.cases is None]
    tasks = [] if options.only_studies else [*_of_suite(suite, options)]
    for study in shared:
        tasks += _of_study(study, options)
    found = [(case, tasks) for case in suite.graphs(options.places, options.names)] if tasks else []
    for study in studies:
        if study.cases is not None:
            own = [*_of_study(study, options)]
            found += [(case, own) for case in study.cases(options.places)]
    return found


def _of_suite(suite: Suite, options: Options) -> Iterator[Task]:
    for device in options.devices:
        names = suite.runs(device) if options.algorithms is None else options.algorithms
        for name in names:
            yield Task(suite.name, Ours(name, device, options.threads))
        if "auto" in names:
            yield Task(suite.name, Ours("auto", device, options.threads, "end_to_end"))
        yield from _of_peers(suite.name, options, device)


def _of_peers(suite: str, options: Options, device: Device) -> Iterable[Task]:
    for peer in options.peers.values():
        if peer.device == device:
            for scope in peer.scopes:
                yield Task(suite, OfPeer(peer, scope, options.threads))


def _of_study(study: Study, options: Options) -> Iterator[Task]:
    for device in options.devices:
        if device not in study.devices:
            yield Task(options.suite, Ours("ecl", device, 1), study.name, refusal=study.elsewhere)
            continue
        for variant in study.variants(device, options.threads):
            threads = variant.threads or options.threads
            ours = Ours(variant.implementation, device, threads, statistics=variant.statistics)
            yield Task(
                options.suite,
                ours,
                study.name,
                variant.parameter,
                variant.by_degree,
                variant.repeat,
                variant.counters,
            )
