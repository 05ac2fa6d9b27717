"""The record of measurements: JSON lines, one object a line, appended as they come.

Four kinds of line: a run (machine, versions, options), a graph of a run, a result (all samples of
one implementation on one graph) and a skipped measurement with its reason. A reader ignores kinds
and keys that it does not know, so that the format can grow. Several files are read as one set: a
later measurement of the same thing on the same kind of machine and graph replaces the earlier one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from statistics import median
from typing import Any, ClassVar, TypeAlias

from skerry import InputError


@dataclass(frozen=True, slots=True)
class Gpu:
    """The GPU of a machine."""

    name: str
    driver: str = ""
    cuda: str = ""


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine. Two with the same description count as the same machine."""

    processor: str
    cores: int
    memory: int = 0
    """Bytes; in a container, its limit."""
    system: str = ""
    gpu: Gpu | None = None

    @property
    def name(self) -> str:
        """The processor and the GPU."""
        cores = f"{self.processor}, {self.cores} cores"
        return f"{cores}, {self.gpu.name}" if self.gpu else cores


@dataclass(frozen=True, slots=True)
class RunLine:
    """One run of a suite."""

    kind: ClassVar[str] = "run"
    run: str
    date: str
    suite: str
    machine: Machine
    versions: Mapping[str, str]
    commit: str
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class GraphLine:
    """One graph of a run."""

    kind: ClassVar[str] = "graph"
    run: str
    graph: str
    stand_in: bool
    family: str
    vertices: int
    edges: int
    """Undirected edges, as listed."""
    entries: int
    """Entries of the symmetric CSR."""
    components: int
    checksum: str
    """Of the CSR; the same on every machine and device."""
    recipe: str | None = None
    published: Mapping[str, int | None] | None = None
    """``vertices``, ``edges`` and ``components`` of the original in its paper."""


@dataclass(frozen=True, slots=True)
class Result:
    """All samples of one implementation on one graph."""

    kind: ClassVar[str] = "result"
    run: str
    suite: str
    graph: str
    implementation: str
    """``"auto"``, ``"ecl[init=own]"`` or the name of a peer."""
    device: str
    seconds: tuple[float, ...]
    """All samples, in the order of the calls."""
    components: int
    study: str | None = None
    peer: bool = False
    ran: str | None = None
    """What ``auto`` chose."""
    threads: int | None = None
    input: str = "csr"
    """The form of the input: ``"csr"``, ``"edges"``, ``"arrays"``, ``"table"``, ``"file"``."""
    scope: str = "solve"
    """``"solve"``: a call on a graph in memory; ``"end_to_end"``: from the raw input to labels."""
    clock: str = "wall"
    """``"wall"``, ``"device"`` or ``"queued"``: a mode of the sampler, see `samples.Clock`."""
    verified: bool = True
    verified_by: str = "labels"
    """``"labels"``, ``"count"`` if only components were counted, ``"none"`` if not verified."""
    peak_bytes: int | None = None
    energy: Mapping[str, float] | None = None
    """Joules of a call by part of the machine, ``"cpu"`` (RAPL's packages) and ``"gpu"`` (NVML).

    They are of a block of ``"calls"`` calls that took ``"seconds"``; see `skerry_bench.energy`. A
    part whose counter could not be read is missing; None if none could, or if energy was not
    measured.
    """
    passes: tuple[tuple[str, float], ...] | None = None
    statistics: Mapping[str, float] | None = None
    parameter: Mapping[str, Any] | None = None

    @property
    def median(self) -> float:
        """The middle sample, in seconds."""
        return median(self.seconds)

    @property
    def key(self) -> tuple[Any, ...]:
        """What identifies the measurement; a run has one result per key."""
        return _key(self)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A measurement that was not taken, and why."""

    kind: ClassVar[str] = "skipped"
    run: str
    suite: str
    graph: str
    implementation: str
    device: str
    reason: str
    study: str | None = None
    scope: str = "solve"
    clock: str = "wall"
    threads: int | None = None
    parameter: Mapping[str, Any] | None = None

    @property
    def key(self) -> tuple[Any, ...]:
        """What identifies the measurement."""
        return _key(self)


Line: TypeAlias = RunLine | GraphLine | Result | Skipped

KINDS: Mapping[str, type[Line]] = {
    line.kind: line for line in (RunLine, GraphLine, Result, Skipped)
}


def _key(line: Result | Skipped) -> tuple[Any, ...]:
    parameter = json.dumps(line.parameter, sort_keys=True) if line.parameter else ""
    how = (line.device, line.threads, line.scope, line.clock, parameter)
    return (line.suite, line.study, line.graph, line.implementation, *how)


def encode(line: Line) -> str:
    """The line as JSON, without a newline."""
    return json.dumps({"kind": line.kind, **_plain(line)}, allow_nan=False)


def _plain(value: Any) -> Any:
    known = (RunLine, GraphLine, Result, Skipped, Machine, Gpu)
    if isinstance(value, known):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return round(value, 10) if isinstance(value, float) else value  # clocks have nanoseconds


def decode(text: str) -> Line | None:
    """The line of a text of JSON, or None if its kind is unknown."""
    entry = json.loads(text)
    if not isinstance(entry, dict):
        raise InputError("not a JSON object")
    kind = KINDS.get(entry.get("kind", ""))
    if kind is None:
        return None
    if kind is RunLine:
        machine = dict(entry["machine"])
        gpu = machine.get("gpu")
        machine["gpu"] = _make(Gpu, gpu) if gpu else None
        entry["machine"] = _make(Machine, machine)
    if kind is Result:
        entry["seconds"] = tuple(map(float, entry["seconds"]))
        if not entry["seconds"]:
            raise InputError("a result has no samples")
        if entry.get("passes"):
            entry["passes"] = tuple((str(name), float(took)) for name, took in entry["passes"])
    return _make(kind, entry)  # type: ignore[no-any-return]


def _make(kind: Any, entry: Mapping[str, Any]) -> Any:
    known = {field.name: entry[field.name] for field in fields(kind) if field.name in entry}
    for field in fields(kind):
        if field.name in known:
            _check_type(field.name, str(field.type), known[field.name])
    return kind(**known)


PLAIN: Mapping[str, type] = {"str": str, "int": int, "bool": bool, "Mapping": dict}


def _check_type(name: str, annotation: str, value: Any) -> None:
    """Raises if a value of JSON is not of its field's type."""
    kind = PLAIN.get(annotation.partition("[")[0].partition(" |")[0])
    if kind is None or (value is None and annotation.endswith("| None")):
        return
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise InputError(f"{name} must be {annotation}, not {type(value).__name__}")


def read_lines(path: Path) -> Iterator[Line]:
    """The lines of a file, in order.

    An unfinished last line, left by a killed run, is ignored.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not a record of measurements: {error}") from error
    lines = text.split("\n")
    for number, line in enumerate(lines[:-1], 1):
        if not line.strip():
            continue
        try:
            entry = decode(line)
        except (InputError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise InputError(
                f"{path}, line {number}, is not a line of a record of measurements: {error}"
            ) from error
        if entry is not None:
            yield entry


class Results:
    """Runs, their graphs, their results and skipped measurements."""

    def __init__(self, lines: Iterable[Line] = ()) -> None:
        self.runs: dict[str, RunLine] = {}
        self.graphs: dict[tuple[str, str], GraphLine] = {}
        self.results: list[Result] = []
        self.skipped: list[Skipped] = []
        for line in lines:
            self.add(line)

    def add(self, line: Line) -> None:
        """Adds a line."""
        if isinstance(line, RunLine):
            self.runs[line.run] = line
        elif isinstance(line, GraphLine):
            self.graphs[line.run, line.graph] = line
        elif isinstance(line, Result):
            self.results.append(line)
        else:
            self.skipped.append(line)

    def run_of(self, line: GraphLine | Result | Skipped) -> RunLine:
        """The run of a line."""
        try:
            return self.runs[line.run]
        except KeyError:
            raise InputError(f"the record has no line for the run {line.run}") from None

    def machine_of(self, line: GraphLine | Result | Skipped) -> Machine:
        """The machine of a line."""
        return self.run_of(line).machine

    def graph_of(self, line: Result | Skipped) -> GraphLine | None:
        """The graph of a result; None if the graph could not be made."""
        return self.graphs.get((line.run, line.graph))


def read_results(paths: Iterable[Path]) -> Results:
    """Reads several files as one set; see `merge`."""
    return merge(line for path in paths for line in read_lines(path))


def merge(lines: Iterable[Line]) -> Results:
    """One set, in which a later measurement replaces an earlier one of the same thing.

    The same thing: the same implementation, scope and clock on the same graph (by its checksum) on
    a machine of the same description. A skipped measurement is dropped if there is a result of it.
    """
    all_lines = Results(lines)

    def identity(line: Result | Skipped) -> tuple[Any, ...]:
        graph = all_lines.graph_of(line)
        return (all_lines.machine_of(line), graph.checksum if graph else None, *line.key)

    def by_date(line: Result | Skipped) -> str:
        return all_lines.run_of(line).date

    measured = {identity(line): line for line in sorted(all_lines.results, key=by_date)}
    skipped = {identity(line): line for line in sorted(all_lines.skipped, key=by_date)}
    merged = Results([*all_lines.runs.values(), *all_lines.graphs.values(), *measured.values()])
    merged.skipped = [line for key, line in skipped.items() if key not in measured]
    return merged
