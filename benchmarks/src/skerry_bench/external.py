"""Other programs as peers: ``--external NAME=COMMAND``.

The command is run without a shell. In its arguments ``{egr}``, ``{sg}`` and ``{adj}`` are replaced
by the path of the graph as ECL's binary CSR, as the GAP benchmark's serialized graph and as the
text that Ligra and GBBS read; ``{base}`` by that path without a suffix (both binary files exist
then); ``{threads}`` by the number of threads, which OpenMP, Parlay and Cilk get as environment
variables too; ``{repeat}`` by the number of samples. `external_output` reads what it prints. Times
are by the program's own clock, of solving alone, and only the number of components is verified.
``NAME@cuda=COMMAND`` is a program for a GPU.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
import weakref
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from skerry import Csr
from skerry.config import temporary_folder
from skerry.errors import ArgumentError
from skerry_bench.external_output import Output, read_output
from skerry_bench.implementation import Answer, Device, Graph, PeerAnswer, Scope
from skerry_bench.isolation import PeerFailedError
from skerry_bench.sampler import SamplingPolicy

PLACEHOLDERS = ("{egr}", "{sg}", "{adj}", "{base}")
THREAD_VARIABLES = ("OMP_NUM_THREADS", "PARLAY_NUM_THREADS", "CILK_NWORKERS")
LOADING = 20.0
"""Budgets, plus as many seconds, that a program may take for what it does not time."""


def parse_external(text: str, policy: SamplingPolicy) -> External:
    """The program of ``NAME=COMMAND`` or ``NAME@cuda=COMMAND``."""
    name, equals, command = text.partition("=")
    name, at, device = name.strip().partition("@")
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise ArgumentError(f"--external {text!r}: {error}") from None
    if not (equals and name and words) or (at and device not in ("cpu", "cuda")):
        raise ArgumentError(
            f"--external is NAME=COMMAND, or NAME@cuda=COMMAND for a program on a GPU, got {text!r}"
        )
    if not any(name in word for word in words for name in PLACEHOLDERS):
        raise ArgumentError(
            f"--external {name}: the command needs one of {', '.join(PLACEHOLDERS)}"
        )
    return External(name, words, policy, "cuda" if device == "cuda" else "cpu")


@dataclass(frozen=True, slots=True)
class External:
    """A program as a peer of the benchmark."""

    name: str
    words: tuple[str, ...]
    policy: SamplingPolicy
    device: Device = "cpu"
    parallel: bool = True
    scopes: tuple[Scope, ...] = ("solve",)

    @property
    def max_entries(self) -> int | None:
        """The limit of its file format."""
        return 2**31 - 1 if self._wants("{egr}") else None

    def available(self) -> str | None:
        """None, or that the program is missing."""
        program = self.words[0]
        return None if shutil.which(program) else f"there is no program {program}"

    def version(self) -> str:
        """Its command, since programs do not report versions."""
        return shlex.join(self.words)

    def prepare(self, graph: Graph, threads: int) -> _Prepared:
        """Writes the graph to a folder that is removed with the graph and the state."""
        files = FILES.get(graph) or FILES.setdefault(graph, _Files())
        base, both = files.base, self._wants("{base}")
        missing = {
            form: (self._wants(f"{{{form}}}") or (both and form != "adj"))
            and not base.with_suffix(f".{form}").exists()
            for form in ("egr", "sg", "adj")
        }
        write_graph(graph.csr, base, **missing)
        return _Prepared(files, threads)

    def solve(self, state: Any) -> Answer:
        """The samples of one run, or of several runs if a run prints only one."""
        threads, base = state.threads, state.files.base
        repeat = max(self.policy.repeat, 1)
        command = [_substituted(word, base, threads, repeat) for word in self.words]
        first = self._run(command, threads)
        seconds = list(first.seconds)
        while len(seconds) < self.policy.repeat and len(first.seconds) == 1:
            if sum(seconds) + seconds[0] > self.policy.budget:
                break
            after = self._run(command, threads)
            if after.components != first.components:
                raise PeerFailedError("two runs counted different numbers of components")
            seconds += after.seconds
        return PeerAnswer(count=first.components, seconds=tuple(seconds))

    def end_to_end(self, graph: Graph, threads: int) -> Answer:
        """Not measured: what a program does beside solving is not comparable."""
        raise NotImplementedError(f"{self.name} is measured by its own clock only")

    def _wants(self, placeholder: str) -> bool:
        return any(placeholder in word for word in self.words)

    def _run(self, command: list[str], threads: int) -> Output:
        limit = self.policy.limit + LOADING * (self.policy.budget + 1)
        environment = os.environ | dict.fromkeys(THREAD_VARIABLES, str(threads))
        try:
            done = subprocess.run(
                command,
                env=environment,
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
                timeout=limit,
            )
        except subprocess.TimeoutExpired:
            raise PeerFailedError(f"was stopped after {limit:.0f} s") from None
        except OSError as error:
            raise PeerFailedError(f"could not be started: {error.strerror}") from None
        if done.returncode:
            output = " ".join((done.stderr or done.stdout)[-300:].split())
            raise PeerFailedError(f"ended with exit code {done.returncode}: {output}")
        return read_output(done.stdout, self.name)


class _Files:
    """A folder for a graph, removed with this object."""

    def __init__(self) -> None:
        folder = Path(tempfile.mkdtemp(prefix="skerry-bench-", dir=temporary_folder()))
        self.base = folder / "graph"
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)


FILES: weakref.WeakKeyDictionary[Graph, _Files] = weakref.WeakKeyDictionary()
"""Each graph is written once for all programs."""


@dataclass(frozen=True, slots=True)
class _Prepared:
    """The input of a program."""

    files: _Files
    threads: int


def _substituted(word: str, base: Path, threads: int, repeat: int) -> str:
    values = {f"{{{form}}}": f"{base}.{form}" for form in ("egr", "sg", "adj")}
    values |= {"{base}": str(base), "{threads}": str(threads), "{repeat}": str(repeat)}
    for placeholder, value in values.items():
        word = word.replace(placeholder, value)
    return word


def write_graph(
    graph: Csr, base: Path, *, egr: bool = True, sg: bool = True, adj: bool = False
) -> None:
    """Writes ``base.sg``, ``base.adj`` and, if 32-bit counts suffice, ``base.egr``."""
    offsets = graph.offsets.astype("<i8")
    neighbors = graph.neighbors.astype("<i4")
    if sg:
        with base.with_suffix(".sg").open("wb") as file:
            file.write(b"\0")  # not directed
            file.write(np.array([graph.num_entries, graph.num_vertices], "<i8").tobytes())
            offsets.tofile(file)
            neighbors.tofile(file)
    if egr and max(graph.num_entries, graph.num_vertices) < 2**31:
        with base.with_suffix(".egr").open("wb") as file:
            np.array([graph.num_vertices, graph.num_entries], "<i4").tofile(file)
            offsets.astype("<i4").tofile(file)
            neighbors.tofile(file)
    if adj:
        _write_adjacency(graph, base.with_suffix(".adj"))


def _write_adjacency(graph: Csr, path: Path) -> None:
    """Ligra's text: a name, two counts, the offsets and the neighbors, one number per line."""
    import pyarrow as pa
    from pyarrow.csv import CSVWriter, WriteOptions

    options = WriteOptions(include_header=False)
    schema = pa.schema([("number", pa.int64())])
    with path.open("wb") as file:
        file.write(f"AdjacencyGraph\n{graph.num_vertices}\n{graph.num_entries}\n".encode())
        with CSVWriter(file, schema, write_options=options) as writer:
            for numbers in (graph.offsets[:-1], graph.neighbors):
                writer.write(pa.table([pa.array(numbers.astype(np.int64))], schema=schema))
