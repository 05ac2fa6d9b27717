"""The command line of the benchmark."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from skerry.bench import edges as edge_suite
from skerry.bench import families as family_suite
from skerry.bench import files as file_suite
from skerry.bench import gpu as gpu_suite
from skerry.bench import growth as growth_suite
from skerry.bench import ids as id_suite
from skerry.bench.record import Record
from skerry.errors import SkerryError
from skerry.graph.generators import FAMILIES
from skerry.threads import available_threads

app = typer.Typer(help="Measurements of skerry.", no_args_is_help=True, add_completion=False)

Output = Annotated[Path | None, typer.Option(help="Append results to this file as JSON lines.")]
Threads = Annotated[int, typer.Option(help="Threads to use; 0: all available.")]
Times = Annotated[int, typer.Option("--repeat", help="Timed runs after one to warm up.")]


def _threads(threads: int) -> int:
    return threads or available_threads()


@app.command()
def families(
    names: Annotated[list[str] | None, typer.Argument(help="Families; all ten by default.")] = None,
    algorithms: Annotated[
        str, typer.Option(help="Names, separated by commas.")
    ] = "auto,ecl,afforest",
    external: Annotated[
        list[str] | None, typer.Option(help="Command that measures a peer on {base}.sg.")
    ] = None,
    scale: Annotated[float, typer.Option(help="Size relative to the full one.")] = 1.0,
    threads: Threads = 0,
    times: Times = 7,
    output: Output = None,
) -> None:
    """The ten families, from a symmetric CSR in memory, solve time only."""
    family_suite.run(
        Record(output),
        families=names or list(FAMILIES),
        algorithms=algorithms.split(","),
        external=external or [],
        threads=_threads(threads),
        times=times,
        scale=scale,
    )


@app.command()
def edges(
    vertices: int = 5_000_000,
    edges: int = 20_000_000,
    dtype: str = "int64",
    peers: str = "scipy,networkit,igraph",
    threads: Threads = 0,
    times: Times = 5,
    output: Output = None,
) -> None:
    """From (src, dst) arrays to labels, the whole path, and the memory it takes."""
    edge_suite.run(
        Record(output),
        vertices=vertices,
        edges=edges,
        dtype=dtype,
        threads=_threads(threads),
        times=times,
        peers=[name for name in peers.split(",") if name],
    )


@app.command()
def files(
    path: Annotated[
        Path, typer.Argument(help="SNAP-like text; made, and removed again, if not there.")
    ] = Path("skerry-bench.txt"),
    megabytes: int = 1000,
    vertices: int = 5_000_000,
    threads: Threads = 0,
    times: Annotated[int, typer.Option("--repeat", help="Timed runs.")] = 3,
    output: Output = None,
) -> None:
    """From a text file to labels, the whole path, and the memory it takes."""
    file_suite.run(
        Record(output),
        path=path,
        megabytes=megabytes,
        vertices=vertices,
        threads=_threads(threads),
        times=times,
    )


@app.command()
def ids(
    kinds: Annotated[str, typer.Option(help="Names, separated by commas.")] = ",".join(
        id_suite.KINDS
    ),
    distinct: Annotated[int, typer.Option(help="Different ids.")] = 5_000_000,
    pairs: int = 20_000_000,
    peers: str = ",".join(id_suite.PEERS),
    threads: Threads = 0,
    times: Times = 3,
    output: Output = None,
) -> None:
    """From a table of ids to (id, component), the whole path, and the memory it takes."""
    id_suite.run(
        Record(output),
        ids=distinct,
        pairs=pairs,
        kinds=[kind for kind in id_suite.KINDS if kind in kinds.split(",")],
        threads=_threads(threads),
        times=times,
        peers=[name for name in peers.split(",") if name],
    )


@app.command()
def growth(
    largest: int = 100_000_000, threads: Threads = 0, times: Times = 5, output: Output = None
) -> None:
    """Time per edge of random graphs from a million edges up."""
    growth_suite.run_growth(Record(output), threads=_threads(threads), times=times, largest=largest)


@app.command()
def latency(output: Output = None) -> None:
    """The time of a call on ten edges and of the import."""
    growth_suite.run_latency(Record(output))


@app.command()
def gpu(
    names: Annotated[list[str] | None, typer.Argument(help="Graphs; all ten by default.")] = None,
    parts: Annotated[str, typer.Option(help="Names, separated by commas.")] = ",".join(
        gpu_suite.PARTS
    ),
    quick: Annotated[
        bool, typer.Option("--quick", help=f"Only {' and '.join(gpu_suite.QUICK)}.")
    ] = False,
    scale: Annotated[float, typer.Option(help="Size relative to the full one.")] = 1.0,
    output: Annotated[
        Path | None,
        typer.Option("--out", "--output", help="Append results to this file as JSON lines."),
    ] = None,
) -> None:
    """On the current NVIDIA GPU: rows, edge lists, kernels, the papers' orders, calls."""
    try:
        bench, facts = gpu_suite.this_gpu(scale)
        gpu_suite.run(
            Record(output),
            bench,
            facts,
            parts=gpu_suite.QUICK if quick else parts.split(","),
            graphs=names or gpu_suite.GRAPHS,
        )
    except SkerryError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(2) from None


if __name__ == "__main__":
    app()
