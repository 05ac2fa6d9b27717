"""``skerry bench record`` and ``skerry bench fit``: forced paths, and what decides between them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from skerry.cli.errors import plain_errors
from skerry_bench.cli.corpus_command import (
    Cache,
    DeviceName,
    Graphs,
    Half,
    MaxEntries,
    MinEntries,
    Names,
)

Output = Annotated[
    Path, typer.Option("--out", "-o", help="CSV; graphs that it has are not measured again.")
]
Threads = Annotated[str, typer.Option(help="Numbers of CPU threads, separated by commas.")]
Seconds = Annotated[str, typer.Option(help="The run ends after that time: 1200, 9.5m.")]
Turns = Annotated[int, typer.Option(min=1, help="Samples of each path, if there is time.")]
Paths = Annotated[
    str | None,
    typer.Option(help="Algorithms with choices, separated by commas; default: all that auto has."),
]
Other = Annotated[
    str | None,
    typer.Option(
        metavar="[NAME=]FOLDER",
        help="Another build of skerry, by the folder that has its package; it takes turns.",
    ),
]
Commit = Annotated[
    str | None, typer.Option(help="That of the sources, where this is no working tree of git.")
]
OtherPaths = Annotated[str, typer.Option(help="Its algorithms, separated by commas.")]


def record(
    out: Output,
    names: Names = None,
    half: Half = "tuning",
    device: DeviceName = "cpu",
    threads: Threads = "1,2",
    seconds: Seconds = "20m",
    turns: Turns = 7,
    min_entries: MinEntries = "0",
    max_entries: MaxEntries = "2^22",
    graphs: Graphs = None,
    cache: Cache = None,
    paths: Paths = None,
    other: Other = None,
    other_paths: OtherPaths = "",
    commit: Commit = None,
) -> None:
    """Measure auto and each path that it could take, forced, on the graphs of the corpus."""
    with plain_errors():
        from skerry_bench.cli.record_request import run_record

        run_record(
            out=out,
            names=tuple(names or ()),
            half=half,
            device=device,
            threads=threads,
            seconds=seconds,
            turns=turns,
            min_entries=min_entries,
            max_entries=max_entries,
            graphs=graphs,
            cache=cache,
            paths=paths,
            other=other,
            other_paths=other_paths,
            commit=commit,
            say=typer.echo,
        )


Records = Annotated[
    list[Path] | None,
    typer.Argument(metavar="RECORD...", help="Files of `record`; default: those of the lab."),
]
Sources = Annotated[Path, typer.Option(help="Folder of the package's sources.")]


def fit(records: Records = None, sources: Sources = Path("src/skerry")) -> None:
    """What records say of each number that decides: its regret, its half, its double, a refit."""
    with plain_errors():
        from skerry_bench.records.fit import DATA, report

        typer.echo(report(sources, records or sorted(DATA.glob("*.csv"))))


def add_records(app: typer.Typer) -> None:
    """Registers the commands."""
    app.command(
        epilog="Example: skerry bench record --half tuning --threads 1,2,16 --out tuning.csv"
    )(record)
    app.command(epilog="Example: skerry bench fit tuning.csv checking.csv")(fit)
