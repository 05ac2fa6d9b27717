"""``skerry bench edges``, ``ids`` and ``files``: suites with sizes as options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from skerry.cli.errors import plain_errors
from skerry_bench.microbenchmarks import edges as edges_suite
from skerry_bench.microbenchmarks import files as files_suite
from skerry_bench.microbenchmarks import ids as ids_suite
from skerry_bench.suites import SUITES

Output = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", help="Append to this file; default: a new one in bench-results/."
    ),
]
Threads = Annotated[int | None, typer.Option(min=1, help="CPU threads; default: all.")]
Repeat = Annotated[int | None, typer.Option(min=1, help="Samples after one call to warm up.")]
Budget = Annotated[
    float | None,
    typer.Option(min=0.001, help="Seconds after which no more samples are taken."),
]
Size = Annotated[int, typer.Option(min=1)]
Names = Annotated[str, typer.Option(help="Names, separated by commas, or none.")]
KINDS = ",".join(ids_suite.KINDS)
TABLE_PEERS = ",".join(ids_suite.PEERS)


def edges(
    vertices: Size = edges_suite.DEFAULTS["vertices"],
    edges: Size = edges_suite.DEFAULTS["edges"],
    dtype: Annotated[str, typer.Option(help="Type of the ids.")] = "int64",
    peers: Annotated[
        str, typer.Option(help="none, installed, all, or names separated by commas.")
    ] = SUITES["edges"].peers,
    threads: Threads = None,
    repeat: Repeat = None,
    budget: Budget = None,
    output: Output = None,
) -> None:
    """From (src, dst) arrays to labels, end to end, with peak memory."""
    sizes = {"vertices": vertices, "edges": edges, "dtype": dtype}
    _run("edges", sizes, peers, threads, repeat, budget, output)


def ids(
    kinds: Names = KINDS,
    distinct: Annotated[int, typer.Option(min=1, help="Different ids.")] = ids_suite.DEFAULTS[
        "distinct"
    ],
    pairs: Size = ids_suite.DEFAULTS["pairs"],
    peers: Names = TABLE_PEERS,
    threads: Threads = None,
    repeat: Repeat = None,
    budget: Budget = None,
    output: Output = None,
) -> None:
    """From a table of ids to (id, component), end to end, with peak memory."""
    sizes = {
        "kinds": _names(kinds),
        "distinct": distinct,
        "pairs": pairs,
        "peers": _names(peers),
    }
    _run("ids", sizes, "none", threads, repeat, budget, output)


def files(
    path: Annotated[
        Path | None, typer.Argument(help="Text with two ids per line; default: generated.")
    ] = None,
    megabytes: Size = files_suite.DEFAULTS["megabytes"],
    vertices: Size = files_suite.DEFAULTS["vertices"],
    threads: Threads = None,
    repeat: Repeat = None,
    output: Output = None,
) -> None:
    """From a text file to components, end to end, with peak memory."""
    sizes = {"megabytes": megabytes, "vertices": vertices}
    inputs = () if path is None else (path,)
    _run("files", sizes, "none", threads, repeat, None, output, inputs)


def _run(
    suite: str,
    parameters: Mapping[str, Any],
    peers: str,
    threads: int | None,
    repeat: int | None,
    budget: float | None,
    output: Path | None,
    files: tuple[Path, ...] = (),
) -> None:
    with plain_errors():
        from skerry_bench.cli.run_command import BenchRequest, run_bench

        run_bench(
            BenchRequest(
                kind=suite,
                peers=peers,
                threads=threads,
                repeat=repeat,
                budget=budget,
                output=output,
                files=files,
                parameters=parameters,
            )
        )


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split(",") if name and name != "none")


EXAMPLES: dict[Callable[..., None], str] = {
    edges: "skerry bench edges --vertices 1000000 --edges 4000000",
    ids: "skerry bench ids --kinds string --pairs 1000000",
    files: "skerry bench files --megabytes 200",
}


def add_microbenchmarks(app: typer.Typer) -> None:
    """Registers the commands."""
    for command, example in EXAMPLES.items():
        app.command(epilog=f"Example: {example}")(command)
