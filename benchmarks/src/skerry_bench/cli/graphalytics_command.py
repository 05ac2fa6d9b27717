"""``skerry bench graphalytics``: LDBC's graphs and metrics, with the scales as an option."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from skerry.cli.errors import plain_errors
from skerry.errors import ArgumentError

Scales = Annotated[
    str, typer.Option(help="Scales N of graph500-N, such as 22,24 or 22-24; LDBC has 22 to 30.")
]
DeviceName = Annotated[str, typer.Option("--device", help="cpu, cuda or both.")]
Jobs = Annotated[
    bool, typer.Option("--jobs/--no-jobs", help="Whether load time and makespan are measured.")
]
Raw = Annotated[
    bool,
    typer.Option(
        "--raw", help="Only edge lists as they are generated, with loops and repeats; no jobs."
    ),
]
Peers = Annotated[str, typer.Option(help="none, installed, all, or names separated by commas.")]
Threads = Annotated[int | None, typer.Option(min=1, help="CPU threads; default: all.")]
Repeat = Annotated[int | None, typer.Option(min=1, help="Samples after one call to warm up.")]
Budget = Annotated[
    float | None, typer.Option(min=0.001, help="Seconds after which no more samples are taken.")
]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", help="Append to this file; default: a new one in bench-results/."
    ),
]
Resume = Annotated[
    Path | None, typer.Option("--continue", help="Continue the record of a run that was stopped.")
]


def graphalytics(
    scales: Scales = "22",
    device: DeviceName = "cpu",
    jobs: Jobs = True,
    raw: Raw = False,
    peers: Peers = "none",
    threads: Threads = None,
    repeat: Repeat = None,
    budget: Budget = None,
    output: Output = None,
    resume: Resume = None,
) -> None:
    """LDBC Graphalytics: load time, makespan, processing time and EVPS of components (WCC).

    Answers are verified, and counts compared with those that LDBC publishes. What it prints is not
    an audited LDBC result.
    """
    with plain_errors():
        from skerry_bench.cli.run_command import BenchRequest, run_bench

        run_bench(
            BenchRequest(
                kind="graphalytics",
                device=device,
                peers=peers,
                threads=threads,
                repeat=repeat,
                budget=budget,
                output=output,
                resume=resume,
                parameters={"scales": scales_of(scales), "jobs": jobs, "raw": raw},
            )
        )


def scales_of(text: str) -> tuple[int, ...]:
    """The scales of a text such as ``22,24-26``."""
    scales: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d+)(?:-(\d+))?\s*", part)
        if match is None:
            raise ArgumentError(f"--scales must be numbers such as 22,24 or 22-24, got {text!r}")
        scales += range(int(match[1]), int(match[2] or match[1]) + 1)
    return tuple(dict.fromkeys(scales))


def add_graphalytics(app: typer.Typer) -> None:
    """Registers the command."""
    app.command(epilog="Example: skerry bench graphalytics --scales 16 --repeat 3")(graphalytics)
