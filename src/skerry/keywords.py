"""The options of `skerry.request` as keywords: what functions take that do not spell them out."""

from __future__ import annotations

from collections.abc import Mapping
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


def check_keywords(function: str, allowed: Any, options: Mapping[str, Any]) -> None:
    """Raises as Python does if a function does not take a keyword."""
    for name in options:
        if name not in allowed.__optional_keys__:
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}")
