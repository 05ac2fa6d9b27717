"""``skerry report``: writes the report on benchmark results as HTML, Markdown or CSV."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from skerry.cli.errors import plain_errors
from skerry.cli.options import Quiet

report_app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@report_app.command(epilog="Example: skerry report all.jsonl -o report.html")
def report(
    results: Annotated[list[Path], typer.Argument(help="Result files (.jsonl) of `skerry bench`.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The file to write: .html, .md, .csv or .svg.")
    ] = Path("report.html"),
    figure: Annotated[
        str,
        typer.Option(
            metavar="TEXT",
            help="Print one figure or table instead: 'ECL-CC fig 9', 'thesis fig 6.2'.",
        ),
    ] = "",
    quiet: Quiet = False,
) -> None:
    """Write a report: the papers' tables, figures and claims beside the measurements in RESULTS."""
    with plain_errors():
        from skerry_bench.report.write import one_figure, write_report

        if figure:
            typer.echo(one_figure(results, figure))
            return

        overview = write_report(results, output).overview
        if quiet:
            return
        counts = ", ".join(
            f"{count} {name}" for name, count in sorted(overview.conclusions.items())
        )
        typer.echo(
            f"{output}: {overview.measurements:,} measurements on {overview.graphs} graphs; "
            f"of the papers' claims: {counts}"
        )
