"""The bar charts of the four papers, as data."""

from __future__ import annotations

from skerry_bench.report.figures.bars import BarSpec

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
_COUNTERPARTS = (
    "Each code of the paper is represented by skerry's implementation of the same algorithm."
)

PAPER_BARS = (
    BarSpec(
        id="eclcc-fig7",
        paper="ECL-CC",
        where="Fig. 7",
        title="Three kinds of initialization",
        caption="Init1 starts from a vertex's own id, Init2 from its smallest neighbor, Init3 "
        "(ECL-CC) from the first smaller one. Total run time, not only the initialization.",
        implementations=("ecl", "ecl[init=own]", "ecl[init=smallest]"),
        baseline="ecl",
        study="init",
        stated="Fig. 7",
        needs="the study init",
        names={
            "ecl": "Init3: first smaller (ECL-CC)",
            "ecl[init=own]": "Init1: own id",
            "ecl[init=smallest]": "Init2: smallest neighbor",
        },
    ),
    BarSpec(
        id="eclcc-fig8",
        paper="ECL-CC",
        where="Fig. 8",
        title="Four kinds of pointer jumping",
        caption="How a find operation shortens its path: Jump1 all of it, Jump2 its start, Jump3 "
        "not at all, Jump4 (ECL-CC) by halving.",
        implementations=("ecl", "ecl[jump=multiple]", "ecl[jump=single]", "ecl[jump=none]"),
        baseline="ecl",
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
    BarSpec(
        id="eclcc-fig9",
        paper="ECL-CC",
        where="Fig. 9",
        title="Three kinds of finalization",
        caption="The last pass makes every vertex point at its representative: Fini1 by halving, "
        "Fini2 by multiple, Fini3 (ECL-CC) by single pointer jumping.",
        implementations=("ecl", "ecl[finish=halving]", "ecl[finish=multiple]"),
        baseline="ecl",
        study="finish",
        stated="Fig. 9",
        needs="the study finish",
        names={
            "ecl": "Fini3: single (ECL-CC)",
            "ecl[finish=halving]": "Fini1: halving",
            "ecl[finish=multiple]": "Fini2: multiple",
        },
    ),
    BarSpec(
        id="eclcc-fig11",
        paper="ECL-CC",
        where="Figs. 11 and 12",
        title="Codes for GPUs",
        caption=f"The paper's baseline is ECL-CC. {_COUNTERPARTS} IrGL has no "
        "counterpart: it is generated code of Soman's algorithm.",
        implementations=_GPU,
        baseline="ecl",
        devices=("cuda",),
        tables=("Table 5", "Table 6"),
        needs="the suite eclcc on a GPU",
    ),
    BarSpec(
        id="eclcc-fig13",
        paper="ECL-CC",
        where="Figs. 13 and 14",
        title="Parallel codes for CPUs",
        caption=f"The paper's baseline is ECL-CC with OpenMP. {_COUNTERPARTS}",
        implementations=_PARALLEL,
        baseline="ecl",
        devices=("cpu",),
        tables=("Table 7", "Table 8"),
        needs="the suite eclcc on a CPU",
    ),
    BarSpec(
        id="eclcc-fig15",
        paper="ECL-CC",
        where="Figs. 15 and 16",
        title="Serial codes",
        caption="The paper's baseline is serial ECL-CC. Galois, Boost and Lemon are represented by "
        "plain union-find, depth-first and breadth-first search; igraph is igraph itself. auto "
        "uses all threads of the run.",
        implementations=_SERIAL,
        baseline="ecl-serial",
        devices=("cpu",),
        tables=("Table 9", "Table 10"),
        needs="the suite eclcc on a CPU, with the peer igraph",
        names={"ecl-serial": "ECL-CC serial"},
    ),
    BarSpec(
        id="thesis-fig6-1",
        paper="thesis",
        where="Figs. 6.1 and 6.2",
        title="Codes for GPUs, with ECLaf",
        caption="As ECL-CC's Figs. 11 and 12, with the thesis' atomic-free ECLaf and Cusp.",
        implementations=("ecl", "eclaf", "groute", "soman", "gunrock"),
        baseline="ecl",
        devices=("cuda",),
        tables=("Table A.1", "Table A.2"),
        needs="the suite eclcc on a GPU",
    ),
    BarSpec(
        id="thesis-fig6-3",
        paper="thesis",
        where="Figs. 6.3 and 6.4",
        title="Parallel codes for CPUs, with the three styles of Galois",
        caption="The thesis' baseline is ECL with OpenMP.",
        implementations=tuple(name for name in _THESIS_CPU if name != "eclaf"),
        baseline="ecl",
        devices=("cpu",),
        tables=("Table A.3", "Table A.4"),
        needs="the suite eclcc on a CPU",
    ),
    BarSpec(
        id="thesis-fig6-5",
        paper="thesis",
        where="Figs. 6.5 and 6.6",
        title="Serial codes",
        caption="The thesis' baseline is serial ECL.",
        implementations=_SERIAL,
        baseline="ecl-serial",
        devices=("cpu",),
        tables=("Table A.5", "Table A.6"),
        needs="the suite eclcc on a CPU, with the peer igraph",
        names={"ecl-serial": "ECL serial"},
    ),
    BarSpec(
        id="thesis-fig6-10",
        paper="thesis",
        where="Figs. 6.10 and 6.11",
        title="Codes for GPUs relative to ECLaf",
        caption="The thesis' baseline in these figures is ECLaf, which uses no atomic operations.",
        implementations=("eclaf", "groute", "soman", "gunrock"),
        baseline="eclaf",
        devices=("cuda",),
        tables=("Table A.1", "Table A.2"),
        needs="the suite eclcc on a GPU",
    ),
    BarSpec(
        id="thesis-fig6-12",
        paper="thesis",
        where="Figs. 6.12 and 6.13",
        title="Parallel codes for CPUs relative to ECLaf",
        caption="The thesis' baseline in these figures is ECLaf. There are no published bars: it "
        "lists no times of ECLaf on CPUs.",
        implementations=tuple(name for name in _THESIS_CPU if name != "ecl"),
        baseline="eclaf",
        devices=("cpu",),
        needs="the suite eclcc on a CPU",
    ),
    BarSpec(
        id="cong-muzio-fig2",
        paper="Cong & Muzio",
        where="Fig. 2",
        title="Rewriting the edges each round",
        caption="CC-updt replaces the ends of every edge by their components after each round.",
        implementations=("cc", "cc-updt"),
        baseline="cc",
        ranges={"cc-updt": "CC-updt over CC"},
        needs="the suite cong-muzio",
    ),
    BarSpec(
        id="cong-muzio-fig3",
        paper="Cong & Muzio",
        where="Fig. 3",
        title="Stages over CC",
        caption="Stages processes random groups of edges one after the other; Schd schedules the "
        "accesses by blocks of vertices (CPU only).",
        implementations=("cc", "stages-cc", "stages-cc-updt", "schd"),
        baseline="cc",
        ranges={"stages-cc": "Stages over CC"},
        needs="the suite cong-muzio",
    ),
    BarSpec(
        id="cong-muzio-fig5",
        paper="Cong & Muzio",
        where="Figs. 5 and 6",
        title="Four implementations",
        caption="CC, CC-updt, Stages and Rem: Fig. 5 is the random graph with 50M vertices, Fig. 6 "
        "the scale-free one.",
        implementations=("cc", "cc-updt", "stages-cc", "rem", "rem-prefetch"),
        baseline="cc",
        needs="the suite cong-muzio",
    ),
)
