"""Examples of docstrings and pages, run; and links of pages that lead nowhere."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
FENCED = re.compile(r"^```(?:python|pycon)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def modules(package: ModuleType) -> list[str]:
    """The modules of a package whose docstrings can be run."""
    inner = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    names = (package.__name__, *(module.name for module in inner))
    return [name for name in names if not name.endswith(("__main__", "_native"))]


def _failures(test: doctest.DocTest) -> str:
    output: list[str] = []
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(test, out=output.append, clear_globs=False)
    return "".join(output)


def failures_of_docstrings(name: str) -> Iterator[str]:
    """What the examples in a module print that they do not show."""
    module = importlib.import_module(name)
    tests = doctest.DocTestFinder(exclude_empty=True).find(module, name)
    yield from filter(None, map(_failures, tests))


def failures_of_page(page: Path) -> Iterator[str]:
    """The same of the blocks of a page, which run one after the other."""
    text = page.read_text()
    names: dict[str, object] = {}
    for block in FENCED.finditer(text):
        if ">>>" in block[1]:
            line = text[: block.start(1)].count("\n")
            test = doctest.DocTestParser().get_doctest(block[1], names, page.name, str(page), line)
            yield from filter(None, [_failures(test)])
            names = test.globs


def broken_links(page: Path) -> list[str]:
    """The links of a page to files that are not there."""
    targets = LINK.findall(page.read_text())
    return [each for each in targets if "://" not in each and not (page.parent / each).exists()]
