"""Which rewrite is compared with which original program, and on which graphs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from skerry_bench.implementation import Device

GRAPHS = (
    *("grid-22", "delaunay-22", "road-21", "path-22", "molecules-21"),
    *("rmat-20", "web-20", "uniform-20", "attachment-24", "citations-24"),
)
"""Ten graphs of the corpus: ordered and deep, or irregular and shallow."""


class Original(NamedTuple):
    """A program that was built as a shared library: see `skerry_bench.corpus.peer_library`."""

    name: str
    """That of its file, without the suffix."""
    rewrite: str
    device: Device
    repository: str
    """Where its source is: what was built from it is up to the user."""
    race_free: bool = False
    """Whether it has no data races: those that have are faster by what they leave out."""


_ECL = "burtscher/ECL-Suite, src/baseline"
_VARIANTS = {
    "init1": "init=own",
    "init2": "init=smallest",
    "jump1": "jump=multiple",
    "jump2": "jump=single",
    "jump3": "jump=none",
    "fini1": "finish=halving",
    "fini2": "finish=multiple",
}
"""Alternatives of the ECL-CC paper, changed in the source of its program, and ours."""

_WRONG = ("init1", "fini1")
"""Not by such a change: rows of roots, which the program leaves out, have edges with Init1; plain
stores of Fini1 undid final labels on 6 of 18 graphs."""

ORIGINALS = (
    Original("ecl_cc_11", "ecl", "cuda", _ECL),
    *(
        Original(f"ecl_cc_11_{name}", f"ecl[{choice}]", "cuda", _ECL)
        for name, choice in _VARIANTS.items()
        if name not in _WRONG
    ),
    Original("ecl_cc_racefree", "ecl", "cuda", "burtscher/ECL-Suite, src/racefree", True),
    Original("soman_original", "soman", "cuda", "jyosoman/GpuConnectedComponents"),
    Original("groute_original", "groute", "cuda", "groute/groute, samples/cc"),
    *(
        Original(
            f"gerasimou_{name}", rewrite, "cuda", "dimgerasimou/pds-hw3-cuda-connected-components"
        )
        for name, rewrite in (
            ("thread", "thread-per-vertex"),
            ("warp", "warp-per-row"),
            ("block", "block-per-row"),
            ("afforest", "afforest-random"),
        )
    ),
    Original("ecl_omp", "ecl", "cpu", "burtscher/ECL-CC, OpenMP code"),
    Original("gapbs_cc", "afforest", "cpu", "sbeamer/gapbs, cc"),
    Original("multistep_original", "multistep", "cpu", "HPCGraphAnalysis/Connectivity"),
    Original("ligra_components", "label-propagation", "cpu", "jshun/ligra, apps/Components"),
    Original("ligra_bfscc", "bfscc", "cpu", "jshun/ligra, apps/BFSCC"),
    Original("crono", "crono-sv", "cpu", "masabahmad/CRONO, apps/connected_components"),
    *(
        Original(f"galois_{style}", f"galois-{style}", "cpu", "IntelligentSoftwareSystems/Galois")
        for style in ("async", "blocked", "sync")
    ),
    Original("galois_serial", "union-find", "cpu", "IntelligentSoftwareSystems/Galois"),
    Original("boost", "dfs", "cpu", "boostorg/graph, connected_components"),
    Original("lemon", "bfs", "cpu", "LEMON 1.3.1, connectedComponents"),
)
"""Galois has a graph and threads of its own, so it runs as a program (``--external``), as Boost and
LEMON do. ndHybrid has no row: its archive is gone."""

_MAPPINGS = ("thread-per-vertex", "warp-per-row", "block-per-row")
_GRAFTS = ("cc", "cc-updt", "schd")
LETTERS: Mapping[Device, Mapping[str, str]] = {
    "cuda": {
        "ecl": "ecl[loads=plain]",
        **{f"ecl[{choice}]": f"ecl[{choice},loads=plain]" for choice in _VARIANTS.values()},
        "eclaf": "eclaf[hook=blind]",
        "soman": "soman[direction=alternate]",
        "groute": "groute[loads=plain]",
        "gunrock": "gunrock[filter=letter]",
        **{name: f"{name}[keep=last]" for name in (*_GRAFTS, "rem")},
        **{f"stages-{name}": f"stages-{name}[permute=stored,keep=last]" for name in _GRAFTS},
        **{name: f"{name}[jumps=2]" for name in ("sv", "sv-updt")},
        **{
            f"stages-{name}": f"stages-{name}[permute=stored,jumps=2]" for name in ("sv", "sv-updt")
        },
        **{name: f"{name}[loads=plain,triangle=lower]" for name in _MAPPINGS},
    },
    "cpu": {
        "ecl": "ecl[schedule=guided]",
        "bfscc": "bfscc[team=always]",
        "label-propagation": "label-propagation[team=always]",
        "multistep": "multistep[finish=late]",
        "ndhybrid": "ndhybrid[contract=hash]",
        "galois-async": "galois-async[end=smaller]",
        "galois-sync": "galois-sync[end=smaller]",
        "galois-blocked": "galois-blocked[end=smaller,leave=connected]",
        **{name: f"{name}[keep=last,shortcut=steps]" for name in _GRAFTS},
        **{
            f"stages-{name}": f"stages-{name}[permute=stored,drop=0,keep=last,shortcut=steps]"
            for name in ("cc", "schd")
        },
        **{name: f"{name}[jumps=2]" for name in ("sv", "sv-updt")},
        **{
            f"stages-{name}": f"stages-{name}[permute=stored,drop=0,jumps=2]"
            for name in ("sv", "sv-updt")
        },
    },
}
"""Rewrites by the letter of their paper, where the default departs: docs/algorithms.md."""
