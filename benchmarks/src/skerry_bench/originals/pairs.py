"""Which rewrite is compared with which original program, and on which graphs."""

from __future__ import annotations

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


ORIGINALS = (
    Original("ecl_cc_11", "ecl", "cuda", "burtscher/ECL-Suite, src/baseline"),
    Original("ecl_cc_racefree", "ecl", "cuda", "burtscher/ECL-Suite, src/racefree", True),
    Original("soman", "soman", "cuda", "jyosoman/GpuConnectedComponents"),
    Original("groute", "groute", "cuda", "groute/groute, samples/cc"),
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
    Original("multistep", "multistep", "cpu", "HPCGraphAnalysis/Connectivity"),
    Original("ligra_components", "label-propagation", "cpu", "jshun/ligra, apps/Components"),
    Original("ligra_bfscc", "bfscc", "cpu", "jshun/ligra, apps/BFSCC"),
    Original("crono", "crono-sv", "cpu", "masabahmad/CRONO, apps/connected_components"),
)
"""Galois' variants have no row: they run as programs (``--external``), since Galois has a graph and
threads of its own. So does its authors' newer code for ndHybrid, whose archive is gone."""
