"""The options of every command that reads a graph: one table, and the decorator that adds them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple, get_type_hints

from skerry.cli import options

if TYPE_CHECKING:
    from skerry.cli.input_options import InputArguments
    from skerry.cli.vertices import VertexArguments

GRAPH_OPTIONS: dict[str, tuple[Any, Any]] = {
    "source": (options.SourceColumns, []),
    "target": (options.TargetColumns, []),
    "groups": (options.GroupColumns, []),
    "lists": (options.Lists, False),
    "weight": (options.WeightColumn, None),
    "threshold": (options.Threshold, None),
    "keep": (options.Keep, None),
    "file_format": (options.FormatName, None),
    "delimiter": (options.DelimiterText, None),
    "header": (options.HasHeader, None),
    "ids_as_text": (options.IdsAsText, False),
    "on_null": (options.OnNull, options.NullChoice.ERROR),
    "vertices": (options.VerticesFile, None),
    "vertices_column": (options.VerticesColumn, []),
    "vertices_header": (options.VerticesHeader, None),
    "num_vertices": (options.VertexCount, None),
    "ids": (options.IdMeaning, options.IdChoice.AUTO),
}
"""Each option with its annotation for typer and its default, in the order of the help."""

GROUPS = ("groups", "lists")
SELECTION = ("weight", "threshold", "keep")
VERTICES = ("vertices", "vertices_column", "vertices_header", "num_vertices", "ids")
COMMON = GRAPH_OPTIONS.keys() - {*GROUPS, *SELECTION, *VERTICES}
"""What every command has."""


class GraphArguments(NamedTuple):
    """The values of the options that a command has of the table."""

    values: dict[str, Any]

    def inputs(self, paths: Sequence[str], **others: Any) -> InputArguments:
        """What to read."""
        from skerry.cli.input_options import InputArguments

        values = {name: self.values[name] for name in self.values if name not in VERTICES}
        values["format"] = values.pop("file_format")
        return InputArguments(paths, **{**values, **others})

    def vertices(self) -> VertexArguments:
        """Which vertices there are beside those with an edge."""
        from skerry.cli.vertices import VertexArguments

        return VertexArguments(*(self.values[name] for name in VERTICES))


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, Enum) else value


def reads_graph(*names: str, **own: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Gives a command, in place of its parameter ``graph``, options of the table.

    Parameters
    ----------
    *names
        The options, beside those that every command has.
    **own
        Options with an annotation of the command's own.
    """
    chosen = {
        name: (own.get(name, annotation), default)
        for name, (annotation, default) in GRAPH_OPTIONS.items()
        if name in COMMON or name in names or name in own
    }

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(function)
        def command(**values: Any) -> None:
            graph = GraphArguments({name: _plain(values.pop(name)) for name in chosen})
            function(graph=graph, **values)

        parameters = list(_parameters(function, chosen))
        shown: Any = command
        shown.__signature__ = inspect.Signature(parameters)
        shown.__annotations__ = {each.name: each.annotation for each in parameters}
        return command

    return decorate


def _parameters(
    function: Callable[..., None], chosen: dict[str, tuple[Any, Any]]
) -> Iterable[inspect.Parameter]:
    hints = get_type_hints(function, include_extras=True)
    for name, own in inspect.signature(function).parameters.items():
        if name != "graph":
            yield own.replace(annotation=hints[name], kind=own.KEYWORD_ONLY)
            continue
        for option, (annotation, default) in chosen.items():
            yield inspect.Parameter(
                option, own.KEYWORD_ONLY, default=default, annotation=annotation
            )
