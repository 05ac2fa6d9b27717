"""Ctrl-C while scipy triangulates."""

from __future__ import annotations

import signal
import threading
import time

import pytest

from skerry import generators

pytest.importorskip("scipy")


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs timers that send signals")
def test_ctrl_c_does_not_wait_for_a_triangulation(monkeypatch: pytest.MonkeyPatch) -> None:
    end = threading.Event()

    def endless(_: object) -> None:
        end.wait(60)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("scipy.spatial.Delaunay", endless)
    before = signal.signal(signal.SIGALRM, interrupt)
    start = time.monotonic()
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(KeyboardInterrupt):
            generators.delaunay(100)
    finally:
        signal.signal(signal.SIGALRM, before)
        end.set()
    assert time.monotonic() - start < 10
