"""The public contract: names, signatures and commands are those of the committed list."""

from __future__ import annotations

import difflib
import importlib.util
import re

import pytest

from support.paths import ROOT

STABILITY = ROOT / "docs/stability.md"


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("public_api", ROOT / "tools/public_api.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_list_is_up_to_date(tool):
    committed = tool.FILE.read_text().splitlines()
    lines = list(difflib.unified_diff(committed, tool.generate().splitlines(), lineterm="", n=0))
    advice = "the public contract has changed; if that is meant: python tools/public_api.py --write"
    assert not lines, "\n".join([advice, *lines])


def test_a_change_is_seen(tool, monkeypatch):
    import skerry

    def verify(graph, labels, tolerance=0):
        """Another signature."""

    monkeypatch.setattr(skerry, "verify", verify)
    monkeypatch.setattr(skerry, "__all__", [*skerry.__all__[:-2], "verify", "__version__"])
    lines = list(tool.names("skerry"))
    assert "skerry.verify(graph, labels, tolerance=0)" in lines
    assert "skerry.__version__: str" in lines
    assert lines != [line for line in tool.FILE.read_text().splitlines() if "skerry." in line]


def test_no_address_and_no_path_is_in_the_list(tool):
    assert not re.search(r"0x[0-9a-f]{6}|/home|\.venv|ForwardRef", tool.FILE.read_text())


def test_the_page_names_the_public_modules(tool):
    page = STABILITY.read_text()
    public = page.split("## What is public")[1].split("\n## ")[0]
    assert {*re.findall(r"^- `(skerry[\w.]*)`", public, re.M)} == {*tool.PUBLIC}
