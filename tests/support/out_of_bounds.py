"""Runs every algorithm where a look out of bounds ends the process; says what it is about to run.

``python -m support.out_of_bounds bad | small | medium``; ``beyond`` looks out of bounds.
"""

from __future__ import annotations

import faulthandler
import sys
from itertools import cycle, product

import numpy as np

import skerry
from support.answers import FORCED, forms_of
from support.bad_graphs import EDGES, ROWS, bad_edges, bad_rows
from support.emulated import assert_answer_on_device, emulated_gpu
from support.graphs import medium_graphs, small_graphs
from support.guarded import GuardedRuntime, guarded
from support.specs import names_on

NAMES = [*names_on("cuda"), *FORCED]
SLOW = ("bfs", "label-propagation", "block-per-row")


def kept(runtime, graph):
    """The same graph, its arrays guarded."""
    if isinstance(graph, skerry.Edges):
        return skerry.Edges(*map(runtime.upload, (graph.src, graph.dst)), graph.num_vertices)
    parts = map(runtime.upload, (graph.offsets, graph.neighbors))
    return skerry.Csr(*parts, graph.symmetric)


def run_bad(runtime):
    """All graphs that cannot be right."""
    cases = [bad_edges(case, dtype)[0] for case, dtype in product(EDGES, (np.int32, np.int64))]
    for case, dtype in product(ROWS, (np.int32, np.int64)):
        cases += [bad_rows(case, dtype, form)[0] for form in ("csr", "symmetric")]
    for name, graph in product(NAMES, cases):
        print(name, type(graph).__name__, flush=True)
        try:
            result = skerry.connected_components(kept(runtime, graph), algorithm=name)
            assert result.count and getattr(graph, "symmetric", False)
        except skerry.InputError:
            pass


def run_good(runtime, graphs, widths):
    """Graphs that are right, whose answers must be too."""
    for name, (graph, width) in product(NAMES, list(zip(graphs, cycle(widths), strict=False))):
        if name in SLOW and graph.n > 2000:
            continue
        for form in forms_of(name):
            print(name, width, graph.name, form, flush=True)
            assert_answer_on_device(graph, form, name, width, keep=runtime.upload)


def main(what):
    """Runs one of the parts."""
    faulthandler.enable()
    runtime = GuardedRuntime(seed=11)
    if what == "beyond":
        ends = guarded(4, np.uint32)
        print(np.lib.stride_tricks.as_strided(ends, (5,))[4])
    with emulated_gpu(runtime, on_device=True, nothing_is_small=what == "medium"):
        if what == "bad":
            run_bad(runtime)
        elif what == "small":
            run_good(runtime, small_graphs(), ("signed", "wide"))
        elif what == "medium":
            run_good(runtime, medium_graphs(), ("narrow", "wide"))


if __name__ == "__main__":
    main(sys.argv[1])
