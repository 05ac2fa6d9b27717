"""Lists the public names with their signatures, and the commands with their options.

Usage: python tools/public_api.py [--write]

tests/project/public_api.txt holds the list, docs/options.md has the options of the commands. A test
compares both with the code, so that a change of the public contract is seen in a review.
``--write`` writes both.
"""

from __future__ import annotations

import enum
import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, get_args

from typer.utils import get_params_from_function

ROOT = Path(__file__).parent.parent
FILE = ROOT / "tests/project/public_api.txt"
PAGE = ROOT / "docs/options.md"

PUBLIC = (
    "skerry",
    "skerry.io",
    "skerry.generators",
    "skerry.datasets",
    "skerry.ray",
    "skerry.spark",
    "skerry.csgraph",
    "skerry.ndimage",
    "skerry.skimage",
    "skerry.cc3d",
    "skerry.sam2",
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


def commands() -> Iterator[tuple[str, Any]]:
    """Each command that is not hidden, with what is typed for it."""
    from typer.main import get_command

    from skerry.cli.app import app

    yield from _commands("skerry", get_command(app))


def _commands(path: str, command: Any) -> Iterator[tuple[str, Any]]:
    yield path, command
    for name, inner in sorted(getattr(command, "commands", {}).items()):
        if not inner.hidden:
            yield from _commands(f"{path} {name}", inner)


def _parameters(command: Any) -> list[Any]:
    return [entry for entry in command.params if not getattr(entry, "hidden", False)]


def _line(path: str, command: Any) -> str:
    """One line for a command, with its arguments and options."""
    parts = [
        str(entry.name).upper() if _is_argument(entry) else "/".join(_names(entry))
        for entry in _parameters(command)
    ]
    return " ".join([path, *parts])


def _is_argument(parameter: Any) -> bool:
    return bool(parameter.param_type_name == "argument")


def _names(option: Any) -> list[str]:
    return [*option.opts, *option.secondary_opts]


class Row(NamedTuple):
    """An argument or an option as the page shows it."""

    spelling: str
    text: str


def option_rows(command: Any) -> list[Row]:
    """The arguments and options of a command that are not hidden."""
    return [_row(command, entry) for entry in _parameters(command)]


def _row(command: Any, parameter: Any) -> Row:
    if _is_argument(parameter):
        return Row(f"`{parameter.metavar or parameter.name.upper()}`", parameter.help)
    value = f" {parameter.metavar}" if parameter.metavar else ""
    choices = _choices(command, parameter.name)
    names = ", ".join(f"`{name}{value}`" for name in _names(parameter))
    default = parameter.default
    chosen = default.value if isinstance(default, enum.Enum) else default
    listed = ", ".join(f"`{c}`{' (the default)' if c == chosen else ''}" for c in choices)
    text = parameter.help + (f" One of {listed}." if listed else "")
    if not choices and isinstance(chosen, int | str) and not isinstance(chosen, bool) and chosen:
        text += f" Default: `{chosen}`."
    return Row(names, text.replace("|", "\\|"))


def _choices(command: Any, name: str) -> list[str]:
    """The values of an option that has a fixed list of them."""
    parameters = get_params_from_function(command.callback) if command.callback else {}
    annotation = parameters[name].annotation if name in parameters else None
    for kind in (annotation, *get_args(annotation)):
        if inspect.isclass(kind) and issubclass(kind, enum.Enum):
            return [member.value for member in kind]
    return []


def reference() -> str:
    """The page of all commands: those options that several have stand in one table."""
    rows = {path: option_rows(command) for path, command in commands()}
    users: dict[Row, list[str]] = {}
    for path, own in rows.items():
        for row in own:
            users.setdefault(row, []).append(f"`{path.removeprefix('skerry ')}`")
    lines = [PAGE_HEAD]
    for path, own in rows.items():
        alone = [row for row in own if len(users[row]) == 1]
        if alone:
            lines += ["", f"## {path}", "", "| | |", "|---|---|"]
            lines += [f"| {row.spelling} | {row.text} |" for row in alone]
    lines += ["", "## Options of several commands", "", "| | | of |", "|---|---|---|"]
    shared = [(row, used) for row, used in users.items() if len(used) > 1]
    lines += [f"| {row.spelling} | {row.text} | {', '.join(used)} |" for row, used in shared]
    return "\n".join([*lines, *_exit_codes(), *_variables()]) + "\n"


PAGE_HEAD = """# Options, exit codes, environment variables

This page is made from the code by `python tools/public_api.py --write`.
[command-line.md](command-line.md) says what the commands do."""


def _exit_codes() -> Iterator[str]:
    from skerry.cli.errors import CODES

    yield from ("", "## Exit codes", "", "| | |", "|---|---|")
    yield from (f"| {code} | {meaning} |" for code, meaning in CODES.items())


def _variables() -> Iterator[str]:
    from skerry.config import VARIABLES

    yield from ("", "## Environment variables", "")
    yield "An argument has precedence over a variable, a variable over its fallbacks and default."
    yield "An empty variable counts as not set. A value that cannot be used is an error."
    yield from ("", "| variable | sets | argument | fallbacks | default |", "|---|---|---|---|---|")
    for entry in VARIABLES:
        argument = f"`{entry.argument}`, `--{entry.argument[:-1]}`" if entry.argument else ""
        fallbacks = ", ".join(f"`{name}`" for name in entry.fallbacks)
        cells = (f"`{entry.name}`", entry.meaning, argument, fallbacks, entry.default)
        yield f"| {' | '.join(cells)} |"


def generate() -> str:
    """The whole list."""
    lines = ["# Made by tools/public_api.py. What may change is said in docs/stability.md.", ""]
    for module in PUBLIC:
        lines += [*names(module), ""]
    return "\n".join([*lines, *(_line(*command) for command in commands())]) + "\n"


def main() -> int:
    """Prints the list, or writes it and the page with ``--write``."""
    if "--write" in sys.argv[1:]:
        for path, text in ((FILE, generate()), (PAGE, reference())):
            path.write_text(text)
            print(path.relative_to(ROOT))
    else:
        print(generate(), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
