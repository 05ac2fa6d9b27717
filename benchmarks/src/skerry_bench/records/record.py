"""Records forced paths: each path of each graph, in turn, until the time is spent."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from time import monotonic

import skerry
from skerry.config import temporary_folder
from skerry.errors import ArgumentError
from skerry_bench.corpus.catalog import CorpusGraph
from skerry_bench.corpus.cpu import RAM_DISK
from skerry_bench.corpus.halves import Half
from skerry_bench.corpus.implementations import OWN
from skerry_bench.corpus.peer_process import ChildProcess
from skerry_bench.corpus.run import CorpusOptions, selected
from skerry_bench.corpus.store import CANNOT_MAKE, Store
from skerry_bench.environment import this_commit, this_machine, versions
from skerry_bench.implementation import Device
from skerry_bench.isolation import PeerFailedError
from skerry_bench.records.table import Table
from skerry_bench.records.worker import CPU_SHARES, GPU_SHARES
from skerry_bench.workload import WrongAnswerError

PATHS: dict[Device, tuple[str, ...]] = {
    "cpu": ("auto", *OWN["cpu"]),
    "cuda": ("auto", *(f"rows[strategy={word}]" for word in ("links", "direct", "plain"))),
}
"""What is forced."""

START = """
import sys
sys.path.insert(0, sys.argv[1])
import skerry
sys.path[0] = sys.argv[2]
from skerry_bench.records.worker import main
main(sys.argv[3])
"""
"""A worker: skerry from one folder, all else from this one."""

FIXED_ENTRIES = 1 << 17
"""That take as long as a graph takes whatever its size: weights of graphs in the time of a run."""

SLOW_FACTOR, SLOW_SECONDS = 50.0, 0.1
"""A path slower than both, and so much slower than the fastest, has its first call only."""

START_SECONDS = 120.0
"""A worker may take to start, to compile kernels, to read a graph."""


@dataclass(frozen=True, slots=True)
class RecordOptions:
    """What is recorded."""

    output: Path
    half: Half = "tuning"
    device: Device = "cpu"
    threads: tuple[int, ...] = (1, 2)
    """Of a CPU."""
    seconds: float = 1200.0
    turns: int = 7
    """Samples of each path, if there is time."""
    names: tuple[str, ...] = ()
    min_entries: int = 0
    max_entries: int = 1 << 22
    graphs: Path | None = None
    cache: Path | None = None
    paths: tuple[str, ...] = ()
    """Other ones than `PATHS`."""
    other: tuple[str, Path] | None = None
    """The name of another build, and the folder that has its package."""
    other_paths: tuple[str, ...] = ()
    commit: str | None = None
    """Of the sources; by default the working tree says."""

    def columns(self, other: bool) -> dict[str, str]:
        """The columns of our paths, or of the other build's, and what its worker calls them."""
        paths = self.other_paths if other else self.paths or PATHS[self.device]
        ends = [f"@{number}" for number in self.threads] if self.device == "cpu" else [""]
        prefix = f"{self.other[0]}:" if other and self.other else ""
        return {f"{prefix}{path}{end}": f"{path}{end}" for path in paths for end in ends}

    def share_threads(self) -> list[int]:
        """Threads with which the sample is recorded: first links of one thread differ."""
        return sorted({min(self.threads), max(self.threads)}) if self.device == "cpu" else [0]

    def share_columns(self) -> list[str]:
        """What the sample has shown."""
        if self.device == "cuda":
            return list(GPU_SHARES)
        return [f"{name}@{threads}" for threads in self.share_threads() for name in CPU_SHARES]


def families_first(graphs: Sequence[CorpusGraph]) -> list[CorpusGraph]:
    """In an order of which any part has a graph of each family before a second one of any."""
    seen: Counter[tuple[str, ...]] = Counter()
    ranks = {}
    for graph in graphs:
        ranks[graph.name] = seen[graph.families]
        seen[graph.families] += 1
    return sorted(graphs, key=lambda graph: ranks[graph.name])


class _Build:
    """A process with one build, and the columns that it fills."""

    def __init__(self, name: str, folder: Path, device: Device, columns: Mapping[str, str]) -> None:
        here = Path(__file__).parents[2]
        command = ["-c", START, str(folder), str(here), device]
        self.process = ChildProcess(name, command, limit=START_SECONDS)
        self.columns = columns
        self.active: list[str] = []
        """Columns of the current graph that take samples."""

    def start(self) -> str:
        """Starts it; raises an error if it lacks a path. Returns the name of its GPU."""
        request = {"do": "start", "columns": list(self.columns.values())}
        return str(self.process.request(request)["machine"])

    def load(self, files: Sequence[Path], limit: float, share_threads: list[int]) -> _Loaded:
        """Gives it a graph; the answer has the seconds of first calls by column."""
        request = {
            "do": "load",
            "files": list(map(str, files)),
            "columns": list(self.columns.values()),
            "limit": limit,
            "share_threads": share_threads,
        }
        answer = self.process.request(request, START_SECONDS + 2 * limit * len(self.columns))
        first = {c: answer["seconds"][n] for c, n in self.columns.items() if n in answer["seconds"]}
        slow = max(SLOW_SECONDS, SLOW_FACTOR * min(first.values(), default=0.0))
        self.active = [column for column, seconds in first.items() if seconds <= slow]
        known = {"vertices": answer["vertices"], "entries": answer["entries"]} | answer["shares"]
        return _Loaded(known, first, set(answer["checksums"].values()))

    def turn(self, shift: int) -> dict[str, float]:
        """A sample of each column; each turn begins with the next one."""
        shift %= max(len(self.active), 1)
        columns = self.active[shift:] + self.active[:shift]
        if not columns:
            return {}
        names = [self.columns[column] for column in columns]
        seconds = self.process.request({"do": "turn", "columns": names})
        return {column: seconds[name] for column, name in zip(columns, names, strict=True)}


@dataclass(frozen=True, slots=True)
class _Loaded:
    known: dict[str, float]
    first: dict[str, float]
    checksums: set[int]


def record(options: RecordOptions, say: Callable[[str], object] = lambda _: None) -> Table:
    """Measures graph after graph; those that the file has are not measured again."""
    end = monotonic() + options.seconds
    chosen = CorpusOptions(
        half=options.half,
        names=options.names,
        min_entries=options.min_entries,
        max_entries=options.max_entries,
        graphs=options.graphs,
    )
    with _builds(options) as (builds, gpu), _store(options.cache) as store:
        table = _table(options, builds, gpu)
        graphs = [g for g in families_first(selected(chosen)) if g.name not in table.rows]
        weights = [graph.entries + FIXED_ENTRIES for graph in graphs]
        for index, graph in enumerate(graphs):
            begin = monotonic()
            if begin >= end:
                say(f"{len(graphs) - index} graphs left: the time is spent")
                break
            seconds = (end - begin) * weights[index] / sum(weights[index:])
            position = f"{index + 1}/{len(graphs)} {graph.name}"
            try:
                files = store.files(graph)
            except CANNOT_MAKE as error:
                say(f"{position}: left out: {error}")
                continue
            try:
                cells = _measure(graph, files, builds, options, begin + seconds, say)
            except PeerFailedError as error:
                say(f"{position}: left out: {error}")
                continue
            finally:
                if options.cache is None:
                    store.drop(graph)
            table.add(graph.name, cells)
            say(f"{position}: {_best(cells, builds[0].columns)}")
    return table


def _measure(
    graph: CorpusGraph,
    files: Sequence[Path],
    builds: Sequence[_Build],
    options: RecordOptions,
    end: float,
    say: Callable[[str], object],
) -> dict[str, float]:
    """The cells of a graph. The first build is ours; another one may fail."""
    limit = max(1.0, end - monotonic())
    best: dict[str, float] = {}
    known: dict[str, float] = {}
    checksums: set[int] = set()
    fit = []
    for build in builds:
        own = build is builds[0]
        try:
            loaded = build.load(files, limit, options.share_threads() if own else [])
        except PeerFailedError as error:
            if own:
                raise
            say(f"{graph.name}: {error}")
            continue
        checksums |= loaded.checksums
        if len(checksums) > 1:
            raise WrongAnswerError(f"the paths of {build.process.name} differ on {graph.name}")
        known |= loaded.known
        best |= loaded.first
        fit.append(build)
    first = True
    for turn in range(options.turns):
        shift = turn % len(fit)
        for build in fit[shift:] + fit[:shift]:
            samples = build.turn(turn)
            best |= {c: s if first else min(s, best[c]) for c, s in samples.items()}
        first = False
        if monotonic() > end:
            break
    return known | {column: seconds * 1e6 for column, seconds in best.items()}


def _table(options: RecordOptions, builds: Sequence[_Build], gpu: str) -> Table:
    named = [column for build in builds for column in build.columns]
    run = {
        "commit": options.commit or this_commit(),
        "machine": gpu or this_machine().processor,
        "date": date.today().isoformat(),
        "versions": versions(),
        "device": options.device,
        "half": options.half,
        "threads": options.threads if options.device == "cpu" else None,
    }
    columns = ("graph", "vertices", "entries", *options.share_columns(), *named)
    table = Table(options.output, run, columns)
    table.begin()
    return table


@contextmanager
def _builds(options: RecordOptions) -> Iterator[tuple[list[_Build], str]]:
    """Ours first, and the GPU; their processes end with the block."""
    if (options.other is None) != (not options.other_paths):
        raise ArgumentError("--other and --other-paths are given together")
    folders = [("skerry", Path(skerry.__file__).parents[1])]
    folders += [options.other] if options.other else []
    builds: list[_Build] = []
    try:
        for name, folder in folders:
            columns = options.columns(other=bool(builds))
            builds.append(_Build(name, folder.absolute(), options.device, columns))
        gpus = [build.start() for build in builds]
        yield builds, gpus[0]
    finally:
        for build in builds:
            build.process.close()


@contextmanager
def _store(cache: Path | None) -> Iterator[Store]:
    """A folder of graphs that are kept, or one that ends with the block."""
    if cache is not None:
        yield Store(cache)
        return
    parent = RAM_DISK if RAM_DISK.is_dir() else temporary_folder()
    folder = Path(tempfile.mkdtemp(prefix="skerry-record-", dir=parent))
    try:
        yield Store(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _best(cells: Mapping[str, float], columns: Mapping[str, str]) -> str:
    fastest = min((column for column in columns if column in cells), key=lambda c: cells[c])
    return f"{fastest} {cells[fastest]:.1f} us"
