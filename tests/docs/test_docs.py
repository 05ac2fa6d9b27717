"""Examples in docstrings, in the README and in docs/ run and print what they say."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re

import pytest

import skerry
import skerry_bench
from support.paths import ROOT

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
MODULES = [
    "skerry",
    *(
        module.name
        for package in (skerry, skerry_bench)
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if not module.name.endswith(("__main__", "_native"))
    ),
]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCED = re.compile(r"^```(?:python|pycon)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def failures(test):
    output = []
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(test, out=output.append, clear_globs=False)
    return "".join(output)


NEED_CUPY = {
    f"skerry.cuda.{name}" for name in ("cupy_runtime", "edge_slot", "events", "launch", "staging")
}


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name, monkeypatch, tmp_path):
    if name in NEED_CUPY:
        pytest.importorskip("cupy")
    if name in ("skerry.sklearn", "skerry.datatrove"):  # their classes inherit from others'
        pytest.importorskip(name.removeprefix("skerry."))
    module = importlib.import_module(name)
    monkeypatch.chdir(tmp_path)  # examples may write files
    for test in doctest.DocTestFinder(exclude_empty=True).find(module, name):
        assert not failures(test)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages(page, monkeypatch, tmp_path):
    """The blocks of a page run one after the other, in a folder of its own."""
    if not page.exists():
        pytest.skip(f"no {page.name} yet")
    text = page.read_text()
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in FENCED.finditer(text):
        if ">>>" in block[1]:
            line = text[: block.start(1)].count("\n")
            test = doctest.DocTestParser().get_doctest(block[1], names, page.name, str(page), line)
            assert not failures(test)
            names = test.globs


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_within_the_repository(page):
    if not page.exists():
        pytest.skip(f"no {page.name} yet")
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_algorithm_is_documented():
    page = ROOT / "docs/algorithms.md"
    if not page.exists():
        pytest.skip("no docs/algorithms.md yet")
    text = page.read_text()
    for spec in skerry.catalog():
        assert f"`{spec.name}`" in text or f"### {spec.name}\n" in text, spec.name


def test_public_names_have_docstrings():
    for name in skerry.__all__:
        assert getattr(skerry, name).__doc__, name
