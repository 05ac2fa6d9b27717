"""A `UnionFind` under batches, queries and saves of 8 threads, in a process that is killed.

Run as a program, it unites batches until all are done, or until SIGINT or SIGKILL. Counters in a
shared file say which batches were begun and done around each save. So whatever a save has left on
the disk must join what was done before it, and nothing that was not begun behind it.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

import skerry
from support.oracle import scipy_labels

WRITERS, READERS, SAVES = 4, 3, 400
BATCHES, EDGES = 60, 40
PER_SAVE = 2 * WRITERS + 1
"""Numbers of one save: batches done before it, begun behind it, and whether it ended."""


def edges_of(seed: int) -> tuple[int, Any]:
    """The vertices, and sources and targets by writer and batch."""
    draw = np.random.default_rng(seed)
    n = int(draw.integers(200, 20_000))
    return n, draw.integers(0, n, (2, WRITERS, BATCHES, EDGES))


def shared(path: Path) -> Any:
    """The counters: batches begun and done of each writer, then those of all saves."""
    size = 2 * WRITERS + SAVES * PER_SAVE
    if not path.exists():
        path.write_bytes(bytes(8 * size))
    return np.memmap(path, np.int64, "r+", shape=(size,))


def joined(n: int, ends: Any, counts: Any) -> Any:
    """Labels of the first batches of every writer."""
    src, dst = (
        np.concatenate([end[w, :count].ravel() for w, count in enumerate(counts)]) for end in ends
    )
    return scipy_labels(n, src, dst)


def column(ids: Any, external: bool) -> Any:
    """Vertex numbers, or texts of the same order."""
    return pa.array([f"{v:06}" for v in ids.tolist()]) if external else ids


class Child:
    """What runs in the process that is killed."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.n, self.ends = edges_of(seed)
        self.folder = folder
        self.external = seed % 2 == 1
        self.counters = shared(folder / "counters")
        self.sets = skerry.UnionFind(ids="external" if self.external else "vertices", threads=2)
        every = np.arange(self.n)
        self.sets.union(column(every, self.external), column(every, self.external))
        self.all = joined(self.n, self.ends, [BATCHES] * WRITERS)
        self.stop = threading.Event()
        self.errors: list[BaseException] = []

    def write(self, writer: int) -> None:
        """Unites the batches of one writer."""
        for batch in range(BATCHES):
            if self.stop.is_set():
                return
            self.counters[writer] = batch + 1
            ends = (column(end[writer, batch], self.external) for end in self.ends)
            self.sets.union(*ends)
            self.counters[WRITERS + writer] = batch + 1
            time.sleep(0.002)

    def read(self, reader: int) -> None:
        """Whatever is connected stays so, and is connected in the end."""
        draw = np.random.default_rng(reader)
        known = np.empty((2, 0), np.int64)
        while not self.stop.is_set():
            asked = np.concatenate([known[:, -50:], draw.integers(0, self.n, (2, 50))], axis=1)
            found = self.sets.connected(*(column(end, self.external) for end in asked))
            assert found[: min(known.shape[1], 50)].all(), "no longer connected"
            assert (self.all[asked[0]] == self.all[asked[1]])[found].all(), "never connected"
            known = np.concatenate([known, asked[:, -50:][:, found[-50:]]], axis=1)

    def save(self) -> None:
        """Saves again and again, each time into another file."""
        for number in range(SAVES):
            if self.stop.is_set():
                return
            at = 2 * WRITERS + number * PER_SAVE
            self.counters[at : at + WRITERS] = self.counters[WRITERS : 2 * WRITERS]
            self.sets.save(self.folder / f"sets-{number}")
            self.counters[at + WRITERS : at + 2 * WRITERS] = self.counters[:WRITERS]
            self.counters[at + 2 * WRITERS] = 1

    def guarded(self, work: Any, *arguments: Any) -> None:
        """Keeps the first errors of a thread."""
        try:
            work(*arguments)
        except BaseException as error:
            self.errors.append(error)
            self.stop.set()

    def run(self) -> int:
        """Returns the exit code: 0 where all was right."""
        writers = [
            threading.Thread(target=self.guarded, args=(self.write, w)) for w in range(WRITERS)
        ]
        others = [
            threading.Thread(target=self.guarded, args=(self.read, r)) for r in range(READERS)
        ]
        others.append(threading.Thread(target=self.guarded, args=(self.save,)))
        for thread in [*writers, *others]:
            thread.start()
        try:
            print("started", flush=True)
            for thread in writers:
                thread.join()
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # too late: Python is about to end
        except KeyboardInterrupt:
            pass
        self.stop.set()
        for thread in [*writers, *others]:
            thread.join()
        for error in self.errors:
            raise error
        done = self.counters[WRITERS : 2 * WRITERS]
        right = np.array_equal(self.sets.labels, joined(self.n, self.ends, done))
        return 0 if right else 1


def refines(fine: Any, coarse: Any) -> bool:
    """Whether each set of the one lies in a set of the other."""
    return np.array_equal(coarse, coarse[fine])


def run(seed: int, folder: Path) -> Counter[str]:
    """Runs a process, ends it by a signal or not, and checks what it has left.

    Raises
    ------
    AssertionError
        If a save cannot be loaded or joins too little or too much, or the process found an error.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    draw = random.Random(seed)
    fate = draw.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGINT, None])
    tests = str(Path(__file__).parents[1])
    child = subprocess.Popen(
        [sys.executable, __file__, str(seed), str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([tests, *sys.path])},
    )
    assert child.stdout is not None
    child.stdout.readline()
    if fate is not None:
        time.sleep(draw.uniform(0, 0.4))
        child.send_signal(fate)
    _, errors = child.communicate(timeout=300)
    expected = (0, -fate) if fate == signal.SIGKILL else (0,)
    assert child.returncode in expected, f"exit code {child.returncode}: {errors.decode()[-1500:]}"
    check_saves(seed, folder)
    return Counter(["killed" if child.returncode else "ended" if fate is None else "stopped"])


def check_saves(seed: int, folder: Path) -> None:
    """Loads the last two files, and goes on with one to the end."""
    n, ends = edges_of(seed)
    counters = shared(folder / "counters")
    numbers = sorted(
        int(path.name[5:]) for path in folder.glob("sets-*") if path.name[5:].isdigit()
    )
    for number in numbers[-2:]:
        sets = skerry.UnionFind.load(folder / f"sets-{number}")
        at = 2 * WRITERS + number * PER_SAVE
        before = counters[at : at + WRITERS]
        behind = counters[at + WRITERS : at + 2 * WRITERS]
        behind = behind if counters[at + 2 * WRITERS] else counters[:WRITERS]
        labels = sets.labels
        assert refines(joined(n, ends, before), labels), f"save {number} lost a batch"
        assert refines(labels, joined(n, ends, behind)), f"save {number} joined too much"
        for batch in zip(*(end.reshape(-1, EDGES) for end in ends), strict=True):
            sets.union(*(column(end, seed % 2 == 1) for end in batch))
        assert np.array_equal(sets.labels, joined(n, ends, [BATCHES] * WRITERS)), "going on"


if __name__ == "__main__":
    sys.exit(Child(int(sys.argv[1]), Path(sys.argv[2])).run())
