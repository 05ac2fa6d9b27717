"""A run on the corpus: which graphs, in which order, until when; its record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from pathlib import Path
from time import monotonic

from skerry import Csr
from skerry.errors import ArgumentError
from skerry.threads import resolve_threads
from skerry_bench import gpu_device
from skerry_bench.corpus.catalog import CorpusGraph, catalog
from skerry_bench.corpus.cpu import measure_on_cpu, time_ten_edges, verified_labels
from skerry_bench.corpus.features import graph_features
from skerry_bench.corpus.gpu import measure_on_gpu
from skerry_bench.corpus.halves import HALVES, Half
from skerry_bench.corpus.implementations import own_names
from skerry_bench.corpus.peer_library import libraries, load_gpu
from skerry_bench.corpus.peer_process import PeerProcess
from skerry_bench.corpus.real import real_folder, real_graphs
from skerry_bench.corpus.record import GraphRecord, Record, Result, read_record
from skerry_bench.corpus.store import CANNOT_MAKE, Store
from skerry_bench.corpus.variations import variations
from skerry_bench.environment import this_commit, this_machine
from skerry_bench.implementation import Device


@dataclass(frozen=True, slots=True)
class CorpusOptions:
    """What is measured."""

    half: Half | None = "tuning"
    """None: both, which no measurement takes."""
    device: Device = "cpu"
    threads: int | None = None
    names: tuple[str, ...] = ()
    """Graphs or families; all by default."""
    min_entries: int = 0
    max_entries: int = 1 << 26
    peers: Path | None = None
    """A folder of shared libraries."""
    graphs: Path | None = None
    """A folder of real graphs."""
    variations: bool = False
    """Other graphs of the same families; see `skerry_bench.corpus.variations`."""
    cache: Path | None = None
    algorithms: tuple[str, ...] | None = None
    repeat: int = 9
    time_budget: float | None = None
    output: Path | None = None

    def __post_init__(self) -> None:
        if self.half not in (None, *HALVES):
            raise ArgumentError(f"--half must be {' or '.join(HALVES)}, got {self.half!r}")
        if self.device not in ("cpu", "cuda"):
            raise ArgumentError(f"--device must be cpu or cuda, got {self.device!r}")


def selected(options: CorpusOptions) -> list[CorpusGraph]:
    """The graphs of a run, in an order that mixes families and sizes: any part is a fair sample."""
    folder = None if options.variations else real_folder(options.graphs)
    real = [] if folder is None else real_graphs(folder)
    generated = variations if options.variations else catalog
    graphs = [
        graph
        for graph in [*generated(options.half), *real]
        if options.half in (None, graph.half)
        and options.min_entries <= graph.entries <= options.max_entries
        and (not options.names or {graph.name, *graph.families} & set(options.names))
    ]
    unknown = set(options.names) - {
        name for graph in graphs for name in (graph.name, *graph.families)
    }
    if unknown or not graphs:
        what = f"is called {', '.join(sorted(unknown))}" if unknown else "has these sizes"
        raise ArgumentError(f"no graph or family of the corpus {what} in this half: see --list")
    return sorted(graphs, key=lambda graph: sha256(graph.name.encode()).digest())


def run_corpus(options: CorpusOptions, say: Callable[[str], None] = lambda _: None) -> Record:
    """Measures graph after graph; those that a record already has are not measured again."""
    end = None if options.time_budget is None else monotonic() + options.time_budget
    record = Record() if options.output is None else read_record(options.output)
    commit = this_commit()
    _check_same_run(record, options, commit)
    graphs = [graph for graph in selected(options) if graph.name not in record.graphs]
    store = Store(options.cache)
    with _measurer(options) as (measure, machine):
        record.begin(
            date=date.today().isoformat(),
            commit=commit,
            machine=machine,
            half=options.half,
            device=options.device,
            threads=options.threads,
        )
        for index, graph in enumerate(graphs):
            if end is not None and monotonic() > end:
                say(f"{len(graphs) - index} graphs left: the time budget is spent")
                break
            try:
                rows = store.load(graph)
            except CANNOT_MAKE as error:
                say(f"{index + 1}/{len(graphs)} {graph.name}: left out: {error}")
                continue
            labels = verified_labels(graph.name, rows, options.threads)
            before = _time_of_a_call(options)
            results = measure(graph.name, rows, labels)
            after = _time_of_a_call(options)
            call = None if before is None or after is None else (before + after) / 2
            features = graph_features(rows, labels)
            record.add(GraphRecord(graph.name, graph.half, graph.families, features, call), results)
            say(f"{index + 1}/{len(graphs)} {_line(graph, results)}")
    return record


def _time_of_a_call(options: CorpusOptions) -> float | None:
    """That of ten edges, beside each graph: the speed of a machine changes during a run."""
    return time_ten_edges(options.threads) if options.device == "cpu" else None


def _check_same_run(record: Record, options: CorpusOptions, commit: str) -> None:
    """Refuses to add to a record of other conditions: its tables would mix them."""
    now = {
        "commit": commit,
        "half": options.half,
        "device": options.device,
        "threads": options.threads,
    }
    for name, value in now.items():
        before = record.run.get(name, value)
        if before != value:
            raise ArgumentError(
                f"{options.output} is the record of a run with {name} {before}, not {value}: "
                "use another --output"
            )


Measure = Callable[[str, Csr, object], list[Result]]


@contextmanager
def _measurer(options: CorpusOptions) -> Iterator[tuple[Measure, str]]:
    """A function that measures a graph, and the machine in words."""
    paths = {} if options.peers is None else libraries(options.peers)

    def names(rows: Csr) -> list[str]:
        if options.algorithms is not None:
            return list(options.algorithms)
        size = rows.num_vertices + rows.num_entries
        return own_names(options.device, resolve_threads(options.threads), size)

    if options.device == "cuda":
        gpu = gpu_device.this_gpu()
        on_device = {name: load_gpu(path) for name, path in paths.items()}

        def on_gpu(name: str, rows: Csr, labels: object) -> list[Result]:
            results = measure_on_gpu(
                name, rows, labels, names(rows), on_device, gpu, options.repeat
            )
            gpu.release()
            return results

        yield on_gpu, f"{gpu.description.name}, CUDA {gpu.description.cuda}"
        return
    threads = resolve_threads(options.threads)
    peers = {name: PeerProcess(name, path, threads) for name, path in paths.items()}
    try:
        yield (
            lambda name, rows, labels: measure_on_cpu(
                name, rows, labels, names(rows), peers, options.threads, options.repeat
            ),
            f"{this_machine().processor}, {threads} threads",
        )
    finally:
        for peer in peers.values():
            peer.close()


def _line(graph: CorpusGraph, results: list[Result]) -> str:
    clock = results[0].clock
    timed = [result for result in results if result.clock == clock]
    auto = next(result for result in timed if result.implementation == "auto")
    parts = [f"{graph.name}: auto {auto.median * 1e3:.3f} ms ({auto.ran})"]
    for label, peer in (("own", False), ("peer", True)):
        others = [r for r in timed if r.peer == peer and r is not auto and r.seconds]
        if others:
            best = min(others, key=lambda result: result.median)
            parts.append(f"{label} {best.implementation} {best.median * 1e3:.3f}")
    failed = [f"{result.implementation}: {result.error}" for result in timed if result.error]
    return ", ".join(parts + failed)
