"""Faults in the middle of a stage, on the worker that runs it.

The stages that an executor is handed are wrapped here, so that the package itself knows nothing of
it: the worker does the harm when the stage has done its work for the first message, or instead.
"""

from __future__ import annotations

import os
import resource
import shutil
import signal
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

SMALL_FILE = 100
"""Bytes that a file may have on a disk that is full."""


@dataclass(frozen=True)
class Harm:
    """A stage that does harm in one of its tasks, once or as long as a file is there."""

    stage: Any
    action: Callable[[Any, int, Any], Any]
    mark: str

    def __call__(self, task, inbox):
        return self.action(self, task, inbox)

    def first_time(self):
        """Whether this is the first task that asks: on any machine, retried or not."""
        try:
            Path(self.mark).open("x").close()
        except FileExistsError:
            return False
        return True


def _after_first_message(harm, task, inbox, victim):
    messages = iter(harm.stage(task, inbox))
    first = next(messages)
    if harm.first_time():
        victim().send_signal(signal.SIGKILL)
    yield first
    yield from messages


def kill_worker(harm, task, inbox):
    """The Python process that runs the task ends as by ``kill -9``."""
    return _after_first_message(harm, task, inbox, psutil.Process)


def kill_parent(harm, task, inbox):
    """Of Spark, the daemon that starts Python workers; of Ray, the machine (raylet)."""
    return _after_first_message(harm, task, inbox, lambda: psutil.Process().parent())


def kill_executor(harm, task, inbox):
    """Of Spark: with it, what it has sent to others is lost."""
    return _after_first_message(harm, task, inbox, lambda: psutil.Process().parent().parent())


def refuse_space(harm, task, inbox):
    """No file can grow: as on a full disk, for this task only."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    Path(harm.mark).touch()
    resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL_FILE, before[1]))
    try:
        return [*harm.stage(task, inbox)]
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def fill_disk(harm, task, inbox):
    """Fills the disk of the mark: the tmpfs of a test."""
    with Path(harm.mark).open("ab", buffering=0) as file:
        try:
            while file.write(bytes(4096)):
                pass
        except OSError:
            pass
    return [*harm.stage(task, inbox)]


def empty_disk(filler: Path) -> None:
    """Removes what `fill_disk` wrote; tasks that outlive their run may still be at it, also in a
    file that is removed already, so the disk must have stayed empty for two seconds."""
    quiet, end = 0, time.monotonic() + 60
    while quiet < 20 and time.monotonic() < end:
        time.sleep(0.1)
        filler.unlink(missing_ok=True)
        usage = shutil.disk_usage(filler.parent)
        quiet = quiet + 1 if usage.free > usage.total // 2 else 0


class Faults:
    """Wraps the stages of an executor's runs, and remembers which there were."""

    def __init__(self, monkeypatch, executor: type) -> None:
        self.seen: Counter[str] = Counter()
        self.where: tuple[str, int] | None = None
        self.action: Any = None
        self.mark = ""
        original = executor.run

        def run(engine, steps, source=None, name=""):
            return original(engine, [self.wrapped(step) for step in steps], source, name)

        monkeypatch.setattr(executor, "run", run)

    def everywhere(self, action: Any, folder: Path) -> None:
        """Does harm in every stage, once in each of its runs."""
        folder.mkdir()
        self.action, self.mark = action, os.fspath(folder)

    def at(self, name: str, number: int, action: Any, mark: os.PathLike[str]) -> None:
        """Does harm in the stage of this name: in its first, second, ... run."""
        self.where, self.action, self.mark = (name, number), action, os.fspath(mark)

    def wrapped(self, step: Any) -> Any:
        stage = getattr(step.stage, "stage", step.stage)  # inside of `Counted`
        name = type(stage).__name__
        here = (name, self.seen[name])
        self.seen[name] += 1
        if self.where is None and self.action is not None:
            mark = f"{self.mark}/{name}-{here[1]}"
            return step._replace(stage=Harm(step.stage, self.action, mark))
        if here != self.where:
            return step
        return step._replace(stage=Harm(step.stage, self.action, self.mark))

    def no_more(self) -> None:
        """From now on all goes well."""
        self.where = self.action = None

    @property
    def happened(self) -> bool:
        """Whether a worker has done the harm."""
        return Path(self.mark).exists()


FOREST = [("JoinForests", 0), ("JoinForests", 1), ("SpreadLabels", 0), ("WriteLabels", 0)]
CONTRACTION = [
    *(("HeapEdges", 0), ("PickRepresentatives", 0), ("FinishRound", 0)),
    *(("HeapEdges", 1), ("PickRepresentatives", 1), ("FinishRound", 1)),
    *(("JoinForests", 0), ("Close", 0), ("WalkBack", 0), ("WalkBack", 1), ("CopyLabels", 0)),
]
CHECK = [("SendEnds", 0), ("SendLabels", 0), ("CompareLabels", 0)]
TEXTS = [
    *(("ListIds", 0), ("SplitIds", 0), ("RankIds", 0), ("WriteNumbers", 0)),
    *(("SendRows", 0), ("RequestTexts", 0), ("AnswerTexts", 0), ("WriteRows", 0)),
]
WRITERS = ("WriteLabels", "FinishRound", "CopyLabels", "ListIds", "RankIds", "WriteNumbers")
"""Stages that write in every run; `WalkBack` in its last, `WriteRows` into the output."""


def rooms_of(monkeypatch, vertices: int = 300) -> None:
    """Rounds go on until so few vertices are left, whatever the memory; two forests are merged."""

    def fits(_, files):
        return files.total("edges") == 0 or files.total("minima") <= vertices

    monkeypatch.setattr("skerry.cluster.driver._fits", fits)
    monkeypatch.setattr("skerry.cluster.forest_stages.FAN_IN", 2)


def lose(path: Path) -> None:
    """A file of the state is gone."""
    path.unlink()


def damage(path: Path) -> None:
    """A bit of it is another."""
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 64
    path.write_bytes(data)


LINGER_SECONDS = 3.0
"""Shorter than a stopped run waits for the tasks of Ray."""


def linger(harm, task, inbox):
    """Works on for a while, and says when it begins and when it has ended."""
    if not harm.first_time():
        return harm.stage(task, inbox)
    time.sleep(LINGER_SECONDS)
    messages = [*harm.stage(task, inbox)]
    Path(f"{harm.mark}.ended").touch()
    return messages


def hang_at_first(harm, task, inbox):
    """The first attempt of a task has computed all, and does not end; another says that it ran."""
    from pyspark import TaskContext

    messages = iter(harm.stage(task, inbox))
    first = next(messages)
    if harm.first_time():
        time.sleep(HANG_SECONDS)
    elif TaskContext.get().attemptNumber():
        Path(f"{harm.mark}.again").touch()
    yield first
    yield from messages


HANG_SECONDS = 600.0
"""Longer than any test: only another attempt can end the stage."""
