"""Stages whose tasks run in processes of their own, with messages in files: their peaks in memory.

As on a real engine, a task holds what it was sent, and nothing of what other tasks have.
"""

from __future__ import annotations

import json
import multiprocessing
import pickle
from collections import defaultdict
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from skerry.cluster.stage import EDGES


def memory_now(key):
    """``VmRSS``, ``VmHWM`` or ``RssFile`` of this process, in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{key}:"):
            return int(line.split()[1]) * 1024
    raise KeyError(key)


def peak_is_known():
    """Whether the peak of a process can be read, and made to begin anew."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
        return memory_now("VmHWM") > 0
    except (OSError, KeyError):
        return False


class MeasuringExecutor:
    """Runs every task in a forked process, and notes the largest growth of each stage."""

    name = "measuring"
    in_order = True

    def __init__(self, folder, workers=2):
        self.folder = Path(folder)
        self.workers = workers
        self.peaks = defaultdict(int)
        """By stage, bytes."""
        self.runs = 0

    def run(self, steps, source=None, name=""):
        context = multiprocessing.get_context("fork")
        reports = []
        for number, step in enumerate(steps):
            for task in range(step.tasks):
                receive, answer = context.Pipe(False)
                own = source[task] if number == 0 and source and task < len(source) else None
                process = context.Process(
                    target=self.run_task, args=(answer, number, step.stage, task, own)
                )
                process.start()
                answer.close()
                name, growth, reported = receive.recv()
                process.join()
                if isinstance(growth, Exception):
                    raise growth
                self.peaks[name] = max(self.peaks[name], growth)
                reports += reported
        self.runs += 1
        return reports

    def run_task(self, answer, number, stage, task, source):
        inner = getattr(stage, "stage", stage)
        name = f"{type(inner).__name__}{'' if source is None else ' of the input'}"
        try:
            answer.send((name, *self.measured(number, stage, task, source)))
        except Exception as error:
            answer.send((name, error, []))

    def measured(self, number, stage, task, source):
        inbox = {}
        Path("/proc/self/clear_refs").write_text("5")  # the peak begins here
        before, libraries = memory_now("VmRSS"), memory_now("RssFile")
        for channel, blob in self.received(number, task):
            inbox.setdefault(channel, []).append(blob)
        if source is not None:
            inbox[EDGES] = source()
        reports = []
        with ExitStack() as stack:
            after = {}
            for message in stage(task, inbox):
                if message.channel == "report":
                    reports.append(json.loads(message.blob.tobytes()))
                    continue
                if message.target not in after:
                    path = self.inbox(number + 1, message.target)
                    path.parent.mkdir(parents=True, exist_ok=True)
                    after[message.target] = stack.enter_context(path.open("ab"))
                file = after[message.target]
                pickle.dump((message.channel, message.blob.nbytes), file)
                file.write(message.blob)
            del message
        # A forked process has no pages of libraries until it calls them: no part of a task.
        libraries = memory_now("RssFile") - libraries
        return memory_now("VmHWM") - before - libraries, reports

    def inbox(self, number, task):
        """The file of all that is sent to a task."""
        return self.folder / f"run-{self.runs}-{number}" / str(task)

    def received(self, number, task):
        path = self.inbox(number, task)
        if not number or not path.exists():
            return
        with path.open("rb", buffering=1 << 16) as file:
            while file.peek(1):
                channel, size = pickle.load(file)
                blob = np.empty(size, np.uint8)
                file.readinto(blob)
                yield channel, blob
