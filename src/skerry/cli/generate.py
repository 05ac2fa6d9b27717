"""``skerry generate NAME``: a command for each generator, made from the table of generators.

The parameters of a generator are data (`skerry.generators.table`). Options, their help and their
defaults are made from it, so a new generator is a new command without a line here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from inspect import Parameter as Argument
from inspect import Signature
from typing import Annotated, Any

import typer
from rich.console import Group
from rich.table import Table
from rich.text import Text

from skerry.cli.errors import plain_errors
from skerry.cli.options import Quiet, Threads, WrittenFormat, WrittenGraph
from skerry.cli.run_log import LogFormat
from skerry.cli.summary import console
from skerry.cli.terminal import print_json
from skerry.errors import ArgumentError
from skerry.generators.builder import Recipe
from skerry.generators.parameters import Parameter
from skerry.generators.table import GENERATORS, Generator

KINDS = {"int": "INTEGER", "float": "NUMBER", "sizes": "SIZES"}


def show_generators(as_json: bool = False) -> None:
    """Prints the table of generators."""
    if as_json:
        print_json([_as_json(generator) for generator in GENERATORS.values()])
        return
    table = Table.grid(padding=(0, 2, 0, 0), expand=True)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(ratio=1)
    table.add_row(" name", "what it makes, and its options", style="dim")
    for generator in GENERATORS.values():
        description = Group(generator.summary, Text(_usage(generator), style="dim"))
        table.add_row(f" {_hyphens(generator.name)}", description)
    out = console()
    out.print(table)
    out.print()
    out.print(Text(" skerry generate NAME --help explains the options of each", style="dim"))


def _as_json(generator: Generator) -> dict[str, Any]:
    return {
        "name": _hyphens(generator.name),
        "summary": generator.summary,
        "options": [
            {
                "name": f"--{_hyphens(parameter.name)}",
                "kind": parameter.kind,
                "required": parameter.required,
                "default": parameter.default,
                "summary": parameter.summary,
            }
            for parameter in generator.parameters
        ],
    }


def _usage(generator: Generator) -> str:
    return " ".join(
        _option(parameter) if parameter.required else f"[{_option(parameter)}]"
        for parameter in generator.parameters
    )


def _option(parameter: Parameter) -> str:
    name = f"--{_hyphens(parameter.name)}"
    if parameter.kind == "bool":
        return name
    if parameter.default is None:
        return f"{name} {KINDS[parameter.kind]}"
    return f"{name} {_number(parameter.default)}"


def _number(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _hyphens(name: str) -> str:
    return name.replace("_", "-")


def command_of(name: str, settings: dict[str, Any]) -> Any:
    """The command of a generator; None if there is none of this name."""
    generator = GENERATORS.get(name.replace("-", "_"))
    if generator is None:
        return None
    app = typer.Typer(add_completion=False, context_settings=settings)
    command_name = _hyphens(generator.name)
    options = (part.partition("=") for part in generator.example.split(","))
    example = " ".join(f"--{_hyphens(key)} {value}" for key, _, value in options)
    epilog = f"Example: skerry generate {command_name} {example} -o {command_name}.parquet"
    app.command(command_name, epilog=epilog)(_function(generator))
    command = typer.main.get_command(app)
    command.name = command_name
    return command


def _function(generator: Generator) -> Callable[..., None]:
    """The function that typer makes a command of: it has an argument for each parameter."""

    def generate(
        output: str,
        file_format: str | None,
        threads: int | None,
        quiet: bool,
        _log: Any,
        **parameters: Any,
    ) -> None:
        with plain_errors(), _as_options(generator):
            stated = {name: value for name, value in parameters.items() if value is not None}
            write_recipe(generator.recipe(**stated), output, file_format, threads, quiet)

    arguments = [
        Argument(
            parameter.name,
            Argument.KEYWORD_ONLY,
            default=Argument.empty if parameter.required else None,
            annotation=_annotation(parameter),
        )
        for parameter in generator.parameters
    ]
    shared: list[tuple[str, Any, Any]] = [
        ("output", WrittenGraph, Argument.empty),
        ("file_format", WrittenFormat, None),
        ("threads", Threads, None),
        ("quiet", Quiet, False),
        ("_log", LogFormat, None),
    ]
    arguments += [
        Argument(name, Argument.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, annotation, default in shared
    ]
    generate.__doc__ = f"{generator.summary}."
    generate.__signature__ = Signature(arguments)  # type: ignore[attr-defined]
    generate.__annotations__ = {each.name: each.annotation for each in arguments}
    return generate


@contextmanager
def _as_options(generator: Generator) -> Iterator[None]:
    """Errors begin with the option of a parameter: ``--scale must be ...``."""
    try:
        yield
    except ArgumentError as error:
        name, must, rest = str(error).partition(" must ")
        if name in {parameter.name for parameter in generator.parameters}:
            error.args = (f"--{_hyphens(name)}{must}{rest}",)
        raise


def _annotation(parameter: Parameter) -> Any:
    name = f"--{_hyphens(parameter.name)}"
    default = "" if parameter.default is None else f" (by default {_number(parameter.default)})"
    text = f"{parameter.summary}{default}."
    if parameter.kind == "bool":
        flag = typer.Option(f"{name}/--no-{_hyphens(parameter.name)}", help=text)
        return Annotated[bool | None, flag]
    option = typer.Option(name, metavar=KINDS[parameter.kind], help=text, show_default=False)
    return Annotated[str if parameter.required else str | None, option]


def write_recipe(
    recipe: Recipe,
    output: str,
    file_format: str | None,
    threads: int | None,
    quiet: bool,
    name: str | None = None,
) -> None:
    """Generates a graph and writes it batch by batch."""
    from skerry.cli.convert import check_graph_output, write_with_progress
    from skerry.generators.streams import stream

    check_graph_output(output, file_format, "--format")
    edges = stream(recipe, threads=threads, name=name)
    write_with_progress(edges, output, file_format, threads=threads, quiet=quiet)
