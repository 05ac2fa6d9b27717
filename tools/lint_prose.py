"""Checks the prose of pages, docstrings and messages: plain words, and short sentences.

Usage: python tools/lint_prose.py

Pages are README.md, CONTRIBUTING.md, CHANGELOG.md, those of docs/ and of benchmarks/; docstrings
and messages those of src/skerry. tests/project/words.toml has the phrases that are not used. Exits
with 1 if one is, or if a sentence, or those of a file on average, are too long.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
WORDS = ROOT / "tests/project/words.toml"

LONGEST = 35
"""Words of a sentence, at most."""
AVERAGE = 18
"""Words of the sentences of a file, on average, at most."""
MESSAGE = 4
"""Words from which a string of the code is prose."""

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
    """All pages of the product that are written by hand: those in folders of docs/ are others."""
    top = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    return [*top, *sorted((ROOT / "docs").glob("*.md"))]


def site_pages() -> list[Path]:
    """The pages that only the site has."""
    return sorted((ROOT / "docs/site").glob("*.md"))


def lab_pages() -> list[Path]:
    """The pages of the lab."""
    return sorted((ROOT / "benchmarks").rglob("*.md"))


def forbidden() -> list[Mapping[str, str]]:
    """The phrases that are not used, each with what is said instead."""
    table: list[Mapping[str, str]] = tomllib.loads(WORDS.read_text())["prose"]
    return table


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
    parts = (" ".join(block.split()) for block in re.split(r"\n\s*\n", page))
    return [LEAD.sub("", block).strip() for block in parts if block]


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
    return [*_too_long((*prose, *cells(page))), *_on_average(prose)]


def _too_long(prose: Iterable[str]) -> list[str]:
    return [
        f"{length(sentence)} words, at most {LONGEST}: {sentence}"
        for sentence in prose
        if length(sentence) > LONGEST
    ]


def _on_average(prose: list[str]) -> list[str]:
    average = sum(map(length, prose)) / max(1, len(prose))
    if average <= AVERAGE:
        return []
    return [f"{average:.1f} words a sentence on average, at most {AVERAGE}"]


class Text(NamedTuple):
    """A docstring or a message of a module."""

    line: int
    prose: str


def texts(source: str) -> Iterator[Text]:
    """Docstrings of a module, also of fields, and its messages: other strings of some words."""
    seen: set[ast.AST] = set()
    for node in ast.walk(ast.parse(source)):  # outer nodes first
        match node:
            case ast.Expr(value=ast.Constant(value=str(docstring)) as inner):
                seen.add(inner)
                yield Text(node.lineno, _plain_docstring(docstring))
            case ast.JoinedStr(values=parts):
                seen |= {*parts}
                words = (p.value if isinstance(p, ast.Constant) else "`x`" for p in parts)
                yield from _message(node.lineno, "".join(map(str, words)))
            case ast.Constant(value=str(text)) if node not in seen:
                yield from _message(node.lineno, text)


def _message(line: int, text: str) -> Iterator[Text]:
    """A string, unless it is too short or a program."""
    if len(text.split()) >= MESSAGE and "\nimport " not in f"\n{text}":
        yield Text(line, text)


def _plain_docstring(text: str) -> str:
    """A docstring without examples and names of sections; a blank line where the indent changes."""
    lines: list[str] = []
    indent, example = 0, False
    for line in inspect.cleandoc(text).splitlines():
        stripped = line.strip()
        example = bool(stripped) and (example or stripped.startswith(">>>"))
        if not stripped or example or set(stripped) <= {"-"}:
            lines.append("")
            continue
        here = len(line) - len(line.lstrip())
        if here != indent:
            lines.append("")
        indent = here
        lines.append(stripped)
    return "\n".join(lines).replace("``", "`")


def complaints_of_module(source: str, table: list[Mapping[str, str]]) -> Iterator[str]:
    """What is to be said otherwise in a module."""
    prose: list[str] = []
    for text in texts(source):
        for use in phrases(text.prose, table):
            line, _, phrase = use.partition(": ")
            yield f"{text.line + int(line) - 1}: {phrase}"
        own = sentences(text.prose)
        prose += own
        yield from (f"{text.line}: {long}" for long in _too_long(own))
    yield from _on_average(prose)


def complaints_of_all() -> Iterator[str]:
    """What is to be said otherwise in all files."""
    table = forbidden()
    modules = sorted((ROOT / "src/skerry").rglob("*.py"))
    for path in (*pages(), *site_pages(), *lab_pages(), *modules):
        name, text = str(path.relative_to(ROOT)), path.read_text()
        if path.suffix == ".py":
            lines = complaints_of_module(text, table)
        else:
            lines = chain(phrases(text, table), complaints(text))
        yield from (f"{name}: {line}" for line in lines)


def main() -> int:
    """Prints all complaints; gives the exit code."""
    lines = [*complaints_of_all()]
    print(*lines, sep="\n", end="\n" if lines else "")
    return bool(lines)


if __name__ == "__main__":
    sys.exit(main())
