"""Messages of the library in the words of the command line.

The library's messages name its arguments as Python spells them: ``ids_as_text=True``. A command
shows them as its own options: ``--ids-as-text``. Which options there are comes from the parser of
the command that runs. An argument that no command has an option for is shown in plain words, so
that no spelling of Python's goes out. `tests/unit/cli/test_wording.py` goes through all messages.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, NamedTuple

import typer

from skerry.errors import SkerryError


class Words(NamedTuple):
    """How an argument is shown."""

    text: str
    off: str | None = None
    """For False."""
    on: str | None = None
    """For True, where that is another option."""
    where: str = ""
    """The command that has the option, where it is another than the one that runs."""


OPTIONS = {
    "source": Words("--source"),
    "target": Words("--target"),
    "groups": Words("--groups", on="--lists"),
    "weight": Words("--weight"),
    "threshold": Words("--threshold"),
    "keep": Words("--keep"),
    "vertices": Words("--vertices"),
    "num_vertices": Words("--num-vertices"),
    "ids": Words("--ids"),
    "format": Words("--format"),
    "delimiter": Words("--delimiter"),
    "header": Words("--header", "--no-header"),
    "ids_as_text": Words("--ids-as-text"),
    "on_null": Words("--on-null"),
    "external_ids": Words("--external-ids"),
    "labels": Words("--labels"),
    "min_size": Words("--min-size"),
    "drop_singletons": Words("--drop-singletons"),
    "algorithm": Words("--algorithm"),
    "device": Words("--device"),
    "threads": Words("--threads"),
    "limit": Words("--limit-memory"),
    "checkpoint": Words("--checkpoint"),
    "spill": Words("--spill"),
}
"""Arguments of the library, and the options of `skerry components` or `convert` that set them."""
OF_IMAGES = ("connectivity", "wrap", "delta", "background", "values", "dtype")
"""Options of `skerry label` only."""
ARGUMENTS = (*OPTIONS, *OF_IMAGES, "symmetric", "statistics", "progress", "forest", "previous")
"""All arguments that messages of the library may name."""
PARAMETERS = {"file_format": "format", "limit_memory": "limit"}
"""Parameters of commands that are called otherwise than the argument they set."""

NO_OPTION = dict.fromkeys(("format", "delimiter", "ids_as_text", "weight", "ids"))
VERTICES_FILE: Mapping[str, Words | None] = {
    **NO_OPTION,
    "header": Words("--vertices-header", "--no-vertices-header"),
    "source": Words("--vertices-column"),
    "target": Words("--vertices-column"),
}
"""How arguments are shown in messages about the file of ``--vertices``; None: in plain words."""
LABELS_FILE: Mapping[str, Words | None] = {
    **NO_OPTION,
    **dict.fromkeys(("header", "source", "target", "on_null")),
}
"""The same of a file of labels, which is always read in one way."""

VALUE = r"""(?:"[^"]*"|'[^']*'|\([^()=]*\)|-?\d[\d.,]*(?<=\d)|(?:True|False|None)\b)"""
NAMES = "|".join(ARGUMENTS)
ARGUMENT = re.compile(
    rf"(?<![\w.?&/,:[-])(?P<name>{NAMES})="
    rf"(?:(?P<values>{VALUE}(?: or {VALUE})*)(?![/\w])|(?![\w\"'(=]))"
    rf"|^(?P<subject>(?!(?:ids|labels) must be [^\"])(?:{NAMES}))(?= must (?:be|have) )"
)
"""An argument with an equals sign, or as the subject of a message: ``delimiter must be ...``."""


def as_options(message: str, words: Mapping[str, Words | None] | None = None) -> str:
    """Replaces arguments of Python that a message mentions by options of the command that runs.

    >>> as_options('use format="csv" or num_vertices=7, not source= and target=')
    'use --format csv or --num-vertices 7, not --source and --target'
    >>> as_options('header=False, ids_as_text=True, source=("a", "b") and limit=')
    '--no-header, --ids-as-text, --source a,b and --limit-memory'
    >>> as_options("symmetric=True is not supported")
    'symmetric is not supported'
    >>> as_options("a header? add header=True (skerry.io.read_edges)")
    'a header? add --header'
    """
    if "=" not in message and " must " not in message:
        return message
    message = message.replace(" (skerry.io.read_edges)", "")
    known = {**_words_of_command(), **(words or {})}
    return ARGUMENT.sub(lambda match: _shown(match, known), message)


@contextmanager
def spoken(words: Mapping[str, Words | None]) -> Iterator[None]:
    """Errors from inside the block name these options, where a command has several of a kind."""
    try:
        yield
    except SkerryError as error:
        if len(error.args) == 1 and isinstance(error.args[0], str):
            error.args = (as_options(error.args[0], words),)
        raise


def _shown(match: re.Match[str], known: Mapping[str, Words | None]) -> str:
    name = match["name"] or match["subject"]
    option, values = known.get(name), match["values"]
    if option is None:
        plain = name.replace("_", " ")
        option = Words(plain, f"no {plain}")
    where = f" (of {option.where})" if option.where else ""
    if values == "True" and option.on:
        return option.on + where
    if values is None or values == "True":
        return option.text + where
    if values == "False" and option.off:
        return option.off + where
    if values in ("False", "None"):
        return f"no {option.text}{where}"
    return f"{option.text} {' or '.join(map(_word, re.findall(VALUE, values)))}{where}"


def _word(value: str) -> str:
    """A value as it is typed in a shell."""
    if value.startswith("("):
        value = ",".join(part.strip(" \"'") for part in value[1:-1].split(",") if part.strip())
    elif value[0] in "\"'":
        value = value[1:-1]
    return f'"{value}"' if " " in value or not value else value


def _words_of_command() -> Mapping[str, Words]:
    """How arguments are shown by the command that runs; outside of one, as in `OPTIONS`."""
    # Some versions of typer have their own copy of click, and so their own current context.
    package = typer.Context.__mro__[1].__module__.rpartition(".")[0]
    context = sys.modules[f"{package}.globals"].get_current_context(silent=True)
    return OPTIONS if context is None else _words_of(context.command)


@lru_cache(8)
def _words_of(command: Any) -> Mapping[str, Words]:
    own = {}
    for parameter in command.params:
        if parameter.param_type_name == "option":
            name = PARAMETERS.get(parameter.name, parameter.name)
            off = max(parameter.secondary_opts, key=len, default=None)
            on = OPTIONS[name].on if name in OPTIONS else None
            own[name] = Words(max(parameter.opts, key=len), off, on)
    others = {
        name: words._replace(
            where="skerry convert" if name == "external_ids" else "skerry components"
        )
        for name, words in OPTIONS.items()
    }
    return {**others, **own}
