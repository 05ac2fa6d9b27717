"""Counts that the README states are those of the code."""

from __future__ import annotations

import re

import skerry
from skerry.formats.registry import FORMATS
from support.paths import ROOT

README = (ROOT / "README.md").read_text()


def test_algorithms():
    own = [spec for spec in skerry.catalog() if spec.paper == "docs/algorithms.md"]
    published = len(skerry.catalog()) - len(own)
    assert f"{published} and their ablations, and {len(own)} of our own" in README


def test_formats():
    readable = [format for format in FORMATS if format.read is not None]
    assert re.search(rf"\[{len(readable)} formats\]", README)
