"""Run every algorithm on small graphs on a GPU, under each tool of NVIDIA's compute-sanitizer.

python tools/gpu_sanitize.py [--tools memcheck,racecheck,initcheck]

A run without a tool comes first: it compiles the kernels, and must be right. Then the tools run
side by side, a process each, and say one line each. Every array is an allocation of its own, so
that access beyond its end is seen. Exit code 0: clean; 1: not; 77: cannot run here.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

CANNOT = 77
"""What test harnesses take for "skipped"."""
TOOLS = ("memcheck", "racecheck", "initcheck")
TIMEOUT = 170  # seconds a tool may take
DONE = "all answers are right"
SUMMARY = re.compile(r"(?:ERROR|RACECHECK) SUMMARY: (\d+)")
WHERE = re.compile(r"\bat (?:0x[0-9a-f]+ in )?(?:void )?([A-Za-z_]\w*)(?=[(+<:\s])")

OURS = ("skip[way=1]", "skip[way=2]", "stream[share=3]")
WIDE = ("auto", "ecl", "afforest", "bfs", "cc-updt", *OURS)
"""What is also run with 64 bits for everything."""
SPOILED = (*WIDE, "eclaf", "soman", "rem", "warp-per-row", "label-propagation")
"""What is also run on graphs with an id out of range, which no kernel may follow."""


def graphs() -> list[Any]:
    """A hub with long rows beside vertices that are alone, near ids, and far ones."""
    from support.graphs import graph_of

    side = 45
    grid = np.arange(side * side).reshape(side, side)
    near = [(grid[:, 1:], grid[:, :-1]), (grid[1:], grid[:-1])]
    streets = np.vstack([np.column_stack((one.ravel(), other.ravel())) for one, other in near])
    hub = np.column_stack((np.arange(2500), np.full(2500, 2999)))
    return [
        graph_of("hub", 3000, hub, large=True),
        graph_of("grid", side * side, streets, large=True),
        graph_of("random", 2500, np.random.default_rng(2).integers(0, 2500, (4000, 2)), large=True),
    ]


def work() -> None:
    """Everything that is checked; raises if an answer is wrong."""
    import cupy

    from support.on_gpu import NAMES, assert_answer_on_gpu, forms_read_by

    cupy.cuda.set_allocator(None)
    narrow, wide = (np.uint32,) * 3, (np.uint64,) * 3
    for graph in graphs():
        for name in NAMES:
            for form in forms_read_by(name):
                assert_answer_on_gpu(graph, form, name, narrow)
        for name in WIDE:
            assert_answer_on_gpu(graph, forms_read_by(name)[-1], name, wide)
        for name in ("auto", "ecl", *OURS):
            assert_answer_on_gpu(graph, forms_read_by(name)[-1], name, narrow, statistics=True)
    _make_graphs()
    for name in SPOILED:
        for form in forms_read_by(name):
            _run_spoiled(graphs()[2], name, form)
    print(DONE, flush=True)


def _make_graphs() -> None:
    from skerry.cuda.devices import find_runtime
    from skerry.generators import device as device_generators
    from skerry.generators import families as generators
    from skerry.generators import recipes

    for recipe in (
        recipes.grid(30, 40),
        recipes.rmat(10, 8, shuffled=True),
        recipes.road(12, shuffled=True),
        recipes.mawi(1000),
        recipes.tiny(200),
    ):
        made, right = device_generators.make(find_runtime("cuda"), recipe), generators.make(recipe)
        for mine, other in ((made.src, right.src), (made.dst, right.dst)):
            if not np.array_equal(mine.get(), other):
                raise RuntimeError(f"{recipe.family} differs from the CPU's")


def _run_spoiled(graph: Any, name: str, form: str) -> None:
    import skerry
    from support.on_gpu import on_device

    for value in (graph.n, 2**31 - 1, -1):
        given = on_device(graph, form, np.int32, np.int32)
        (given.dst if form == "edges" else given.neighbors)[1234] = value
        with suppress(skerry.InputError):  # none where the row that holds it is left out
            skerry.connected_components(given, algorithm=name).count  # noqa: B018


@dataclass(frozen=True)
class Report:
    """What a tool said."""

    tool: str
    code: int
    seconds: float
    text: str

    @property
    def found(self) -> int | None:
        """How many errors or hazards, or None if it did not come to its end."""
        summary = SUMMARY.findall(self.text)
        return int(summary[-1]) if summary and DONE in self.text else None

    @property
    def kernels(self) -> Counter[str]:
        """Where they were found."""
        lines = (line for line in self.text.splitlines() if line.startswith("====="))
        return Counter(name for line in lines for name in WHERE.findall(line))

    def is_clean(self, ours: frozenset[str]) -> bool:
        """Whether nothing was found, or only in kernels of the libraries that we call."""
        if self.found is None:
            return False
        return not self.found or bool(self.kernels and not self.kernels.keys() & ours)

    def lines(self, ours: frozenset[str]) -> Iterator[str]:
        """One line; the beginning of the report after it unless it is clean."""
        clean = self.is_clean(ours)
        what = "hazards" if self.tool == "racecheck" else "errors"
        count = "did not finish" if self.found is None else f"{self.found} {what}"
        named = ", ".join(f"{name} {times}" for name, times in self.kernels.most_common(8))
        where = f" at {named}" if self.found and named else ""
        verdict = "ok" if clean else "FAILED"
        yield f"gpu_sanitize: {self.tool}: {verdict}, {count}{where}, {self.seconds:.0f} s"
        if not clean:
            yield self.text[:6000]
            yield self.text[-1500:]


def run(tool: str, sanitizer: str) -> Report:
    """The work under one tool; without one, as it is."""
    command = [sys.executable, str(Path(__file__).resolve()), "--work"]
    if tool:
        options = ["--tool", tool, "--error-exitcode", "9", "--report-api-errors", "no"]
        command = [sanitizer, *options, "--print-limit", "20", *command]
    begin = time.perf_counter()
    try:
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=TIMEOUT,
        )
        code, text = done.returncode, done.stdout
    except subprocess.TimeoutExpired as late:
        said = late.stdout or b""
        code, text = 124, said.decode(errors="replace") if isinstance(said, bytes) else said
    return Report(tool, code, time.perf_counter() - begin, text)


def main() -> int:
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tools", default=",".join(TOOLS), help="names, separated by commas")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        work()
        return 0
    from support.on_gpu import why_not

    sanitizer = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
    missing = why_not() or ("" if Path(sanitizer).exists() else "needs compute-sanitizer")
    if missing:
        print(f"gpu_sanitize: skipped, {missing}")
        return CANNOT
    plain = run("", sanitizer)
    if DONE not in plain.text:
        print(f"gpu_sanitize: wrong without any tool\n{plain.text[-4000:]}")
        return 1
    print(f"gpu_sanitize: without a tool: ok, {plain.seconds:.0f} s", flush=True)
    from skerry.cuda.source import kernel_names, kernel_sources

    ours = frozenset(name for source in kernel_sources() for name in kernel_names(source))
    failed = False
    with ThreadPoolExecutor() as pool:
        runs = [pool.submit(run, tool, sanitizer) for tool in given.tools.split(",")]
        for report in (one.result() for one in as_completed(runs)):
            print(*report.lines(ours), sep="\n", flush=True)
            failed |= not report.is_clean(ours)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
