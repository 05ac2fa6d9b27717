"""The options of `skerry.request` as keywords: what functions take that do not spell them out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from inspect import signature
from typing import Any, TypedDict

import numpy.typing as npt

from skerry.algorithms.algorithm import Algorithm
from skerry.graph.threshold import Keep
from skerry.request import IdChoice, NullChoice, StreamOptions
from skerry.result.components import LabelKind


class IdKeywords(TypedDict, total=False):
    """What ids are."""

    ids: IdChoice
    on_null: NullChoice


class EndKeywords(TypedDict, total=False):
    """The columns of ids."""

    source: Any
    target: Any


class RowKeywords(TypedDict, total=False):
    """What else is in a row."""

    weight: Any
    groups: Any


class VertexKeywords(TypedDict, total=False):
    """The vertices."""

    vertices: Any
    num_vertices: int | None


class CutKeywords(TypedDict, total=False):
    """Which edges are used."""

    threshold: float | None
    keep: Keep | None


class TableKeywords(EndKeywords, CutKeywords, total=False):
    """Of a table whose edges are added to a `UnionFind`."""

    on_null: NullChoice


class SolveKeywords(TypedDict, total=False):
    """How to solve a graph."""

    algorithm: str | Algorithm
    device: str
    threads: int | None
    labels: LabelKind
    dtype: npt.DTypeLike | None
    statistics: bool
    stream: StreamOptions | None
    forest: bool
    previous: Any
    symmetric: bool | None


class EdgeKeywords(IdKeywords, EndKeywords, RowKeywords, total=False):
    """Of `skerry.io.read_edges`, beside those of text."""


class SweepKeywords(IdKeywords, EndKeywords, VertexKeywords, total=False):
    """Of functions that compare weights by themselves."""


class GraphKeywords(EdgeKeywords, VertexKeywords, CutKeywords, total=False):
    """Of `skerry.verify`."""


class FrameKeywords(
    IdKeywords, RowKeywords, VertexKeywords, CutKeywords, SolveKeywords, total=False
):
    """Of functions that name the columns of ids by themselves."""


class Keywords(GraphKeywords, SolveKeywords, total=False):
    """Of `skerry.connected_components`."""


class FileKeywords(IdKeywords, EndKeywords, CutKeywords, total=False):
    """Of the edges that a cluster reads."""

    vertices: Any
    weight: Any
    format: str | None
    delimiter: str | None
    header: bool | None
    ids_as_text: bool


STREAM = "pass stream=skerry.StreamOptions({}=...) to skerry.connected_components"
RESULT = "pass it to `table`, `columns`, `groups` or `write` of the result"
ELSEWHERE = {
    **dict.fromkeys(
        ("format", "delimiter", "header", "ids_as_text"),
        "pass it to skerry.io.read_edges, and what that returns as the graph",
    ),
    **{name: STREAM.format(name) for name in ("limit", "progress", "checkpoint", "spill")},
    "limit_memory": STREAM.format("limit"),
    "min_size": RESULT,
    "drop_singletons": f"{RESULT}, as min_size=2",
    **dict.fromkeys((*Keywords.__optional_keys__, "stream"), "it belongs to connected_components"),
}
"""Options by name, and what to do with them if a function does not take them."""


def check_keywords(
    function: Callable[..., Any], options: Mapping[str, Any], allowed: Any = None
) -> None:
    """Raises if there are keywords that a function does not take; the message says what to type.

    Parameters
    ----------
    function
        The function that was called.
    options
        Its keywords beside those that its signature spells out.
    allowed
        The TypedDict of those that it takes; None: none of them.
    """
    known = allowed.__optional_keys__ if allowed is not None else ()
    for name in options:
        if name not in known:
            raise TypeError(_unexpected(function, name, known))


def _unexpected(function: Callable[..., Any], name: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    own = {*known, *signature(function).parameters}
    message = f"{function.__name__}() got an unexpected keyword argument {name!r}: "
    if name in ELSEWHERE:
        return message + ELSEWHERE[name]
    known_names = sorted(own | ELSEWHERE.keys())
    close = get_close_matches(name.lower().replace("-", "_"), known_names, 1, 0.7)
    if not close:
        return f"{message}no option of skerry has this name"
    where = "" if close[0] in own else f" If so, {ELSEWHERE[close[0]]}"
    return f"{message}did you mean {close[0]}=?{where}"
