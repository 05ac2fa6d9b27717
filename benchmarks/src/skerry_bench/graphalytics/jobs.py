"""Load time and makespan: jobs in processes of their own, as LDBC's driver starts them.

The load time is that of a process that turns the text files into a stored graph. The makespan is
that of a process that starts, reads the stored graph, finds its components and writes them. A cold
system: interpreter and imports count.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Literal

import numpy as np

from skerry import SkerryError
from skerry.config import temporary_folder
from skerry_bench.graphalytics import job
from skerry_bench.graphalytics.equivalence import Labeling, difference, read_labeling
from skerry_bench.graphalytics.graphs import GraphalyticsWorkload
from skerry_bench.graphalytics.stored import write_ldbc
from skerry_bench.implementation import Answer, ClockMode, Device, PeerAnswer, Scope
from skerry_bench.workload import WrongAnswerError

STAMP = re.compile(r"Processing (?:starts|ends) at: (\d+)")
COUNTS = re.compile(
    r"(\d+) vertices, (\d+) edges, (\d+) components|loaded (\d+) vertices and (\d+)"
)


@dataclass(frozen=True, slots=True)
class Job:
    """One kind of job, as an implementation that takes its samples in other processes."""

    name: Literal["load", "makespan"]
    device: Device
    threads: int
    repeat: int
    scope: Scope = "end_to_end"
    clock: ClockMode = "wall"
    peer: bool = False
    own_process: bool = True

    @property
    def input(self) -> str:
        """Text files, or a stored graph."""
        return "file"

    @property
    def team(self) -> int | None:
        """Threads that it uses; None on a GPU."""
        return None if self.device == "cuda" and self.name == "makespan" else self.threads

    def refusal(self, entries: float) -> str | None:
        """None: it runs on graphs of any size."""
        del entries
        return None

    def prepare(self, graph: GraphalyticsWorkload) -> Callable[[], Answer]:
        """Writes the text files, and for a makespan the stored graph; not timed."""
        files = _Files(graph)
        if self.name == "makespan":
            self._start(files.load_command(graph.threads))
        return lambda: self._samples(files)

    def _samples(self, files: _Files) -> PeerAnswer:
        samples, stamps = [], []
        for _ in range(max(1, self.repeat)):
            if self.name == "load":
                job.unload(files.stored)
                command = files.load_command(self.threads)
            else:
                command = files.execute_command(self.device, self.threads)
            begin = perf_counter()
            text = self._start(command)
            samples.append(perf_counter() - begin)
            stamps.append(text)
        statistics = files.checked(self.name, stamps)
        return PeerAnswer(
            count=files.graph.components, seconds=tuple(samples), statistics=statistics
        )

    @staticmethod
    def _start(command: list[str]) -> str:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SkerryError(f"the job failed: {done.stderr.strip()[-500:]}")
        return done.stdout


class _Files:
    """The files of one graph, in a temporary folder that goes with this object."""

    def __init__(self, graph: GraphalyticsWorkload) -> None:
        folder = tempfile.mkdtemp(prefix="skerry-bench-", dir=temporary_folder())
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self.graph = graph
        self.stored, self.output = Path(folder, "stored"), Path(folder, "output.wcc")
        self.properties = write_ldbc(Path(folder), graph.name, graph.ids, graph.edges)

    def load_command(self, threads: int) -> list[str]:
        """The job that loads the graph."""
        ends = (str(self.properties.with_suffix(suffix)) for suffix in (".v", ".e"))
        return [*JOB, "load", *ends, str(self.stored), "--threads", str(threads)]

    def execute_command(self, device: Device, threads: int) -> list[str]:
        """The job that finds its components."""
        ends = str(self.stored), str(self.output)
        return [*JOB, "execute", *ends, "--device", device, "--threads", str(threads)]

    def checked(self, kind: str, texts: list[str]) -> dict[str, float] | None:
        """Raises if counts or labels are wrong; of a makespan, the processing times of its jobs."""
        graph = self.graph
        expected = (graph.num_vertices, graph.num_edges)
        for text in texts:
            counts = COUNTS.search(text)
            numbers = [] if counts is None else [int(each) for each in counts.groups() if each]
            if tuple(numbers[:2]) != expected or numbers[2:] not in ([], [graph.components]):
                raise WrongAnswerError(f"the {kind} of {graph.name} reports {text.strip()!r}")
        if kind == "load":
            return None
        labels = Labeling("expected", graph.ids, graph.labels)
        wrong = difference(labels, read_labeling(self.output))
        if wrong is not None:
            raise WrongAnswerError(wrong)
        spans = [np.diff([int(each) for each in STAMP.findall(text)]) for text in texts]
        return {"processing_seconds": float(np.median([span[0] for span in spans])) / 1e3}


JOB = [sys.executable, "-m", job.__name__]
