"""The command ``explore`` and its options."""

from __future__ import annotations

from typing import Annotated

import typer

from skerry.cli.errors import plain_errors
from skerry.cli.graph_options import GROUPS, SELECTION, VERTICES, GraphArguments, reads_graph
from skerry.cli.options import Inputs, MemoryLimit, Quiet, Threads
from skerry.cli.questions import ShownWeight
from skerry.cli.run_log import LogFormat

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
        from skerry.cli.explore import ExploreRequest, show_explore
        from skerry.cli.input_options import byte_count

        request = ExploreRequest(
            graph.inputs(inputs, again=True),
            output,
            include,
            redact_ids,
            graph.vertices(),
            threads,
            byte_count(limit_memory),
            quiet,
        )
        show_explore(request)
