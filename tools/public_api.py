"""Lists the public names with their signatures, and the commands with their options.

Usage: python tools/public_api.py [--write]

tests/project/public_api.txt holds the list; a test compares the two, so that a change of the public
contract is seen in a review. ``--write`` writes the file.
"""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
FILE = ROOT / "tests/project/public_api.txt"

PUBLIC = (
    "skerry",
    "skerry.io",
    "skerry.generators",
    "skerry.datasets",
    "skerry.ray",
    "skerry.spark",
    "skerry.csgraph",
    "skerry.networkx",
    "skerry.patch",
    "skerry.polars",
    "skerry.pyg",
    "skerry.splink",
    "skerry.dedupe",
    "skerry.recordlinkage",
    "skerry.text_dedup",
    "skerry.data_juicer",
)
"""The public modules, as docs/stability.md says."""

CONSTRUCTED = ("skerry.Csr", "skerry.Edges", "skerry.SlidingWindow", "skerry.UnionFind")
"""Public classes that callers construct; others they only receive."""


def names(module: str) -> Iterator[str]:
    """One line for each public name of a module, and for each public member of its classes."""
    loaded = importlib.import_module(module)
    for name in sorted(loaded.__all__):
        value = getattr(loaded, name)
        full = f"{module}.{name}"
        if inspect.isclass(value):
            yield from _class(full, value)
        elif callable(value):
            yield f"{full}{_signature(value)}"
        else:
            yield f"{full}: {type(value).__name__}"


def _class(full: str, value: type) -> Iterator[str]:
    # Members of our own bases that are not public are listed as those of the class itself.
    own = [base for base in value.__mro__ if base is value or _is_part(base)]
    others = [base for part in own for base in part.__bases__ if base not in (object, *own)]
    bases = ", ".join(dict.fromkeys(base.__name__ for base in others))
    constructor = str(_signature(value)) if full in CONSTRUCTED else ""
    yield f"{full}{constructor}{f' is a {bases}' if bases else ''}"
    if issubclass(value, Exception):
        return
    annotations: dict[str, Any] = {}
    for part in reversed(own):
        annotations |= vars(part).get("__annotations__", {})
    fields = {name: getattr(kind, "__forward_arg__", kind) for name, kind in annotations.items()}
    defined = {name for part in own for name in vars(part)}
    members = {name for name in {*defined, *fields} if not name.startswith("_")}
    for name in sorted(members):
        attribute = inspect.getattr_static(value, name, None)
        function = getattr(attribute, "__func__", attribute)
        if inspect.isfunction(function):
            yield f"{full}.{name}{_signature(function)}"
        elif name in fields:
            yield f"{full}.{name}: {fields[name]}"
        else:  # a property
            getter = getattr(attribute, "fget", None) or getattr(attribute, "func", None)
            kind = (
                inspect.signature(getter).return_annotation if getter else type(attribute).__name__
            )
            yield f"{full}.{name}: {kind}"


def _is_part(base: type) -> bool:
    """Whether a class is ours, and reachable only through those that inherit from it."""
    public = {getattr(importlib.import_module(module), base.__name__, None) for module in PUBLIC}
    return base.__module__.startswith("skerry.") and base not in public


def _signature(value: Any) -> str:
    """A signature in one line, annotations without quotes and objects without addresses."""
    text = re.sub(r" at 0x[0-9a-f]+", "", str(inspect.signature(value)))
    return re.sub(r"(: |-> )(['\"])(.*?)\2", r"\1\3", text)


def commands() -> Iterator[str]:
    """One line for each command, with its arguments and options."""
    from typer.main import get_command

    from skerry.cli.app import app

    yield from _command("skerry", get_command(app))


def _command(path: str, command: Any) -> Iterator[str]:
    parts = []
    for parameter in command.params:
        if getattr(parameter, "hidden", False):
            continue
        if parameter.param_type_name == "argument":
            parts.append(str(parameter.name).upper())
        else:
            parts.append("/".join([*parameter.opts, *parameter.secondary_opts]))
    yield " ".join([path, *parts])
    for name, inner in sorted(getattr(command, "commands", {}).items()):
        if not inner.hidden:
            yield from _command(f"{path} {name}", inner)


def generate() -> str:
    """The whole list."""
    lines = ["# Made by tools/public_api.py. What may change is said in docs/stability.md.", ""]
    for module in PUBLIC:
        lines += [*names(module), ""]
    return "\n".join([*lines, *commands()]) + "\n"


def main() -> int:
    """Prints the list, or writes it with ``--write``."""
    if "--write" in sys.argv[1:]:
        FILE.write_text(generate())
        print(FILE.relative_to(ROOT))
    else:
        print(generate(), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
