"""DIMACS files: ``p sp`` (shortest paths), ``p edge`` and ``p col`` (colouring), PACE's ``p tw``.

Lines ``a u v w`` or ``e u v``, or bare ``u v``; ids count from 1.
"""

from __future__ import annotations

from skerry.formats.options import ReadOptions
from skerry.formats.source import SourceFile
from skerry.formats.text.blocks import Header
from skerry.formats.text.counted import CountedLines, counted_stream, whole_numbers
from skerry.formats.text.parse import Body, EdgeLines, shorten
from skerry.graph.batches import EdgeStream

__all__ = ["read"]

COLOURING = ("edge", "edges", "col")


def read(file: SourceFile, options: ReadOptions) -> EdgeStream:
    """The arcs or edges of the file."""
    options.refuse_columns(file.name, "DIMACS")
    with Header(file) as header:
        kind, vertices, edges = _problem(header)
        body = Body(file, header.bytes, header.lines)
    if kind in (*COLOURING, "tw"):
        options.refuse_weight(file.name, f"DIMACS p {kind}")
    # Lines n, d, v and x of colouring files describe vertices. Their headers count an edge once or
    # twice, and so do their lines, each as it likes.
    colouring = kind in COLOURING
    counts = (edges, 2 * edges, edges // 2) if colouring else (edges,)
    parse = EdgeLines(
        comments="cndvx" if colouring else "c",
        letters=True,
        weighted=options.weight is not None,
        bounds=(1, vertices),
    )
    lines = CountedLines(body, parse, vertices, 1, counts, f"{edges:,} edges")
    return counted_stream(lines, options)


def _problem(header: Header) -> tuple[str, int, int]:
    while (line := header.next()) is not None:
        words = line.split()
        if not words or words[0].startswith("c"):
            continue
        numbers = whole_numbers(" ".join(words[2:]))
        if words[0] == "p" and len(words) == 4 and numbers is not None:
            return words[1].lower(), numbers[0], numbers[1]
        raise header.wrong(f'expected "p <kind> <vertices> <edges>", found {shorten(line)!r}')
    raise header.wrong("the file ends without a line that begins with p")
