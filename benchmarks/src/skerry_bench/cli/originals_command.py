"""``skerry bench originals``: rewrites beside the programs that they are named after."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from skerry.cli.errors import plain_errors
from skerry_bench.cli.corpus_command import Cache, DeviceName, Output, Repeat, Threads

Folder = Annotated[
    Path, typer.Argument(metavar="FOLDER", help="Shared libraries: see benchmarks/docs/corpus.md.")
]
Graphs = Annotated[
    str | None, typer.Option(help="Graphs of the corpus, separated by commas; default: ten.")
]


def originals(
    folder: Folder,
    graphs: Graphs = None,
    device: DeviceName = "cpu",
    threads: Threads = None,
    cache: Cache = None,
    repeat: Repeat = 9,
    output: Output = None,
) -> None:
    """Compare our rewrites of published algorithms with the original programs, in one run."""
    with plain_errors():
        from skerry_bench.originals.run import present, run_originals
        from skerry_bench.originals.summary import tables

        chosen: Any = device
        record = run_originals(
            folder,
            chosen,
            graphs=tuple(graphs.split(",")) if graphs else (),
            threads=threads,
            repeat=repeat,
            cache=cache,
            output=output,
            say=typer.echo,
        )
        typer.echo(tables(record, present(folder, chosen)))


def add_originals(app: typer.Typer) -> None:
    """Registers the command."""
    app.command(epilog="Example: skerry bench originals peers/cpu --threads 2")(originals)
