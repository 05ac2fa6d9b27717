"""Run every algorithm on small graphs on a GPU, under each tool of NVIDIA's compute-sanitizer.

python tools/gpu_sanitize.py [--tools memcheck,racecheck,initcheck]

A run without a tool comes first: it compiles the kernels, and its results must be right. Then the
tools run in parallel, a process each, and print one line each. Every array is an allocation of its
own, so that accesses beyond its end are detected. Exit code 0: clean; 1: not; 77: cannot run here.
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
"""Exit code that test harnesses treat as "skipped"."""
TOOLS = ("memcheck", "racecheck", "initcheck")
TIMEOUT = 170  # seconds a tool may take
DONE = "all answers are right"
SUMMARY = re.compile(r"(?:ERROR|RACECHECK) SUMMARY: (\d+)")
WHERE = re.compile(r"\bat (?:0x[0-9a-f]+ in )?(?:void )?([A-Za-z_]\w*)(?=[(+<:\s])")

OWN = (
    "rows[strategy=links]",
    "rows[strategy=direct]",
    "rows[strategy=plain]",
    "stream[share=3]",
)
WIDE = ("auto", "ecl", "afforest", "bfs", "cc-updt", *OWN)
"""Algorithms that are also run with 64-bit ids, offsets and labels."""
INVALID = (*WIDE, "eclaf", "soman", "rem", "warp-per-row", "label-propagation")
"""Algorithms that are also run on graphs with an id out of range, which no kernel may access."""


def graphs() -> list[Any]:
    """A hub with long rows and isolated vertices, near ids, far ids, and long rows side by side."""
    from support.graphs import graph_of, two_sides

    side = 45
    grid = np.arange(side * side).reshape(side, side)
    near = [(grid[:, 1:], grid[:, :-1]), (grid[1:], grid[:-1])]
    streets = np.vstack([np.column_stack((src.ravel(), dst.ravel())) for src, dst in near])
    hub = np.column_stack((np.arange(2500), np.full(2500, 2999)))
    return [
        graph_of("hub", 3000, hub, large=True),
        graph_of("grid", side * side, streets, large=True),
        graph_of("random", 2500, np.random.default_rng(2).integers(0, 2500, (4000, 2)), large=True),
        graph_of("two sides", 3100, two_sides(3000, 100, 30), large=True),
    ]


def many_vertices() -> list[Any]:
    """For kernels that need them: too many for a copy of the roots; a largest tree, and none."""
    from support.graphs import graph_of

    n = 1_700_000
    first, offset = np.arange(n), np.array([1, 2])
    ladder = np.column_stack((np.repeat(first[:-2], 2), (first[:-2, None] + offset).ravel()))

    hubs = 300
    leaves = np.arange(hubs, n)
    spokes = np.column_stack((leaves, leaves % hubs))
    groups = np.vstack([spokes, np.column_stack((leaves[:-hubs], leaves[hubs:]))])
    joined = np.vstack([groups, np.column_stack((np.arange(hubs - 1), np.arange(1, hubs)))])
    shapes = {"ladder": ladder, "joined hubs": joined, "hubs": groups}
    return [graph_of(name, n, pairs, large=True) for name, pairs in shapes.items()]


def work() -> None:
    """Run everything that is checked; raise if a result is wrong."""
    import cupy

    from support.answers import forms_of
    from support.on_gpu import NAMES, assert_answer_on_gpu
    from support.specs import letters

    cupy.cuda.set_allocator(None)
    narrow, wide = (np.uint32,) * 3, (np.uint64,) * 3
    for graph in graphs():
        for name in NAMES:
            for form in forms_of(name):
                assert_answer_on_gpu(graph, form, name, narrow)
        for name in WIDE:
            assert_answer_on_gpu(graph, forms_of(name)[-1], name, wide)
        for name in ("auto", "ecl", *OWN):
            assert_answer_on_gpu(graph, forms_of(name)[-1], name, narrow, statistics=True)
        for name in letters("cuda"):
            assert_answer_on_gpu(graph, forms_of(name)[-1], name, narrow)
        _join_batches(graph)
    for graph in many_vertices():
        assert_answer_on_gpu(graph, "symmetric", "auto", narrow)
    _make_graphs()
    _label_images()
    for name in INVALID:
        for form in forms_of(name):
            _run_invalid(graphs()[2], name, form)
        if "csr" in forms_of(name):
            _run_overlapping(name)
    print(DONE, flush=True)


def _label_images() -> None:
    """Of several tiles, by bytes and by words, in rows of whole words and others."""
    import cupy

    from skerry import ndimage

    random = np.random.default_rng(1)
    for shape in ((40, 320), (3, 33, 65), (1, 100), (129, 1)):
        for dtype, values in ((np.uint8, "binary"), (np.int32, "equal")):
            image = (random.random(shape) < 0.55).astype(dtype)
            for connectivity in (1, len(shape)):
                options = {"values": values, "connectivity": connectivity}
                labels, count = ndimage.label(cupy.asarray(image), **options)
                expected, number = ndimage.label(image, **options)
                if int(count) != number or not np.array_equal(labels.get(), expected):
                    raise RuntimeError(f"wrong labels of an image of the shape {shape}")


def _join_batches(graph: Any) -> None:
    """In sets that grow, and as a stream in small chunks of both widths."""
    import cupy

    import skerry
    from skerry.cuda.devices import find_runtime
    from skerry.union_find.streamed_forest import StreamedForest

    for dtype in (np.uint32, np.uint64):
        sets = skerry.UnionFind(device="cuda", dtype=dtype)
        src, dst = graph.src.astype(dtype), graph.dst.astype(dtype)
        for part in np.array_split(np.arange(len(src)), 3):
            sets.union(cupy.asarray(src[part]), cupy.asarray(dst[part]))
        sets.grow(graph.n)
        forest = StreamedForest(find_runtime("cuda"), graph.n, chunk=700, ids=np.dtype(dtype))
        forest.join(src, dst, 1)
        roots = sets.find(cupy.arange(graph.n)).get()
        for labels in (sets.labels.get(), roots, forest.release()):
            if not np.array_equal(labels, graph.labels):
                raise RuntimeError(f"{graph.name}: wrong labels of batches")


def _make_graphs() -> None:
    from skerry import generators
    from skerry.cuda.devices import find_runtime
    from skerry.generators import device as device_generators

    for recipe in (
        generators.grid.recipe(30, 40),
        generators.rmat.recipe(10, 8, shuffled=True),
        generators.road.recipe(12, shuffled=True),
        generators.mawi.recipe(1000),
        generators.tiny.recipe(200),
    ):
        on_gpu, on_cpu = (
            device_generators.make(find_runtime("cuda"), recipe),
            generators.make(recipe),
        )
        for device, host in ((on_gpu.src, on_cpu.src), (on_gpu.dst, on_cpu.dst)):
            if not np.array_equal(device.get(), host):
                raise RuntimeError(f"{recipe.family} differs from the CPU's")


def _run_overlapping(name: str) -> None:
    """Every second row has all entries, which are more than a list of long rows has room for."""
    import cupy

    import skerry

    offsets = cupy.zeros(2001, np.uint32)
    offsets[1::2] = 2000
    graph = skerry.Csr(offsets, cupy.zeros(2000, np.uint32), symmetric=True)
    with suppress(skerry.InputError):
        skerry.connected_components(graph, algorithm=name).count  # noqa: B018


def _run_invalid(graph: Any, name: str, form: str) -> None:
    import skerry
    from support.on_gpu import on_device

    for value in (graph.n, 2**31 - 1, -1):
        invalid = on_device(graph, form, np.int32, np.int32)
        (invalid.dst if form == "edges" else invalid.neighbors)[1234] = value
        with suppress(skerry.InputError):  # none if the row that holds it is skipped
            skerry.connected_components(invalid, algorithm=name).count  # noqa: B018


@dataclass(frozen=True)
class Report:
    """Output of a tool."""

    tool: str
    code: int
    seconds: float
    text: str

    @property
    def error_count(self) -> int | None:
        """Number of errors or hazards, or None if the tool did not finish."""
        summary = SUMMARY.findall(self.text)
        return int(summary[-1]) if summary and DONE in self.text else None

    @property
    def kernels(self) -> Counter[str]:
        """Kernels in which they were reported."""
        lines = (line for line in self.text.splitlines() if line.startswith("====="))
        return Counter(name for line in lines for name in WHERE.findall(line))

    def is_clean(self, own: frozenset[str]) -> bool:
        """Whether there are no errors, or only in kernels of the libraries that we call."""
        if self.error_count is None:
            return False
        return not self.error_count or bool(self.kernels and not self.kernels.keys() & own)

    def lines(self, own: frozenset[str]) -> Iterator[str]:
        """One line; the beginning of the report after it unless it is clean."""
        clean = self.is_clean(own)
        what = "hazards" if self.tool == "racecheck" else "errors"
        count = "did not finish" if self.error_count is None else f"{self.error_count} {what}"
        named = ", ".join(f"{name} {times}" for name, times in self.kernels.most_common(8))
        where = f" at {named}" if self.error_count and named else ""
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
    arguments = parser.parse_args()
    if arguments.work:
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

    own = frozenset(name for source in kernel_sources() for name in kernel_names(source))
    failed = False
    with ThreadPoolExecutor() as pool:
        runs = [pool.submit(run, tool, sanitizer) for tool in arguments.tools.split(",")]
        for report in (future.result() for future in as_completed(runs)):
            print(*report.lines(own), sep="\n", flush=True)
            failed |= not report.is_clean(own)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
