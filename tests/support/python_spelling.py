"""Arguments of the library as Python spells them: what no command may show."""

from __future__ import annotations

import inspect
import re

import skerry
import skerry.io

DATA = {"graph", "path", "paths", "edges", "result", "self", "stream"}
"""Arguments that are no options."""
ARGUMENTS_OF_PYTHON = {
    name
    for function in (
        skerry.StreamOptions,
        skerry.connected_components,
        skerry.verify,
        skerry.io.read_edges,
        skerry.io.write_graph,
        skerry.io.write_labels,
    )
    for name, parameter in inspect.signature(function).parameters.items()
    if parameter.kind is not parameter.VAR_KEYWORD
} - DATA
SPELLED = re.compile(
    rf"(?<![\w.?&/,:[-])(?:{'|'.join(sorted(ARGUMENTS_OF_PYTHON))})=(?!=)"
    rf"|(?<![\w.\"'/-])(?:{'|'.join(n for n in sorted(ARGUMENTS_OF_PYTHON) if '_' in n)}) must "
)


def python_spelling(text: str) -> str | None:
    """The first argument that is spelled as in Python, with what is around it."""
    match = SPELLED.search(text)
    return None if match is None else text[max(0, match.start() - 60) : match.end() + 60]
