"""Runs what is random for as long as there is time: ``make soak TIME=600``.

``forms``: random edges in random forms (`support.random_forms`). ``graphs``: random graphs by every
algorithm, form, width and device. ``sets``: a `UnionFind` under batches and queries of 8 threads
with saves, loads and kills. A case is replayed by ``--part PART --seed N --cases 1``. Prints how
many there were; exit code 1 if an answer was wrong.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.soak import PARTS, run_many

STEP = {"forms": 100, "graphs": 50, "sets": 2}
"""Cases of one task."""
GRACE = 60.0
"""Seconds that tasks have to end in once time is over."""


def work(part: str, folder: Path, seeds: range) -> tuple[Counter[str], list[str], float]:
    """Runs some cases in this process; also says the seconds of the processor."""
    begin = time.process_time()
    counts, wrong = run_many(part, seeds, folder / f"{part}-{seeds.start}")
    return counts, wrong, time.process_time() - begin


class Tally:
    """What has ended so far, and how."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.cpu = 0.0

    def add(self, running: dict[Future[Any], int], seconds: float) -> None:
        """Takes tasks off that end within some seconds."""
        for task in wait(running, seconds, FIRST_COMPLETED).done:
            del running[task]
            counts, wrong, cpu = task.result()
            self.counts += counts
            self.wrong += wrong
            self.cpu += cpu


def run(part: str, seed: int, cases: int | None, seconds: float, jobs: int) -> bool:
    """Runs a part until its time is over or its cases are done; says whether all was right."""
    step = min(STEP[part], cases or STEP[part])
    left = iter(itertools.count(seed, step) if cases is None else range(seed, seed + cases, step))
    deadline = time.monotonic() + seconds
    tally = Tally()
    shared = Path("/dev/shm")
    folder = tempfile.TemporaryDirectory(dir=shared if shared.is_dir() else None)
    with folder as name, ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        running: dict[Future[Any], int] = {}
        while time.monotonic() < deadline:
            for begin in itertools.islice(left, jobs + 2 - len(running)):
                task = pool.submit(work, part, Path(name), range(begin, begin + step))
                running[task] = begin
            if not running:
                break
            tally.add(running, 1)
        running = {task: begin for task, begin in running.items() if not task.cancel()}
        grace = time.monotonic() + GRACE
        while running and time.monotonic() < grace:
            tally.add(running, 1)
        for begin in running.values():
            tally.wrong.append(f"seeds {begin} to {begin + step - 1} did not end")
        for process in active_children() if running else ():
            process.kill()
    for line in tally.wrong:
        print(f"{part}: {line}", flush=True)
    shown = ", ".join(f"{count:,} {what}" for what, count in sorted(tally.counts.items()))
    print(f"{part}: {shown}; from seed {seed}, {tally.cpu:.0f} CPU seconds", flush=True)
    return not tally.wrong


def main() -> int:
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--part", choices=PARTS, action="append", help="only this part")
    parser.add_argument("--time", type=float, help="seconds of all parts together")
    parser.add_argument("--cases", type=int, help="of each part, as far as there is time")
    parser.add_argument("--seed", type=int, default=random.randrange(2**40))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    parts = arguments.part or list(PARTS)
    time_left = arguments.time or (float("inf") if arguments.cases else 600)
    seconds = time_left / len(parts)
    right = [run(part, arguments.seed, arguments.cases, seconds, arguments.jobs) for part in parts]
    return 0 if all(right) else 1


if __name__ == "__main__":
    sys.exit(main())
