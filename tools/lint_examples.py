"""Checks the examples of all pages with mypy and pyright, as a reader's editor would.

Usage: python tools/lint_examples.py

Each page becomes a module of build/examples whose lines have the numbers of the page: a complaint
about files.py:17 is about line 17 of docs/files.md. Doctests are one program per page; a block
without prompts is a program of its own, and what it does not define comes from
tools/example_names.pyi. tests/project/types_of_answers.py is checked with them.
"""

from __future__ import annotations

import ast
import builtins
import doctest
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "build/examples/doc_examples"
NAMES = ROOT / "tools/example_names.pyi"
TYPED = ROOT / "tests/project/types_of_answers.py"
PACKAGE = "doc_examples"
FENCED = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
PYRIGHT = {
    "extraPaths": [str(ROOT / "src")],
    "reportMissingImports": False,  # packages that only some examples need
    "reportMissingModuleSource": False,
    "reportUnusedExpression": False,  # a doctest shows its value
}


def programs(page: Path) -> Iterator[tuple[str, str]]:
    """The programs of a page: the end of the name of each, and its text."""
    text = page.read_text()
    session: dict[int, str] = {}
    for block in FENCED.finditer(text):
        first = text.count("\n", 0, block.start(1)) + 1
        lines = block[1].splitlines()
        if ">>>" in block[1]:
            for example in doctest.DocTestParser().get_examples(block[1]):
                for number, line in enumerate(example.source.splitlines()):
                    session[first + example.lineno + number] = line
        else:
            yield f"_{first}", _program(dict(enumerate(lines, first)))
    if session:
        yield "", _program(session)


def _program(lines: dict[int, str]) -> str:
    """A program with its lines where they are in the page; the first is free, it has the title."""
    text = "\n".join(lines.get(number, "") for number in range(1, max(lines) + 1)) + "\n"
    tree = ast.walk(ast.parse(text))
    used, bound = set[str](), set[str](dir(builtins))
    for node in tree:
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else bound).add(node.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            bound.update((each.asname or each.name).partition(".")[0] for each in node.names)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            bound.add(node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
    missing = ", ".join(sorted(used - bound))
    return f"from {PACKAGE}.names import {missing}{text}" if missing else text


def write() -> None:
    """Writes all programs."""
    shutil.rmtree(FOLDER.parent, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    (FOLDER / "__init__.py").touch()
    shutil.copy(NAMES, FOLDER / "names.pyi")
    shutil.copy(TYPED, FOLDER)
    (FOLDER.parent / "pyrightconfig.json").write_text(json.dumps(PYRIGHT))
    pages = {"project": ROOT / "README.md"}
    for folder in ("docs", "benchmarks/docs"):
        pages |= {page.stem: page for page in sorted((ROOT / folder).glob("[!R]*.md"))}
    for name, page in pages.items():
        for end, text in programs(page):
            (FOLDER / f"{name.lower().replace('-', '_')}{end}.py").write_text(text)


def main() -> int:
    """Runs both checkers side by side; gives the exit code."""
    write()
    tools = Path(sys.executable).parent
    # With the settings and in the folder of `mypy --strict`, whose cache of the sources is used.
    commands = (
        ([tools / "mypy", "--strict", FOLDER.relative_to(ROOT)], ROOT),
        ([tools / "pyright", "--pythonpath", sys.executable], FOLDER.parent),
    )
    started = [subprocess.Popen(command, cwd=folder) for command, folder in commands]
    codes = [process.wait() for process in started]
    return int(any(codes))


if __name__ == "__main__":
    sys.exit(main())
