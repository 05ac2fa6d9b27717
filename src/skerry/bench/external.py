"""Programs of others beside us: ``--external NAME=COMMAND``.

The command is run without a shell, with ``{egr}`` and ``{sg}`` replaced by the path of the graph as
ECL's binary CSR and as the GAP benchmark's serialised graph, ``{base}`` by that path without its
suffix (both are there then), ``{threads}`` by the number of threads, which OpenMP is told too. What
it prints is read by `external_output`; times are by its own clock, of solving alone, and only the
number of components can be compared with ours. ``NAME@cuda=COMMAND`` is a program for a GPU.
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

from skerry.bench.contender import Answer, Device, Found, Graph, What
from skerry.bench.external_output import Output, read_output
from skerry.bench.isolation import PeerFailedError
from skerry.bench.samples import Pace
from skerry.errors import InputError
from skerry.graph.csr import Csr

__all__ = ["External", "parse_external", "write_graph"]

PLACES = ("{egr}", "{sg}", "{base}")
LOADING = 20.0
"""Budgets, and seconds besides, that a program may take for all that it does not measure."""


def parse_external(text: str, pace: Pace) -> External:
    """What ``NAME=COMMAND`` or ``NAME@cuda=COMMAND`` means."""
    name, equals, command = text.partition("=")
    name, at, device = name.strip().partition("@")
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise InputError(f"--external {text!r}: {error}") from None
    if not (equals and name and words) or (at and device not in ("cpu", "cuda")):
        raise InputError(
            f"--external is NAME=COMMAND, or NAME@cuda=COMMAND for a program on a GPU, got {text!r}"
        )
    if not any(place in word for word in words for place in PLACES):
        raise InputError(f"--external {name}: the command has no {', '.join(PLACES)} for the graph")
    return External(name, words, pace, "cuda" if device == "cuda" else "cpu")


@dataclass(frozen=True, slots=True)
class External:
    """A program as a peer of the benchmark."""

    name: str
    words: tuple[str, ...]
    pace: Pace
    device: Device = "cpu"
    parallel: bool = True
    ways: tuple[What, ...] = ("solve",)

    @property
    def most_entries(self) -> int | None:
        """Whatever its file can count."""
        return 2**31 - 1 if self._wants("{egr}") else None

    def available(self) -> str | None:
        """None, or that there is no such program."""
        program = self.words[0]
        return None if shutil.which(program) else f"there is no program {program}"

    def version(self) -> str:
        """Its command: programs do not tell their versions."""
        return shlex.join(self.words)

    def prepare(self, graph: Graph, threads: int) -> _Files:
        """Files of the graph, in a folder that goes when the state does."""
        files = _Files(threads)
        base, both = files.base, self._wants("{base}")
        write_graph(
            graph.csr, base, egr=both or self._wants("{egr}"), sg=both or self._wants("{sg}")
        )
        return files

    def solve(self, state: Any) -> Found:
        """As many samples as one run gives, or as several runs that give one each."""
        threads = state.threads
        command = [_placed(word, state.base, threads) for word in self.words]
        first = self._run(command, threads)
        seconds = list(first.seconds)
        while len(seconds) < self.pace.repeat and len(first.seconds) == 1:
            if sum(seconds) + seconds[0] > self.pace.budget:
                break
            after = self._run(command, threads)
            if after.components != first.components:
                raise PeerFailedError("two runs counted different numbers of components")
            seconds += after.seconds
        return Answer(count=first.components, seconds=tuple(seconds))

    def whole(self, graph: Graph, threads: int) -> Found:
        """Not measured: what a program does beside solving is not comparable."""
        raise NotImplementedError(f"{self.name} is measured by its own clock only")

    def _wants(self, place: str) -> bool:
        return any(place in word for word in self.words)

    def _run(self, command: list[str], threads: int) -> Output:
        limit = self.pace.limit + LOADING * (self.pace.budget + 1)
        environment = os.environ | {"OMP_NUM_THREADS": str(threads)}
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
            told = " ".join((done.stderr or done.stdout)[-300:].split())
            raise PeerFailedError(f"ended with exit code {done.returncode}: {told}")
        return read_output(done.stdout, self.name)


class _Files:
    """A folder for a graph, which goes with this object."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        folder = Path(tempfile.mkdtemp(prefix="skerry-bench-"))
        self.base = folder / "graph"
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)


def _placed(word: str, base: Path, threads: int) -> str:
    values = {"{egr}": f"{base}.egr", "{sg}": f"{base}.sg", "{base}": str(base)}
    for place, value in {**values, "{threads}": str(threads)}.items():
        word = word.replace(place, value)
    return word


def write_graph(graph: Csr, base: Path, *, egr: bool = True, sg: bool = True) -> None:
    """Writes ``base.sg`` and, where its 32-bit counts suffice, ``base.egr``."""
    offsets = graph.offsets.astype("<i8")
    neighbours = graph.neighbours.astype("<i4")
    if sg:
        with base.with_suffix(".sg").open("wb") as file:
            file.write(b"\0")  # not directed
            file.write(np.array([graph.num_entries, graph.num_vertices], "<i8").tobytes())
            offsets.tofile(file)
            neighbours.tofile(file)
    if egr and max(graph.num_entries, graph.num_vertices) < 2**31:
        with base.with_suffix(".egr").open("wb") as file:
            np.array([graph.num_vertices, graph.num_entries], "<i4").tofile(file)
            offsets.astype("<i4").tofile(file)
            neighbours.tofile(file)
