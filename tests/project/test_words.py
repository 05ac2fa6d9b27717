"""Names use the words of the field: those of tests/project/words.toml are gone."""

from __future__ import annotations

import tomllib

import pytest

from support import words
from support.paths import ROOT

TABLE = tomllib.loads((ROOT / "tests/project/words.toml").read_text())
WORDS = [words.Word(**entry) for entry in TABLE["word"]]
FOLDERS = ("src", "benchmarks/src", "benchmarks/tools", "tools")


def test_names_use_the_words_of_the_field():
    uses = [
        use
        for path, text in words.sources(
            ROOT, ("src", "benchmarks/src", "benchmarks/tools", "tools")
        )
        for use in words.uses(path, text, WORDS)
    ]
    assert not uses, "\n".join(["names that words.toml replaces", *map(str, uses)])


def names(uses):
    return [use.name for use in uses]


def test_python_names_are_checked():
    text = '''
import contender as rival, rival as contender
class Noted(Wish):
    """A comment or a text about what was told, found or given is none of this test's business."""
    least: int
    def _told(self, most, *, one=1, **given): self.place = [whole for whole in self.told]
async def fold_all():
    try: call(found=1); other.place; print(told, "told")
    except Exception as wish: pass
    for (laps, other) in x: ask_again = lambda moment: 1
    (kNobody := 1); one_direction = foundation = placement = 1
    match x:
        case {"a": ours, **making}: pass
'''
    expected = (
        *("contender", "Noted", "least", "_told", "most", "one", "given", "place", "whole"),
        *("fold_all", "found", "wish", "laps", "ask_again", "moment", "kNobody", "ours", "making"),
    )
    assert {*names(words.uses("src/x.py", text, WORDS))} == {*expected}


def test_native_names_are_checked():
    text = r"""
// told in a comment
/* found
   in one */
#include "place.h"
const char* said = "whole \" told"; const char quote = '\''; auto raw = R"(told)";
int place = 1'000'000;
template <class Rest> void fill_nobody(Rest rest) { kNobody; wayOf(); way_of(); tolding(); }
"""
    uses = words.uses("src/x.cu", text, WORDS)
    assert [(use.line, use.name) for use in uses] == [
        (7, "place"),
        (8, "Rest"),
        (8, "fill_nobody"),
        (8, "kNobody"),
        (8, "wayOf"),
        (8, "way_of"),
    ]


@pytest.mark.parametrize(
    "path",
    ["src/told.py", "src/a/rest.h", "src/skerry/cli/facts.py", "src/skerry/formats/ahead.py"],
)
def test_file_names_are_checked(path):
    (use,) = words.uses(path, "", WORDS)
    assert use.line == 0 and str(use).startswith(f"{path}:0: ")


def test_other_names_are_left_alone():
    assert not words.uses("src/facts.py", "facts = rest = words = lanes = mark = 1", WORDS)


def test_the_list():
    assert all(entry.match in ("name", "part", "class", "file") for entry in WORDS)
    assert all(entry.language in ("", "python", "native") for entry in WORDS)
