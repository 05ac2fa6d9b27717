"""Ids and names of vertices as people read them: an id, many names in a line, which to show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from unicodedata import normalize

import numpy as np

from skerry.printable import printable
from skerry.result.components import Components


def shown_id(value: object) -> str:
    r"""An id in one line; in quotes if something in it is escaped, or if it looks like another.

    An empty text does, and a text with spaces around it. So does one with other spaces than the
    plain one, or with characters that Unicode counts as forms of others.

    >>> print(shown_id(7), shown_id("kim\n"), shown_id(("a", 1)))
    7 'kim\n' (a, 1)
    >>> print(shown_id(""), shown_id("kim "), shown_id("k\u00a0m"), shown_id("\uff17"))
    '' 'kim ' 'k\xa0m' '\uff17'
    """
    if isinstance(value, tuple):
        return f"({', '.join(map(shown_id, value))})"
    text = str(value)
    line = printable(text)
    if isinstance(value, str) and _looks_like_another(text):
        return f"'{''.join(map(_visible, line))}'"
    return line if line == text else f"'{line}'"


def _visible(character: str) -> str:
    """A space other than the plain one as its number: it looks like that."""
    is_other = character.isspace() and character != " "
    return character.encode("unicode_escape").decode("ascii") if is_other else character


def _looks_like_another(text: str) -> bool:
    """Whether a text is blank, or is read like another id."""
    return not text or text != text.strip() or normalize("NFKC", text) != normalize("NFC", text)


def islands(
    result: Components, names: Sequence[str], low: int = 5, high: int = 60
) -> list[list[str]]:
    """The components worth showing: the largest of each family of names, largest first.

    Only sizes ``low..high`` count: smaller ones say little, larger ones do not fit. The family of
    a component is the first word that most of its names share, so that a hundred small ones of
    the same kind are shown once.
    """
    sizes = result.sizes()
    groups = result.groups()
    fitting = np.flatnonzero((sizes >= low) & (sizes <= high))
    shown: dict[str, list[str]] = {}
    for number in sorted(fitting.tolist(), key=lambda number: -int(sizes[number])):
        members = [names[vertex] for vertex in groups[number].tolist()]
        shown.setdefault(_family(members), members)
    return list(shown.values())


def _family(members: list[str]) -> str:
    return Counter(name.partition("-")[0] for name in members).most_common(1)[0][0]


def braced(names: Sequence[str], width: int, more: str = "...") -> str:
    """Names in one line as a shell would write them: ``fonts-{kai, ming, yen}``.

    Words that all names begin or end with are written once; names that would make the line
    longer than ``width`` are counted instead.
    """
    before, after = _shared_words(names)
    middles = [name[len(before) : len(name) - len(after)] for name in names]
    line = ""
    for shown in range(len(middles), 0, -1):
        hidden = len(middles) - shown
        listed = ", ".join(middles[:shown]) + (f", {more} {hidden} more" if hidden else "")
        line = f"{before}{{{listed}}}{after}" if before or after else listed
        if len(line) <= width:
            break
    return line


def _shared_words(names: Sequence[str]) -> tuple[str, str]:
    if len(names) < 2:
        return "", ""
    start = _shared_start(names)
    end = _shared_start([name[::-1] for name in names])[::-1]
    before = start[: start.rfind("-") + 1]
    after = end[end.find("-") :] if "-" in end else ""
    if min(map(len, names)) <= len(before) + len(after):
        after = ""  # a name in which both would overlap, or with nothing between them
    if min(map(len, names)) <= len(before):
        before = ""
    return before, after


def _shared_start(names: Sequence[str]) -> str:
    # What the first and the last in order share, all between them share too.
    first, last = min(names), max(names)
    length = 0
    while length < len(first) and first[length] == last[length]:
        length += 1
    return first[:length]
