"""The ``console`` blocks of the README and docs/ run, and print what they show.

A block is a session of a shell: lines after ``$ `` are commands (a backslash at the end continues
a line), the lines after a command are its output, on either stream. ``...`` matches anything;
blanks are ignored; times, rates, sizes and numbers of threads may differ. A command that fails
shows its exit code in a line ``[exit code 2]``. The blocks of a page run in order in a folder of
their own; blocks of ``console no-run`` do not run.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.paths import ROOT

FENCED = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = [
    page
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
    if FENCED.search(page.read_text())
]
LOOSE = (
    (r"\b\d[\d.]*(e[+-]?\d+)? (ms|s)\b", "TIME"),
    (r"\b\d[\d.]* (million |thousand |billion )?edges a second", "SPEED"),
    (r"\b\d[\d.]* (bytes|kB|MB|GB) a second", "SPEED"),
    (r"\b\d+ threads?\b", "THREADS"),
    (r"\b\d[\d.]* (bytes|kB|MB|GB)\b", "SIZE"),  # as it compresses, by versions of libraries
)


def sessions(block: str) -> Iterator[tuple[str, str]]:
    """Each command of a block, and its expected output."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, shown = re.sub(r"\\\n", " ", part).partition("\n")
        yield command, shown


def loosely(text: str) -> str:
    for pattern, word in LOOSE:
        text = re.sub(pattern, word, text)
    return "\n".join(line.strip() for line in text.splitlines() if line.strip()) + "\n"


def matches(shown: str, printed: str) -> bool:
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    return doctest.OutputChecker().check_output(loosely(shown), loosely(printed), flags)


@pytest.fixture
def shell(tmp_path: Path):
    """Runs a line in bash, where `skerry` and `python` are of this Python; gives what it prints."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, options in (("skerry", " -m skerry"), ("python", "")):
        (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}"{options} "$@"\n')
        (programs / name).chmod(0o755)
    (tmp_path / "work").mkdir()
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "PYTHONIOENCODING": "ascii:replace"}

    def run(command: str) -> str:
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command],
            cwd=tmp_path / "work",
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
            check=False,
        )
        code = f"[exit code {done.returncode}]\n" if done.returncode else ""
        return done.stdout + code

    return run


@pytest.mark.skipif(sys.platform == "win32", reason="the commands are for bash")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_sessions(page: Path, shell) -> None:
    for block in FENCED.finditer(page.read_text()):
        for command, shown in sessions(block[1]):
            printed = shell(command)
            assert matches(shown, printed), f"{page.name}: $ {command}\n{printed}"


def test_the_harness_can_fail() -> None:
    assert matches("took 3 ms, ... edges\n", "took  17.2 s, 5 edges\n")
    assert not matches("found 3 components\n", "found 4 components\n")
    assert not matches("", "anything\n")
    assert list(sessions("$ a \\\n  b\nx\ny\n$ c\n")) == [("a    b", "x\ny\n"), ("c", "")]


def test_every_command_is_on_the_page() -> None:
    from skerry.cli.app import app

    text = (ROOT / "docs" / "command-line.md").read_text()
    names = [info.name or info.callback.__name__ for info in app.registered_commands]
    for name in (*names, "generate", "graphs", "graphs get", "graphs make"):
        assert f"\n## skerry {name}\n" in text or f"\n### skerry {name}\n" in text, name
        assert re.search(rf"^\$ skerry {name}\b", text, re.MULTILINE), name
