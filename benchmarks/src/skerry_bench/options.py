"""The options of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import skerry
from skerry.errors import ArgumentError
from skerry_bench.cases import CaseOptions
from skerry_bench.implementation import Device, ImplementationOptions, Peer
from skerry_bench.sampler import SamplingPolicy
from skerry_bench.studies import STUDIES
from skerry_bench.suites import SUITES


@dataclass(frozen=True, slots=True)
class Options:
    """What to measure, and how thoroughly."""

    suite: str
    devices: tuple[Device, ...] = ("cpu",)
    scale: float = 1.0
    threads: int = 1
    repeat: int | None = None
    """Samples; None: the suite's."""
    budget: float | None = None
    """Seconds for a measurement; None: the suite's, else 3, and 1 if only a GPU is measured."""
    time_budget: float | None = None
    """Seconds for the run."""
    algorithms: tuple[str, ...] | None = None
    """Instead of those of the suite."""
    peers: Mapping[str, Peer] = field(default_factory=dict)
    libraries: Mapping[str, Path] = field(default_factory=dict)
    """Shared libraries for a GPU, measured in turn with the algorithms of the suite."""
    external: tuple[str, ...] = ()
    """Other programs, as ``NAME=COMMAND``."""
    studies: tuple[str, ...] = ()
    only_studies: bool = False
    names: tuple[str, ...] = ()
    """Graphs; all by default."""
    folder: Path | None = None
    files: tuple[Path, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Options of the suite's own, such as the number of edges."""
    energy: bool = False
    """Measure the energy of a call too, in a block of calls after the samples."""

    def __post_init__(self) -> None:
        if self.suite not in SUITES:
            raise ArgumentError(f"no suite {self.suite!r}; there are: {', '.join(SUITES)}")
        for name in self.studies:
            if name not in STUDIES:
                raise ArgumentError(f"no study {name!r}; there are: {', '.join(STUDIES)}")
        if self.libraries and "cuda" not in self.devices:
            raise ArgumentError(
                "the libraries of --peers are compared on a GPU: leave --device cpu out"
            )
        if not self.scale > 0:
            raise ArgumentError(f"scale must be positive, got {self.scale}")
        for name in self.algorithms or ():
            if name != "auto":
                skerry.algorithm(name)

    @property
    def policy(self) -> SamplingPolicy:
        """How many samples to take, and for how long."""
        suite = SUITES[self.suite]
        repeat = self.repeat or suite.repeat
        # A GPU's times vary little: fewer samples of long calls say as much.
        only_gpu = self.devices == ("cuda",)
        budget = self.budget or suite.budget or (1.0 if only_gpu else 3.0)
        patience = 40.0 if only_gpu else 4.0
        return SamplingPolicy(repeat, budget, patience, min(suite.min_samples, repeat))

    @property
    def case_options(self) -> CaseOptions:
        """Which graphs."""
        return CaseOptions(self.scale, self.folder, self.files, self.parameters)

    @property
    def implementation_options(self) -> ImplementationOptions:
        """What the implementations of the suite depend on."""
        threads = SUITES[self.suite].threads or self.threads
        return ImplementationOptions(threads, self.policy.repeat, self.parameters)

    def recorded(self) -> dict[str, Any]:
        """The options as they stand in the line of the run."""
        own = {"parameters": {name: _plain(value) for name, value in self.parameters.items()}}
        return {
            "scale": self.scale,
            "device": "both" if len(self.devices) > 1 else self.devices[0],
            "threads": self.implementation_options.threads,
            "repeat": self.policy.repeat,
            "budget": self.policy.budget,
            "time_budget": self.time_budget,
            "algorithms": None if self.algorithms is None else list(self.algorithms),
            "peers": [*self.peers, *self.libraries],
            "external": list(self.external),
            "studies": list(self.studies),
            "only_studies": self.only_studies,
            "graphs": list(self.names),
            "folder": None if self.folder is None else str(self.folder),
            "files": [str(path) for path in self.files],
            **(own if self.parameters else {}),
        }


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
