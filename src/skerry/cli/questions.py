"""Commands that ask about single vertices: ``why``."""

from __future__ import annotations

from typing import Annotated

import typer

from skerry.cli.errors import plain_errors
from skerry.cli.graph_options import GROUPS, SELECTION, VERTICES, GraphArguments, reads_graph
from skerry.cli.options import (
    EDGES,
    AsJson,
    MemoryLimit,
    Threads,
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


@reads_graph(*GROUPS, *SELECTION, *VERTICES, weight=ShownWeight)
def why(
    file: Graph,
    first: Annotated[str, _end("A")],
    second: Annotated[str, _end("B")],
    graph: GraphArguments,
    threads: Threads = None,
    limit_memory: MemoryLimit = None,
    as_json: AsJson = False,
    _log: LogFormat = None,
) -> None:
    """Show why A and B are in one component: a path of edges; exit code 1 if there is none."""
    with plain_errors():
        from skerry.cli.input_options import byte_count
        from skerry.cli.why import WhyRequest, show_why

        request = WhyRequest(
            graph.inputs([file]),
            (first, second),
            graph.vertices(),
            threads,
            byte_count(limit_memory),
            as_json,
        )
        show_why(request)
