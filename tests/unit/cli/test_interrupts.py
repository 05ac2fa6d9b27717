"""Ctrl-C is never lost, and no other signal is taken for it."""

from __future__ import annotations

import os
import signal
import time

import pytest
from typer.core import TyperGroup

from skerry.cli.interrupts import reliable_interrupts
from support.cli import invoke

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs alarms")


class AlarmError(Exception):
    """What the handler of an alarm raises."""


@pytest.fixture
def alarm():
    """Raises `AlarmError` soon after it is called."""

    def ring(*_):
        raise AlarmError

    def soon():
        signal.setitimer(signal.ITIMER_REAL, 0.01)

    before = signal.signal(signal.SIGALRM, ring)
    ctrl_c = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield soon
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)
    signal.signal(signal.SIGINT, ctrl_c)


def test_an_alarm_is_no_interrupt(alarm):
    with reliable_interrupts():
        for _ in range(3):
            with pytest.raises(AlarmError):
                alarm()
                time.sleep(10)
        time.sleep(0.5)  # several times as long as it takes to wake a thread that has not acted


def test_an_interrupt_after_an_alarm(alarm):
    with pytest.raises(KeyboardInterrupt), reliable_interrupts():
        with pytest.raises(AlarmError):
            alarm()
            time.sleep(10)
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(10)


def test_an_interrupt_while_modules_are_loaded_is_reported(monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(TyperGroup, "invoke", interrupted)
    result = invoke("doctor")
    assert (result.exit_code, result.output) == (130, "skerry: stopped\n")


def test_a_second_ctrl_c_does_not_stop_the_removing_of_what_is_incomplete():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    removed = False
    with pytest.raises(KeyboardInterrupt), reliable_interrupts():
        try:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(10)
        finally:
            for _ in range(3):
                os.kill(os.getpid(), signal.SIGINT)
                time.sleep(0.01)
            removed = True
    assert removed
    assert signal.signal(signal.SIGINT, before) is signal.default_int_handler
