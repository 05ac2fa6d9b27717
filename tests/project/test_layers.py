"""Imports point only downwards, and ``import skerry`` brings in nothing heavy."""

from __future__ import annotations

import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import skerry

PACKAGE = Path(skerry.__file__).parent

LAYERS = (
    ("__main__",),
    ("cli",),
    ("report",),
    ("bench",),
    ("__init__",),
    ("api", "estimate"),
    ("solve_any",),
    ("fold",),
    ("solve",),
    ("incremental",),
    ("gpu",),
    ("components_device", "components_named"),
    ("components",),
    ("algorithms",),
    ("inputs", "data"),
    ("formats",),
    ("ids",),
    ("graph",),
    ("cuda",),
    ("plan", "threads"),
    ("errors", "_native"),
)
"""Top to bottom. A layer may import those below it, and each part of it only itself besides."""

RANK = {part: rank for rank, parts in enumerate(LAYERS) for part in parts}
HEAVY = ("scipy", "pyarrow", "rich", "typer", "networkx", "pandas", "numpy.ma", "skerry.cli")


def modules():
    """Names of all modules, with their files."""
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        name = parts if parts[-1] != "__init__" else parts[:-1]
        yield ".".join(("skerry", *name)), path


MODULES = dict(modules())


def part_of(module):
    """The part of the house that a module belongs to; what starts a part is above them all."""
    if module.endswith(".__main__"):
        return "__main__"
    return module.split(".")[1] if "." in module else "__init__"


def imports_of(path, late=True):
    """Modules of skerry that a file imports; without ``late``, only when it is imported itself."""
    tree = ast.parse(path.read_text())
    hidden = set()
    if not late:
        for node in ast.walk(tree):
            typing_only = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
            if typing_only or isinstance(node, ast.FunctionDef):
                hidden.update(ast.walk(node))
    for node in ast.walk(tree):
        if node in hidden:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("skerry"))
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: relative import"
            source = node.module or ""
            if source.split(".")[0] == "skerry":
                for alias in node.names:
                    whole = f"{source}.{alias.name}"
                    known = whole in MODULES or whole == "skerry._native"
                    yield whole if known else source


@pytest.mark.parametrize("module", MODULES)
def test_imports_point_downwards(module):
    own = part_of(module)
    assert own in RANK, f"{own} has no layer: say where it belongs in LAYERS"
    for imported in imports_of(MODULES[module]):
        other = part_of(imported)
        assert other == own or RANK[other] > RANK[own], f"{module} imports {imported}"


def test_no_cycles():
    graph = {name: {*imports_of(path, late=False)} - {name} for name, path in MODULES.items()}
    assert TopologicalSorter(graph).static_order()


def test_the_layers_are_all_in_use():
    assert {part_of(name) for name in MODULES} | {"_native"} >= set(RANK)


def fresh(code):
    """What a new interpreter prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_import_brings_in_nothing_heavy():
    loaded = fresh("import sys, skerry; print(*sys.modules)")
    assert "skerry.api" in loaded
    for name in HEAVY:
        assert not [one for one in loaded if one == name or one.startswith(f"{name}.")]
    allowed = {"skerry", "numpy"}
    outside = {
        one.split(".")[0]
        for one in set(loaded) - set(fresh("import sys, numpy; print(*sys.modules)"))
    }
    assert {one for one in outside - set(sys.stdlib_module_names) if one[0] != "_"} <= allowed
