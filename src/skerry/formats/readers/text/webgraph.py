"""WebGraph's ASCII graphs: the number of nodes, then the successors of each node in a line."""

from __future__ import annotations

from skerry.formats.options import ReadOptions
from skerry.formats.readers.text.blocks import Header
from skerry.formats.readers.text.counted import CountedRows, counted_source, header_numbers
from skerry.formats.readers.text.parse import Body, RowLines, shorten
from skerry.formats.source import SourceFile
from skerry.graph.edge_source import EdgeSource


def read(file: SourceFile, options: ReadOptions) -> EdgeSource:
    """Every arc; nodes count from 0."""
    options.refuse_columns(file.name, "WebGraph")
    options.refuse_weight(file.name, "WebGraph")
    with Header(file) as header:
        line = header.next() or ""
        numbers = header_numbers(line)
        if numbers is None or len(numbers) != 1:
            raise header.wrong(f"expected the number of nodes, found {shorten(line)!r}")
        body = Body(file, header.bytes, header.lines)
    rows = CountedRows(body, RowLines(bounds=(0, numbers[0])), numbers[0], 0, (), "")
    return counted_source(rows, options)
