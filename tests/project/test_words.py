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


PYTHON = '''
class Noted(Wish):
    """A comment or a text about what was told or found is none of this test's business."""
    def _told(self, most, *, one=1): self.place = [whole for whole in self.told]
    async def fold_all(): other.place; print(told, "told", found=1)
except_nobody = one_direction = foundation = placement = 1
'''
NATIVE = r"""
// told in a comment
const char* said = "whole \" told"; const char quote = '\''; auto raw = R"(told)";
int place = 1'000'000;
template <class Rest> void fill_nobody(Rest rest) { kNobody; tolding(); }
"""


def test_names_are_found_in_code_alone():
    found = {use.name for use in words.uses("src/x.py", PYTHON, WORDS)}
    defined = {"Noted", "_told", "most", "one", "place", "whole", "fold_all", "found"}
    assert found == defined | {"except_nobody"}
    uses = [(use.line, use.name) for use in words.uses("src/x.cu", NATIVE, WORDS)]
    assert uses == [(4, "place"), (5, "Rest"), (5, "fill_nobody"), (5, "kNobody")]
    assert not words.uses("src/facts.py", "facts = rest = words = lanes = mark = 1", WORDS)


@pytest.mark.parametrize(
    "path",
    ["src/told.py", "src/a/rest.h", "src/skerry/cli/facts.py", "src/skerry/formats/ahead.py"],
)
def test_file_names_are_checked(path):
    (use,) = words.uses(path, "", WORDS)
    assert use.line == 0 and str(use).startswith(f"{path}:0: ")


def test_the_list():
    assert all(entry.match in ("name", "part", "class", "file") for entry in WORDS)
    assert all(entry.language in ("", "python", "native") for entry in WORDS)
