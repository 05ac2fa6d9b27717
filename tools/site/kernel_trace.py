"""Traces the stages of "rows" on the two small graphs of the page that explains them.

    python tools/site/kernel_trace.py [--write]

Compiles tools/site/trace_rows.cpp with the kernel as it is, runs it, and compares what it prints
with docs/site/trace.json; ``--write`` writes the file instead. It takes about 10 s.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from pages import ROOT, SITE

FILE = SITE / "trace.json"
KERNELS = ROOT / "src/skerry/kernels"
SOURCES = (
    ROOT / "tools/site/trace_rows.cpp",
    KERNELS / "cpu/own/rows.cpp",
    KERNELS / "cpu/passes/passes.cpp",
    KERNELS / "cpu/graph/inputs.cpp",
)

POSITIONS = (
    *((40, 60), (110, 30), (100, 120), (90, 345), (170, 75), (340, 250), (165, 180), (430, 60)),
    *((245, 50), (215, 240), (320, 80), (120, 255), (270, 290), (285, 190), (310, 22), (385, 130)),
    *((170, 320), (160, 385), (240, 365), (400, 350), (40, 180), (45, 260)),
)
"""Of the vertices, in the drawing."""
EDGES = (
    *((0, 1), (0, 2), (1, 4), (2, 4), (2, 6), (4, 8), (6, 9), (8, 10), (9, 11), (10, 14)),
    *((6, 11), (8, 14), (9, 13), (5, 12), (5, 13), (12, 13), (10, 15), (7, 15)),
    *((3, 16), (3, 17), (16, 18), (17, 18), (2, 20), (20, 21), (11, 21)),
)
GRAPHS = {"large": 22, "none": 20}
"""How many of these vertices a graph has. With two fewer, the first links make no large tree."""


def rows_of(vertices: int) -> list[list[int]]:
    """The neighbors of each vertex, ascending, among the first ``vertices``."""
    rows: list[list[int]] = [[] for _ in range(vertices)]
    for u, v in EDGES:
        if max(u, v) < vertices:
            rows[u].append(v)
            rows[v].append(u)
    return [sorted(row) for row in rows]


def build(folder: Path) -> Path:
    """Compiles the program that traces."""
    program = folder / "trace_rows"
    flags = ["-std=c++20", "-O0", "-pthread", f"-I{KERNELS}"]
    subprocess.run(["c++", *flags, *map(str, SOURCES), "-o", str(program)], check=True)
    return program


def run(program: Path, vertices: int) -> dict[str, Any]:
    """The graph, the parents after each stage, and what the samples have shown."""
    rows = rows_of(vertices)
    offsets = [sum(map(len, rows[:v])) for v in range(vertices + 1)]
    numbers = [vertices, offsets[-1], *offsets, *(u for row in rows for u in row)]
    text = " ".join(map(str, numbers))
    done = subprocess.run([program], input=text, capture_output=True, text=True, check=True)
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    measured = {
        name.removeprefix("measured "): float(value)
        for name, value in lines
        if name.startswith("measured ")
    }
    return {
        "positions": POSITIONS[:vertices],
        "edges": [(u, v) for u, v in EDGES if max(u, v) < vertices],
        "stages": [
            {"name": name, "parents": [*map(int, parents.split())]}
            for name, parents in lines
            if not name.startswith("measured ")
        ],
        "measured": measured,
    }


def main() -> int:
    """Compares or writes; 1 if the file is not what the kernel does."""
    with tempfile.TemporaryDirectory() as folder:
        program = build(Path(folder))
        traces = {name: run(program, vertices) for name, vertices in GRAPHS.items()}
    lines = ",\n".join(f'"{name}": {json.dumps(trace)}' for name, trace in traces.items())
    text = f"{{\n{lines}\n}}\n"
    if "--write" in sys.argv[1:]:
        FILE.write_text(text)
    elif FILE.read_text() != text:
        print(f"{FILE.relative_to(ROOT)} is not what the kernel does: run this with --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
