"""The work of ``skerry bench SUITE``: from options to one run or several, and the final summary."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import typer
from rich.console import Console

from skerry.cli.errors import WRONG, say
from skerry.errors import ArgumentError
from skerry.threads import resolve_threads
from skerry_bench.corpus.real import real_folder
from skerry_bench.options import Options
from skerry_bench.originals.pairs import LETTERS
from skerry_bench.progress import markdown_tables
from skerry_bench.results import read_lines
from skerry_bench.run import (
    choose_libraries,
    choose_peers,
    default_output,
    devices_of,
    run_suite,
)
from skerry_bench.runner import Runner
from skerry_bench.studies import STUDIES, suite_of
from skerry_bench.suites import SUITES
from skerry_bench.tasks import plan_tasks
from skerry_bench.time_budget import TimeBudget, weight

ALL = ("eclcc", "cong-muzio", "gerasimou", "families")
MAX_REASONS = 12
UNITS = {"": 1, "s": 1, "m": 60, "h": 3600}


@dataclass(frozen=True, slots=True)
class BenchRequest:
    """The options of the command line."""

    kind: str
    """A suite, ``"all"`` or ``"study"``."""
    names: tuple[str, ...] = ()
    device: str = "cpu"
    algorithms: str | None = None
    peers: str = "none"
    external: tuple[str, ...] = ()
    studies: str = "none"
    only_studies: bool = False
    threads: int | None = None
    repeat: int | None = None
    scale: float = 1.0
    budget: float | None = None
    time_budget: str | None = None
    graphs: Path | None = None
    energy: bool = False
    output: Path | None = None
    resume: Path | None = None
    files: tuple[Path, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Part:
    """A suite of a request."""

    suite: str
    names: tuple[str, ...] = ()
    """Graphs of the suite."""
    studies: tuple[str, ...] = ()
    only_studies: bool = False


def run_bench(request: BenchRequest) -> None:
    """Runs all suites of a request into one file, and prints their tables."""
    if request.output is not None and request.resume is not None:
        raise ArgumentError("--continue names the file already: leave --output out")
    parts = _parts(request)
    output = request.resume or request.output or default_output(request.kind)
    seconds = seconds_of(request.time_budget)
    runners: list[Runner] = []
    try:
        suites = [_options(request, part) for part in parts]
        time = TimeBudget(seconds, [_weight(options) for options in suites] if seconds else ())
        for number, options in enumerate(suites):
            left = time.next()
            if left is not None:
                options = replace(options, time_budget=max(left, 0.001))
            # Of several suites, the later ones may not have begun when the run was stopped.
            begun = number == 0 or _has_run(output, options.suite)
            resume = request.resume is not None and begun
            runners.append(run_suite(options, output, resume=resume))
    except KeyboardInterrupt:
        say(f"results so far are in {output}; continue with --continue {output}")
        raise
    _summarize(runners, output)


def _parts(request: BenchRequest) -> list[_Part]:
    """The suites of a request, with their graphs and studies."""
    if request.kind == "study" or (request.kind in STUDIES and request.kind not in SUITES):
        names = request.names if request.kind == "study" else (request.kind, *request.names)
        if not names:
            raise ArgumentError(f"name a study: {', '.join(STUDIES)}")
        by_suite: dict[str, list[str]] = {}
        for name in names:
            if name not in STUDIES:
                raise ArgumentError(f"no study {name!r}; there are: {', '.join(STUDIES)}")
            by_suite.setdefault(suite_of(name), []).append(name)
        return [_Part(suite, (), tuple(studies), True) for suite, studies in by_suite.items()]
    if request.kind == "all":
        for name in request.names:
            if name not in SUITES:
                raise ArgumentError(f"no suite {name!r}; there are: {', '.join(SUITES)}")
        return [
            _Part(name, (), _own_studies(name, request.device), request.only_studies)
            for name in request.names or ALL
        ]
    own = _own_studies(request.kind, request.device) if request.studies == "own" else ()
    studies = {"none": (), "own": own}.get(request.studies, split_names(request.studies))
    return [_Part(request.kind, request.names, studies, request.only_studies)]


def _own_studies(suite: str, device: str) -> tuple[str, ...]:
    """The studies of a suite, without those that are measured only by name."""
    studies = [STUDIES[name] for name in SUITES[suite].studies]
    for study in studies:
        if study.by_name_only and set(devices_of(device)) & set(study.devices):
            say(
                f"left out: {study.name}, since {study.by_name_only}; "
                f"skerry bench study {study.name} measures it"
            )
    return tuple(study.name for study in studies if not study.by_name_only)


def _weight(options: Options) -> float:
    """The weight of a suite: that of its graphs."""
    return sum(weight(len(tasks), case.size) for case, tasks in plan_tasks(options))


def _options(request: BenchRequest, part: _Part) -> Options:
    real = part.suite == "real"
    only = part.only_studies
    libraries = choose_libraries(request.peers, part.suite)
    return Options(
        suite=part.suite,
        devices=devices_of(request.device),
        scale=request.scale,
        threads=resolve_threads(request.threads),
        repeat=request.repeat,
        budget=request.budget,
        time_budget=None,
        algorithms=_algorithms(request, part.suite),
        peers={} if only or libraries else choose_peers(request.peers),
        libraries=libraries,
        external=() if only else request.external,
        studies=part.studies,
        only_studies=only,
        names=() if real else part.names,
        folder=real_folder(request.graphs),
        files=tuple(map(Path, part.names)) if real else request.files,
        parameters=request.parameters,
        energy=request.energy,
    )


def _algorithms(request: BenchRequest, suite: str) -> tuple[str, ...] | None:
    """The algorithms of a request; ``letters`` are those of the suite, by the letter."""
    if request.algorithms is None:
        return None
    device = devices_of(request.device)[-1]
    own = SUITES[suite].runs(device)
    letters = [text for name, text in LETTERS[device].items() if name.partition("[")[0] in own]
    names = split_names(request.algorithms)
    return tuple(each for name in names for each in (letters if name == "letters" else [name]))


def split_names(text: str) -> tuple[str, ...]:
    """Names separated by commas; a comma in brackets separates options of an algorithm."""
    return tuple(name.strip() for name in re.split(r",(?![^\[]*\])", text) if name.strip())


def seconds_of(text: str | None) -> float | None:
    """The seconds of a text such as ``90``, ``90s``, ``20m`` or ``1.5h``."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smh]?)", text.strip())
    if match is None or not float(match[1]):
        raise ArgumentError(
            f"a time budget is a number of seconds, or text such as 90s, 20m, 2h; got {text!r}"
        )
    return float(match[1]) * UNITS[match[2]]


def _has_run(path: Path, suite: str) -> bool:
    """Whether a record has a run of the suite."""
    return any(
        line.kind == "run" and getattr(line, "suite", "") == suite for line in read_lines(path)
    )


def _summarize(runners: list[Runner], output: Path) -> None:
    results = [line for runner in runners for line in runner.journal.lines.results]
    skipped = [line for runner in runners for line in runner.journal.lines.skipped]
    plain = Console(markup=False, highlight=False, soft_wrap=True)
    for runner in runners:
        tables = _tables(runner)
        if tables:
            plain.print(tables)
    reasons = Counter(line.reason for line in skipped)
    for reason, count in reasons.most_common(MAX_REASONS):
        say(f"skipped, {count:,} times: {reason}")
    if len(reasons) > MAX_REASONS:
        say(f"skipped for {len(reasons) - MAX_REASONS:,} more reasons: see the file")
    say(f"{len(results):,} results, {len(skipped):,} skipped: {output}")
    wrong = [text for runner in runners for text in runner.wrong]
    for text in wrong:
        say(f"WRONG ANSWER: {text}")
    if wrong:
        raise typer.Exit(WRONG)


def _tables(runner: Runner) -> str:
    """The tables of one run as Markdown."""
    lines, run = runner.journal.lines, runner.journal.run
    tables = SUITES[run.suite].tables
    if not lines.results:
        return ""
    if tables is None:
        return markdown_tables(lines.results)
    return tables(lines.results, list(lines.graphs.values()))
