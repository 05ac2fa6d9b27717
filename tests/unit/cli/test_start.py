"""What a command loads before it runs, and how values of options are converted without pydantic."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet
from typer.main import get_command

from skerry.cli.app import app
from skerry.cli.option_values import convert_quickly


def modules_of(*arguments: str) -> set[str]:
    """Modules that a command loads."""
    code = (
        "import sys; sys.argv = ['skerry', *sys.argv[1:]]\n"
        "from skerry.cli import main\n"
        "try: main()\n"
        "except SystemExit: print(*sys.modules)"
    )
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def test_a_command_loads_only_what_it_needs() -> None:
    heavy = ("pyarrow", "scipy", "rich.progress", "skerry.formats.open", "skerry.datasets.papers")
    assert not {*heavy} & modules_of("--version")


HEAVY = {"cupy", "email.message", "importlib.metadata", "pandas", "polars", "pyarrow.compute"}
HEAVY |= {"pydantic", "rich.progress", "scipy", "skerry.engines.spilling.join"}


@pytest.mark.parametrize("form", ["txt", "parquet"])
def test_components_starts_without_what_is_heavy(form: str, tmp_path: Path) -> None:
    """Each takes 10 to 100 ms to import, as long as all modules of skerry together."""
    path = tmp_path / f"edges.{form}"
    if form == "txt":
        path.write_text("0 1\n1 2\n3 4\n")
    else:
        parquet.write_table(pa.table({"source": ["a", "b", "c"], "target": ["b", "d", "e"]}), path)
    loaded = modules_of("components", str(path), "--threads", "2", "--min-size", "2")
    assert "skerry.engines.streaming.engine" in loaded
    assert ("pyarrow" in loaded) == (form == "parquet")
    assert not loaded & HEAVY


def test_values_of_options_are_what_typer_makes_of_them() -> None:
    values = (None, "", "a", "7", "-1", "0", "0.5", "1e3", "nan", " 2", "min", "above", "MIN", 3)
    group = get_command(app)
    context = group.make_context("skerry", ["demo"], resilient_parsing=True)
    options = [option for command in group.commands.values() for option in command.params]
    if not hasattr(options[0], "get_runtime_param"):
        pytest.skip("this version of typer does not use pydantic")
    theirs = [option.get_runtime_param() for option in options]
    for command in group.commands.values():
        convert_quickly(command, context)
    for option, converter in zip(options, theirs, strict=True):
        many = option.multiple or option.nargs == -1
        for value in [[value] for value in values if isinstance(value, str)] if many else values:
            expected = converted(converter, value, option)
            quick = converted(option.get_runtime_param(), value, option)
            assert repr(quick) == repr(expected), (option.name, value)


def converted(converter: Any, value: object, option: Any) -> object:
    try:
        return converter.coerce(value, param=option, ctx=None)
    except Exception as error:
        return str(error)
