"""The bar figures of the four papers, one spec each."""

from __future__ import annotations

from skerry_bench.report.figures.bars import Bars

__all__ = ["PAPER_BARS"]

_GPU = ("ecl", "groute", "soman", "gunrock")
_PARALLEL = (
    "ecl",
    "ndhybrid",
    "bfscc",
    "label-propagation",
    "crono-sv",
    "multistep",
    "galois-async",
)
_THESIS_CPU = (
    "ecl",
    "eclaf",
    "bfscc",
    "label-propagation",
    "crono-sv",
    "galois-async",
    "galois-sync",
    "galois-blocked",
)
_SERIAL = ("ecl-serial", "union-find", "dfs", "bfs", "igraph")
_STAND_FOR = "Each code of the paper is represented by the catalog row of the same algorithm."

PAPER_BARS = (
    Bars(
        id="eclcc-fig7",
        paper="ECL-CC",
        where="Fig. 7",
        title="Three ways to start",
        caption="Init1 starts from a vertex's own id, Init2 from its smallest neighbor, Init3 "
        "(ECL-CC) from the first smaller one. Whole run time, not only that of the start.",
        implementations=("ecl", "ecl[init=own]", "ecl[init=smallest]"),
        base="ecl",
        study="init",
        stated="Fig. 7",
        needs="the study init",
        names={
            "ecl": "Init3: first smaller (ECL-CC)",
            "ecl[init=own]": "Init1: own id",
            "ecl[init=smallest]": "Init2: smallest neighbor",
        },
    ),
    Bars(
        id="eclcc-fig8",
        paper="ECL-CC",
        where="Fig. 8",
        title="Four kinds of pointer jumping",
        caption="How a find shortens the path it walks: Jump1 all of it, Jump2 its start, Jump3 "
        "not at all, Jump4 (ECL-CC) by halving.",
        implementations=("ecl", "ecl[jump=multiple]", "ecl[jump=single]", "ecl[jump=none]"),
        base="ecl",
        study="jump",
        stated="Fig. 8",
        needs="the study jump",
        names={
            "ecl": "Jump4: halving (ECL-CC)",
            "ecl[jump=multiple]": "Jump1: multiple",
            "ecl[jump=single]": "Jump2: single",
            "ecl[jump=none]": "Jump3: none",
        },
    ),
    Bars(
        id="eclcc-fig9",
        paper="ECL-CC",
        where="Fig. 9",
        title="Three ways to finish",
        caption="The last pass makes every vertex point at its representative: Fini1 by halving, "
        "Fini2 by multiple, Fini3 (ECL-CC) by single pointer jumping.",
        implementations=("ecl", "ecl[finish=halving]", "ecl[finish=multiple]"),
        base="ecl",
        study="finish",
        stated="Fig. 9",
        needs="the study finish",
        names={
            "ecl": "Fini3: single (ECL-CC)",
            "ecl[finish=halving]": "Fini1: halving",
            "ecl[finish=multiple]": "Fini2: multiple",
        },
    ),
    Bars(
        id="eclcc-fig11",
        paper="ECL-CC",
        where="Figs. 11 and 12",
        title="Codes for GPUs",
        caption=f"The paper's baseline is ECL-CC. {_STAND_FOR} IrGL has none of its own: it is "
        "generated code of Soman's algorithm.",
        implementations=_GPU,
        base="ecl",
        devices=("cuda",),
        tables=("Table 5", "Table 6"),
        needs="the suite eclcc on a GPU",
    ),
    Bars(
        id="eclcc-fig13",
        paper="ECL-CC",
        where="Figs. 13 and 14",
        title="Parallel codes for CPUs",
        caption=f"The paper's baseline is ECL-CC with OpenMP. {_STAND_FOR}",
        implementations=_PARALLEL,
        base="ecl",
        devices=("cpu",),
        tables=("Table 7", "Table 8"),
        needs="the suite eclcc on a CPU",
    ),
    Bars(
        id="eclcc-fig15",
        paper="ECL-CC",
        where="Figs. 15 and 16",
        title="Serial codes",
        caption="The paper's baseline is serial ECL-CC. Galois, Boost and Lemon are represented by "
        "plain union-find, depth-first and breadth-first search; igraph is igraph itself. auto "
        "uses all threads that it was given.",
        implementations=_SERIAL,
        base="ecl-serial",
        devices=("cpu",),
        tables=("Table 9", "Table 10"),
        needs="the suite eclcc on a CPU, with the peer igraph",
        names={"ecl-serial": "ECL-CC serial"},
    ),
    Bars(
        id="thesis-fig6-1",
        paper="thesis",
        where="Figs. 6.1 and 6.2",
        title="Codes for GPUs, with ECLaf",
        caption="As ECL-CC's Figs. 11 and 12, with the thesis' atomic-free ECLaf and Cusp.",
        implementations=("ecl", "eclaf", "groute", "soman", "gunrock"),
        base="ecl",
        devices=("cuda",),
        tables=("Table A.1", "Table A.2"),
        needs="the suite eclcc on a GPU",
    ),
    Bars(
        id="thesis-fig6-3",
        paper="thesis",
        where="Figs. 6.3 and 6.4",
        title="Parallel codes for CPUs, with the three styles of Galois",
        caption="The thesis' baseline is ECL with OpenMP.",
        implementations=tuple(one for one in _THESIS_CPU if one != "eclaf"),
        base="ecl",
        devices=("cpu",),
        tables=("Table A.3", "Table A.4"),
        needs="the suite eclcc on a CPU",
    ),
    Bars(
        id="thesis-fig6-5",
        paper="thesis",
        where="Figs. 6.5 and 6.6",
        title="Serial codes",
        caption="The thesis' baseline is serial ECL.",
        implementations=_SERIAL,
        base="ecl-serial",
        devices=("cpu",),
        tables=("Table A.5", "Table A.6"),
        needs="the suite eclcc on a CPU, with the peer igraph",
        names={"ecl-serial": "ECL serial"},
    ),
    Bars(
        id="thesis-fig6-10",
        paper="thesis",
        where="Figs. 6.10 and 6.11",
        title="Codes for GPUs beside ECLaf",
        caption="The thesis' baseline is ECLaf here, which has no atomic operations.",
        implementations=("eclaf", "groute", "soman", "gunrock"),
        base="eclaf",
        devices=("cuda",),
        tables=("Table A.1", "Table A.2"),
        needs="the suite eclcc on a GPU",
    ),
    Bars(
        id="thesis-fig6-12",
        paper="thesis",
        where="Figs. 6.12 and 6.13",
        title="Parallel codes for CPUs beside ECLaf",
        caption="The thesis' baseline is ECLaf here. It lists no times of ECLaf on CPUs, so there "
        "are no published bars.",
        implementations=tuple(one for one in _THESIS_CPU if one != "ecl"),
        base="eclaf",
        devices=("cpu",),
        needs="the suite eclcc on a CPU",
    ),
    Bars(
        id="cong-muzio-fig2",
        paper="Cong & Muzio",
        where="Fig. 2",
        title="Rewriting the edges each round",
        caption="CC-updt replaces every edge by the components of its ends after each round.",
        implementations=("cc", "cc-updt"),
        base="cc",
        ranges={"cc-updt": "CC-updt over CC"},
        needs="the suite cong-muzio",
    ),
    Bars(
        id="cong-muzio-fig3",
        paper="Cong & Muzio",
        where="Fig. 3",
        title="Stages over CC",
        caption="Stages solves random groups of edges one after the other; Schd schedules the "
        "accesses by blocks of vertices (CPU only).",
        implementations=("cc", "stages-cc", "stages-cc-updt", "schd"),
        base="cc",
        ranges={"stages-cc": "Stages over CC"},
        needs="the suite cong-muzio",
    ),
    Bars(
        id="cong-muzio-fig5",
        paper="Cong & Muzio",
        where="Figs. 5 and 6",
        title="Four implementations",
        caption="CC, CC-updt, Stages and Rem: Fig. 5 is the random graph with 50M vertices, Fig. 6 "
        "the scale-free one.",
        implementations=("cc", "cc-updt", "stages-cc", "rem", "rem-prefetch"),
        base="cc",
        needs="the suite cong-muzio",
    ),
)
