"""Pages are plain English: no phrase of words.toml, short sentences, and few words in all."""

from __future__ import annotations

import tomllib

import pytest

from support import prose
from support.paths import ROOT

TABLE = tomllib.loads((ROOT / "tests/project/words.toml").read_text())["prose"]
MOST_WORDS = 46_000
"""Of all pages, as `wc -w` counts, rounded up to the next thousand: lower it when pages shrink."""

# Pages whose text is still to be written in plain words. Empty this, then delete it.
NOT_YET = {
    *("algorithms.md", "benchmarks.md"),
    *("graphalytics.md", "peers.md", "report.md"),
}

over_pages = pytest.mark.parametrize(
    "page", [page for page in prose.pages() if page.name not in NOT_YET], ids=lambda page: page.name
)


@over_pages
def test_pages_use_plain_words(page):
    uses = list(prose.phrases(page.read_text(), TABLE))
    assert not uses, "\n".join(["phrases that words.toml replaces", *uses])


@over_pages
def test_sentences_are_short(page):
    complaints = prose.complaints(page.read_text())
    assert not complaints, "\n".join(complaints)


def test_the_pages_do_not_grow():
    words = sum(len(page.read_text().split()) for page in prose.pages())
    assert words <= MOST_WORDS, f"{words} words: say it in fewer, and each fact in one place"


def test_pages_that_are_left_out_exist():
    assert {page.name for page in prose.pages()} > NOT_YET


def test_phrases_are_found_over_line_breaks_and_as_words_only():
    text = "Edges that Pass\nby, and bypass bystanders: unmarked rows"
    assert list(prose.phrases(text, TABLE)) == ["1: 'pass by': are sent in chunks"]


@pytest.mark.parametrize("text", ["Files are read as one.", "It is told how.", "The house stands."])
def test_the_dialect_is_found(text):
    assert len(list(prose.phrases(text, TABLE))) == 1


LONG = "This sentence goes on " + "and on " * 16 + "here."


@pytest.mark.parametrize(
    "page",
    [
        LONG,
        f"- a list\n- {LONG}",
        f"1. a list\n2. {LONG}",
        f"| a | table |\n|---|---|\n| x | {LONG} |",
        LONG.replace("here", "[a link](of/no/word.md), `code` of it"),
        "\n".join(LONG.split()),
    ],
)
def test_a_long_sentence_is_found(page):
    short = "It has few words. " * 9
    (complaint,) = prose.complaints(f"# Title\n\n{short}\n\n{page}\n")
    assert "words, at most 35: " in complaint


def test_long_sentences_on_average_are_found():
    text = "Each of these sentences has nineteen words: " + "one, two, three, " * 4 + "."
    assert prose.complaints(f"{text}\n\n" * 3) == ["19.0 words a sentence on average, at most 18"]


@pytest.mark.parametrize(
    "page",
    [
        f"```python\n{LONG}\n```",
        f"# {LONG}",
        "One sentence has ten words and it ends right here. " * 5,
        "- an item of a list\n" * 20,
        "The names are " + ", ".join(f"`name{i}`" for i in range(40)) + " and `name41`.",
        "It is [a link](" + "/".join("abcdefghijklmnopqrstuvwxyzabcdefghijk") + ").",
    ],
)
def test_what_is_no_long_sentence(page):
    assert not prose.complaints(page)
