"""GraphML, read as it is parsed: ids are the names of the nodes, as text.

Every node is given as a loop as well, so that those without an edge are in the answer; where
weights are asked for, these loops have an infinite one, so that no threshold removes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pyarrow as pa

from skerry.errors import InputError, UnsupportedError
from skerry.formats.options import Column, ReadOptions
from skerry.formats.prefetch import prefetch
from skerry.formats.source import SourceFile
from skerry.graph.edge_source import Batch, EdgeSource, InputFacts

__all__ = ["read"]

ROWS = 1 << 16
"""Edges in a batch: parsing is slow, so that small batches let the consumer begin early."""


def read(file: SourceFile, options: ReadOptions) -> EdgeSource:
    """The edges and the nodes of all graphs in the file; directed edges as any other."""
    options.refuse_columns(file.name, "graphml")
    return EdgeSource(
        name=file.name,
        id_kind="external",
        open=lambda _: prefetch(lambda: _batches(file, options)),
        num_bytes=file.size,
        facts=InputFacts(weight=None if options.weight is None else str(options.weight)),
    )


def _batches(file: SourceFile, options: ReadOptions) -> Iterator[Batch]:
    src: list[str] = []
    dst: list[str] = []
    weights: list[float] = []
    told = first = 0

    def batch(consumed: int) -> Batch:
        weight = None if options.weight is None else np.array(weights)
        one, other = (pa.array(end, pa.string()) for end in (src, dst))
        return Batch(one, other, weight, f"nodes and edges from {first:,}", consumed)

    with file.open() as stream:
        for one, other, weight in _pairs(file, stream, options.weight):
            src.append(one)
            dst.append(other)
            weights.append(weight)
            if len(src) == min(ROWS, options.batch_rows):
                yield batch(stream.consumed - told)
                told = stream.consumed
                first += len(src)
                src, dst, weights = [], [], []
        if src:
            yield batch(stream.consumed - told)


def _pairs(
    file: SourceFile, stream: Any, weight: Column | None
) -> Iterator[tuple[str, str, float]]:
    depth: list[Any] = []
    root = ""
    try:
        for event, element in ElementTree.iterparse(stream, events=("start", "end")):
            kind = element.tag.rpartition("}")[2]
            root = root or kind
            if root != "graphml":
                raise InputError(f"{file.name}: not a GraphML file: its root is <{root}>")
            if event == "start":
                depth.append(element)
                continue
            depth.pop()
            if kind == "key" and weight is not None and element.get("attr.name") == weight:
                weight = element.get("id", weight)
            elif kind == "node":
                node = _attribute(file, element, "id")
                yield node, node, inf
            elif kind == "edge":
                ends = (_attribute(file, element, end) for end in ("source", "target"))
                yield *ends, _weight(file, element, weight)  # type: ignore[misc]
            elif kind == "hyperedge":
                raise UnsupportedError(f"{file.name}: hyperedges are not read; join them by edges")
            if depth and kind != "data":
                depth[-1].remove(element)  # else the whole file would stay in memory
    except ElementTree.ParseError as error:
        raise InputError(f"{file.name}: not whole, well-formed XML: {error}") from None


def _attribute(file: SourceFile, element: Any, name: str) -> str:
    value = element.get(name)
    if value is None:
        kind = element.tag.rpartition("}")[2]
        raise InputError(f"{file.name}: <{kind} {element.attrib}> has no {name}")
    return str(value)


def _weight(file: SourceFile, edge: Any, key: Column | None) -> float:
    if key is None:
        return 0.0
    for data in edge:
        if data.get("key") == key:
            try:
                return float(data.text or "")
            except ValueError:
                break
    raise InputError(
        f"{file.name}: the edge {edge.get('source')} - {edge.get('target')} has no number as its "
        f"weight {key}"
    )
