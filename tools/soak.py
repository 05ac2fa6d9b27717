"""Runs what is random for as long as there is time: ``make soak TIME=600``.

``forms``: random edges in random forms (`support.random_forms`). ``graphs``: random graphs by every
algorithm, form, width and device. ``sets``: a `UnionFind` under batches and queries of 8 threads
with saves, loads and kills. A case is replayed by ``--part PART --seed N --cases 1``. Prints how
many there were; exit code 1 if an answer was wrong.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.soak import PARTS, run_many

STEP = {"forms": 500, "graphs": 50, "sets": 2}
"""Cases of one task."""


def work(part: str, folder: Path, seeds: range) -> tuple[Counter[str], list[str], float]:
    """Runs some cases in this process; also says the seconds of the processor."""
    begin = time.process_time()
    counts, wrong = run_many(part, seeds, folder / f"{part}-{seeds.start}")
    return counts, wrong, time.process_time() - begin


def run(part: str, seed: int, cases: int | None, seconds: float, jobs: int) -> bool:
    """Runs a part until its time is over or its cases are done; says whether all was right."""
    step = min(STEP[part], cases or STEP[part])
    deadline = time.monotonic() + seconds
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    used, done = 0.0, 0
    shared = Path("/dev/shm")
    folder = tempfile.TemporaryDirectory(dir=shared if shared.is_dir() else None)
    with folder as name, ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        while time.monotonic() < deadline and (cases is None or done < cases):
            begins = range(seed + done, seed + done + step * jobs * 4, step)
            ranges = [range(begin, begin + step) for begin in begins]
            if cases is not None:
                ranges = [each for each in ranges if each.start < seed + cases]
            call = partial(work, part, Path(name))
            for more, errors, cpu in pool.map(call, ranges):
                counts, used = counts + more, used + cpu
                wrong += errors
            done += step * len(ranges)
    for line in wrong:
        print(f"{part}: {line}", flush=True)
    shown = ", ".join(f"{count:,} {what}" for what, count in sorted(counts.items()))
    print(f"{part}: {shown}; seeds {seed} to {seed + done - 1}, {used:.0f} CPU seconds", flush=True)
    return not wrong


def main() -> int:
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--part", choices=PARTS, action="append", help="only this part")
    parser.add_argument("--time", type=float, default=600, help="seconds of all parts together")
    parser.add_argument("--cases", type=int, help="of each part, instead of a time")
    parser.add_argument("--seed", type=int, default=random.randrange(2**40))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    parts = arguments.part or list(PARTS)
    seconds = float("inf") if arguments.cases else arguments.time / len(parts)
    right = [run(part, arguments.seed, arguments.cases, seconds, arguments.jobs) for part in parts]
    return 0 if all(right) else 1


if __name__ == "__main__":
    sys.exit(main())
