"""Ctrl-C before any instruction of our own code, and memory that is not there when it is needed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

import skerry

OURS = str(Path(skerry.__file__).parent)
ALLOCATORS = ("empty", "full", "arange", "concatenate", "array")


class Interruption:
    """Raises `KeyboardInterrupt` before instruction ``at`` of our frames; counts instructions."""

    def __init__(self, at: int = -1) -> None:
        self.at = at
        self.seen = 0

    def __enter__(self) -> Interruption:
        sys.settrace(self._enter)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)

    def _enter(self, frame: Any, event: str, argument: Any) -> Callable[..., Any] | None:
        del event, argument
        if not frame.f_code.co_filename.startswith(OURS):
            return None
        frame.f_trace_opcodes = True
        frame.f_trace_lines = False
        return self._step

    def _step(self, frame: Any, event: str, argument: Any) -> Callable[..., Any]:
        del frame, argument
        if event == "opcode":
            self.seen += 1
            if self.seen == self.at:
                raise KeyboardInterrupt
        return self._step


NEVER = frozenset({"__enter__", "__exit__", "acquire", "release"})
"""Calls that do not fail."""


class FailingCall:
    """Makes one call fail: of a function of ours, or of another by one of ours.

    Counted from 1, where a call begins; `seen` says how many there were.
    """

    def __init__(self, at: int = -1, error: Callable[[], BaseException] = MemoryError) -> None:
        self.at = at
        self.error = error
        self.seen = 0

    def __enter__(self) -> FailingCall:
        sys.setprofile(self._step)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _step(self, frame: Any, event: str, called: Any) -> None:
        if event not in ("call", "c_call") or not frame.f_code.co_filename.startswith(OURS):
            return
        name = called.__name__ if event == "c_call" else frame.f_code.co_name
        if name not in NEVER:
            self.seen += 1
            if self.seen == self.at:
                raise self.error()


@contextmanager
def failing_allocation(at: int, monkeypatch: Any) -> Iterator[None]:
    """Allocation ``at`` of NumPy, counted from 1, raises `MemoryError`."""
    seen = 0

    def counted(allocate: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            nonlocal seen
            seen += 1
            if seen == at:
                raise MemoryError("made up")
            return allocate(*arguments, **options)

        return call

    with monkeypatch.context() as patch:
        for name in ALLOCATORS:
            patch.setattr(np, name, counted(getattr(np, name)))
        yield
