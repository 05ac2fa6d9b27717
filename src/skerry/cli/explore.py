"""``skerry explore INPUT...``: a page for looking at the components in a browser."""

from __future__ import annotations

import sys
import webbrowser
from collections.abc import Sequence
from typing import Any

from skerry.api import connected_components
from skerry.cli.errors import UsageError
from skerry.cli.format_numbers import bytes_of, plural
from skerry.cli.input_options import InputArguments
from skerry.cli.logged_progress import progress_display
from skerry.cli.run_log import log_result
from skerry.cli.summary import console, labeled_lines
from skerry.cli.vertices import VertexArguments
from skerry.cli.why import parse_id
from skerry.formats.overwriting import refuse_overwriting
from skerry.request import StreamOptions
from skerry.result.components import Components
from skerry.result.explore.page import check_page_target, write_page


def show_explore(
    arguments: InputArguments,
    output: str | None,
    include: Sequence[str],
    redact_ids: bool,
    further: VertexArguments,
    threads: int | None,
    limit: int | None,
    quiet: bool,
) -> None:
    """Writes the page, and prints where it is."""
    further.check()
    if output is not None:
        read = (each.location for each in (*arguments.files, *further.files()))
        refuse_overwriting([("--output", output)], read)
        check_page_target(output)
    source = arguments.open(further.id_kind, shows_weights=True)
    with progress_display(quiet) as display:
        result = connected_components(
            display.track(source, "reading", "labeling", "reading links"),
            threads=threads,
            stream=StreamOptions(limit),
            forest=True,
            **further.keywords(arguments),
        )
        ids = [_included(text, result) for text in include]
        display.begin("writing")
        page = write_page(result, output, ids, redact_ids, arguments.title)
    size = page.stat().st_size
    log_result(output=str(page), bytes=size, components=result.count)
    if not quiet:
        components = plural(result.count, "component", "components")
        vertices = plural(result.num_vertices, "vertex", "vertices")
        graph = f"{arguments.title}: {vertices}, {components}"
        console().print(labeled_lines([("graph", graph), ("written", f"{page}: {bytes_of(size)}")]))
    if output is None and sys.stdout.isatty():
        webbrowser.open(page.absolute().as_uri())


def _included(text: str, result: Components) -> Any:
    id = parse_id(text, result)
    if id not in result:
        raise UsageError(f"--include {text}: is not an id of this graph")
    return id
