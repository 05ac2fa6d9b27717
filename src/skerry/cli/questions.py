"""Commands that ask about single vertices: ``why``."""

from __future__ import annotations

from typing import Annotated

import typer

from skerry.cli.errors import plain_errors
from skerry.cli.options import (
    EDGES,
    AsJson,
    DelimiterText,
    FormatName,
    GroupColumns,
    HasHeader,
    IdChoice,
    IdMeaning,
    IdsAsText,
    Keep,
    Lists,
    MemoryLimit,
    NullChoice,
    OnNull,
    SourceColumns,
    TargetColumns,
    Threads,
    Threshold,
    VertexCount,
    VerticesColumn,
    VerticesFile,
    VerticesHeader,
)
from skerry.cli.run_log import LogFormat

Graph = Annotated[
    str,
    typer.Argument(
        metavar="FILE", help="The graph: a file, a pattern or a folder; - is standard input."
    ),
]
ShownWeight = Annotated[
    str | None,
    typer.Option(
        "--weight",
        metavar="COLUMN",
        help="Column of weights, to show; for --threshold by default 'weight'.",
        rich_help_panel=EDGES,
    ),
]


def _end(name: str) -> typer.models.ArgumentInfo:
    text = "An id of the graph; of several columns with commas. Negative numbers go after --."
    return typer.Argument(metavar=name, help=text, show_default=False)  # type: ignore[no-any-return]


def why(
    graph: Graph,
    first: Annotated[str, _end("A")],
    second: Annotated[str, _end("B")],
    source: SourceColumns = [],  # noqa: B006
    target: TargetColumns = [],  # noqa: B006
    groups: GroupColumns = [],  # noqa: B006
    lists: Lists = False,
    weight: ShownWeight = None,
    threshold: Threshold = None,
    keep: Keep = None,
    file_format: FormatName = None,
    delimiter: DelimiterText = None,
    header: HasHeader = None,
    ids_as_text: IdsAsText = False,
    on_null: OnNull = NullChoice.ERROR,
    vertices: VerticesFile = None,
    vertices_column: VerticesColumn = [],  # noqa: B006
    vertices_header: VerticesHeader = None,
    num_vertices: VertexCount = None,
    ids: IdMeaning = IdChoice.AUTO,
    threads: Threads = None,
    limit_memory: MemoryLimit = None,
    as_json: AsJson = False,
    _log: LogFormat = None,
) -> None:
    """Show why A and B are in one component: a path of edges; exit code 1 if there is none."""
    with plain_errors():
        from skerry.cli.input_options import InputArguments, byte_count
        from skerry.cli.vertices import VertexArguments
        from skerry.cli.why import WhyRequest, show_why

        arguments = InputArguments(
            [graph],
            source,
            target,
            weight,
            threshold,
            file_format,
            delimiter,
            header,
            ids_as_text,
            keep=None if keep is None else keep.value,
            on_null=on_null.value,
            groups=groups,
            lists=lists,
        )
        show_why(
            WhyRequest(
                arguments,
                (first, second),
                VertexArguments(
                    vertices, vertices_column, vertices_header, num_vertices, ids.value
                ),
                threads,
                byte_count(limit_memory),
                as_json,
            )
        )
