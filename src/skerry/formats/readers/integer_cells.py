"""How integers are written as ids: one rule for the sample of delimited text and for all its rows.

An integer has no zeros and no plus before it, and -0 is none: ``007`` and ``7`` are two texts, so
they must not become one number. Blanks around it do not count. The native parser of edge lists has
the same rule (``Fault::notation``).
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from skerry.errors import InputError
from skerry.graph.arrow import text_offsets
from skerry.optional import require_arrow

PURPOSE = "reading delimited text"
ZERO, MINUS = b"0-"
BLANKS = " \t"
"""What may stand around a number; `str.strip` knows more, which no parser of numbers skips."""

is_integer = re.compile(rf"[{BLANKS}]*(?:0|-?[1-9][0-9]*)[{BLANKS}]*").fullmatch
"""Matches a cell that is an integer."""


def integers_of_text(cells: Any, kind: Any) -> Any:
    """Arrow's text as integers of this type; an error if a cell is not written as an integer is.

    Arrow itself reads 007, 0x7 and -0 too, but no blanks.
    """
    arrow = require_arrow(PURPOSE)
    try:
        numbers = cells.cast(kind)
    except arrow.ArrowInvalid:
        cells = require_arrow(PURPOSE, "pyarrow.compute").ascii_trim(cells, BLANKS)
        numbers = cells.cast(kind)
    if _have_leading_zeros(cells):
        raise InputError("an id is not written as integers are")
    return numbers


def _have_leading_zeros(cells: Any) -> bool:
    """Whether a number, with or without a minus, begins with 0 and is not 0."""
    data = cells.buffers()[2]
    if data is None or not data.size:
        return False
    text = np.frombuffer(data, np.uint8)
    ends = text_offsets(cells)
    begins, sizes = ends[:-1], np.diff(ends)
    first = text[np.minimum(begins, len(text) - 1)]  # an empty cell may stand behind all text
    if ((first == ZERO) & (sizes > 1)).any():
        return True
    negative = begins[(first == MINUS) & (sizes > 1)]
    return bool((text[negative + 1] == ZERO).any())
