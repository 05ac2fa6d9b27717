"""The small runs whose instructions `bench_guard.py` counts, all in one process.

``python tools/guard_cases.py`` runs and names them, without counting. Under callgrind,
``SKERRY_GUARD_MARKS`` names a library whose ``marks_begin()`` and ``marks_end(name)`` switch the
counting on and off.

Each case runs once before it is counted, so that imports, threads and caches do not count. Inputs
are computed with integer arithmetic, not by skerry or NumPy's random generators, so that they are
the same in every version. All cases use one thread: counts of several threads depend on scheduling.
"""

from __future__ import annotations

import ctypes
import gc
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow

import skerry

Ids = npt.NDArray[np.uint32]
Case = tuple[str, Callable[[], Any]]

VERTICES = 6000
SIDE = 80
SLOW = ("label-propagation", "thrifty", "galois-sync", "crono-sv")
"""Level-synchronous algorithms, which get graphs of low diameter only."""


def scatter(count: int, seed: int) -> npt.NDArray[np.uint64]:
    """Pseudorandom numbers: the mixing function of splitmix64 (Steele, Lea, Flood 2014)."""
    with np.errstate(over="ignore"):
        x = (np.arange(count, dtype=np.uint64) + np.uint64(seed * 2**32)) * np.uint64(
            0x9E3779B97F4A7C15
        )
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def random_graph() -> tuple[Ids, Ids]:
    """Three edges per vertex between random vertices."""
    ends = (scatter(2 * 3 * VERTICES, 1) % np.uint64(VERTICES)).astype(np.uint32)
    return ends[::2].copy(), ends[1::2].copy()


def skewed_graph() -> tuple[Ids, Ids]:
    """Eight edges per vertex, many at few vertices: squares of uniform numbers."""
    share = (scatter(2 * 8 * VERTICES, 2) >> np.uint64(40)).astype(np.float64) / 2**24
    ends = (share * share * VERTICES).astype(np.uint32)
    return ends[::2].copy(), ends[1::2].copy()


def grid_graph(shuffled: bool) -> tuple[Ids, Ids]:
    """A square grid; ``shuffled`` renumbers the vertices."""
    numbers = np.arange(SIDE * SIDE, dtype=np.uint32)
    if shuffled:
        numbers = np.argsort(scatter(len(numbers), 3), kind="stable").astype(np.uint32)
    square = numbers.reshape(SIDE, SIDE)
    src = np.concatenate([square[:, :-1].ravel(), square[:-1].ravel()])
    return src, np.concatenate([square[:, 1:].ravel(), square[1:].ravel()])


def rows_of(edges: tuple[Ids, Ids], vertices: int) -> skerry.Csr:
    """Both directions as sorted rows without repeats, built with NumPy."""
    src, dst = (np.concatenate(pair).astype(np.uint64) for pair in (edges, edges[::-1]))
    keys = np.unique((src * np.uint64(vertices) + dst)[src != dst])
    counts = np.bincount((keys // np.uint64(vertices)).astype(np.int64), minlength=vertices)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.uint64)
    neighbors = (keys % np.uint64(vertices)).astype(np.uint32)
    return skerry.Csr(offsets, neighbors, symmetric=True, sorted_rows=True)


def solve(graph: Any, vertices: int | None = None, **options: Any) -> Callable[[], Any]:
    """The public call, on one thread."""
    return lambda: skerry.connected_components(graph, num_vertices=vertices, threads=1, **options)


def catalog() -> Any:
    """All algorithms; ``--base`` may measure a revision in which the function had another name."""
    return (getattr(skerry, "catalog", None) or getattr(skerry, "catalogue"))()  # noqa: B009


def graph_cases() -> Iterator[Case]:
    """Every algorithm of the catalog, and `auto`, on several kinds of graphs."""
    graphs = {
        "random": (random_graph(), VERTICES),
        "skewed": (skewed_graph(), VERTICES),
        "grid": (grid_graph(False), SIDE * SIDE),
        "grid-shuffled": (grid_graph(True), SIDE * SIDE),
    }
    for kind, (edges, n) in graphs.items():
        rows = rows_of(edges, n)
        yield f"auto/edges/{kind}", solve(edges, n)
        yield f"auto/csr/{kind}", solve(rows)
        for spec in catalog():
            deep = kind.startswith("grid")
            if "cpu" not in spec.devices or (deep and spec.name in SLOW):
                continue
            if kind in ("random", "grid-shuffled"):
                graph = edges if spec.form == "edges" else rows
                yield f"{spec.name}/{kind}", solve(graph, n, algorithm=spec)
        yield f"verify/{kind}", verifying(edges, n)


def verifying(edges: tuple[Ids, Ids], n: int) -> Callable[[], Any]:
    """The independent checker."""
    labels = solve(edges, n)().labels
    graph = skerry.Edges(*edges, n)
    return lambda: skerry.verify(graph, labels)


def input_cases(folder: Path) -> Iterator[Case]:
    """Inputs: building rows, text, external ids, small calls."""
    from skerry.graph.build import csr_from_edges

    try:
        from skerry.ids.numbering import Numbering
    except ImportError:  # revisions before that module was split
        from skerry.ids import Numbering  # type: ignore[attr-defined, no-redef]

    src, dst = random_graph()
    edges = skerry.Edges(src, dst, VERTICES)
    yield "build/csr", lambda: csr_from_edges(edges, 1)
    wide = (src.astype(np.int64), dst.astype(np.int64))
    yield "edges/int64", solve(wide, VERTICES)
    text = folder / "guard.el"
    text.write_text("".join(f"{u} {v}\n" for u, v in zip(src, dst, strict=True)))
    yield "text/el", solve(text)
    table = folder / "guard.csv"
    body = "".join(f"{u},{v}\n" for u, v in zip(src[:2000], dst[:2000], strict=True))
    table.write_text(f"src,dst\n{body}")
    yield "text/csv", solve(table)
    names = scatter(VERTICES, 5).view(np.int64)[src]
    yield "ids/int64", lambda: Numbering().number(names, 1)
    words = pyarrow.array([f"vertex {name:x}" for name in scatter(VERTICES, 6)])
    column = words.take(pyarrow.array(src))
    yield "ids/text", lambda: Numbering().number(column, 1)
    ten = np.arange(10, dtype=np.uint32)
    yield "call/ten-edges", solve((ten, ten + np.uint32(1)))


def cases(folder: Path) -> Iterator[Case]:
    """All cases, in a fixed order."""
    yield from graph_cases()
    yield from input_cases(folder)


def main() -> None:
    """Runs each case once, and once more with counting switched on."""
    library = os.environ.get("SKERRY_GUARD_MARKS")
    marks: Any = ctypes.CDLL(library) if library else None
    gc.disable()
    with tempfile.TemporaryDirectory() as folder:
        for name, run in cases(Path(folder)):
            try:
                run()
            except Exception as error:  # an older skerry may lack what a case needs
                print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr)
                continue
            if marks is None:
                print(name)
                continue
            label = name.encode()
            marks.marks_begin()
            run()
            marks.marks_end(label)


if __name__ == "__main__":
    main()
