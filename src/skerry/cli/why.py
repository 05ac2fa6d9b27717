"""``skerry why FILE A B``: the edges that join two vertices, one line each."""

from __future__ import annotations

import csv
from typing import Any

import numpy as np
import typer

from skerry.api import connected_components
from skerry.cli.errors import WRONG, UsageError, say
from skerry.cli.format_numbers import plural
from skerry.cli.input_options import InputArguments
from skerry.cli.logged_progress import progress_display
from skerry.cli.run_log import log_result
from skerry.cli.shown_ids import shown_id
from skerry.cli.summary import console, labeled_lines
from skerry.cli.terminal import print_json, print_line
from skerry.cli.vertices import VertexArguments
from skerry.errors import InputError
from skerry.request import StreamOptions
from skerry.result.components import Components
from skerry.result.links import Links

NAME_WIDTH = 40
"""Characters of ids that columns are aligned for."""


def show_why(
    arguments: InputArguments,
    texts: tuple[str, str],
    further: VertexArguments,
    threads: int | None,
    limit: int | None,
    as_json: bool,
) -> None:
    """Prints the path; exits with 1 if there is none."""
    further.check()
    source = arguments.open(further.id_kind, shows_weights=True)
    with progress_display(as_json) as display:
        result = connected_components(
            display.track(source, "reading", "looking for a path"),
            threads=threads,
            stream=StreamOptions(limit),
            forest=True,
            **further.keywords(arguments),
        )
        ends = [parse_id(text, result) for text in texts]
        path = result.why(*ends) if _are_joined(ends, result) else None
    log_result(connected=path is not None, path_edges=None if path is None else len(path))
    if as_json:
        print_json({"inputs": list(arguments.inputs), **_report(result, ends, path)})
    elif path is not None:
        _show_path(result, ends, path)
    if path is None:
        components = [f"of {result.component_of(end)!r} ({_size(result, end)})" for end in ends]
        say(
            f"no path joins {ends[0]!r} and {ends[1]!r}: they are in the components "
            f"{' and '.join(components)}"
        )
        raise typer.Exit(WRONG)


def _are_joined(ends: list[Any], result: Components) -> bool:
    """Whether a path joins two ids; one that is not in the graph was typed wrong."""
    try:
        return bool(result.connected(*ends))
    except InputError as error:
        raise UsageError(str(error)) from None


def parse_id(text: str, result: Components) -> Any:
    """What was typed, as an id of the type that the graph has."""
    columns = result.ids
    if not isinstance(columns, tuple):
        return _parse_part(text, columns)
    parts = next(csv.reader([text]))
    if len(parts) != len(columns):
        raise UsageError(f"{text}: ids of this graph have {len(columns)} parts, with commas")
    return tuple(map(_parse_part, parts, columns))


def _parse_part(text: str, column: Any) -> Any:
    if column is None or isinstance(column, np.ndarray):
        try:
            return int(text)
        except ValueError:
            raise UsageError(f"{text}: ids of this graph are integers") from None
    import pyarrow as pa

    if pa.types.is_binary(column.type) or pa.types.is_large_binary(column.type):
        return text.encode()
    try:
        return pa.scalar(text).cast(column.type).as_py()
    except (pa.ArrowException, ValueError) as error:
        raise UsageError(
            f"{text}: is not {column.type}, as ids of this graph are: {error}"
        ) from None


def _size(result: Components, end: Any) -> str:
    return plural(_size_of(result, end), "vertex", "vertices")


def _size_of(result: Components, end: Any) -> int:
    label = result._smallest[result._ids.lookup(end)]
    return int(np.count_nonzero(result._smallest == label))


def _report(result: Components, ends: list[Any], path: Links | None) -> dict[str, Any]:
    facts = result.plan.input
    return {
        "format": facts.format,
        "input": facts.as_json(),
        "from": ends[0],
        "to": ends[1],
        "connected": path is not None,
        "components": [result.component_of(end) for end in ends],
        "sizes": [_size_of(result, end) for end in ends],
        "path": None if path is None else [link._asdict() for link in path],
    }


def _show_path(result: Components, ends: list[Any], path: Links) -> None:
    component = f"of {_shown(result.component_of(ends[0]))}: {_size(result, ends[0])}"
    joined = f"{_shown(ends[0])} to {_shown(ends[1])}: {plural(len(path), 'edge', 'edges')}"
    if len(path) > 1:
        joined += " of a spanning forest; the graph may have a shorter path"
    console().print(labeled_lines([("path", joined), ("component", component)]))
    if not len(path):
        return
    print_line()
    names = [(_shown(link.source), _shown(link.target)) for link in path]
    widths = [min(max(map(len, column)), NAME_WIDTH) for column in zip(*names, strict=True)]
    weights = [f"{link.weight:g}" if link.weight is not None else "" for link in path]
    width = max(map(len, weights))
    for link, (source, target), weight in zip(path, names, weights, strict=True):
        shown = f"   {weight:>{width}}" if width else ""
        line = f" {source:<{widths[0]}} -- {target:<{widths[1]}}{shown}   row {link.row:,}"
        print_line(line)


def _shown(id: Any) -> str:
    return ",".join(map(shown_id, id)) if isinstance(id, tuple) else shown_id(id)
