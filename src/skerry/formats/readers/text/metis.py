"""METIS files (also Chaco's): a header ``n m [fmt [ncon]]``, then a line of neighbors per vertex.

Vertices count from 1. An empty line is a vertex without neighbors.

The digits of ``fmt`` say whether vertices have sizes, vertices have weights, edges have weights.
"""

from __future__ import annotations

from skerry.formats.options import ReadOptions
from skerry.formats.readers.text.blocks import Header
from skerry.formats.readers.text.counted import CountedRows, counted_source, header_numbers
from skerry.formats.readers.text.parse import Body, RowLines, shorten
from skerry.formats.source import SourceFile
from skerry.graph.edge_source import EdgeSource


def read(file: SourceFile, options: ReadOptions) -> EdgeSource:
    """Every neighbor of every vertex: each edge comes twice, as it is stored."""
    options.refuse_columns(file.name, "METIS")
    with Header(file) as header:
        vertices, edges, skip, has_weights = _read_header(header)
        body = Body(file, header.bytes, header.lines)
    if not has_weights:
        options.refuse_weight(file.name, "METIS")
    parse = RowLines(
        bounds=(1, vertices),
        comment="%",
        skip=skip,
        has_weights=has_weights,
        weighted=options.weight is not None,
    )
    declared = f"{edges:,} edges, that is {2 * edges:,} neighbors"
    return counted_source(CountedRows(body, parse, vertices, 1, (2 * edges,), declared), options)


def _read_header(header: Header) -> tuple[int, int, int, bool]:
    """Vertices, edges, numbers before the neighbors of a row, whether edges have weights."""
    while (line := header.next()) is not None:
        if line.strip() and not line.startswith("%"):
            break
    if line is None:
        raise header.wrong("the file ends without a header")
    numbers = header_numbers(line)
    if numbers is None or not 2 <= len(numbers) <= 4:
        raise header.wrong(f'expected "vertices edges [fmt [ncon]]", found {shorten(line)!r}')
    digits = line.split()[2].zfill(3) if len(numbers) > 2 else "000"
    if len(digits) != 3 or set(digits) - {"0", "1"}:
        raise header.wrong(f"the fmt {digits!r} is not made of three digits 0 or 1")
    constraints = numbers[3] if len(numbers) == 4 else 1
    skip = (digits[0] == "1") + (constraints if digits[1] == "1" else 0)
    return numbers[0], numbers[1], skip, digits[2] == "1"
