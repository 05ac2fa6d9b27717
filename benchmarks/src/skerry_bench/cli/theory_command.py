"""``skerry bench theory``: what the theorems of Cong & Muzio say, beside what is counted."""

from __future__ import annotations

from typing import Annotated

import typer

from skerry_bench.theory import report

Vertices = Annotated[int, typer.Option(min=1 << 10, help="Vertices of the random graphs.")]


def theory(vertices: Vertices = 1 << 18) -> None:
    """Count accesses of CC, CC-updt, Stages and sorting on random graphs, beside the theorems."""
    typer.echo(report(vertices))


def add_theory(app: typer.Typer) -> None:
    """Registers the command."""
    app.command(epilog="Example: skerry bench theory --vertices 65536")(theory)
