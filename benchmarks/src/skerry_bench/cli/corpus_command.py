"""``skerry bench corpus``: ``auto`` on graphs that it was not chosen on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from skerry.cli.errors import plain_errors

Names = Annotated[
    list[str] | None,
    typer.Argument(metavar="NAME...", help="Graphs or families; default: all of the half."),
]
Half = Annotated[str, typer.Option(help="tuning or checking: which half of the families.")]
DeviceName = Annotated[str, typer.Option("--device", help="cpu or cuda.")]
Threads = Annotated[int | None, typer.Option(min=1, help="CPU threads; default: all.")]
MinEntries = Annotated[str, typer.Option(help="Entries of the smallest graph, such as 2^20.")]
MaxEntries = Annotated[str, typer.Option(help="Entries of the largest graph, such as 2^22.")]
Peers = Annotated[
    Path | None,
    typer.Option(help="Folder of shared libraries to compare with: see benchmarks/docs/corpus.md."),
]
Graphs = Annotated[
    Path | None,
    typer.Option(help="Folder of real graphs; default: $SKERRY_CORPUS_GRAPHS, if it is set."),
]
Variations = Annotated[
    bool,
    typer.Option("--variations", help="Instead, every order of the families, and random mixtures."),
]
Cache = Annotated[
    Path | None, typer.Option(help="Folder that keeps the graphs, so that each is made once.")
]
Algorithms = Annotated[
    str | None,
    typer.Option(help="Own algorithms beside auto, separated by commas, or none."),
]
Repeat = Annotated[int, typer.Option(min=1, help="Samples after the warm-up.")]
TimeBudget = Annotated[
    str | None, typer.Option(help="No further graph is begun after that time: 90s, 9.5m.")
]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="Record; graphs that it has are not measured again."),
]
MakeOnly = Annotated[
    bool, typer.Option("--make-only", help="Fill the cache, in as many processes as threads.")
]
ListOnly = Annotated[bool, typer.Option("--list", help="List the graphs and end.")]
OnlySummary = Annotated[
    bool, typer.Option("--summary", help="Tables of the record; nothing is measured.")
]


def corpus(
    names: Names = None,
    half: Half = "tuning",
    device: DeviceName = "cpu",
    threads: Threads = None,
    min_entries: MinEntries = "0",
    max_entries: MaxEntries = "2^26",
    peers: Peers = None,
    graphs: Graphs = None,
    variations: Variations = False,
    cache: Cache = None,
    algorithms: Algorithms = None,
    repeat: Repeat = 9,
    time_budget: TimeBudget = None,
    output: Output = None,
    make_only: MakeOnly = False,
    list_only: ListOnly = False,
    only_summary: OnlySummary = False,
) -> None:
    """Compare auto with our own algorithms and with peers on hundreds of graphs in two halves."""
    with plain_errors():
        from skerry_bench.cli.corpus_request import Request, run_request

        run_request(
            Request(
                names=tuple(names or ()),
                half=half,
                device=device,
                threads=threads,
                min_entries=min_entries,
                max_entries=max_entries,
                peers=peers,
                graphs=graphs,
                variations=variations,
                cache=cache,
                algorithms=algorithms,
                repeat=repeat,
                time_budget=time_budget,
                output=output,
                make_only=make_only,
                list_only=list_only,
                only_summary=only_summary,
            ),
            typer.echo,
        )


def add_corpus(app: typer.Typer) -> None:
    """Registers the command."""
    app.command(epilog="Example: skerry bench corpus --half tuning --max-entries 2^18")(corpus)
