"""Reads the prose of a page in Markdown: its sentences, without code, tables and headings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from support.paths import ROOT

LONGEST = 35
"""Words of a sentence, at most."""
AVERAGE = 18
"""Words of the sentences of a page, on average, at most."""

FENCED = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
CODE = re.compile(r"`[^`]+`")
CODES = re.compile(r"Code(?:[\s,]+(?:and\s+|or\s+)?Code)+")
ITEM = re.compile(r"^ *(?:[-*]|\d+\.) +", re.MULTILINE)
HEADING = re.compile(r"^#.*$", re.MULTILINE)
TABLE = re.compile(r"^\|.*$", re.MULTILINE)
LEAD = re.compile(r"^\*\*[^*]*[.:]\*\*")
END = re.compile(r"(?<=[.?!])[\"')*]*\s+(?=[A-Z\"'(*\d])")


def pages() -> list[Path]:
    """All pages that are written by hand: those in folders of docs/ are records and tours."""
    top = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    return [*top, *sorted((ROOT / "docs").glob("*.md"))]


def phrases(text: str, table: list[Mapping[str, str]]) -> Iterator[str]:
    """Lines and phrases of a page that a table replaces, whatever the case and the line breaks."""
    for entry in table:
        pattern = r"\b" + r"\s+".join(map(re.escape, entry["phrase"].split())) + r"\b"
        for use in re.finditer(pattern, text, re.IGNORECASE):
            line = text.count("\n", 0, use.start()) + 1
            yield f"{line}: {entry['phrase']!r}: {entry['instead']}"


def plain(text: str) -> str:
    """Text without marks: a link is its text, code between backquotes counts as one word.

    So does a list of code: names that a sentence lists make it no harder to read.
    """
    return CODES.sub("Code", CODE.sub("Code", LINK.sub(r"\1", IMAGE.sub("", text))))


def blocks(page: str) -> list[str]:
    """Paragraphs and items of lists; the words before a list belong to no item of it."""
    page = plain(FENCED.sub("\n\n", page))
    page = TABLE.sub("\n", HEADING.sub("\n", page))
    page = ITEM.sub("\n\n", page)
    found = (" ".join(block.split()) for block in re.split(r"\n\s*\n", page))
    return [LEAD.sub("", block).strip() for block in found if block]


def sentences(page: str) -> list[str]:
    """The sentences of a page. What a colon or a semicolon ends is no sentence of its own."""
    return [
        sentence
        for block in blocks(page)
        for sentence in END.split(block)
        if len(re.findall(r"\w+", sentence)) > 2
    ]


def cells(page: str) -> list[str]:
    """The sentences within the cells of tables."""
    rows = TABLE.findall(FENCED.sub("", plain(page)))
    return [s for row in rows for cell in row.split("|") for s in END.split(cell.strip()) if s]


def length(sentence: str) -> int:
    """The number of words: what blanks separate, and holds a letter or a digit."""
    return sum(any(c.isalnum() for c in word) for word in sentence.split())


def complaints(page: str) -> list[str]:
    """What is too long in a page."""
    prose = sentences(page)
    found = [
        f"{length(sentence)} words, at most {LONGEST}: {sentence}"
        for sentence in (*prose, *cells(page))
        if length(sentence) > LONGEST
    ]
    average = sum(map(length, prose)) / max(1, len(prose))
    if average > AVERAGE:
        found.append(f"{average:.1f} words a sentence on average, at most {AVERAGE}")
    return found
