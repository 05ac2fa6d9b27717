"""Reads the results of any number of files, of today's record and of the older forms."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from skerry.errors import InputError
from skerry_bench.report.older import is_older, older_lines
from skerry_bench.results import Line, Machine, Results, RunLine, merge, read_lines

__all__ = ["read"]


def read(paths: Iterable[Path]) -> Results:
    """One set of results; what was measured again later counts.

    A file may be a part of a record: results of a run that it does not describe are kept, as of an
    unknown machine.
    """
    lines = [line for path in paths for line in _lines(path)]
    known = {line.run for line in lines if isinstance(line, RunLine)}
    needed = {line.run: line for line in lines if line.run not in known}
    strangers = [
        RunLine(run, "", getattr(line, "suite", ""), Machine("", 0), {}, "", {})
        for run, line in needed.items()
    ]
    found = merge([*strangers, *lines])
    if not found.results and not found.skipped:
        raise InputError("there is no result in these files")
    return found


def _lines(path: Path) -> Iterable[Line]:
    return older_lines(path) if _starts_older(path) else read_lines(path)


def _starts_older(path: Path) -> bool:
    try:
        with path.open(encoding="utf-8") as file:
            first = json.loads(file.readline() or "{}")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError:
        return False  # the reader of the record says what is wrong
    return isinstance(first, dict) and is_older(first)
