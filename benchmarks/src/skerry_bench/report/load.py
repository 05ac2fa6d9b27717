"""Reads the results of record files for the report."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from skerry import InputError
from skerry_bench.results import Line, Machine, Result, Results, RunLine, merge, read_lines

LEFT_OUT_SUITES = frozenset({"edges", "files", "ids", "latency", "small"})
LEFT_OUT_STUDIES = frozenset({"calls", "first-use"})
"""Measurements of single parts of skerry: no figure or claim of a paper compares them."""


def load_results(paths: Iterable[Path]) -> Results:
    """One set of results, in which a later measurement replaces an earlier one of the same thing.

    Files may be parts of a record. Results of a run that no file describes count as those of an
    unknown machine.
    """
    files = list(paths)
    lines = _reported([line for path in files for line in read_lines(path)])
    known = {line.run for line in lines if isinstance(line, RunLine)}
    needed = {line.run: line for line in lines if line.run not in known}
    unknown_runs = [
        RunLine(run, "", getattr(line, "suite", ""), Machine("", 0), {}, "", {})
        for run, line in needed.items()
    ]
    merged = merge([*unknown_runs, *lines])
    if not merged.results and not merged.skipped:
        raise InputError(f"no result to report in {', '.join(map(str, files))}")
    return merged


def _reported(lines: list[Line]) -> list[Line]:
    """Without suites and studies that are left out; a graph belongs to the suite of its run."""
    left_out = {line.run for line in lines if getattr(line, "suite", "") in LEFT_OUT_SUITES}
    return [
        line
        for line in lines
        if line.run not in left_out
        and not (isinstance(line, Result) and line.study in LEFT_OUT_STUDIES)
    ]
