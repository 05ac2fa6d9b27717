"""The suite ``files``: from a text file to components, beside DataFrame readers and scipy.

Every sample is a process of its own, so the peak memory is that of the reader. The process solves a
file of two lines first, which imports the library and starts its threads.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

import skerry
from skerry.config import temporary_folder
from skerry.cuda.runtime import Runtime
from skerry_bench.cases import Case, CaseOptions
from skerry_bench.implementation import (
    Answer,
    ClockMode,
    Device,
    Implementation,
    ImplementationOptions,
    PeerAnswer,
    Scope,
)
from skerry_bench.workload import WrongAnswerError

DEFAULTS: dict[str, Any] = {"megabytes": 1000, "vertices": 5_000_000}
BYTES_PER_EDGE = 16  # a rough estimate
Solver: TypeAlias = Callable[[str, int], int]


class FileWorkload:
    """A text file of edges; generated into a temporary folder unless there is one already."""

    name = "snap-text"
    runtime: Runtime | None = None

    def __init__(self, path: Path | None, megabytes: int, vertices: int, threads: int) -> None:
        self.threads = threads
        if path is None:
            folder = tempfile.mkdtemp(prefix="skerry-bench-", dir=temporary_folder())
            weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
            self.path = Path(folder, "edges.txt")
            write_pairs(self.path, megabytes, vertices)
        else:
            self.path = path

    @cached_property
    def _result(self) -> skerry.Components:
        return skerry.connected_components(self.path, ids="vertices", threads=self.threads)

    @property
    def num_vertices(self) -> int:
        """The largest id plus one."""
        return len(self._result.labels)

    @cached_property
    def num_edges(self) -> int:
        """Lines that are no comments."""
        with self.path.open("rb") as file:
            return sum(1 for line in file if line.strip() and line[:1] not in b"#%")

    @property
    def num_entries(self) -> int:
        """Entries of a symmetric CSR with repeats."""
        return 2 * self.num_edges

    @property
    def components(self) -> int:
        """Number of components."""
        return self._result.count

    @cached_property
    def checksum(self) -> str:
        """Of the bytes of the file."""
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()

    def check(self, answer: Answer) -> str:
        """Compares the number of components with that of skerry's call in this process."""
        count = getattr(answer, "count", answer)
        if count != self.components:
            raise WrongAnswerError(f"counts {count} components, skerry {self.components}")
        return "count"


def cases(options: CaseOptions) -> Iterator[Case]:
    """One file."""
    parameters = DEFAULTS | dict(options.parameters)
    megabytes = max(1, round(parameters["megabytes"] * options.scale))
    path = options.files[0] if options.files else None
    size = path.stat().st_size if path is not None and path.exists() else megabytes * 1e6

    def workload(threads: int) -> FileWorkload:
        return FileWorkload(path, megabytes, parameters["vertices"], threads)

    yield Case(FileWorkload.name, "random pairs", workload, 2 * size / BYTES_PER_EDGE)


def write_pairs(path: Path, megabytes: int, vertices: int) -> None:
    """Random pairs in the format of SNAP: comments, then two ids and a tab per line."""
    import pyarrow
    from pyarrow import csv

    random = np.random.default_rng(1)
    with path.open("wb") as file:
        file.write(b"# Random pairs\n# FromNodeId\tToNodeId\n")
        plain = csv.WriteOptions(include_header=False, delimiter="\t")
        while file.tell() < megabytes * 1_000_000:
            src, dst = random.integers(0, vertices, (2, 1 << 16))
            csv.write_csv(pyarrow.table({"src": src, "dst": dst}), file, plain)


@dataclass(frozen=True, slots=True)
class FileReader:
    """A library that reads the file and solves it, in processes of its own."""

    solver: str
    threads: int
    repeat: int
    device: Device = "cpu"
    scope: Scope = "end_to_end"
    clock: ClockMode = "wall"
    input: str = "file"
    own_process: bool = True

    @property
    def name(self) -> str:
        """``"auto"``, or the libraries of a peer."""
        return f"{self.solver}+scipy" if self.peer else "auto"

    @property
    def peer(self) -> bool:
        """Whether it is not skerry."""
        return self.solver != "skerry"

    @property
    def team(self) -> int | None:
        """Threads; None for libraries that choose themselves."""
        return None if self.peer else self.threads

    def refusal(self, entries: float) -> str | None:
        """The package that is missing, or None."""
        del entries
        packages = (self.solver, "scipy") if self.peer else ()
        missing = [name for name in packages if find_spec(name) is None]
        return f"{missing[0]} is not installed (pip install {missing[0]})" if missing else None

    def prepare(self, graph: FileWorkload) -> Callable[[], Answer]:
        """One process per sample."""
        return lambda: self._measure(graph.path)

    def _measure(self, path: Path) -> PeerAnswer:
        code = (
            "from skerry_bench.microbenchmarks import files; "
            f"files.measure({self.solver!r}, {str(path)!r}, {self.threads})"
        )
        runs: list[dict[str, Any]] = []
        for _ in range(max(1, self.repeat)):
            done = subprocess.run(
                [sys.executable, "-c", code], capture_output=True, text=True, check=False
            )
            if done.returncode:
                raise RuntimeError(f"{self.solver} failed: {done.stderr[-300:]}")
            runs.append(json.loads(done.stdout))
        counts = {run["count"] for run in runs}
        seconds = tuple(float(run["seconds"]) for run in runs)
        return PeerAnswer(
            count=counts.pop() if len(counts) == 1 else None,
            seconds=seconds,
            peak_bytes=int(median(run["peak_bytes"] for run in runs)),
            statistics={
                "cpu_seconds": median(run["cpu_seconds"] for run in runs),
                "megabytes_per_second": path.stat().st_size / 1e6 / median(seconds),
            },
        )


def implementations(device: Device, options: ImplementationOptions) -> Iterator[Implementation]:
    """skerry and the DataFrame readers."""
    if device == "cpu":
        for solver in SOLVERS:
            yield FileReader(solver, options.threads, options.repeat)


def measure(solver: str, path: str, threads: int) -> None:
    """Prints what one run takes, as JSON; the peak memory is that of the process."""
    import resource

    with tempfile.TemporaryDirectory(dir=temporary_folder()) as folder:
        small = Path(folder, "small.txt")
        small.write_text("# imports, threads\n0\t1\n1\t2\n")
        SOLVERS[solver](str(small), threads)
    begin, cpu_begin = perf_counter(), process_time()
    count = SOLVERS[solver](path, threads)
    times = {"seconds": perf_counter() - begin, "cpu_seconds": process_time() - cpu_begin}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({"count": count, "peak_bytes": peak, **times}))


def _skerry(path: str, threads: int) -> int:
    return skerry.connected_components(path, ids="vertices", threads=threads).count


def _solve(src: npt.NDArray[Any], dst: npt.NDArray[Any]) -> int:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n = int(max(src.max(), dst.max())) + 1
    matrix = coo_array((np.ones(len(src), np.int8), (src, dst)), shape=(n, n))
    return int(connected_components(matrix, directed=False)[0])


def _polars(path: str, threads: int) -> int:
    del threads  # polars uses all cores
    import polars

    pairs = {"src": polars.Int64, "dst": polars.Int64}
    plain: dict[str, Any] = {"separator": "\t", "comment_prefix": "#", "has_header": False}
    table = polars.read_csv(path, schema=pairs, **plain)
    return _solve(table["src"].to_numpy(), table["dst"].to_numpy())


def _pandas(path: str, threads: int) -> int:
    del threads  # pandas uses one
    import pandas

    table = pandas.read_csv(path, sep="\t", comment="#", header=None)
    return _solve(table[0].to_numpy(), table[1].to_numpy())


SOLVERS: dict[str, Solver] = {"skerry": _skerry, "polars": _polars, "pandas": _pandas}
