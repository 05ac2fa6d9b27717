"""The work of ``skerry bench record``: from text to options."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from skerry.errors import ArgumentError
from skerry_bench.cli.corpus_request import count_of
from skerry_bench.cli.run_command import seconds_of, split_names
from skerry_bench.corpus.halves import HALVES
from skerry_bench.records.record import RecordOptions, record


def run_record(
    out: Path,
    names: tuple[str, ...],
    half: Any,
    device: Any,
    threads: str,
    seconds: str,
    turns: int,
    min_entries: str,
    max_entries: str,
    graphs: Path | None,
    cache: Path | None,
    paths: str | None,
    other: str | None,
    other_paths: str,
    commit: str | None,
    say: Callable[[str], object],
) -> None:
    """Does what the command line asks for."""
    if half not in HALVES or device not in ("cpu", "cuda"):
        raise ArgumentError(f"--half is tuning or checking, --device cpu or cuda: {half}, {device}")
    numbers = [text.strip() for text in threads.split(",")]
    if not all(text.isascii() and text.isdigit() and int(text) for text in numbers):
        raise ArgumentError(f"--threads must be numbers such as 1,2,16, got {threads!r}")
    name, equals, folder = (other or "").rpartition("=")
    record(
        RecordOptions(
            output=out,
            half=half,
            device=device,
            threads=tuple(map(int, numbers)),
            seconds=seconds_of(seconds) or 0.0,
            turns=turns,
            names=names,
            min_entries=count_of("--min-entries", min_entries),
            max_entries=count_of("--max-entries", max_entries),
            graphs=graphs,
            cache=cache,
            paths=split_names(paths or ""),
            other=(name if equals else "other", Path(folder)) if other else None,
            other_paths=split_names(other_paths),
            commit=commit,
        ),
        say,
    )
