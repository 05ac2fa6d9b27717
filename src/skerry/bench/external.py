"""Programs of others on the same graph in the same run.

A command is given with ``{base}`` where the path of the graph goes, without its suffix: beside it
lie ``.sg`` (the GAP benchmark's serialised graph) and ``.egr`` (ECL's binary CSR). It prints a JSON
object a line for each thing it measured: ``{"peer": name, "ms": [samples], "components": count}``.
"""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path
from typing import Any

import numpy as np

from skerry.graph.csr import Csr

__all__ = ["run_external", "write_graph"]


def write_graph(graph: Csr, base: Path) -> None:
    """Writes ``base.sg`` and, where its 32-bit counts suffice, ``base.egr``."""
    offsets = graph.offsets.astype(np.int64)
    neighbours = graph.neighbours.astype(np.int32)
    with base.with_suffix(".sg").open("wb") as file:
        file.write(b"\0")  # not directed
        file.write(np.array([graph.num_entries, graph.num_vertices], np.int64).tobytes())
        offsets.tofile(file)
        neighbours.tofile(file)
    if graph.num_entries < 2**31:
        with base.with_suffix(".egr").open("wb") as file:
            np.array([graph.num_vertices, graph.num_entries], np.int32).tofile(file)
            offsets.astype(np.int32).tofile(file)
            neighbours.tofile(file)


def run_external(command: str, base: Path) -> list[dict[str, Any]]:
    """Runs ``command`` on the graph and gives what it printed."""
    words = [word.replace("{base}", str(base)) for word in shlex.split(command)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode or not found:
        raise RuntimeError(f"{words[0]} failed ({done.returncode}): {done.stderr[-500:]}")
    return found
