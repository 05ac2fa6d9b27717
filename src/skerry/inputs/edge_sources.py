"""Sources that are read in batches: paths of files, and what `skerry.io.read_edges` gives."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from skerry import request
from skerry.errors import InputError
from skerry.formats.open import open_edges
from skerry.formats.options import ReadOptions
from skerry.graph.edge_source import EdgeSource
from skerry.inputs.groups import edges_of_groups
from skerry.inputs.sources import InputKind, StreamSource
from skerry.request import InputOptions


def read_options(options: InputOptions) -> ReadOptions:
    """The part of the input options that readers of files and tables use."""
    weight = options.weight
    if weight is None and options.threshold is not None:
        weight = "weight"
    return ReadOptions(
        options.source,
        options.target,
        weight,
        delimiter=options.delimiter,
        header=options.header,
        ids_as_text=options.ids_as_text,
        on_null=options.on_null,
        groups=options.groups,
    )


def with_id_kind(edges: EdgeSource, options: InputOptions) -> StreamSource:
    """A source whose ids mean what the caller says, or what its format says."""
    if options.groups is not None:
        edges = edges_of_groups(edges)
    if options.ids != "auto" and options.ids != edges.id_kind:
        if options.ids == "external" and edges.num_vertices is not None:
            raise InputError(
                f"{edges.name} says how many vertices there are: its ids are vertex numbers, not "
                "external ids"
            )
        if options.ids == "external" and edges.first_id:
            raise InputError(
                f"{edges.name} numbers its vertices from {edges.first_id}: its ids are vertex "
                "numbers, not external ids"
            )
        edges = replace(edges, id_kind=options.ids)
    return StreamSource(edges, options)


def _open_files(paths: Any, options: InputOptions) -> StreamSource:
    return with_id_kind(open_edges(paths, read_options(options), options.format), options)


FILES = InputKind("files", _open_files, ("external", "vertices"))

EDGE_SOURCE = InputKind(
    request.EDGE_SOURCE,
    with_id_kind,
    ("external", "vertices"),
)
