"""Text from outside (ids, names of files and columns), as it may be shown to people.

Sent to a terminal as it is, such text can move the cursor, change the title of the window, or show
letters in another order than they are stored. So what is shown goes through `printable`.
"""

from __future__ import annotations

import unicodedata

ESCAPED = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""Categories of characters that are not shown but act: control characters, directions of writing
and other invisible ones, halves of surrogate pairs, separators of lines and paragraphs."""
JOINERS = "\u200c\u200d"
"""Invisible ones that Persian, Indian scripts and emoji are written with."""


def printable(text: str) -> str:
    r"""Escapes whatever would act rather than be seen; the answer is one line.

    >>> print(printable("a\x1b[2Jb\nc"), printable("kim"))
    a\x1b[2Jb\nc kim
    """
    if text.isprintable():
        return text
    return "".join(map(_shown, text))


def printable_lines(text: str) -> str:
    """The same of each line of a text that consists of lines."""
    return "\n".join(map(printable, text.split("\n")))


def _shown(character: str) -> str:
    if unicodedata.category(character) not in ESCAPED or character in JOINERS:
        return character
    return character.encode("unicode_escape").decode("ascii")
