"""Runs with checkpoints that end early: in this process by an exception, in others by SIGKILL."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import skerry
from skerry.engines.streaming import checkpoints
from skerry.formats.options import ReadOptions
from skerry.inputs import edge_sources


class StoppedError(Exception):
    """A run was ended by its own progress."""


@contextmanager
def small_steps(rows: int = 64, text: int = 512) -> Iterator[None]:
    """Reads files in small batches, and writes a checkpoint behind each of them.

    Files that a test has just written count as settled.
    """
    options = partial(ReadOptions, batch_rows=rows, block_bytes=text)
    with (
        patch.object(edge_sources, "ReadOptions", options),
        patch.object(checkpoints, "FIRST_SECONDS", 0.0),
        patch.object(checkpoints, "PAUSE", 0),
        patch.object(checkpoints, "SETTLED_NS", 0),
    ):
        yield


def stopped_after(batches: int) -> Callable[[int, int], None]:
    """A progress that stops its run behind so many batches, before their checkpoint."""
    count = 0

    def progress(edges: int, read: int) -> None:
        nonlocal count
        del edges, read
        count += 1
        if count == batches:
            raise StoppedError

    return progress


def killed_runs(path: Path, folder: Path, kills: int, seed: int) -> dict[str, int]:
    """Kills runs on a file until there were so many, then lets one run to its end.

    Each run is a fork of this process, which must not have any threads. It ends at a random moment,
    or in the middle of writing a checkpoint. Returns how many were killed, in what they were
    killed, and how many came to their end; all of these had the right labels.
    """
    labels = skerry.connected_components(path, threads=1).labels.tobytes()
    draw = random.Random(seed)
    begin = time.perf_counter()
    counts = dict.fromkeys(("killed", "at writing", "continued", "ended"), 0)
    assert _run(path, folder, labels) == 0
    seconds = time.perf_counter() - begin
    while counts["killed"] < kills:
        counts["continued"] += (folder / "checkpoint.skerry").exists()
        at_event = draw.randrange(1, 60) if draw.random() < 0.5 else None
        delay = None if at_event else draw.uniform(0, seconds)
        ended = _run(path, folder, labels, at_event, delay)
        counts["killed"] += ended == -signal.SIGKILL
        counts["at writing"] += ended == -signal.SIGKILL and at_event is not None
        counts["ended"] += ended == 0
        assert ended in (0, -signal.SIGKILL), ended
    assert _run(path, folder, labels) == 0
    assert not folder.exists()
    return counts


def _run(
    path: Path,
    folder: Path,
    labels: bytes,
    at_event: int | None = None,
    delay: float | None = None,
) -> int:
    """How a run of its own process ended: 0 where its labels are right, -9 if it was killed."""
    child = os.fork()
    if child == 0:
        code = 70
        os.fsync = lambda _: None  # a killed process loses nothing that was written
        try:
            if at_event is not None:
                _kill_at(at_event)
            with small_steps():
                result = skerry.connected_components(
                    path, stream=skerry.StreamOptions(checkpoint=folder), threads=1
                )
            code = 0 if result.labels.tobytes() == labels else 1
        except BaseException as error:
            print(repr(error), file=sys.stderr)
        finally:
            os._exit(code)
    if delay is not None:
        time.sleep(delay)
        os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _kill_at(event: int) -> None:
    """Kills this process in the middle of writing: at the nth call that changes a file."""
    from skerry.formats.writers.atomic_file import InOrder

    def counted(function: Any) -> Any:
        def call(*arguments: Any, **named: Any) -> Any:
            nonlocal event
            event -= 1
            if not event:
                if function is write:  # half of it
                    file, data = arguments
                    function(file, memoryview(data).cast("B")[: len(data) // 2])
                os.kill(os.getpid(), signal.SIGKILL)
            return function(*arguments, **named)

        return call

    write = InOrder.write
    InOrder.write = counted(write)  # type: ignore[method-assign]
    os.fsync = counted(os.fsync)
    os.replace = counted(os.replace)
    Path.replace = counted(Path.replace)  # type: ignore[method-assign]
    Path.unlink = counted(Path.unlink)  # type: ignore[method-assign]


if __name__ == "__main__":
    import json

    _, file_name, folder_name, kills_text, seed_text = sys.argv
    print(
        json.dumps(killed_runs(Path(file_name), Path(folder_name), int(kills_text), int(seed_text)))
    )
