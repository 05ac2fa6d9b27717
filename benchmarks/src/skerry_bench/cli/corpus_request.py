"""The work of ``skerry bench corpus``: from text to options, and what is printed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from skerry.errors import ArgumentError
from skerry.generators.parameters import READERS
from skerry.threads import resolve_threads
from skerry_bench.cli.run_command import seconds_of, split_names
from skerry_bench.corpus.catalog import CorpusGraph
from skerry_bench.corpus.record import read_record
from skerry_bench.corpus.run import CorpusOptions, run_corpus, selected
from skerry_bench.corpus.store import Store
from skerry_bench.corpus.summary import tables


class Request(NamedTuple):
    """The options of the command line."""

    names: tuple[str, ...]
    half: str
    device: str
    threads: int | None
    min_entries: str
    max_entries: str
    peers: Path | None
    graphs: Path | None
    variations: bool
    cache: Path | None
    algorithms: str | None
    repeat: int
    time_budget: str | None
    output: Path | None
    make_only: bool
    list_only: bool
    only_summary: bool


def run_request(request: Request, say: Callable[[str], Any]) -> None:
    """Does what the command line asks for."""
    options = _options(request)
    if request.only_summary:
        if request.output is None or not request.output.exists():
            raise ArgumentError("--summary needs the record of a run: --output FILE")
        say(tables(read_record(request.output), options.device))
    elif request.list_only:
        for graph in sorted(selected(options), key=lambda graph: (graph.log, graph.name)):
            say(f"{graph.name:<48} {graph.half:<9} 2^{graph.log:<3} {_parts(graph)}")
    elif request.make_only:
        if request.cache is None:
            raise ArgumentError("--make-only needs a folder to keep the graphs: --cache FOLDER")
        store = Store(request.cache)
        for name, reason in store.fill(selected(options), resolve_threads(request.threads)).items():
            say(f"{name}: left out: {reason}")
    else:
        say(tables(run_corpus(options, say), options.device))


def _parts(graph: CorpusGraph) -> str:
    texts = [f"{part.family} ({part.order})" for part in graph.parts]
    return f"{graph.mixture} of {', '.join(texts)}" if len(texts) > 1 else "".join(texts) or "real"


def _options(request: Request) -> CorpusOptions:
    chosen: Any = request.half
    device: Any = request.device
    names = request.algorithms
    own = None if names is None else tuple(n for n in split_names(names) if n != "none")
    return CorpusOptions(
        half=chosen,
        device=device,
        threads=request.threads,
        names=request.names,
        min_entries=count_of("--min-entries", request.min_entries),
        max_entries=count_of("--max-entries", request.max_entries),
        peers=request.peers,
        graphs=request.graphs,
        variations=request.variations,
        cache=request.cache,
        algorithms=own,
        repeat=request.repeat,
        time_budget=seconds_of(request.time_budget),
        output=request.output,
    )


def count_of(option: str, text: str) -> int:
    """The number of a text such as ``2^20``."""
    try:
        return int(READERS["int"](text))
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(f"{option} must be a number such as 2^20, got {text!r}") from None
