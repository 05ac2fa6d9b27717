"""Commands that ask about a graph: ``why``, ``sweep``, ``explore``."""

from __future__ import annotations

from typing import Annotated

import typer

from skerry.cli.errors import plain_errors
from skerry.cli.graph_options import GROUPS, SELECTION, VERTICES, GraphArguments, reads_graph
from skerry.cli.options import (
    EDGES,
    AsJson,
    Inputs,
    MemoryLimit,
    Quiet,
    SweptWeight,
    Threads,
    Thresholds,
)
from skerry.cli.run_log import LogFormat
from skerry.graph.threshold import Keep as KeptSide
from skerry.graph.threshold import loosest

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
        from skerry.cli.why import show_why

        limit = byte_count(limit_memory)
        arguments, vertices = graph.inputs([file]), graph.vertices()
        show_why(arguments, (first, second), vertices, threads, limit, as_json)


@reads_graph("keep", *VERTICES, weight=SweptWeight)
def sweep(
    inputs: Inputs,
    at: Thresholds,
    graph: GraphArguments,
    threads: Threads = None,
    as_json: AsJson = False,
    _log: LogFormat = None,
) -> None:
    """Count the components at several thresholds for the weights, to choose one."""
    with plain_errors():
        from skerry.cli.sweep import parse_thresholds, show_sweep

        thresholds = parse_thresholds(at)
        kept: KeptSide = graph.values["keep"] or "above"
        arguments = graph.inputs(inputs, threshold=loosest(thresholds, kept), keep=kept)
        show_sweep(arguments, thresholds, graph.vertices(), threads, as_json)


PageOutput = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="The page to write: .html. By default a temporary file, which a browser opens if "
        "this is a terminal.",
    ),
]
Included = Annotated[
    list[str],
    typer.Option(
        "--include",
        metavar="ID",
        help="Show the component of this id in any case, around it; repeat it for more ids.",
    ),
]
RedactIds = Annotated[
    bool, typer.Option("--redact-ids", help="Leave ids and rows out: numbers stand for ids.")
]


@reads_graph(*GROUPS, *SELECTION, *VERTICES, weight=ShownWeight)
def explore(
    inputs: Inputs,
    output: PageOutput = None,
    include: Included = [],  # noqa: B006, typer copies it
    redact_ids: RedactIds = False,
    *,
    graph: GraphArguments,
    threads: Threads = None,
    limit_memory: MemoryLimit = None,
    quiet: Quiet = False,
    _log: LogFormat = None,
) -> None:
    """Write a page for looking at the components: sizes, drawings, paths, bridges."""
    with plain_errors():
        from skerry.cli.explore import show_explore
        from skerry.cli.input_options import byte_count

        show_explore(
            graph.inputs(inputs, again=True),
            output,
            include,
            redact_ids,
            graph.vertices(),
            threads,
            byte_count(limit_memory),
            quiet,
        )
