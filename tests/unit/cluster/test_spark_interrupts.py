"""Ctrl-C while Spark works, without Spark."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from skerry.cluster import spark_engine
from skerry.cluster.spark_engine import SparkExecutor


@pytest.fixture
def executor(monkeypatch):
    """An executor whose context notes the jobs that are cancelled."""
    cancelled = []
    context = SimpleNamespace(
        addJobTag=str,
        removeJobTag=str,
        cancelJobsWithTag=cancelled.append,
    )
    monkeypatch.setattr(spark_engine, "STOP_SECONDS", 0)
    return SparkExecutor(SimpleNamespace(sparkContext=context)), cancelled


def test_ctrl_c_cancels_the_jobs(executor):
    made, cancelled = executor
    with pytest.raises(KeyboardInterrupt), made._stopped_by_interrupts():
        raise KeyboardInterrupt
    assert len(cancelled) == 1


def test_an_error_that_hides_ctrl_c_is_ctrl_c(executor):
    """PySpark tells Java something on the way out, which may fail after an interrupt."""
    made, cancelled = executor
    with (
        pytest.raises(KeyboardInterrupt),
        made._stopped_by_interrupts(),
        spark_engine.own_errors(),  # makes an error its own cause
    ):
        try:
            raise KeyboardInterrupt
        finally:
            raise ConnectionError("Answer from Java side is empty")
    assert len(cancelled) == 1


def test_other_errors_cancel_nothing(executor):
    made, cancelled = executor
    with (
        pytest.raises(ConnectionError),
        made._stopped_by_interrupts(),
        spark_engine.own_errors(),
    ):
        raise ConnectionError("no Ctrl-C")
    assert not cancelled
