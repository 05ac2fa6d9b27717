"""Commands that have commands of their own: ``generate`` and ``graphs``."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from skerry.cli import completion
from skerry.cli.errors import plain_errors
from skerry.cli.options import HELP, AsJson, Quiet, Threads, WrittenFormat, WrittenGraph
from skerry.cli.run_log import LogFormat
from skerry.cli.terminal import print_line


class Generators(TyperGroup):
    """A command for each generator, made when it is needed: the table takes time to load."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Their names."""
        del ctx
        from skerry.generators.table import GENERATORS

        return [name.replace("_", "-") for name in GENERATORS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of this name, or None."""
        del ctx
        from skerry.cli.generate import command_of

        return command_of(cmd_name, HELP)


generate = typer.Typer(
    cls=Generators,
    invoke_without_command=True,
    subcommand_metavar="NAME ...",
    context_settings=HELP,
    epilog="Example: skerry generate rmat --scale 20 --edge-factor 8 -o rmat20.parquet",
)


@generate.callback()
def generate_any(
    context: typer.Context,
    listed: Annotated[
        bool, typer.Option("--list", help="List all generators and their options.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="With --list: print it as JSON.")] = False,
) -> None:
    """Generate a graph: the same one for the same options, on every machine."""
    if context.invoked_subcommand is None:
        if not listed and not as_json:
            for line in context.get_help().splitlines():
                print_line(line)
            return
        with plain_errors():
            from skerry.cli.generate import show_generators

            show_generators(as_json)


graphs = typer.Typer(
    invoke_without_command=True,
    context_settings=HELP,
    epilog="Example: skerry graphs --paper ECL-CC",
)

GraphName = Annotated[
    str,
    typer.Argument(
        metavar="NAME",
        help="A name of `skerry graphs`.",
        autocompletion=completion.graphs,
        show_default=False,
    ),
]


@graphs.callback()
def graphs_all(
    context: typer.Context,
    paper: Annotated[str, typer.Option(help="Only those whose paper contains this text.")] = "",
    as_json: AsJson = False,
) -> None:
    """List the graphs of the papers; download one, or make a stand-in."""
    if context.invoked_subcommand is None:
        with plain_errors():
            from skerry.cli.graphs import show_graphs

            show_graphs(paper, as_json)


@graphs.command(epilog="Example: skerry graphs get internet -o graphs/")
def get(
    name: GraphName,
    folder: Annotated[
        str, typer.Option("--output", "-o", metavar="FOLDER", help="Where to put it.")
    ] = ".",
    source: Annotated[
        int,
        typer.Option(
            min=0, help="Which of its addresses, counted from 0: the original, then a copy."
        ),
    ] = 0,
    check: Annotated[
        bool, typer.Option(help="Count vertices, edges and components, and compare them.")
    ] = True,
    quiet: Quiet = False,
    _log: LogFormat = None,
) -> None:
    """Download a graph and check it against the paper's figures."""
    with plain_errors():
        from skerry.cli.graphs import get_graph

        get_graph(name, folder, source, check, quiet)


@graphs.command(epilog="Example: skerry graphs make europe_osm --scale 1/64 -o osm.parquet")
def make(
    name: GraphName,
    output: WrittenGraph,
    scale: Annotated[
        str, typer.Option(metavar="NUMBER", help="Size relative to the original: 0.1, 1/64.")
    ] = "1",
    seed: Annotated[
        int, typer.Option(min=0, max=2**64 - 1, help="Seed of the random numbers.")
    ] = 1,
    file_format: WrittenFormat = None,
    threads: Threads = None,
    quiet: Quiet = False,
    _log: LogFormat = None,
) -> None:
    """Make a stand-in: a generated graph of the same family and about the same size."""
    with plain_errors():
        from skerry.cli.graphs import make_graph

        make_graph(name, output, scale, seed, file_format, threads, quiet)
