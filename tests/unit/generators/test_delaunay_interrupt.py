"""Ctrl-C while scipy triangulates."""

from __future__ import annotations

import signal
import subprocess
import threading
import time
from typing import Any

import numpy as np
import pytest

from skerry import generators
from skerry.errors import UnsupportedError
from skerry.generators import triangulation

pytest.importorskip("scipy")


NEEDS_TIMERS = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="needs timers that send signals"
)


def seconds_until_interrupted(points: int) -> float:
    """How long a triangulation goes on that is interrupted after 0.2 s."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    start = time.monotonic()
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(KeyboardInterrupt):
            generators.delaunay(points)
    finally:
        signal.signal(signal.SIGALRM, before)
    return time.monotonic() - start


@NEEDS_TIMERS
def test_ctrl_c_does_not_wait_for_a_triangulation(monkeypatch: pytest.MonkeyPatch) -> None:
    end = threading.Event()
    monkeypatch.setattr("scipy.spatial.Delaunay", lambda _: end.wait(60))
    try:
        assert seconds_until_interrupted(100) < 10
    finally:
        end.set()


@NEEDS_TIMERS
def test_ctrl_c_ends_the_process_that_triangulates(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def start(*arguments: Any, **options: Any) -> Any:
        started.append(popen(*arguments, **options))
        return started[-1]

    monkeypatch.setattr(triangulation, "OWN_PROCESS_FROM", 0)
    monkeypatch.setattr(triangulation, "PROGRAM", "import time; time.sleep(60)")
    monkeypatch.setattr(subprocess, "Popen", start)
    assert seconds_until_interrupted(100) < 10
    assert started[0].wait(10) == -signal.SIGKILL


def test_a_process_of_its_own_gives_the_same_triangulation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here = generators.delaunay(500, seed=3)
    monkeypatch.setattr(triangulation, "OWN_PROCESS_FROM", 0)
    there = generators.delaunay(500, seed=3)
    assert np.array_equal(here.src, there.src) and np.array_equal(here.dst, there.dst)


@pytest.mark.parametrize(
    ("program", "error", "message"),
    [
        ("raise ValueError('no')", UnsupportedError, "500 points: ValueError: no"),
        ("raise MemoryError", MemoryError, "500 points: MemoryError"),
        ("import os; os.kill(os.getpid(), 9)", MemoryError, "ended with -9"),
    ],
)
def test_a_process_that_cannot_triangulate_says_why(
    monkeypatch: pytest.MonkeyPatch, program: str, error: type[Exception], message: str
) -> None:
    monkeypatch.setattr(triangulation, "OWN_PROCESS_FROM", 0)
    monkeypatch.setattr(triangulation, "PROGRAM", f"import sys; sys.stdin.buffer.read(); {program}")
    with pytest.raises(error, match=message):
        generators.delaunay(500)
