"""Adjacency lists: a vertex and its neighbors in each line, between blanks; ``#`` begins a remark.

Ids are text. Every vertex that begins a line is in the result, with or without neighbors.
"""

from __future__ import annotations

from math import inf

from skerry.formats.decompress import ByteStream
from skerry.formats.options import ReadOptions
from skerry.formats.readers.listed_edges import Rows, listed_source, text_lines
from skerry.formats.source import SourceFile
from skerry.graph.edge_source import EdgeSource
from skerry.optional import require_arrow


def read(file: SourceFile, options: ReadOptions) -> EdgeSource:
    """Lines of a vertex and its neighbors."""
    options.refuse_columns(file.name, "adjlist")
    options.refuse_weight(file.name, "adjlist")
    require_arrow(f"{file.name}: reading text ids")

    def rows(stream: ByteStream) -> Rows:
        for _, line in text_lines(file, stream):
            words = line.partition("#")[0].split()
            if words:
                yield words[0], words[0], inf
            for word in words[1:]:
                yield words[0], word, 0.0

    return listed_source(file, options, rows)
