"""What implementations are called on the page, and their colors: the same in every figure.

Colors are slots of a palette that stays apart for the color-blind (Okabe and Ito's), with a
lighter and a darker set in the page's style. Implementations that share a
figure have different slots.
"""

from __future__ import annotations

from collections.abc import Mapping
from zlib import crc32

__all__ = ["SERIES", "SLOTS", "label_of", "slot_of"]

SLOTS = (
    *("blue", "ink", "orange", "green", "vermillion", "sky", "purple", "brown", "gray"),
    *("rose", "indigo", "olive"),
)

SERIES: Mapping[str, str] = {
    "auto": "blue",
    "skerry's other rows": "gray",
    "peers": "orange",
    "from a graph": "blue",
    "from an edge list": "orange",
}
"""Colors of series that are not of one implementation."""

_LABELS: Mapping[str, str] = {
    "auto": "auto (skerry)",
    "ecl": "ECL-CC (ecl)",
    "ecl-serial": "ECL-CC serial (ecl-serial)",
    "eclaf": "ECLaf",
    "groute": "Groute",
    "gunrock": "Gunrock",
    "soman": "Soman",
    "bfscc": "Ligra+ BFSCC",
    "label-propagation": "Ligra+ Comp",
    "crono-sv": "CRONO",
    "ndhybrid": "ndHybrid",
    "multistep": "Multistep",
    "galois-async": "Galois async.",
    "galois-sync": "Galois sync.",
    "galois-blocked": "Galois blocked",
    "union-find": "union-find (Galois)",
    "dfs": "DFS (Boost)",
    "bfs": "BFS (Lemon)",
    "cc": "CC",
    "cc-updt": "CC-updt",
    "stages-cc": "Stages",
    "stages-cc-updt": "Stages, CC-updt inside",
    "stages-sv": "Stages, SV inside",
    "stages-sv-updt": "Stages, SV-updt inside",
    "stages-schd": "Stages, Schd inside",
    "sv": "SV",
    "sv-updt": "SV-updt",
    "schd": "Schd",
    "rem": "Rem",
    "rem-prefetch": "Rem, prefetching",
    "thread-per-vertex": "thread per vertex",
    "warp-per-row": "warp per row",
    "block-per-row": "block per row",
    "afforest": "Afforest",
    "afforest-random": "Afforest, random",
}

_COLORS: Mapping[str, tuple[str, ...]] = {
    "blue": ("auto", "initialization"),
    "ink": ("ecl", "ecl-serial", "cc"),
    "gray": (
        "skerry's other rows",
        "eclaf",
        "galois-sync",
        "IrGL",
        "LSG",
        "Cusp",
        "schd",
        "stages-schd",
    ),
    "orange": (
        "average",
        "groute",
        "multistep",
        "ecl[init=own]",
        "ecl[jump=multiple]",
        "ecl[finish=halving]",
        "cc-updt",
        "thread-per-vertex",
        "dfs",
        "scipy",
        "short rows (thread)",
    ),
    "green": (
        "soman",
        "ndhybrid",
        "ecl[init=smallest]",
        "ecl[jump=single]",
        "ecl[finish=multiple]",
        "stages-cc",
        "stages-sv",
        "warp-per-row",
        "union-find",
        "networkit",
        "cupyx",
        "middle rows (warp)",
        "computation, all rows",
    ),
    "vermillion": (
        "longest",
        "gunrock",
        "galois-async",
        "ecl[jump=none]",
        "stages-cc-updt",
        "stages-sv-updt",
        "block-per-row",
        "duckdb",
        "long rows (block)",
    ),
    "sky": ("label-propagation", "sv", "afforest", "bfs", "networkit-parallel", "finalization"),
    "purple": ("bfscc", "rem", "rem-prefetch", "igraph", "afforest-random"),
    "brown": ("crono-sv", "galois-blocked", "sv-updt", "rustworkx", "torch-geometric"),
    "rose": ("polars", "pylibcugraph"),
    "indigo": ("duckdb-recursive", "graphblas"),
    "olive": ("networkx",),
}
_SLOT_OF = {implementation: slot for slot, those in _COLORS.items() for implementation in those}


def label_of(implementation: str) -> str:
    """The name of an implementation for people.

    >>> label_of("stages-cc"), label_of("scipy")
    ('Stages', 'scipy')
    """
    return _LABELS.get(implementation, implementation)


def slot_of(implementation: str) -> str:
    """The color of an implementation; one that is not known here keeps the one that its name gives.

    >>> slot_of("auto"), slot_of("ecl") == slot_of("cc")
    ('blue', True)
    """
    known = _SLOT_OF.get(implementation)
    return known or SLOTS[2 + crc32(implementation.encode()) % (len(SLOTS) - 2)]
