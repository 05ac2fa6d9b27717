"""All that is printed goes through functions that escape what terminals obey.

Commands print by `skerry.cli.terminal` and `skerry.cli.safe_console`; what else prints calls
`skerry.printable` right there.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[2] / "src" / "skerry"
PRINTERS = {"cli/terminal.py", "cli/safe_console.py"}
"""Files that print; what they are given is escaped there."""
PRINTING = {"print", "echo", "secho", "print_exception", "print_exc", "Console", "rprint"}
"""Functions and classes of Python, typer, click, traceback and rich."""
STREAMS = {"sys.stdout", "sys.stderr", "sys.__stdout__", "sys.__stderr__"}
SAFE = {"printable", "printable_lines"}
CONSOLES = {"out", "console()", "console(stderr=False)"}
"""What the consoles of `skerry.cli.summary.console` are called."""


def name_of(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else ast.unparse(function)


def is_escaped(call: ast.Call) -> bool:
    shown = [each for each in call.args if not isinstance(each, ast.Constant)]
    return all(isinstance(each, ast.Call) and name_of(each.func) in SAFE for each in shown)


def prints(call: ast.Call) -> bool:
    """Whether a call may send text to a terminal that is not escaped."""
    name, owner = name_of(call.func), ""
    if isinstance(call.func, ast.Attribute):
        owner = ast.unparse(call.func.value)
    if name in ("write", "writelines"):
        return owner in STREAMS
    if name == "dumps":
        return owner == "json"
    return name in PRINTING and owner not in CONSOLES and not (name == "print" and is_escaped(call))


def unescaped(source: str, commands: bool = True) -> list[str]:
    """The calls of a module that print; JSON is printed by commands only."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    named = [call for call in calls if prints(call)]
    return [
        f"line {call.lineno}: {ast.unparse(call)}"
        for call in named
        if commands or name_of(call.func) != "dumps"
    ]


def test_all_that_is_printed_is_escaped() -> None:
    lines = {}
    for path in SOURCES.rglob("*.py"):
        name = path.relative_to(SOURCES).as_posix()
        if name not in PRINTERS:
            lines[name] = unescaped(path.read_text(encoding="utf-8"), name.startswith("cli/"))
    assert not {name: each for name, each in lines.items() if each}


@pytest.mark.parametrize(
    "line",
    [
        "print(path)",
        "print(f'{path}', file=sys.stderr)",
        "typer.echo(f'{name}')",
        "typer.echo(json.dumps(value))",
        "click.secho(name)",
        "traceback.print_exception(error)",
        "sys.stdout.write(name)",
        "sys.stderr.writelines(names)",
        "rich.console.Console().print(name)",
        "Console(stderr=True)",
        "rich.print(name)",
        "other.print(name)",
    ],
)
def test_other_ways_to_print_are_found(line: str) -> None:
    assert unescaped(line)


@pytest.mark.parametrize(
    "line",
    [
        "print_line(name)",
        "console().print(labeled_lines(lines))",
        "out.print()",
        "print_json(report)",
        "print(printable(name), file=sys.stderr)",
        "sys.stdout.buffer.write(data)",
        "file.write(data)",
    ],
)
def test_what_escapes_is_not_found(line: str) -> None:
    assert not unescaped(line)
