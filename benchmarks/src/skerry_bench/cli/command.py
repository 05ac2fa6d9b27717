"""``skerry bench``: suites, studies, peers, and the comparison of two records."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from skerry.cli.errors import plain_errors
from skerry_bench.cli.compare_command import add_comparison
from skerry_bench.cli.corpus_command import add_corpus
from skerry_bench.cli.graphalytics_command import add_graphalytics
from skerry_bench.cli.list_command import add_lists
from skerry_bench.cli.micro_command import add_microbenchmarks
from skerry_bench.cli.originals_command import add_originals
from skerry_bench.cli.record_command import add_records
from skerry_bench.cli.theory_command import add_theory
from skerry_bench.cli.validate_command import add_validation
from skerry_bench.studies import STUDIES
from skerry_bench.suites import SUITES

bench_app = typer.Typer(
    help="Measure skerry: the papers' suites and studies, peers, single parts. Every answer is "
    "verified.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

DeviceName = Annotated[str, typer.Option("--device", help="cpu, cuda or both.")]
Algorithms = Annotated[
    str | None,
    typer.Option(
        help="Names of `skerry algorithms`, separated by commas; `letters`: the suite's by the "
        "letter of their papers; default: the suite's."
    ),
]
Peers = Annotated[
    str,
    typer.Option(
        help="Other libraries: none, installed, all, or names separated by commas; for gpu, a "
        "folder of shared libraries too."
    ),
]
External = Annotated[
    list[str] | None,
    typer.Option(
        help="NAME=COMMAND: another program, which reads {egr}, {sg} or {adj}. Repeatable."
    ),
]
Studies = Annotated[
    str,
    typer.Option(help="Studies on the same graphs: own, none, or names separated by commas."),
]
OnlyStudies = Annotated[bool, typer.Option("--only-studies", help="Leave out the suite itself.")]
Threads = Annotated[int | None, typer.Option(min=1, help="CPU threads; default: all.")]
Repeat = Annotated[int | None, typer.Option(min=1, help="Samples after one call to warm up.")]
Scale = Annotated[float, typer.Option(help="Size of generated graphs; 1: the full size.")]
Budget = Annotated[
    float | None,
    typer.Option(
        min=0.001,
        help="Seconds for a measurement, after which no more samples are taken. A call is stopped "
        "after four times that. Default: the suite's, else 3, and 1 with --device cuda.",
    ),
]
TimeBudgetText = Annotated[
    str | None,
    typer.Option(
        help="Time for the run, such as 90s, 20m or 2h, divided between the graphs; measurements "
        "that do not fit are skipped."
    ),
]
Folder = Annotated[
    Path | None,
    typer.Option(
        "--graphs",
        help="Folder with originals of the papers' graphs; default: $SKERRY_CORPUS_GRAPHS, if it "
        "is set.",
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", help="Append to this file; default: a new one in bench-results/."
    ),
]
Energy = Annotated[
    bool,
    typer.Option(
        "--energy",
        help="Joules of a call too, by RAPL and NVML: a second more for each measurement. Refused "
        "where no counter can be read.",
    ),
]
Resume = Annotated[
    Path | None,
    typer.Option("--continue", help="Continue the record of a run that was stopped."),
]


def _command(
    kind: str, names_help: str, device_default: str = "cpu", peers_default: str = "none"
) -> Callable[..., None]:
    """A command with the options of a run; the meaning of its names depends on its kind."""

    def command(
        names: list[str] = typer.Argument(None, metavar="NAME...", help=names_help),  # noqa: B008
        device: DeviceName = device_default,
        algorithms: Algorithms = None,
        peers: Peers = peers_default,
        external: External = None,
        studies: Studies = "none",
        only_studies: OnlyStudies = False,
        threads: Threads = None,
        repeat: Repeat = None,
        scale: Scale = 1.0,
        budget: Budget = None,
        time_budget: TimeBudgetText = None,
        graphs: Folder = None,
        energy: Energy = False,
        output: Output = None,
        resume: Resume = None,
    ) -> None:
        with plain_errors():
            from skerry_bench.cli.run_command import BenchRequest, run_bench

            run_bench(
                BenchRequest(
                    kind=kind,
                    names=tuple(names or ()),
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
                    energy=energy,
                    output=output,
                    resume=resume,
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
    "latency": "skerry bench latency",
    "small": "skerry bench small --scale 0.5",
    "gpu": "skerry bench gpu grid1024 rmat22 --peers ~/peers/gpu --studies calls",
}
"""Of the suites whose options are those of every run."""


def _add_suites() -> None:
    for name, example in EXAMPLES.items():
        suite = SUITES[name]
        names = "Folders and files." if name == "real" else "Graphs of the suite; default: all."
        bench_app.command(name, help=f"{suite.summary}.", epilog=f"Example: {example}")(
            _command(name, names, suite.device, suite.peers)
        )


_add_suites()
add_microbenchmarks(bench_app)
add_graphalytics(bench_app)
add_originals(bench_app)
add_theory(bench_app)
add_corpus(bench_app)
add_records(bench_app)

bench_app.command(
    "all",
    help="eclcc, cong-muzio, gerasimou and families with the studies that belong to them, except "
    "those that are measured only by name (l2).",
    epilog="Example: skerry bench all --scale 0.1 -o all.jsonl",
)(_command("all", "Suites; default: all four."))

bench_app.command(
    "study",
    help=f"One study or several: {', '.join(STUDIES)}.",
    epilog="Example: skerry bench study init jump --scale 0.1",
)(_command("study", "Studies; see above."))


bench_app.command(
    "growth",
    help="Cost as n and m grow: the study of that name.",
    epilog="Example: skerry bench growth --scale 5",
)(_command("growth", "None."))


add_lists(bench_app)
add_comparison(bench_app)
add_validation(bench_app)
