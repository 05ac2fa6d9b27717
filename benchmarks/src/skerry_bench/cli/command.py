"""``skerry bench``: suites and studies of the papers, and measurements of single parts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from skerry.cli.errors import plain_errors
from skerry_bench.cli.compare_command import add_comparison
from skerry_bench.cli.parts_command import add_parts
from skerry_bench.studies import STUDIES
from skerry_bench.suites import SUITES

__all__ = ["bench_app"]

bench_app = typer.Typer(
    help="Measure: the papers' suites and studies, beside peers, every answer verified.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

DeviceName = Annotated[str, typer.Option("--device", help="cpu, cuda or both.")]
Algorithms = Annotated[
    str | None,
    typer.Option(help="Names of `skerry algorithms`, separated by commas; by default the paper's."),
]
Peers = Annotated[
    str,
    typer.Option(help="Other libraries: none, installed, all, or names separated by commas."),
]
External = Annotated[
    list[str] | None,
    typer.Option(
        help="NAME=COMMAND: another program, which reads {egr}, {sg} or {adj}. Several times."
    ),
]
Studies = Annotated[
    str, typer.Option(help="Studies on the same graphs: own, none, or names with commas.")
]
OnlyStudies = Annotated[bool, typer.Option("--only-studies", help="Leave the suite itself out.")]
Threads = Annotated[int | None, typer.Option(min=1, help="Threads of a CPU; by default all.")]
Repeat = Annotated[int | None, typer.Option(min=1, help="Samples after one call to warm up.")]
Scale = Annotated[float, typer.Option(help="Size of the graphs that are made, 1: the papers'.")]
Budget = Annotated[
    float | None,
    typer.Option(
        min=0.001,
        help="Seconds for a measurement: then no more samples are taken. A call of four times "
        "that is stopped. By default 3, and 1 with --device cuda.",
    ),
]
TimeBudget = Annotated[
    str | None,
    typer.Option(
        help="Time for the whole run, as 90s, 20m or 2h, spread over the graphs; what a graph's "
        "share does not suffice for is skipped."
    ),
]
Folder = Annotated[
    Path | None,
    typer.Option("--graphs", help="Folder with originals of the papers' graphs."),
]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="Append to this file; by default one in bench-results/."),
]
GoOn = Annotated[
    Path | None,
    typer.Option("--continue", help="Go on with the file of a run that was stopped."),
]


def _command(kind: str, words_help: str) -> Callable[..., None]:
    """A command with the options of a run; what its words mean depends on what it is."""

    def command(
        words: list[str] = typer.Argument(None, metavar="NAME...", help=words_help),  # noqa: B008
        device: DeviceName = "cpu",
        algorithms: Algorithms = None,
        peers: Peers = "none",
        external: External = None,
        studies: Studies = "none",
        only_studies: OnlyStudies = False,
        threads: Threads = None,
        repeat: Repeat = None,
        scale: Scale = 1.0,
        budget: Budget = None,
        time_budget: TimeBudget = None,
        graphs: Folder = None,
        output: Output = None,
        go_on: GoOn = None,
    ) -> None:
        with plain_errors():
            from skerry_bench.cli.run_command import Wish, run_bench

            run_bench(
                Wish(
                    kind=kind,
                    words=tuple(words or ()),
                    device=device,
                    algorithms=algorithms,
                    peers=peers,
                    external=tuple(external or ()),
                    studies=studies,
                    only_studies=only_studies,
                    threads=threads,
                    repeat=repeat,
                    scale=scale,
                    budget=budget,
                    time_budget=time_budget,
                    graphs=graphs,
                    output=output,
                    go_on=go_on,
                )
            )

    return command


EXAMPLES = {
    "eclcc": "skerry bench eclcc --scale 0.1 --graphs ~/graphs --studies own -o ecl.jsonl",
    "cong-muzio": "skerry bench cong-muzio --scale 0.1 --algorithms auto,cc,stages-cc",
    "gerasimou": "skerry bench gerasimou --device cuda --studies reorder",
    "families": "skerry bench families grid road --peers installed --repeat 15",
    "real": "skerry bench real ~/graphs --device both",
    "smoke": "skerry bench smoke",
}


def _add_suites() -> None:
    for name, suite in SUITES.items():
        words = "Folders and files." if name == "real" else "Graphs of the suite; all by default."
        bench_app.command(
            name, help=f"{suite.summary}.", epilog=f"Example: {EXAMPLES.get(name, '')}"
        )(_command(name, words))


_add_suites()

bench_app.command(
    "all",
    help="eclcc, cong-muzio, gerasimou and families with the studies that belong to them, but for "
    "those that have to be asked for by name (l2).",
    epilog="Example: skerry bench all --scale 0.1 -o all.jsonl",
)(_command("all", "Suites; all four by default."))

bench_app.command(
    "study",
    help=f"A study of what is inside, or several: {', '.join(STUDIES)}.",
    epilog="Example: skerry bench study init jump --scale 0.1",
)(_command("study", "Studies; see above."))


bench_app.command(
    "growth",
    help="Cost as n and m grow: the study of that name.",
    epilog="Example: skerry bench growth --scale 5",
)(_command("growth", "Nothing."))


@bench_app.command("list", epilog="Example: skerry bench list")
def show_all() -> None:
    """Suites and studies, with their papers."""
    with plain_errors():
        from skerry_bench.cli.run_command import show_lists

        show_lists()


add_parts(bench_app)
add_comparison(bench_app)
