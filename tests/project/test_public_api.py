"""The public contract: names, signatures and commands are those of the committed list."""

from __future__ import annotations

import difflib
import importlib.util
import re
import subprocess
import sys
import tomllib

import pytest

from support.paths import ROOT

STABILITY = ROOT / "docs/stability.md"


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("public_api", ROOT / "tools/public_api.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("file, make", [("FILE", "generate"), ("PAGE", "reference")])
def test_the_lists_are_up_to_date(tool, file, make):
    committed = getattr(tool, file).read_text().splitlines()
    made = getattr(tool, make)().splitlines()
    lines = list(difflib.unified_diff(committed, made, lineterm="", n=0))
    advice = "the public contract has changed; if that is meant: python tools/public_api.py --write"
    assert not lines, "\n".join([advice, *lines])


def test_a_changed_option_is_seen(tool, monkeypatch):
    (_, command), *_ = [entry for entry in tool.commands() if entry[0] == "skerry info"]
    monkeypatch.setattr(tool, "commands", lambda: [("skerry info", command)])
    count = next(option for option in command.params if option.name == "count")
    monkeypatch.setattr(count, "help", "Another text.")
    line = "| `--count`, `--no-count` | Another text. |"
    assert line in tool.reference() and line not in tool.PAGE.read_text()


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


def test_public_modules_need_no_more_than_make_lint_installs(tool):
    """`make lint` imports them all; in CI it runs before the packages of the tests are there."""
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]
    tests, lint = ({_package(line) for line in groups[name]} for name in ("test", "lint"))
    blocked = sorted(tests - lint)
    assert {"scipy", "pandas", "networkx"} <= set(blocked)
    program = (
        f"import importlib, sys\nsys.modules.update(dict.fromkeys({blocked}))\n"
        f"for module in {tool.PUBLIC}: importlib.import_module(module)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def _package(line):
    return re.match(r"[\w-]+", line)[0].replace("-", "_")
