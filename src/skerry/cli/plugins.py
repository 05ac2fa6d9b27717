"""Commands that other packages add through the entry-point group ``skerry.commands``.

An entry point names a `typer.Typer`. It is loaded when its command runs, so that other commands and
``skerry --help`` do not wait for it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from skerry.cli.errors import STOPPED, plain_errors, say
from skerry.cli.option_values import convert_quickly
from skerry.errors import UnsupportedError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "skerry.commands"


class DocumentedCommand(NamedTuple):
    """A command of another package that our documentation describes."""

    package: str
    help: str
    """The first sentence of its help, shown by ``skerry --help`` without loading the package."""


COMMANDS_OF_OTHERS = {
    "bench": DocumentedCommand(
        "skerry-bench", "Measure skerry: the papers' suites and studies, peers, single parts."
    ),
    "report": DocumentedCommand(
        "skerry-bench",
        "Write a report: the papers' tables, figures and claims beside the measurements in "
        "RESULTS.",
    ),
}


@cache
def plugins() -> dict[str, EntryPoint]:
    """The entry points of the group, by the name of their command."""
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=GROUP)}


class _LazyCommand(TyperCommand):
    """Name and help of a command whose package is loaded when the command runs."""

    def __init__(self, name: str, point: EntryPoint) -> None:
        documented = COMMANDS_OF_OTHERS.get(name)
        text = f"A command of {point.module.partition('.')[0]}."
        super().__init__(name, help=documented.help if documented else text)
        self._point = point

    def make_context(self, info_name: Any, args: Any, parent: Any = None, **extra: Any) -> Any:
        """The context of the real command, which click then runs in place of this one."""
        command = get_command(self._point.load())
        command.name = self.name
        return command.make_context(info_name, args, parent, **extra)


class Commands(TyperGroup):
    """Our own commands, and those of installed packages."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Reads the options before a command."""
        convert_quickly(self, ctx)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Runs a command; Ctrl-C while its modules are loaded is reported as at any other time."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:  # typer itself would exit without a message
            say("stopped")
            raise typer.Exit(STOPPED) from None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is called, and what comes after its name."""
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None:
            convert_quickly(command, ctx)
        return name, command, rest

    def list_commands(self, ctx: Any) -> list[str]:
        """Names of all commands that can run."""
        own = list(super().list_commands(ctx))
        return own + [name for name in sorted(plugins()) if name not in own]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of this name, or None."""
        command = super().get_command(ctx, cmd_name)
        if command is not None:
            return command
        if cmd_name in plugins():
            return _LazyCommand(cmd_name, plugins()[cmd_name])
        if cmd_name in COMMANDS_OF_OTHERS:
            return _missing(cmd_name, COMMANDS_OF_OTHERS[cmd_name].package)
        return None


def _missing(name: str, package: str) -> Any:
    """A command that says which package has it."""
    app = typer.Typer(add_completion=False)

    @app.command(name, context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
    def refuse() -> None:
        with plain_errors():
            raise UnsupportedError(
                f"skerry {name} is in the package {package}: pip install {package}, or "
                "pip install ./benchmarks from a checkout"
            )

    return get_command(app)
