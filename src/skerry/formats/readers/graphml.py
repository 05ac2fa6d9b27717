"""GraphML, parsed while it is read: ids are the ids of the nodes, as text.

Every node is also read as a loop, so that nodes without an edge are in the result. With weights,
these loops have an infinite one, so that no threshold removes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Any
from xml.etree import ElementTree

import numpy as np

from skerry.errors import InputError, SkerryError, UnsupportedError
from skerry.formats.options import Column, ReadOptions
from skerry.formats.prefetch import prefetch
from skerry.formats.source import SourceFile
from skerry.graph.edge_source import Batch, EdgeSource, InputFacts
from skerry.optional import require_arrow

__all__ = ["read"]

PURPOSE = "reading GraphML files"

ROWS = 1 << 16
"""Edges in a batch: parsing is slow, and small batches let the consumer begin early."""


def read(file: SourceFile, options: ReadOptions) -> EdgeSource:
    """The edges and the nodes of all graphs in the file; directed edges as any other."""
    options.refuse_columns(file.name, "graphml")
    require_arrow(f"{file.name}: {PURPOSE}")
    return EdgeSource(
        name=file.name,
        id_kind="external",
        open=lambda _: prefetch(lambda: _batches(file, options)),
        num_bytes=file.size,
        facts=InputFacts(weight=None if options.weight is None else str(options.weight)),
    )


def _batches(file: SourceFile, options: ReadOptions) -> Iterator[Batch]:
    pa = require_arrow(PURPOSE)
    src: list[str] = []
    dst: list[str] = []
    weights: list[float] = []
    consumed = first = 0

    def batch(num_bytes: int) -> Batch:
        weight = None if options.weight is None else np.array(weights)
        sources, targets = (pa.array(end, pa.string()) for end in (src, dst))
        return Batch(sources, targets, weight, f"nodes and edges from {first:,}", num_bytes)

    with file.open() as stream:
        for source, target, weight in _pairs(file, stream, options.weight):
            src.append(source)
            dst.append(target)
            weights.append(weight)
            if len(src) == min(ROWS, options.batch_rows):
                yield batch(stream.consumed - consumed)
                consumed = stream.consumed
                first += len(src)
                src, dst, weights = [], [], []
        if src:
            yield batch(stream.consumed - consumed)


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
    except SkerryError:
        raise
    except (ElementTree.ParseError, LookupError, ValueError) as error:  # also bad encodings
        raise InputError(f"{file.name}: not complete, well-formed XML: {error}") from None


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
