"""GraphML, parsed while it is read: ids are the ids of the nodes, as text."""

from __future__ import annotations

from math import inf

from skerry.errors import UnsupportedError
from skerry.formats.decompress import ByteStream
from skerry.formats.options import Column, ReadOptions
from skerry.formats.readers.listed_edges import Rows, listed_source
from skerry.formats.readers.xml_elements import Element, elements
from skerry.formats.source import SourceFile
from skerry.graph.edge_source import EdgeSource
from skerry.optional import require_arrow

WANTED = ("key", "node", "edge", "hyperedge")


def read(file: SourceFile, options: ReadOptions) -> EdgeSource:
    """The edges and the nodes of all graphs in the file; directed edges as any other."""
    options.refuse_columns(file.name, "graphml")
    require_arrow(f"{file.name}: reading GraphML files")
    return listed_source(file, options, lambda stream: _rows(file, stream, options.weight))


def _rows(file: SourceFile, stream: ByteStream, weight: Column | None) -> Rows:
    kept = () if weight is None else ("data",)
    for element in elements(file.name, stream, "graphml", WANTED, kept):
        if element.name == "node":
            node = element.attribute(file.name, "id")
            yield node, node, inf
        elif element.name == "edge":
            ends = (element.attribute(file.name, end) for end in ("source", "target"))
            yield *ends, _weight(file, element, weight)  # type: ignore[misc]
        elif element.name == "hyperedge":
            raise UnsupportedError(f"{file.name}: hyperedges are not read; join them by edges")
        elif element.name == "key" and weight == element.attributes.get("attr.name", ""):
            weight = element.attributes.get("id", weight)


def _weight(file: SourceFile, edge: Element, key: Column | None) -> float:
    if key is None:
        return 0.0
    text = next((data.text for data in edge.values if data.attributes.get("key") == key), "")
    try:
        return float(text)
    except ValueError:
        raise edge.wrong_weight(file.name, key) from None
