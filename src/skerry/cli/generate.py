"""``skerry generate NAME``: a command for each generator, made from the table of generators.

What can be chosen about a generator is data (`skerry.generators.table`), so options, their
help and their defaults are read off it; a new generator is a new command without a line here.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from inspect import Parameter as Argument
from inspect import Signature
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from skerry.cli.errors import plain_errors
from skerry.cli.options import Quiet, Threads, WrittenFormat, WrittenGraph
from skerry.cli.summary import console
from skerry.generators.recipes import Recipe
from skerry.generators.table import GENERATORS, Generator, Parameter

__all__ = ["command_of", "show_generators", "write_recipe"]

EXAMPLES = {
    "grid": "--rows 1000 --columns 1000 -o grid.parquet",
    "rmat": "--scale 20 --edge-factor 8 -o rmat20.sg",
    "uniform": "--n 1e6 --m 4e6 --seed 7 -o random.parquet",
    "planted": "--sizes 1000+20x5+1 -o known.csv",
    "complete": "--n 100 -o complete.mtx",
    "graph500": "--scale 16 -o kron16.egr",
    "geometric": "--n 1e5 --degree 12 -o points.parquet",
    "road": "--width 500 -o road.mtx",
    "tiny": "--components 1e5 -o tiny.parquet",
    "delaunay": "--points 1e5 -o triangles.sg",
    "torus": "--rows 1000 --columns 1000 -o torus.parquet",
}
KINDS = {"int": "INTEGER", "float": "NUMBER", "sizes": "SIZES"}


def show_generators(as_json: bool = False) -> None:
    """Prints the table of generators."""
    if as_json:
        typer.echo(json.dumps([_as_json(generator) for generator in GENERATORS.values()]))
        return
    table = Table.grid(padding=(0, 2, 0, 0), expand=True)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(ratio=1)
    table.add_row(" name", "what it makes, and its options", style="dim")
    for row in GENERATORS.values():
        said = Text.assemble(row.summary, ("\n" + _said_options(row), "dim"))
        table.add_row(f" {_hyphens(row.name)}", said)
    out = console()
    out.print(table)
    out.print()
    out.print(Text(" skerry generate NAME --help says more of each", style="dim"))


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


def _said_options(row: Generator) -> str:
    return " ".join(_option(one) if one.required else f"[{_option(one)}]" for one in row.parameters)


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
    """The command of one generator, for the group of them; None if there is no such."""
    row = GENERATORS.get(name.replace("-", "_"))
    if row is None:
        return None
    alone = typer.Typer(add_completion=False, context_settings=settings)
    example = EXAMPLES.get(row.name, f"--n 1e6 -o {row.name}.parquet")
    alone.command(
        _hyphens(row.name), epilog=f"Example: skerry generate {_hyphens(row.name)} {example}"
    )(_function(row))
    command = typer.main.get_command(alone)
    command.name = _hyphens(row.name)
    return command


def _function(row: Generator) -> Callable[..., None]:
    """What typer makes a command of: a function with an argument for each parameter."""

    def generate(
        output: str, file_format: str | None, threads: int | None, quiet: bool, **chosen: Any
    ) -> None:
        with plain_errors():
            given = {name: value for name, value in chosen.items() if value is not None}
            write_recipe(row.recipe(**given), output, file_format, threads, quiet)

    own = [
        Argument(
            one.name,
            Argument.KEYWORD_ONLY,
            default=Argument.empty if one.required else None,
            annotation=_annotation(one),
        )
        for one in row.parameters
    ]
    shared: list[tuple[str, Any, Any]] = [
        ("output", WrittenGraph, Argument.empty),
        ("file_format", WrittenFormat, None),
        ("threads", Threads, None),
        ("quiet", Quiet, False),
    ]
    own += [
        Argument(name, Argument.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, annotation, default in shared
    ]
    generate.__doc__ = f"{row.summary[0].upper()}{row.summary[1:]}."
    generate.__signature__ = Signature(own)  # type: ignore[attr-defined]
    generate.__annotations__ = {one.name: one.annotation for one in own}
    return generate


def _annotation(parameter: Parameter) -> Any:
    name = f"--{_hyphens(parameter.name)}"
    default = "" if parameter.default is None else f" (by default {_number(parameter.default)})"
    said = f"{parameter.summary[0].upper()}{parameter.summary[1:]}{default}."
    if parameter.kind == "bool":
        flag = typer.Option(f"{name}/--no-{_hyphens(parameter.name)}", help=said)
        return Annotated[bool | None, flag]
    option = typer.Option(name, metavar=KINDS[parameter.kind], help=said, show_default=False)
    return Annotated[str if parameter.required else str | None, option]


def write_recipe(
    recipe: Recipe,
    output: str,
    file_format: str | None,
    threads: int | None,
    quiet: bool,
    name: str | None = None,
) -> None:
    """Makes a graph batch by batch and writes it as it comes."""
    from skerry.cli.convert import write_watched
    from skerry.formats.writers.graph import check_output
    from skerry.generators.streams import stream

    check_output(output, "graph", file_format)
    edges = stream(recipe, threads=threads, name=name)
    write_watched(edges, output, file_format, threads=threads, quiet=quiet)
