"""The work of ``skerry bench SUITE``: options to a run, or several, and what is told at the end."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import typer
from rich.console import Console

from skerry.cli.errors import WRONG, say
from skerry.errors import InputError
from skerry.threads import resolve_threads
from skerry_bench.results import read_lines
from skerry_bench.run import choose_peers, default_output, devices_of, run_suite
from skerry_bench.runner import Runner
from skerry_bench.shares import Shares, weight
from skerry_bench.show import table_of
from skerry_bench.studies import STUDIES, suite_of
from skerry_bench.suites import SUITES
from skerry_bench.tasks import Options, plan_tasks

__all__ = ["Wish", "run_bench", "show_lists"]

ALL = ("eclcc", "cong-muzio", "gerasimou", "families")
MOST_REASONS = 12
UNITS = {"": 1, "s": 1, "m": 60, "h": 3600}


@dataclass(frozen=True, slots=True)
class Wish:
    """What the command line says."""

    kind: str
    """A suite, ``"all"`` or ``"study"``."""
    words: tuple[str, ...]
    device: str
    algorithms: str | None
    peers: str
    external: tuple[str, ...]
    studies: str
    only_studies: bool
    threads: int | None
    repeat: int | None
    scale: float
    budget: float | None
    time_budget: str | None
    graphs: Path | None
    output: Path | None
    go_on: Path | None


def run_bench(wish: Wish) -> None:
    """Runs all that is asked for into one file, and prints its tables."""
    if wish.output is not None and wish.go_on is not None:
        raise InputError("--continue says the file already: leave --output out")
    parts = _parts(wish)
    output = wish.go_on or wish.output or default_output(wish.kind)
    whole = seconds_of(wish.time_budget)
    runners: list[Runner] = []
    try:
        asked = [_options(wish, *part) for part in parts]
        shares = Shares(whole, [_weight(options) for options in asked] if whole else ())
        for number, options in enumerate(asked):
            left = shares.next()
            if left is not None:
                options = replace(options, time_budget=max(left, 0.001))
            go_on = wish.go_on is not None and _holds(output, options.suite, only_if=number > 0)
            runners.append(run_suite(options, output, go_on=go_on))
    except KeyboardInterrupt:
        say(f"what was measured is in {output}; go on with --continue {output}")
        raise
    _tell(runners, output)


def _parts(wish: Wish) -> list[tuple[str, tuple[str, ...], tuple[str, ...], bool]]:
    """Suites with graphs and studies, and whether the suite itself is left out."""
    if wish.kind == "study" or wish.kind in STUDIES:
        words = wish.words if wish.kind == "study" else (wish.kind, *wish.words)
        if not words:
            raise InputError(f"say which study: {', '.join(STUDIES)}")
        found: dict[str, list[str]] = {}
        for name in words:
            if name not in STUDIES:
                raise InputError(f"no study {name!r}; there are: {', '.join(STUDIES)}")
            found.setdefault(suite_of(name), []).append(name)
        return [(suite, (), tuple(names), True) for suite, names in found.items()]
    if wish.kind == "all":
        for name in wish.words:
            if name not in SUITES:
                raise InputError(f"no suite {name!r}; there are: {', '.join(SUITES)}")
        names = wish.words or ALL
        return [(name, (), _own(name, wish.device), wish.only_studies) for name in names]
    own = _own(wish.kind, wish.device) if wish.studies == "own" else ()
    studies = {"none": (), "own": own}.get(wish.studies, _names(wish.studies))
    return [(wish.kind, wish.words, studies, wish.only_studies)]


def _own(suite: str, device: str) -> tuple[str, ...]:
    """The studies of a suite, but for those that are to be asked for by name."""
    studies = [STUDIES[name] for name in SUITES[suite].studies]
    for study in studies:
        if study.by_name_only and set(devices_of(device)) & set(study.devices):
            say(
                f"left out: {study.name}, since {study.by_name_only}; "
                f"skerry bench study {study.name} measures it"
            )
    return tuple(study.name for study in studies if not study.by_name_only)


def _weight(options: Options) -> float:
    """Of a suite among others: that of its graphs."""
    return sum(weight(len(tasks), case.size) for case, tasks in plan_tasks(options))


def _options(
    wish: Wish,
    suite: str,
    names: tuple[str, ...],
    studies: tuple[str, ...],
    only: bool,
) -> Options:
    real = suite == "real"
    return Options(
        suite=suite,
        devices=devices_of(wish.device),
        scale=wish.scale,
        threads=resolve_threads(wish.threads),
        repeat=wish.repeat,
        budget=wish.budget,
        time_budget=None,
        algorithms=None if wish.algorithms is None else _names(wish.algorithms),
        peers={} if only else choose_peers(wish.peers),
        external=() if only else wish.external,
        studies=studies,
        only_studies=only,
        names=() if real else names,
        folder=wish.graphs,
        files=tuple(map(Path, names)) if real else (),
    )


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in re.split(r",(?![^\[]*\])", text) if name.strip())


def seconds_of(text: str | None) -> float | None:
    """The seconds of a text such as ``90``, ``90s``, ``20m`` or ``1.5h``."""
    if text is None:
        return None
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smh]?)", text.strip())
    if found is None or not float(found[1]):
        raise InputError(f"a time budget is a number of seconds, or as 90s, 20m, 2h; got {text!r}")
    return float(found[1]) * UNITS[found[2]]


def _holds(path: Path, suite: str, only_if: bool) -> bool:
    """Whether a record has a run of the suite; of several suites, the later may not have begun."""
    if not only_if:
        return True
    return any(
        line.kind == "run" and getattr(line, "suite", "") == suite for line in read_lines(path)
    )


def _tell(runners: list[Runner], output: Path) -> None:
    results = [line for runner in runners for line in runner.journal.lines.results]
    skipped = [line for runner in runners for line in runner.journal.lines.skipped]
    plain = Console(markup=False, highlight=False, soft_wrap=True)
    if results:
        plain.print(table_of(results))
    reasons = Counter(line.reason for line in skipped)
    for reason, count in reasons.most_common(MOST_REASONS):
        say(f"skipped, {count:,} times: {reason}")
    if len(reasons) > MOST_REASONS:
        say(f"skipped for {len(reasons) - MOST_REASONS:,} more reasons: see the file")
    say(f"{len(results):,} results, {len(skipped):,} skipped: {output}")
    wrong = [text for runner in runners for text in runner.wrong]
    for text in wrong:
        say(f"WRONG ANSWER: {text}")
    if wrong:
        raise typer.Exit(WRONG)


def show_lists() -> None:
    """The two tables."""
    plain = Console(markup=False, highlight=False, soft_wrap=True)
    for suite in SUITES.values():
        plain.print(f"{suite.name:<12} {suite.summary}")
    plain.print()
    for study in STUDIES.values():
        plain.print(f"{study.name:<12} {study.summary} ({study.paper}; in {suite_of(study.name)})")
