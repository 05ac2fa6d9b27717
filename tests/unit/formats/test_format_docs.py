"""The table of formats in docs/files.md is that of the registry, and readers do what it says."""

from __future__ import annotations

import re

import pytest

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
