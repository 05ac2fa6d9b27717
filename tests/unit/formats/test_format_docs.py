"""The table of formats in docs/files.md is that of the registry, and readers do what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import skerry
from skerry.cli.vertices import HEADINGS
from skerry.formats.columns import USUAL_NAMES, VERTEX_NAMES
from skerry.formats.open import open_edges
from skerry.formats.registry import AMBIGUOUS, FORMATS, format_named
from support.paths import ROOT
from support.sample_files import sample_file

READABLE = [format.name for format in FORMATS if format.read is not None]


def documented():
    """Name, suffixes and meaning of ids in every row of the table."""
    page = (ROOT / "docs/files.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| .* \| (.*?) \|$", page, re.MULTILINE)
    return {name: (re.findall("`(.*?)`", suffixes), ids) for name, suffixes, ids in rows}


def test_every_format_is_documented():
    assert list(documented()) == READABLE


@pytest.mark.parametrize("name", READABLE)
def test_a_row_is_right(name, tmp_path):
    suffixes, ids = documented()[name]
    assert [suffix for suffix in suffixes if suffix not in AMBIGUOUS[1:] or suffix == ".txt"] == [
        *format_named(name).suffixes,
        *format_named(name).descriptions,
    ]
    source = open_edges(sample_file(tmp_path, name), format=name)
    assert source.id_kind == format_named(name).id_kind
    expected = {0: "vertices 0..n-1", 1: "vertices 1..n"}[source.first_id]
    assert ids == ("external" if source.id_kind == "external" else expected)


# docs/columns.md lists the names of columns that are recognized, all of them and no other.

DOCS = (Path(__file__).parents[3] / "docs/columns.md").read_text()


def named(beginning: str, end: str) -> list[str]:
    text = DOCS.partition(beginning)[2].partition(end)[0]
    assert text, beginning
    return re.findall(r"`([^`]+)`", text)


def pairs() -> list[tuple[str, str]]:
    names = named("in upper or lower case:", ";\n2.")
    return list(zip(names[::2], names[1::2], strict=True))


def test_the_pairs_are_those_of_the_code_in_their_order() -> None:
    assert pairs() == list(USUAL_NAMES)


@pytest.mark.parametrize("pair", pairs(), ids="-".join)
def test_each_pair_is_recognized(pair: tuple[str, str], tmp_path: Path) -> None:
    first, second = pair
    path = tmp_path / "t.csv"
    path.write_text(f"{second.upper()},x,{first.upper()}\n1,8,2\n3,9,4\n")
    facts = skerry.io.read_edges(path, header=True).facts
    assert (facts.source, facts.target) == ((first.upper(),), (second.upper(),))


def test_names_of_columns_of_vertices() -> None:
    assert tuple(named("or in the column ", ". Otherwise")) == VERTEX_NAMES
    single = {name for pair in USUAL_NAMES for name in pair if len(name) > 1}
    listed = named("of more than one letter), ", "; `--vertices-header`")
    assert set(listed) == HEADINGS - single
