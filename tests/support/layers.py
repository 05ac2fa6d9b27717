"""What modules import, read from their source text: layers, circles, late imports, type tests.

Every function takes a mapping from the name of a module to its source, so a test can check the
package as it is and can also feed in a house with a fault.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

Layers = Sequence[Collection[str]]

COMPILED = frozenset({"skerry._native"})
"""Modules of ours that have no Python source."""


class Import(NamedTuple):
    """One import of a module of ours by another."""

    importer: str
    imported: str
    line: int
    late: bool  # inside a function: it runs when the function is called
    typing_only: bool  # under `if TYPE_CHECKING:`: it never runs

    def __str__(self) -> str:
        return f"{self.importer}:{self.line} imports {self.imported}"


def read_sources(*roots: Path) -> dict[str, str]:
    """Module name -> source text of every Python file below folders of packages."""
    sources = {}
    for root in roots:
        for path in sorted(root.rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            parts = parts[:-1] if parts[-1] == "__init__" else parts
            sources[".".join(parts)] = path.read_text(encoding="utf-8")
    return sources


def imports(sources: Mapping[str, str]) -> list[Import]:
    """All imports between the modules of ``sources``, and of the compiled ones.

    ``from package import name`` is an import of the module ``package.name`` where there is one,
    else of ``package``. The full name of a module in a string counts like a late import: it is what
    ``import_module`` is called with, there or from a table.
    """
    known = frozenset({*COMPILED, *sources})
    return [each for module, text in sources.items() for each in _imports_of(module, text, known)]


@cache  # several tests go through all sources
def _imports_of(importer: str, text: str, known: frozenset[str]) -> list[Import]:
    result = []
    for node, late, typing_only in _walk(ast.parse(text), False, False):
        for name in sorted({*_imported(node, known, importer)}):
            by_name = isinstance(node, ast.Constant)
            result.append(Import(importer, name, node.lineno, late or by_name, typing_only))
    return result


def _walk(node: ast.AST, late: bool, typing_only: bool) -> Iterator[tuple[ast.AST, bool, bool]]:
    """Every node below another, with whether it lies in a function and under TYPE_CHECKING."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call) and _is_resources(child.func):
            continue  # files("package") are those beside the module, not the module
        yield child, late, typing_only
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from _walk(child, True, typing_only)
        elif isinstance(child, ast.If) and _is_type_checking(child.test):
            body = ast.Module(child.body, [])
            rest = ast.Module(child.orelse, [])
            yield from _walk(body, late, True)
            yield from _walk(rest, late, typing_only)
        else:
            yield from _walk(child, late, typing_only)


def _is_resources(function: ast.expr) -> bool:
    return getattr(function, "attr", getattr(function, "id", "")) == "files"


def _is_type_checking(test: ast.expr) -> bool:
    name = test.attr if isinstance(test, ast.Attribute) else getattr(test, "id", "")
    return name == "TYPE_CHECKING"


def _imported(node: ast.AST, known: Collection[str], importer: str) -> Iterator[str]:
    """The modules of ours that one node imports."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name in known)
    elif isinstance(node, ast.ImportFrom):
        if node.level:
            raise ValueError(f"{importer}:{node.lineno}: a relative import; write its full name")
        for alias in node.names:
            full = f"{node.module}.{alias.name}"
            name = full if full in known else node.module
            if name in known:
                yield name
    elif isinstance(node, ast.Constant) and node.value in known and "." in node.value:
        yield node.value


def circles(sources: Mapping[str, str]) -> list[list[str]]:
    """Sets of modules that import each other; late imports and those for types count."""
    graph: dict[str, set[str]] = {name: set() for name in sources}
    for each in imports(sources):
        if each.imported in graph and each.imported != each.importer:
            graph[each.importer].add(each.imported)
    return [sorted(names) for names in _strongly_connected(graph) if len(names) > 1]


def _strongly_connected(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Kosaraju's two searches: the order of leaving, then components of the reversed graph."""
    order: list[str] = []
    seen: set[str] = set()
    for root in sorted(graph):
        stack = [(root, iter(sorted(graph[root])))] if root not in seen else []
        seen.add(root)
        while stack:
            vertex, rest = stack[-1]
            neighbor = next((name for name in rest if name not in seen), None)
            if neighbor is None:
                order.append(vertex)
                stack.pop()
            else:
                seen.add(neighbor)
                stack.append((neighbor, iter(sorted(graph[neighbor]))))
    reverse: dict[str, set[str]] = {name: set() for name in graph}
    for name, targets in graph.items():
        for target in targets:
            reverse[target].add(name)
    components, placed = [], set()
    for root in reversed(order):
        if root in placed:
            continue
        component, open_vertices = [], [root]
        placed.add(root)
        while open_vertices:
            vertex = open_vertices.pop()
            component.append(vertex)
            fresh = reverse[vertex] - placed
            placed |= fresh
            open_vertices.extend(fresh)
        components.append(component)
    return components


def part_of(module: str, layers: Layers) -> str | None:
    """The longest entry of the table of layers that a module belongs to.

    The entry of a top package (``skerry``) stands for its own module only, not for all below it,
    unless the table has nothing deeper for that package (``_skerry_networkx``).
    """
    entries = {entry for layer in layers for entry in layer}
    name = module
    while name not in entries:
        name, dot, _ = name.rpartition(".")
        if not dot:
            return None
    deeper = any(entry.startswith(f"{name}.") for entry in entries)
    return None if name != module and "." not in name and deeper else name


def layer_violations(
    sources: Mapping[str, str],
    layers: Layers,
    only: Mapping[str, Collection[str]],
) -> list[str]:
    """Imports that point upwards or sideways, or that ``only`` does not allow.

    Parts of one layer do not import each other. ``only`` says for a part all the other parts that
    it may import. Typing-only imports count here: a type is a dependency too.
    """
    rank = {entry: number for number, layer in enumerate(layers) for entry in layer}
    violations = [
        f"{name} has no layer: say where it belongs in LAYERS"
        for name in sources
        if part_of(name, layers) is None
    ]
    for each in imports(sources):
        importer, imported = part_of(each.importer, layers), part_of(each.imported, layers)
        if importer is None or imported is None or importer == imported:
            continue
        if rank[imported] <= rank[importer]:
            violations.append(f"{each}, which is not below it")
        elif importer in only and imported not in only[importer]:
            violations.append(f"{each}, but {importer} may import {', '.join(only[importer])} only")
    return violations


def allowance(module: str, allowed: Collection[str]) -> str | None:
    """The longest of some names that a module is, or lies below."""
    while module not in allowed:
        module, dot, _ = module.rpartition(".")
        if not dot:
            return None
    return module


def late_imports(sources: Mapping[str, str]) -> Counter[str]:
    """How many imports of our own modules each module does inside functions."""
    return Counter(each.importer for each in imports(sources) if each.late and not each.typing_only)


def type_tests(sources: Mapping[str, str], types: Collection[str]) -> Counter[str]:
    """How many ``isinstance`` calls (and ``case Type():``) on some types each module has."""
    counts: Counter[str] = Counter()
    for module, text in sources.items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "isinstance":
                tested = node.args[1:]
            elif isinstance(node, ast.MatchClass):
                tested = [node.cls]
            else:
                continue
            names = {
                getattr(part, "attr", getattr(part, "id", ""))
                for tree in tested
                for part in ast.walk(tree)
            }
            if names & set(types):
                counts[module] += 1
    return counts
