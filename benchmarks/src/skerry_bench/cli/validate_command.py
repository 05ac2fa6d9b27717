"""``skerry bench validate``: whether two files of labels are equivalent, as LDBC validates WCC."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from skerry.cli.errors import plain_errors, say

DIFFERENT = 1
"""The exit code if they are not equivalent."""


def validate(
    expected: Annotated[
        Path, typer.Argument(metavar="EXPECTED", help="Published labels, such as graph500-22-WCC.")
    ],
    actual: Annotated[
        Path, typer.Argument(metavar="ACTUAL", help="The output, a file or a folder of files.")
    ],
) -> None:
    """Whether two labelings are equal up to the names of components; exit code 1 if not.

    A line of either has a vertex and its component, as `skerry components -o out.wcc` writes them.
    """
    with plain_errors():
        from skerry_bench.graphalytics.equivalence import difference, read_labeling

        wrong = difference(read_labeling(expected), read_labeling(actual))
        if wrong is not None:
            say(f"WRONG: {wrong}")
            raise typer.Exit(DIFFERENT)
        typer.echo(f"{actual} is equivalent to {expected}")


def add_validation(app: typer.Typer) -> None:
    """Registers the command."""
    app.command(epilog="Example: skerry bench validate example-directed-WCC labels.wcc")(validate)
