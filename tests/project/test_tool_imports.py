"""What the tools import of us exists: some of them run where there is a GPU or a cluster only."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

import pytest

from skerry import UnsupportedError

TOOLS = sorted((Path(__file__).parents[2] / "tools").rglob("*.py"))


def imported_names(tree):
    """The names that a file imports from the package and from the tests' support."""
    handlers = [node for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler)]
    older = {node for handler in handlers for node in ast.walk(handler)}  # names of older versions
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node not in older:
            module = str(node.module)
            if module.split(".")[0] in ("skerry", "support"):
                yield from ((module, alias.name) for alias in node.names)


def missing_names(names):
    """Those that their module does not have, where what it needs is installed."""
    for module, name in names:
        try:
            if not hasattr(import_module(module), name):
                import_module(f"{module}.{name}")
        except UnsupportedError:
            continue
        except ImportError:
            yield f"{module}.{name}"


@pytest.mark.parametrize("path", TOOLS, ids=lambda path: path.name)
def test_imported_names_exist(path):
    assert not list(missing_names(imported_names(ast.parse(path.read_text()))))


def test_a_missing_name_is_found():
    tree = ast.parse("def late():\n    from skerry.errors import InputError, Magic")
    assert list(missing_names(imported_names(tree))) == ["skerry.errors.Magic"]
