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
