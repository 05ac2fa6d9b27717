"""The command line as tests use it: in this process, or as one of its own."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from typing import Any

import typer.testing
from typer.testing import CliRunner

from skerry.cli.app import app
from support.python_spelling import python_spelling

# Making the command of an app takes longer than most commands, and is done at each call.
typer.testing._get_command = cache(typer.main.get_command)


def invoke(*arguments: object, piped: bytes | None = None) -> Any:
    """Runs a command in this process; what it prints must not name arguments of Python."""
    result = CliRunner().invoke(app, [str(each) for each in arguments], input=piped)
    assert python_spelling(result.output) is None, python_spelling(result.output)
    return result


def ok(*arguments: object) -> str:
    """What a command prints that must succeed."""
    result = invoke(*arguments)
    assert result.exit_code == 0, (arguments, result.output, result.exception)
    return result.output


def refused(*arguments: object, code: int | None = None) -> str:
    """The one line of a command that must fail, with this code or any of a bad request."""
    result = invoke(*arguments)
    codes = (2, 3, 4, 5) if code is None else (code,)
    assert result.exit_code in codes, (arguments, result.output, result.exception)
    assert result.output.startswith("skerry: "), result.output
    assert result.output.count("\n") == 1, result.output
    return result.output


def run(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Runs a command in a process of its own."""
    command = [sys.executable, "-m", "skerry", *map(str, arguments)]
    return subprocess.run(
        command, **({"capture_output": True, "text": True, "timeout": 120} | options), check=False
    )


def said(output: str, word: str) -> str:
    """What the summary says beside ``word``."""
    lines = [line.strip() for line in output.splitlines()]
    return next(line.removeprefix(word).strip() for line in lines if line.startswith(f"{word} "))
