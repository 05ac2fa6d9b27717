"""The commands and their options; each command's work is in a module of its own, loaded by it."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

import skerry
from skerry.cli.errors import plain_errors

__all__ = ["app"]

app = typer.Typer(
    help="Connected components of graphs: fast, exact, and the same answer every time.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class LabelChoice(StrEnum):
    """What a component is labelled by."""

    MIN = "min"
    DENSE = "dense"


Algorithm = Annotated[
    str,
    typer.Option(help="A name of `skerry algorithms`; see there for choices."),
]
Threads = Annotated[int | None, typer.Option(min=1, help="Threads; by default as many as pay.")]


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"skerry {skerry.__version__}")
        raise typer.Exit


@app.callback()
def options(
    _: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Options before any command."""


@app.command()
def demo(algorithm: Algorithm = "auto", threads: Threads = None) -> None:
    """The islands among 72,000 Debian packages, found and verified."""
    with plain_errors():
        from skerry.cli.demo import show_demo

        show_demo(algorithm, threads)


@app.command()
def algorithms(
    paper: Annotated[str, typer.Option(help="Only those whose paper has this text.")] = "",
) -> None:
    """All algorithms there are, with their papers and choices."""
    with plain_errors():
        from skerry.cli.algorithms import show_algorithms

        show_algorithms(paper)


@app.command()
def components(
    file: Annotated[
        Path,
        typer.Argument(
            help="Edges: .npy of shape (m, 2) or (2, m), .npz with src and dst or of scipy.sparse, "
            "or text with two ids at the start of each line, comments after #."
        ),
    ],
    num_vertices: Annotated[
        int | None, typer.Option(min=0, help="Number of vertices; by default the largest id + 1.")
    ] = None,
    algorithm: Algorithm = "auto",
    threads: Threads = None,
    labels: Annotated[
        LabelChoice,
        typer.Option(help="Label by the smallest member, or 0..k-1 by first appearance."),
    ] = LabelChoice.MIN,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the labels to this .npy file.")
    ] = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Check the answer by independent means.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the summary as JSON, for programs.")
    ] = False,
) -> None:
    """The connected components of the graph in FILE."""
    with plain_errors():
        from skerry.cli.components import Request, show_components

        request = Request(file, num_vertices, algorithm, threads, labels.value, output, verify)
        show_components(request, as_json)
