"""Runs commands in terminals: a process that has loaded skerry, and forks one for each command.

A request is a line of JSON on standard input; the answers are lines of JSON on standard output:
``{"paused": 3}`` after the third drawing, if that was asked for, and ``{"ended": code}``.

With ``eager``, progress is drawn at once and after every change, not after a while and at times. So
what small files are read with shows as many lines as large ones do.
"""

from __future__ import annotations

import fcntl
import gc
import json
import os
import signal
import sys
import termios
import time
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import typer.main
from typer.testing import CliRunner

import skerry.cli.app
import skerry.cli.cluster
import skerry.cli.components
import skerry.cli.convert
import skerry.cli.demo
import skerry.cli.doctor
import skerry.cli.generate
import skerry.cli.graphs
import skerry.cli.info
import skerry.cli.sweep
import skerry.cli.verify
import skerry.cli.why
from skerry.cli import main, progress
from skerry.datasets import papers
from skerry.datasets.papers import Source, paper_graph


def serve() -> None:
    """Runs commands until standard input ends."""
    # Making the command of an app takes longer than most commands.
    typer.main.get_command = cache(typer.main.get_command)
    for command in ("algorithms", "graphs", "generate --list"):  # what typer and rich load late
        CliRunner().invoke(skerry.cli.app.app, command.split())
    gc.freeze()
    for line in sys.stdin:
        request = json.loads(line)
        answers = os.dup(1)
        process = os.fork()
        if not process:
            run(request, answers)
        os.close(answers)
        _, status = os.waitpid(process, 0)
        answer(1, {"ended": os.waitstatus_to_exitcode(status)})


def answer(number: int, value: dict[str, int]) -> None:
    """Sends a line to the test."""
    os.write(number, json.dumps(value).encode() + b"\n")


def run(request: dict[str, Any], answers: int) -> None:
    """Runs a command in this process, which ends with it."""
    code: Any = 99
    try:
        open_terminal(request["terminal"], request.get("stdout"))
        os.environ.update(request["environment"])
        os.chdir(request["folder"])
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        close_streams(request.get("closed", []))
        for name in request.get("ignored", []):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
        if "graph" in request and request["arguments"][:2] == ["graphs", "get"]:
            add_graph(**request["graph"])
        if request["eager"]:
            draw_eagerly(request.get("pause", 0), answers)
        sys.argv = ["skerry", *request["arguments"]]
        main()
    except SystemExit as ending:
        code = ending.code or 0
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, AttributeError):
                stream.flush()
        os._exit(code)


def open_terminal(path: str, stdout: str | None) -> None:
    """Makes a terminal the one of this process; its output may go to a file."""
    os.setsid()
    terminal = os.open(path, os.O_RDWR)
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    streams = [terminal, terminal, terminal]
    if stdout is not None:
        streams[1] = os.open(stdout, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False, buffering=1)  # noqa: SIM115


def close_streams(names: list[str]) -> None:
    """Closes streams as ``>&-`` does, and leaves what Python then has: None."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if name in names:
            os.close(number)
            setattr(sys, name, None)


def add_graph(address: str, counts: dict[str, int], **_: object) -> None:
    """Makes a graph that can be downloaded from there the only one of the papers."""
    graph = replace(
        paper_graph("internet"), name="mine", sources=(Source(address, "egr"),), **counts
    )
    papers._table = lambda: {"mine": graph}


def draw_eagerly(pause: int, answers: int) -> None:
    """Draws progress at every change; after so many, stops until a signal or the file ``go``."""
    drawn = 0

    def changed(display: Any, task: Any) -> None:
        nonlocal drawn
        display._task = task
        if display._thread is not None:
            display._try_to_draw()
            drawn += 1
            if drawn == pause:
                answer(answers, {"paused": drawn})
                end = time.monotonic() + 30
                while not Path("go").exists() and time.monotonic() < end:
                    time.sleep(0.01)

    progress.DELAY = 1e6
    progress.ProgressDisplay._set = changed  # type: ignore[method-assign]


if __name__ == "__main__":
    serve()
