"""Claims of the ECL-CC paper (Jaiganesh & Burtscher 2018): its internals and other codes."""

from __future__ import annotations

from collections.abc import Iterator

from skerry_bench.report import published
from skerry_bench.report.claims.comparisons import (
    faster_by,
    fastest,
    mean_of,
    never_faster,
    slowest,
)
from skerry_bench.report.claims.rules import MEAN_RULE, ON_EVERY_GRAPH, Claim, Comparison, Judge
from skerry_bench.report.measurements import geometric_mean

PAPER = "ECL-CC"
FASTEST = "it is the fastest, or within 3% of the fastest, on the same share of graphs"

_INIT = Comparison(
    "cuda",
    PAPER,
    "init",
    {
        "ecl": "Init3",
        "ecl[init=own]": "Init1 (own id)",
        "ecl[init=smallest]": "Init2 (smallest neighbor)",
    },
)
_JUMP = Comparison(
    "cuda",
    PAPER,
    "jump",
    {
        "ecl": "Jump4 (halving)",
        "ecl[jump=multiple]": "Jump1 (multiple)",
        "ecl[jump=single]": "Jump2 (single)",
        "ecl[jump=none]": "Jump3 (none)",
    },
)
_FINISH = Comparison(
    "cuda",
    PAPER,
    "finish",
    {
        "ecl": "Fini3 (single)",
        "ecl[finish=halving]": "Fini1 (halving)",
        "ecl[finish=multiple]": "Fini2 (multiple)",
    },
)
_GPU = Comparison("cuda", PAPER)
_CPU = Comparison("cpu", PAPER)


def _claim(name: str, where: str, statement: str, rule: str, judge: Judge) -> Claim:
    return Claim(f"eclcc-{name}", PAPER, where, statement, rule, judge)


_INTERNALS = (
    _claim(
        "init1-mean",
        "Fig. 7",
        "Starting from the own id takes 4% longer than from the first smaller neighbor.",
        MEAN_RULE,
        mean_of(_INIT, "ecl[init=own]", "ecl", 1.04),
    ),
    _claim(
        "init2-never",
        "Fig. 7",
        "Starting from the smallest neighbor is never faster than from the first smaller one.",
        ON_EVERY_GRAPH,
        never_faster(_INIT, "ecl[init=smallest]", "ecl", "never"),
    ),
    _claim(
        "init2-mean",
        "Fig. 7",
        "Starting from the smallest neighbor takes 1.4 times as long on average.",
        MEAN_RULE,
        mean_of(_INIT, "ecl[init=smallest]", "ecl", 1.4),
    ),
    _claim(
        "jump1-never",
        "Fig. 8",
        "Multiple pointer jumping is never faster than halving.",
        ON_EVERY_GRAPH,
        never_faster(_JUMP, "ecl[jump=multiple]", "ecl", "never"),
    ),
    _claim(
        "jump1-mean",
        "Fig. 8",
        "Multiple pointer jumping takes 1.6 times as long as halving on average.",
        MEAN_RULE,
        mean_of(_JUMP, "ecl[jump=multiple]", "ecl", 1.6),
    ),
    _claim(
        "jump2-jump1",
        "Fig. 8",
        "Single pointer jumping is faster than multiple on every graph.",
        ON_EVERY_GRAPH,
        faster_by(_JUMP, "ecl[jump=single]", "ecl[jump=multiple]", "always"),
    ),
    _claim(
        "jump2-only-osm",
        "Fig. 8",
        "Single pointer jumping is faster than halving on one graph only, europe_osm.",
        "it is faster on europe_osm, if that was measured, and on no other graph (in part: on at "
        "most a third of the graphs)",
        never_faster(
            _JUMP, "ecl[jump=single]", "ecl", "only on europe_osm, by 18%", ("europe_osm",)
        ),
    ),
    _claim(
        "jump2-mean",
        "Fig. 8",
        "Single pointer jumping takes 1.26 times as long as halving on average.",
        MEAN_RULE,
        mean_of(_JUMP, "ecl[jump=single]", "ecl", 1.26),
    ),
    _claim(
        "jump3-mean",
        "Fig. 8",
        "Without pointer jumping, a run takes 3.7 times as long on average.",
        MEAN_RULE,
        mean_of(_JUMP, "ecl[jump=none]", "ecl", 3.7),
    ),
    _claim(
        "jump3-last",
        "Fig. 8",
        "No pointer jumping is the slowest of the four kinds.",
        "it takes longer than each of the others on average (in part: than two of them)",
        slowest(
            _JUMP,
            "ecl[jump=none]",
            ("ecl[jump=multiple]", "ecl[jump=single]", "ecl"),
            "it performs the worst",
        ),
    ),
    _claim(
        "fini1-never",
        "Fig. 9",
        "Finishing by halving is never faster than by single jumps.",
        ON_EVERY_GRAPH,
        never_faster(_FINISH, "ecl[finish=halving]", "ecl", "never"),
    ),
    _claim(
        "fini1-mean",
        "Fig. 9",
        "Finishing by halving takes half a percent longer on average.",
        MEAN_RULE,
        mean_of(_FINISH, "ecl[finish=halving]", "ecl", 1.005),
    ),
    _claim(
        "fini2-mean",
        "Fig. 9",
        "Finishing by multiple jumps takes 14% longer on average.",
        MEAN_RULE,
        mean_of(_FINISH, "ecl[finish=multiple]", "ecl", 1.14),
    ),
)


def _other_codes(comparison: Comparison, base: str, tables: dict[str, str]) -> Iterator[Claim]:
    """A claim for every code of some tables: its mean time relative to ECL-CC.

    ``tables`` maps the numbers of tables to prefixes of the claims' ids.
    """
    for name, prefix in tables.items():
        table = published.table(PAPER, name)
        for implementation, code in table.names.items():
            if implementation == base or implementation == code != "igraph":
                continue
            ratio = geometric_mean(
                row[implementation] / row[base]
                for row in table.milliseconds.values()
                if implementation in row
            )
            relation = "faster" if ratio > 1 else "slower"
            times = ratio if ratio > 1 else 1 / ratio
            yield _claim(
                f"{prefix}-{implementation}",
                f"{table.figure}, {table.table}",
                f"{table.names[base].replace('_', ' ')} is {times:.2f} times {relation} than "
                f"{code} on average on {table.device}.",
                MEAN_RULE,
                mean_of(comparison, implementation, base, round(ratio, 2)),
            )


_CODES = (
    _claim(
        "gpu-all",
        "Figs. 11 and 12",
        "ECL-CC is faster than Soman on all 18 graphs.",
        ON_EVERY_GRAPH,
        faster_by(_GPU, "ecl", "soman", "on all 18"),
    ),
    _claim(
        "gpu-all-gunrock",
        "Figs. 11 and 12",
        "ECL-CC is faster than Gunrock on all 18 graphs.",
        ON_EVERY_GRAPH,
        faster_by(_GPU, "ecl", "gunrock", "on all 18"),
    ),
    _claim(
        "gpu-fastest",
        "Fig. 11",
        "ECL-CC is the fastest GPU code on 15 of 18 graphs, and tied on one.",
        FASTEST,
        fastest(
            _GPU,
            "ecl",
            ("groute", "soman", "gunrock"),
            "on 15 of 18, and tied on one (Titan X); on 13 and one (K40)",
            16 / 18,
        ),
    ),
    _claim(
        "omp-fastest",
        "Fig. 14, Table 8",
        "The OpenMP version is the fastest parallel CPU code on ten of 18 graphs on the X5690.",
        FASTEST,
        fastest(
            _CPU,
            "ecl",
            (
                "bfscc",
                "label-propagation",
                "crono-sv",
                "ndhybrid",
                "multistep",
                "galois-async",
            ),
            "on 10 of 18 (X5690), on 5 of 18 (E5-2687W)",
            10 / 18,
        ),
    ),
    _claim(
        "serial-fastest",
        "Figs. 15 and 16",
        "Serial ECL-CC is the fastest serial code on 16 of 18 graphs (E5-2687W), on all (X5690).",
        FASTEST,
        fastest(
            _CPU,
            "ecl-serial",
            ("union-find", "dfs", "bfs", "igraph"),
            "on 16 and on 18 of 18",
            16 / 18,
        ),
    ),
)

ECLCC = (
    *_INTERNALS,
    *_CODES,
    *_other_codes(_GPU, "ecl", {"Table 5": "titanx", "Table 6": "k40"}),
    *_other_codes(_CPU, "ecl", {"Table 7": "e5", "Table 8": "x5690"}),
    *_other_codes(_CPU, "ecl-serial", {"Table 9": "e5-serial", "Table 10": "x5690-serial"}),
)
