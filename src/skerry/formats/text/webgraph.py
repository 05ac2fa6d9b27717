"""WebGraph's ASCII graphs: the number of nodes, then the successors of each node in a line."""

from __future__ import annotations

from skerry.formats.options import ReadOptions
from skerry.formats.source import SourceFile
from skerry.formats.text.blocks import Header
from skerry.formats.text.counted import CountedRows, counted_stream, whole_numbers
from skerry.formats.text.parse import Body, RowLines, shorten
from skerry.graph.batches import EdgeStream

__all__ = ["read"]


def read(file: SourceFile, options: ReadOptions) -> EdgeStream:
    """Every arc; nodes count from 0."""
    options.refuse_columns(file.name, "WebGraph")
    options.refuse_weight(file.name, "WebGraph")
    with Header(file) as header:
        line = header.next() or ""
        numbers = whole_numbers(line)
        if numbers is None or len(numbers) != 1:
            raise header.wrong(f"expected the number of nodes, found {shorten(line)!r}")
        body = Body(file, header.bytes, header.lines)
    rows = CountedRows(body, RowLines(bounds=(0, numbers[0])), numbers[0], 0, (), "")
    return counted_stream(rows, options)
