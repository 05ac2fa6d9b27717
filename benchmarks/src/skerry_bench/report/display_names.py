"""Display names and colors of implementations, the same in every figure.

Eight colors, after Okabe and Ito's palette, that readers can tell apart, color-blind ones too; the
style sheet defines each for the light and the dark theme. A chart has at most eight series, and the
page gives each a color of its own: the one below, or an unused one.
"""

from __future__ import annotations

from collections.abc import Mapping
from zlib import crc32

PAPER_HEADINGS: Mapping[str, str] = {
    "ECL-CC": "ECL-CC",
    "thesis": "The thesis: ECL and ECLaf",
    "Cong & Muzio": "Cong & Muzio",
    "Gerasimou": "Gerasimou",
}
"""Headings of the papers' sections."""

PALETTE = ("blue", "ink", "orange", "green", "vermillion", "purple", "lime", "gray")

SERIES_COLORS: Mapping[str, str] = {
    "auto": "blue",
    "other algorithms of skerry": "gray",
    "peers": "orange",
    "from a graph": "blue",
    "from an edge list": "orange",
}
"""Colors of series that combine several implementations."""

_NAMES: Mapping[str, str] = {
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
    "adaptive-per-row": "by the row's length",
    "afforest": "Afforest",
    "afforest-random": "Afforest, random",
    "thrifty": "Thrifty",
    "fastsv": "FastSV",
    "jayanti-tarjan": "Jayanti-Tarjan",
}

_COLORS: Mapping[str, tuple[str, ...]] = {
    "blue": ("auto", "initialization"),
    "ink": ("ecl", "ecl-serial", "cc", "adaptive-per-row"),
    "gray": (
        "other algorithms of skerry",
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
    "lime": ("label-propagation", "sv", "afforest", "bfs", "networkit-parallel", "finalization"),
    "purple": ("bfscc", "rem", "rem-prefetch", "igraph", "afforest-random"),
}
_COLOR_OF = {name: color for color, names in _COLORS.items() for name in names}


def display_name(implementation: str) -> str:
    """The name of an implementation in text, legends and tables.

    >>> display_name("stages-cc"), display_name("scipy")
    ('Stages', 'scipy')
    """
    return _NAMES.get(implementation, implementation)


def color_of(implementation: str) -> str:
    """The color of an implementation; an unknown one gets a color by a hash of its name.

    >>> color_of("auto"), color_of("ecl") == color_of("cc")
    ('blue', True)
    """
    # The first two colors are reserved for auto and for the papers' baselines.
    by_hash = PALETTE[2 + crc32(implementation.encode()) % (len(PALETTE) - 2)]
    return _COLOR_OF.get(implementation, by_hash)
