"""Pages, docstrings and messages are plain English: tools/lint_prose.py, which `make lint` runs."""

from __future__ import annotations

import importlib.util
import sys

import pytest

from support.paths import ROOT

MOST_WORDS = 43_500
"""Of all pages, as `wc -w` counts, rounded up to the next 500: lower it when pages shrink."""

SPEC = importlib.util.spec_from_file_location("lint_prose", ROOT / "tools/lint_prose.py")
prose = importlib.util.module_from_spec(SPEC)
sys.modules["lint_prose"] = prose
SPEC.loader.exec_module(prose)
TABLE = prose.forbidden()


def test_the_prose_is_plain(capsys):
    assert prose.main() == 0, capsys.readouterr().out


def test_the_pages_do_not_grow():
    words = sum(len(page.read_text().split()) for page in prose.pages())
    assert words <= MOST_WORDS, f"{words} words: say it in fewer, and each fact in one place"


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


@pytest.mark.parametrize(
    "module",
    [
        '"""It is told how."""',
        'def f():\n    """Adds.\n\n    It is told how.\n    """',
        'class A:\n    x: int\n    """What it is told, and how."""',
        'raise ValueError("the files are read as one")',
        'raise ValueError(f"the file {name} is read as one")',
        'def refusal(self):\n    return "that is what " "nobody said"',
    ],
)
def test_the_dialect_of_a_module_is_found(module):
    (complaint,) = prose.complaints_of_module(module, TABLE)
    assert "told" in complaint or "as one" in complaint or "nobody" in complaint


@pytest.mark.parametrize(
    "module",
    [
        f'"""{LONG}"""',
        f'"""Adds.\n\nParameters\n----------\nx\n    {LONG}\ny\n    Other.\n"""',
        f'"""Adds.\n\n>>> 1\n1\n\n{LONG}\n"""',
        f'raise ValueError("{LONG}")',
    ],
)
def test_a_long_sentence_of_a_module_is_found(module):
    short = "x = [" + "'It has few words.', " * 9 + "]"
    (complaint,) = prose.complaints_of_module(f"{module}\n{short}", TABLE)
    assert complaint.startswith("1: ") and "words, at most 35: " in complaint


@pytest.mark.parametrize(
    "module",
    [
        'told = "as one"',
        f'"""Adds.\n\n>>> f("{LONG}")\n{LONG}\n"""',
        f'PROGRAM = "import os\\n# {LONG}"',
        f"# {LONG}",
        '"""Adds.\n\nParameters\n----------\n' + "name\n    An integer\n" * 40 + '"""',
    ],
)
def test_what_is_no_prose_of_a_module(module):
    assert not list(prose.complaints_of_module(module, TABLE))
