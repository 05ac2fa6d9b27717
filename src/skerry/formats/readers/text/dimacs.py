"""DIMACS files: ``p sp`` (shortest paths), ``p edge`` and ``p col`` (coloring), PACE's ``p tw``.

Lines ``a u v w`` or ``e u v``, or bare ``u v``; ids count from 1.
"""

from __future__ import annotations

from skerry.formats.options import ReadOptions
from skerry.formats.readers.text.blocks import Header
from skerry.formats.readers.text.counted import CountedLines, counted_source, header_numbers
from skerry.formats.readers.text.parse import Body, EdgeLines, shorten
from skerry.formats.source import SourceFile
from skerry.graph.edge_source import EdgeSource

COLORING = ("edge", "edges", "col")


def read(file: SourceFile, options: ReadOptions) -> EdgeSource:
    """The arcs or edges of the file."""
    options.refuse_columns(file.name, "DIMACS")
    with Header(file) as header:
        kind, vertices, edges = _problem(header)
        body = Body(file, header.bytes, header.lines)
    if kind in (*COLORING, "tw"):
        options.refuse_weight(file.name, f"DIMACS p {kind}")
    # Lines n, d, v and x of coloring files describe vertices. In these files, the header and the
    # lines each count an edge once or twice.
    coloring = kind in COLORING
    counts = (edges, 2 * edges, edges // 2) if coloring else (edges,)
    parse = EdgeLines(
        comments="cndvx" if coloring else "c",
        letters=True,
        weighted=options.weight is not None,
        bounds=(1, vertices),
    )
    lines = CountedLines(body, parse, vertices, 1, counts, f"{edges:,} edges")
    return counted_source(lines, options)


def _problem(header: Header) -> tuple[str, int, int]:
    while (line := header.next()) is not None:
        words = line.split()
        if not words or words[0].startswith("c"):
            continue
        numbers = header_numbers(" ".join(words[2:]))
        if words[0] == "p" and len(words) == 4 and numbers is not None:
            return words[1].lower(), numbers[0], numbers[1]
        raise header.wrong(f'expected "p <kind> <vertices> <edges>", found {shorten(line)!r}')
    raise header.wrong("the file ends without a line that begins with p")
