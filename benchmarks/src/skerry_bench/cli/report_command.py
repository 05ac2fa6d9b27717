"""``skerry report``: the page, Markdown or CSV that tells what was measured."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from skerry.cli.errors import plain_errors

__all__ = ["report_app"]

report_app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@report_app.command(epilog="Example: skerry report all.jsonl -o report.html")
def report(
    results: Annotated[
        list[Path], typer.Argument(help="Files of results (.jsonl), as `skerry bench` writes them.")
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="What to write: .html, .md or .csv.")
    ] = Path("report.html"),
) -> None:
    """Every table and figure of the papers from RESULTS, with the papers' numbers beside."""
    with plain_errors():
        from skerry_bench.report.build import write_report

        made = write_report(results, output)
        told = made.overview
        counts = ", ".join(f"{count} {name}" for name, count in sorted(told.outcomes.items()))
        typer.echo(
            f"{output}: {told.measurements:,} measurements on {told.graphs} graphs; "
            f"of the papers' claims: {counts}"
        )
