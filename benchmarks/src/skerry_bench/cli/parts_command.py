"""Measurements of single parts as commands of ``skerry bench``: edges, ids, files, calls, a GPU."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from skerry.cli.errors import plain_errors
from skerry.threads import available_threads

__all__ = ["add_parts"]

Output = Annotated[
    Path | None, typer.Option("--output", "-o", help="Append results to this file as JSON lines.")
]
Threads = Annotated[int, typer.Option(help="Threads to use; 0: all available.")]
Times = Annotated[int, typer.Option("--repeat", help="Timed runs after one to warm up.")]
Size = Annotated[int, typer.Option(min=1)]


def edges(
    vertices: Size = 5_000_000,
    edges: Size = 20_000_000,
    dtype: str = "int64",
    peers: str = "scipy,networkit,igraph",
    threads: Threads = 0,
    times: Times = 5,
    output: Output = None,
) -> None:
    """From (src, dst) arrays to labels, the whole path, and the memory it takes."""
    with plain_errors():
        from skerry_bench import edges as part
        from skerry_bench.record import Record

        part.run(
            Record(output),
            vertices=vertices,
            edges=edges,
            dtype=dtype,
            threads=threads or available_threads(),
            times=times,
            peers=_names(peers),
        )


def files(
    path: Annotated[
        Path, typer.Argument(help="SNAP-like text; made, and removed again, if not there.")
    ] = Path("skerry-bench.txt"),
    megabytes: Size = 1000,
    vertices: Size = 5_000_000,
    threads: Threads = 0,
    times: Annotated[int, typer.Option("--repeat", help="Timed runs.")] = 3,
    output: Output = None,
) -> None:
    """From a text file to labels, the whole path, and the memory it takes."""
    with plain_errors():
        from skerry_bench import files as part
        from skerry_bench.record import Record

        part.run(
            Record(output),
            path=path,
            megabytes=megabytes,
            vertices=vertices,
            threads=threads or available_threads(),
            times=times,
        )


def ids(
    kinds: Annotated[str, typer.Option(help="Names, separated by commas.")] = "int64,string",
    distinct: Annotated[int, typer.Option(help="Different ids.")] = 5_000_000,
    pairs: Size = 20_000_000,
    peers: str = "pandas,polars",
    threads: Threads = 0,
    times: Times = 3,
    output: Output = None,
) -> None:
    """From a table of ids to (id, component), the whole path, and the memory it takes."""
    with plain_errors():
        from skerry_bench import ids as part
        from skerry_bench.record import Record

        part.run(
            Record(output),
            ids=distinct,
            pairs=pairs,
            kinds=[kind for kind in part.KINDS if kind in kinds.split(",")],
            threads=threads or available_threads(),
            times=times,
            peers=_names(peers),
        )


def latency(output: Output = None) -> None:
    """The time of a call on ten edges and of the import."""
    with plain_errors():
        from skerry_bench import latency as part
        from skerry_bench.record import Record

        part.run(Record(output))


def small(output: Output = None) -> None:
    """Small graphs: what `auto` takes beside each of the ways it could have chosen."""
    with plain_errors():
        from skerry_bench import small as part
        from skerry_bench.record import Record

        part.run(Record(output))


def gpu(
    names: Annotated[list[str] | None, typer.Argument(help="Graphs; all ten by default.")] = None,
    parts: Annotated[
        str, typer.Option(help="Names, separated by commas.")
    ] = "rows,edges,kernels,papers,calls",
    quick: Annotated[bool, typer.Option("--quick", help="Only rows and calls.")] = False,
    scale: Annotated[float, typer.Option(help="Size relative to the full one.")] = 1.0,
    output: Annotated[
        Path | None,
        typer.Option("--out", "--output", help="Append results to this file as JSON lines."),
    ] = None,
) -> None:
    """On the current NVIDIA GPU: rows, edge lists, kernels, the papers' orders, calls."""
    with plain_errors():
        from skerry_bench import gpu as part
        from skerry_bench.record import Record

        bench, facts = part.this_gpu(scale)
        part.run(
            Record(output),
            bench,
            facts,
            parts=part.QUICK if quick else _names(parts),
            graphs=names or part.GRAPHS,
        )


def _names(text: str) -> list[str]:
    return [name for name in text.split(",") if name]


EXAMPLES: dict[Callable[..., None], str] = {
    edges: "skerry bench edges --vertices 1000000 --edges 4000000",
    ids: "skerry bench ids --kinds string --pairs 1000000",
    files: "skerry bench files --megabytes 200",
    latency: "skerry bench latency",
    small: "skerry bench small",
    gpu: "skerry bench gpu --quick",
}


def add_parts(app: typer.Typer) -> None:
    """Registers them all."""
    for command, example in EXAMPLES.items():
        app.command(epilog=f"Example: {example}")(command)
