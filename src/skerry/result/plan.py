"""What ran, where, why, and how long each pass took: carried by every result."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter

from skerry.graph.edge_source import InputFacts


@dataclass(frozen=True, slots=True)
class PassTime:
    """One pass of an algorithm and its wall-clock time. Immutable; threads may share it."""

    name: str
    """What ran, as the plan prints it."""
    seconds: float
    """How long it took."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts taken during a run with ``statistics=True``. Immutable; threads may share it."""

    rounds: int = 0
    """Iterations to convergence, the last one (that changed nothing) included."""
    hooks: int = 0
    """Successful unions."""
    finds: int = 0
    """Walks to a root."""
    steps: int = 0
    """Parent pointers followed by all walks together."""
    longest: int = 0
    """The longest single walk."""
    measured: tuple[tuple[str, float], ...] = ()
    """What an algorithm that decides while it runs has decided by: names and numbers, in order. A
    later sample of the same name is called ``"name, sample 2"`` and so on."""

    @property
    def average(self) -> float:
        """Mean path length of a find."""
        return self.steps / self.finds if self.finds else 0.0

    def __add__(self, other: Statistics) -> Statistics:
        return Statistics(
            self.rounds + other.rounds,
            self.hooks + other.hooks,
            self.finds + other.finds,
            self.steps + other.steps,
            max(self.longest, other.longest),
            _with_unique_names(self.measured + other.measured),
        )


def _with_unique_names(measured: tuple[tuple[str, float], ...]) -> tuple[tuple[str, float], ...]:
    """The same without two equal names."""
    values: dict[str, float] = {}
    for name, value in measured:
        number, own = 1, name
        while own in values:
            number += 1
            own = f"{name}, sample {number}"
        values[own] = value
    return tuple(values.items())


@dataclass(frozen=True, slots=True)
class Plan:
    """How a result was computed. Immutable; threads may share it."""

    algorithm: str
    """The catalog's name of what ran, with changed choices in brackets."""
    device: str
    """Where it ran: ``"cpu"``, ``"cuda:0"``."""
    threads: int
    """How many threads of a CPU; 0 on a GPU."""
    reason: str
    """Why this algorithm and this many threads."""
    form: str
    """The form of the input: ``"edges"``, ``"csr"``, ``"grid"``, or what was read instead."""
    vertices: int
    """Number of vertices, isolated ones included."""
    edges: int
    """Input edges, or stored entries of a CSR."""
    passes: tuple[PassTime, ...]
    """Everything that ran, in order; conversions of the input included."""
    notes: tuple[str, ...] = ()
    """What was done to the input on the way (a copy, a conversion, a check)."""
    statistics: Statistics | None = None
    """Counts of the run, when asked for."""
    bytes: int = 0
    """Memory that the run took beside its input: labels and whatever the algorithm needs."""
    least_bytes: int = 0
    """What any algorithm must move that reads its whole input once and writes the labels once."""
    engine: str = ""
    """The engine that ran: ``"memory"``, ``"device"``, ``"upload"``, ``"grid"``,
    ``"parts"``, ``"adjacency"``, ``"streaming"``, ``"gathering"``, ``"spilling"``,
    ``"thresholds"``."""
    input: InputFacts = InputFacts()  # noqa: RUF009 (immutable)
    """What was taken from the input: format, columns, header, first id."""
    selected: tuple[str, ...] = ()
    """The stages that a GPU has selected by itself, whose times are not known one by one."""
    exchanged_bytes: int = 0
    """Bytes of border labels that the parts of a graph have sent; 0 for a graph in one part."""

    @property
    def stages(self) -> tuple[str, ...]:
        """Names of what ran, in order: `selected`, or as in `passes`, without the algorithm's."""
        return self.selected or tuple(step.name.rpartition(": ")[2] for step in self.passes)

    @property
    def seconds(self) -> float:
        """Time of all passes together."""
        return sum(step.seconds for step in self.passes)

    @property
    def floor_rate(self) -> float:
        """``least_bytes`` a second: beside the memory's bandwidth, how far the run is from it."""
        return self.least_bytes / self.seconds if self.seconds else 0.0

    def __str__(self) -> str:
        threads = "1 thread" if self.threads == 1 else f"{self.threads} threads"
        where = f"{self.device}, {threads}" if self.threads else self.device
        lines = [f"{self.algorithm} on {where}: {self.reason}"]
        lines += [f"  {step.name:<28} {step.seconds * 1e3:10.3f} ms" for step in self.passes]
        lines += [f"  note: {note}" for note in self.notes]
        if self.statistics is not None:
            counts = self.statistics
            lines.append(
                f"  rounds {counts.rounds:,}, hooks {counts.hooks:,}, finds {counts.finds:,}, "
                f"path length {counts.average:.2f} on average, {counts.longest:,} at most"
            )
        return "\n".join(lines)


class PhaseTimer:
    """Adds up the seconds of each named phase."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Adds the time of what runs inside to the phase ``name``."""
        begin = perf_counter()
        try:
            yield
        finally:
            self._seconds[name] = self._seconds.get(name, 0.0) + perf_counter() - begin

    @property
    def times(self) -> tuple[PassTime, ...]:
        """All phases, in the order in which they first ran."""
        return tuple(PassTime(name, seconds) for name, seconds in self._seconds.items())
