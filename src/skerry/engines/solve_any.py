"""Whatever the caller has, to its components: tables, files, networks, batches, names.

Apart from solve.py, so that a call with plain arrays imports nothing of this.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from skerry.engines.memory import Ask, Call, IdKind, noted, solve_whole
from skerry.engines.streaming.gather import gather
from skerry.engines.streaming.solve import StreamWish, checker, components_of_stream
from skerry.errors import InputError
from skerry.formats.options import ReadOptions
from skerry.graph.edge_source import EdgeSource
from skerry.ids.sorted_ids import SortedIds
from skerry.inputs.batches import pair_of
from skerry.inputs.filtered import filtered, largest_vertex
from skerry.inputs.names import NotVerticesError, column_of, names_stream
from skerry.inputs.networks import Network, network_of
from skerry.inputs.streams import stream_of
from skerry.result.components import Components
from skerry.result.components_named import NamedComponents

__all__ = ["solve_any", "solve_names"]


def solve_stream(
    stream: EdgeSource, wish: StreamWish, call: Call, notes: tuple[str, ...] = ()
) -> Components:
    """The components of a stream: folded, or gathered for an algorithm or a device by name."""
    if call.algorithm == "auto" and not call.on_gpu:
        result = components_of_stream(stream, call.threads, wish)
        return noted(result, notes)
    gathered = gather(
        stream,
        threads=call.threads,
        vertices=wish.vertices,
        threshold=wish.threshold,
        num_vertices=wish.num_vertices,
    )
    solved = solve_whole(gathered.edges, None, call)
    if gathered.ids is None:
        return noted(solved, gathered.notes + notes, gathered.times)
    ids = SortedIds(gathered.ids, wish.id_names)
    result = with_ids(solved, ids)
    result._graph = checker(stream, ids, call.threads, wish.threshold)
    return noted(result, gathered.notes + notes, gathered.times)


def with_ids(solved: Components, ids: Any) -> NamedComponents:
    """An answer over ranks as one over ids."""
    return NamedComponents(
        ids,
        solved._smallest,
        solved._kind,
        lambda: solved.plan,
        solved._graph,
        solved._threads,
    )


def solve_any(graph: Any, ask: Ask, call: Call) -> Components:
    """The components of whatever the caller has."""
    column = ask.weight if isinstance(ask.weight, str | int) else None
    network = network_of(graph, column, ask.threshold, ask.ids == "external")
    if network is not None:
        return _solve_network(network, ask, call)
    if column is None and ask.threshold is not None:
        column = "weight"
    options = ReadOptions(
        _columns(ask.source),
        _columns(ask.target),
        column,
        delimiter=ask.delimiter,
        header=ask.header,
        ids_as_text=ask.ids_as_text,
    )
    stream = stream_of(graph, options, ask.format, None if ask.ids == "auto" else ask.ids)
    if stream is not None:
        return solve_stream(_as_meant(stream, ask.ids), _wish(ask, call), call)
    if ask.source is not None or ask.target is not None or ask.of_files:
        raise InputError(
            "source= and target= are for tables and files; format=, delimiter=, header= and "
            "ids_as_text= for files"
        )
    graph = filtered(graph, ask.weight, ask.threshold)
    ask = ask._replace(weight=None, threshold=None)
    if ask.ids == "external":
        return solve_stream(names_stream(*_pair_of(graph)), _wish(ask, call), call)
    try:
        if ask.vertices is None:
            return solve_whole(graph, ask.num_vertices, call, dense=ask.ids == "vertices")
        n = largest_vertex(graph, ask.vertices, ask.num_vertices)
        return solve_whole(graph, n, call)
    except NotVerticesError as found:
        if ask.ids == "vertices":
            raise
        return solve_names(found, ask, call)


def solve_names(found: NotVerticesError, ask: Ask, call: Call) -> Components:
    """The components of arrays that turned out to hold names."""
    note = f"ids are taken as names: {found}"
    return solve_stream(names_stream(found.src, found.dst), _wish(ask, call), call, (note,))


def _solve_network(network: Network, ask: Ask, call: Call) -> Components:
    if ask.vertices is not None:
        raise InputError("vertices= is not for networks: add the nodes to the graph")
    solved = solve_whole(network.edges, ask.num_vertices, call)
    named = solved if network.ids is None else with_ids(solved, network.ids)
    return noted(named, (network.note,))


def _wish(ask: Ask, call: Call) -> StreamWish:
    vertices = None if ask.vertices is None else column_of(ask.vertices, "vertices")
    return StreamWish(
        ask.num_vertices,
        vertices,
        ask.threshold,
        call.labels,
        call.dtype,
        _id_names(ask.source),
        ask.limit,
        ask.progress,
    )


def _as_meant(stream: EdgeSource, ids: IdKind) -> EdgeSource:
    """The stream with the meaning that the caller gives its ids."""
    if ids == "auto" or ids == stream.id_kind:
        return stream
    if ids == "external" and stream.num_vertices is not None:
        raise InputError(
            f"{stream.name} says how many vertices there are: its ids are their numbers, not names"
        )
    return replace(stream, id_kind=ids)


def _columns(given: Any) -> Any:
    return tuple(given) if isinstance(given, list) else given


def _id_names(source: Any) -> tuple[str, ...]:
    """What the columns of ids are called: the sources' own names, where they are several."""
    if not isinstance(source, list | tuple) or len(source) < 2:
        return ("id",)
    return tuple(one if isinstance(one, str) else f"id_{i}" for i, one in enumerate(source))


def _pair_of(graph: Any) -> tuple[Any, Any]:
    """The two columns of a graph of bare arrays."""
    if isinstance(graph, tuple | list | np.ndarray) or hasattr(graph, "__dlpack__"):
        return pair_of(graph, "edges")
    raise InputError(f'ids="external" is not for {type(graph).__qualname__}')
