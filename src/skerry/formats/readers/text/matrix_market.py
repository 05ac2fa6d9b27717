"""Matrix Market files: a square coordinate matrix is a graph, every stored entry an edge.

The value of an entry does not matter, nor does the symmetry: an edge in one direction is enough.
"""

from __future__ import annotations

from dataclasses import dataclass

from skerry.errors import UnsupportedError
from skerry.formats.options import ReadOptions
from skerry.formats.readers.text.blocks import Header
from skerry.formats.readers.text.counted import CountedLines, counted_source, header_numbers
from skerry.formats.readers.text.parse import Body, EdgeLines, shorten
from skerry.formats.source import SourceFile
from skerry.graph.edge_source import EdgeSource

FIELDS = ("pattern", "real", "integer", "double", "complex", "unsigned-integer")
SYMMETRIES = ("general", "symmetric", "skew-symmetric", "hermitian")


@dataclass(frozen=True, slots=True)
class _Matrix:
    field: str
    size: int
    entries: int
    body: Body


def read(file: SourceFile, options: ReadOptions) -> EdgeSource:
    """The entries of the matrix as edges."""
    options.refuse_columns(file.name, "Matrix Market")
    with Header(file) as header:
        matrix = _read_header(file, header)
    if matrix.field == "pattern":
        options.refuse_weight(file.name, "Matrix Market pattern")
    if matrix.field == "complex" and options.weight is not None:
        raise UnsupportedError(f"{file.name}: weight= is given, but complex values have no order")
    parse = EdgeLines(comments="%", weighted=options.weight is not None, bounds=(1, matrix.size))
    lines = CountedLines(
        matrix.body, parse, matrix.size, 1, (matrix.entries,), f"{matrix.entries:,} entries"
    )
    return counted_source(lines, options)


def _read_header(file: SourceFile, header: Header) -> _Matrix:
    words = (header.next() or "").lower().split()
    if not words or words[0] != "%%matrixmarket":
        raise header.wrong("a Matrix Market file begins with %%MatrixMarket")
    if len(words) != 5 or words[1] != "matrix":
        raise header.wrong('expected "%%MatrixMarket matrix coordinate <field> <symmetry>"')
    if words[2] == "array":
        raise UnsupportedError(
            f"{file.name}: a dense Matrix Market array does not list edges; write it as coordinate"
        )
    if words[2] != "coordinate" or words[3] not in FIELDS or words[4] not in SYMMETRIES:
        raise header.wrong(f"there is no matrix of the kind {' '.join(words[2:])!r}")
    while (line := header.next()) is not None:
        if line.strip() and not line.startswith("%"):
            break
    if line is None:
        raise header.wrong("the file ends before the line with the size: it is truncated")
    numbers = header_numbers(line)
    if numbers is None or len(numbers) != 3:
        raise header.wrong(f'expected "rows columns entries", found {shorten(line)!r}')
    rows, columns, entries = numbers
    if rows != columns:
        raise header.wrong(
            f"the matrix has {rows:,} rows and {columns:,} columns; the matrix of a graph is square"
        )
    return _Matrix(words[3], rows, entries, Body(file, header.bytes, header.lines))
