"""How many numbers decide what "rows" does on a CPU; docs/algorithms.md has each with its value."""

from __future__ import annotations

import re

import pytest

from skerry_bench.records.constants import constants_of, read_constants
from support.paths import ROOT

PACKAGE = ROOT / "src/skerry"
KERNELS = PACKAGE / "kernels"
LIMIT = 12

SIZES = {
    "kLongRow": "entries of a row whose loop is a function of its own",
    "kSampleKey": "the seed of the draws",
    "kLeastSampled": "size of the sample",
    "kMostSampled": "size of the sample",
    "kDraws": "size of the sample",
    "kSampledSteps": "size of the sample",
}
"""Other numbers in the headers of "rows", none of which chooses between two ways."""

pytestmark = pytest.mark.skipif(not (ROOT / "docs").is_dir(), reason="the docs are not here")


def table_of(text):
    """The numbers of the first column of the table of constants."""
    rows = text.partition("| Constant |")[2].partition("\n\n")[0].splitlines()[2:]
    pairs = [pair for row in rows for pair in re.findall(r"`(\w+)` ([\d.,]*\d)", row.split("|")[1])]
    return {name: float(number.replace(",", "")) for name, number in pairs}


def problems(values, text, limit=LIMIT):
    """What is wrong with the numbers of the sources, or with the page's table of them."""
    table = table_of(text)
    many = [f"{len(values)} numbers decide, {limit} may"] if len(values) > limit else []
    differ = [
        f"{name}: {values.get(name)} in the sources, {table.get(name)} in the table"
        for name in sorted(values.keys() | table.keys())
        if values.get(name) != table.get(name)
    ]
    return many + differ


def headers(path, seen):
    """The files that a source includes, and those that they include."""
    if path.is_file() and path not in seen:
        seen.add(path)
        for name in re.findall(r'#include "([^"]+)"', path.read_text()):
            headers(KERNELS / name, seen)
    return seen


def test_few_numbers_decide_and_the_page_has_them():
    text = (ROOT / "docs/algorithms.md").read_text()
    assert problems(read_constants(PACKAGE, "cpu"), text) == []


def test_no_other_number_of_rows_is_left_out():
    own = KERNELS / "cpu/own"
    files = headers(own / "rows.cpp", set())
    assert len(files) > 10
    names = {
        name
        for path in files
        if path.parent == own
        for name in constants_of(path.read_text(), cpp=True)
    }
    assert names - read_constants(PACKAGE, "cpu").keys() == SIZES.keys()


PAGE = "| Constant | What |\n|---|---|\n| `kA` 0.5, `kB` 12,000 | x |\n\n| `kC` 3 |\n"


def test_what_the_checker_refuses():
    assert table_of(PAGE) == {"kA": 0.5, "kB": 12_000}
    assert problems({"kA": 0.5, "kB": 12_000}, PAGE) == []
    assert problems({"kA": 0.4, "kB": 12_000}, PAGE) == ["kA: 0.4 in the sources, 0.5 in the table"]
    assert problems({"kA": 0.5}, PAGE) == ["kB: None in the sources, 12000.0 in the table"]
    more = {"kA": 0.5, "kB": 12_000, "kC": 3}
    assert problems(more, PAGE) == ["kC: 3 in the sources, None in the table"]
    assert problems(more, PAGE, 2)[0] == "3 numbers decide, 2 may"
