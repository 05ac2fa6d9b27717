"""A plugin of pytest: datatrove's cluster step is skerry's, and its runs are counted."""

from __future__ import annotations

from typing import Any

from datatrove.pipeline.dedup import minhash

from skerry.datatrove import MinhashDedupCluster

calls = 0


class Counted(MinhashDedupCluster):
    """The step, which counts."""

    def run(self, *args: Any, **options: Any) -> None:
        """As the step's."""
        global calls
        calls += 1
        super().run(*args, **options)


def pytest_configure() -> None:
    """Before the tests import the class."""
    minhash.MinhashDedupCluster = Counted


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Prints the number."""
    terminalreporter.write_line(f"{calls} calls answered by skerry")
