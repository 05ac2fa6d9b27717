"""GEXF, parsed while it is read: ids are the ids of the nodes, as text.

A weight is the attribute of this name of an edge, or the value of the attribute that the header
calls so (``<attribute id="0" title="score"/>``).
"""

from __future__ import annotations

from math import inf

from skerry.formats.decompress import ByteStream
from skerry.formats.options import Column, ReadOptions
from skerry.formats.readers.listed_edges import Rows, listed_source
from skerry.formats.readers.xml_elements import Element, elements
from skerry.formats.source import SourceFile
from skerry.graph.edge_source import EdgeSource
from skerry.optional import require_arrow

WANTED = ("node", "edge", "attributes")


def read(file: SourceFile, options: ReadOptions) -> EdgeSource:
    """The edges and the nodes of the file, whatever time they are there."""
    options.refuse_columns(file.name, "gexf")
    require_arrow(f"{file.name}: reading GEXF files")
    return listed_source(file, options, lambda stream: _rows(file, stream, options.weight))


def _rows(file: SourceFile, stream: ByteStream, weight: Column | None) -> Rows:
    kept = () if weight is None else ("attvalues", "attvalue", "attribute")
    keys = {weight}
    for element in elements(file.name, stream, "gexf", WANTED, kept):
        if element.name == "node":
            node = element.attribute(file.name, "id")
            yield node, node, inf
        elif element.name == "edge":
            ends = (element.attribute(file.name, end) for end in ("source", "target"))
            yield *ends, _weight(file, element, weight, keys)  # type: ignore[misc]
        elif element.name == "attributes" and element.attributes.get("class") == "edge":
            named = (each.attributes for each in element.values)
            keys |= {each.get("id") for each in named if each.get("title") == weight}


def _weight(
    file: SourceFile, edge: Element, weight: Column | None, keys: set[Column | str | None]
) -> float:
    if weight is None:
        return 0.0
    texts = [edge.attributes.get(str(weight))]
    for value in (each for values in edge.values for each in values.values):
        if value.attributes.get("for", value.attributes.get("id")) in keys:
            texts.append(value.attributes.get("value"))
    try:
        return float(next(text for text in texts if text is not None))
    except (StopIteration, ValueError):
        raise edge.wrong_weight(file.name, weight) from None
