"""Finds a figure or table of a paper by its number: "ECL-CC fig 9", "thesis figure 6.2"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from skerry.errors import ArgumentError
from skerry_bench.report.figures.model import Figure
from skerry_bench.report.published import PAPERS
from skerry_bench.report.tables import PaperTable

ASKED = re.compile(r"^(.*?)\b(fig|table)\w*\.?\s*((?:A\.)?\d+(?:\.\d+)?)\s*$", re.IGNORECASE)


def find_figure(entries: Iterable[Figure | PaperTable], text: str) -> Figure | PaperTable:
    """The figure or table that a text such as ``"ECL-CC fig 9"`` names."""
    asked = ASKED.match(text.strip())
    if asked is None:
        raise ArgumentError(f"--figure {text!r}: write a paper and a number: 'ECL-CC fig 9'")
    paper = _paper(asked[1].strip())
    known = []
    for entry in entries:
        kinds = numbers_of(entry.where, entry.paper, paper)
        if (asked[2].lower(), asked[3].upper()) in kinds:
            return entry
        if kinds:
            known.append(entry.where)
    raise ArgumentError(f"the report has no {text!r}; of {paper} it has {', '.join(known)}")


def _paper(words: str) -> str:
    for name, title in PAPERS.items():
        if words and re.search(rf"\b{re.escape(words)}", f"{name}, {title}", re.IGNORECASE):
            return name
    raise ArgumentError(f"--figure: no paper {words!r}; there are {', '.join(PAPERS)}")


def numbers_of(where: str, own: str, paper: str) -> set[tuple[str, str]]:
    """The numbers of figures and tables of ``paper`` in a reference of the paper ``own``.

    >>> sorted(numbers_of("Figs. 5 and 6; thesis Fig. 6.7", "ECL-CC", "ECL-CC"))
    [('fig', '5'), ('fig', '6')]
    """
    all_numbers: set[tuple[str, str]] = set()
    for part in where.split("; "):
        named = next((name for name in PAPERS if part.startswith(name)), own)
        kind = re.search(r"fig|table", part, re.IGNORECASE)
        if named == paper and kind is not None:
            numbers = re.findall(r"(?:A\.)?\d+(?:\.\d+)?", part[kind.end() :])
            all_numbers |= {(kind[0].lower(), number) for number in numbers}
    return all_numbers
