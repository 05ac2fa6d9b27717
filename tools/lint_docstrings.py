"""Checks the docstrings of public names: numpydoc's sections, and parameters as they are.

Usage: python tools/lint_docstrings.py [MODULE ...]

Without arguments, the public modules of docs/stability.md. What each needs:

- a function: Parameters, Returns, Raises and Examples (Raises where it has parameters);
- a class that callers construct: Parameters and Examples;
- a class that callers only receive: all fields, in Parameters, in Attributes or below each;
- a method: Parameters and Returns, where it has any;
- an error: what it means.

Types stand in the signatures. Exits with 1 where something is missing, and lists it.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
import textwrap
from collections.abc import Iterator
from typing import Any, NamedTuple

from numpydoc.docscrape import NumpyDocString
from numpydoc.validate import validate
from public_api import CONSTRUCTED, PUBLIC

CHECKS = {
    "GL01", "GL02", "GL05", "GL06", "GL07", "GL08", "GL09",  # layout, order and names of sections
    "SS01", "SS04", "SS06",  # a summary, in one line
    "PR01", "PR02", "PR03", "PR07",  # every parameter, in order, with a description
    "RT01", "RT03",  # what it returns
}  # fmt: skip
"""Codes of numpydoc.validate that count."""


class Complaint(NamedTuple):
    """One thing that a docstring lacks."""

    name: str
    code: str
    text: str

    def __str__(self) -> str:
        return f"{self.name}: {self.code} {self.text}"


def public_names(module: str) -> Iterator[tuple[str, object]]:
    """Full names and objects of what ``__all__`` of a module lists, and of their own members."""
    loaded = importlib.import_module(module)
    for name in loaded.__all__:
        value = getattr(loaded, name)
        if not callable(value):
            continue
        yield f"{module}.{name}", value
        if inspect.isclass(value):
            for member, attribute in vars(value).items():
                function = getattr(attribute, "__func__", attribute)
                if not member.startswith("_") and (
                    inspect.isfunction(function) or isinstance(function, property)
                ):
                    yield f"{module}.{name}.{member}", function


def lint(name: str, value: Any) -> Iterator[Complaint]:
    """What the docstring of one public name lacks."""
    doc = inspect.getdoc(value)
    if not doc:
        yield Complaint(name, "GL08", "no docstring")
        return
    if isinstance(value, property) or (inspect.isclass(value) and issubclass(value, Exception)):
        return
    parsed = NumpyDocString(doc)
    received = inspect.isclass(value) and name not in CONSTRUCTED and not parsed["Parameters"]
    if received:
        wanted = []
        described = {entry.name for entry in parsed["Attributes"]}
        for field in _undocumented_fields(value):
            if field not in described:
                yield Complaint(name, "field", f"{field} is not described")
    elif inspect.isclass(value):
        wanted = ["Parameters", "Examples"] if name in CONSTRUCTED else []
    elif name.rpartition(".")[0] in PUBLIC:
        wanted = ["Raises", "Examples"] if inspect.signature(value).parameters else ["Examples"]
    else:
        wanted = []
    for section in wanted:
        if not parsed[section]:
            yield Complaint(name, section, "section is missing")
    for code, text in validate(name)["errors"]:
        if code in CHECKS and not (received and code == "PR01"):
            yield Complaint(name, code, text)


def _undocumented_fields(value: type) -> Iterator[str]:
    """Public fields of a class that are not followed by a docstring."""
    body = ast.parse(textwrap.dedent(inspect.getsource(value))).body[0].body  # type: ignore[attr-defined]
    for node, following in zip(body, [*body[1:], None], strict=True):
        if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name):
            continue
        text = following.value if isinstance(following, ast.Expr) else None
        documented = isinstance(text, ast.Constant) and isinstance(text.value, str)
        if not documented and not node.target.id.startswith("_"):
            yield node.target.id


def main() -> int:
    """Prints all complaints; gives the exit code."""
    modules = sys.argv[1:] or PUBLIC
    checked, complaints = 0, []
    for module in modules:
        for name, value in public_names(module):
            checked += 1
            complaints += lint(name, value)
    print(*complaints, sep="\n", end="\n" if complaints else "")
    print(f"{checked} public names, {len(complaints)} complaints")
    return bool(complaints)


if __name__ == "__main__":
    sys.exit(main())
