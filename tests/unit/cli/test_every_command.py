"""Every command is run to its end in a terminal, with its progress drawn.

The commands come from the app itself, so that a new one without a case here fails. Small files are
read too quickly for progress, so the terminals of these tests draw it at once and at every change
(`support.terminal_server`); that it was drawn is seen by the names of the tasks on the terminal.
"""

from __future__ import annotations

import gzip
import re
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
import typer

from skerry.cli.app import app
from skerry.cli.plugins import COMMANDS_OF_OTHERS, plugins
from skerry.cli.progress import ASCII_SPINNER, SPINNER, Task
from skerry.formats.open import open_edges
from skerry.formats.options import ReadOptions
from skerry.generators.table import GENERATORS
from support.cli import invoke
from support.server import serve

if sys.platform == "win32":
    pytest.skip("needs terminals of Unix", allow_module_level=True)

from support.terminals import Session

TERMINALS = {
    "40 columns": (40, {}),
    "80 columns, no color": (80, {"NO_COLOR": "1"}),
    "200 columns": (200, {}),
    "a dumb terminal": (80, {"TERM": "dumb"}),
}
"""The columns, and the environment."""
COLOR = rb"\x1b\[([0-9;]*;)?[349][0-7][;m]"
PAIRS = "id_l,id_r,score\n" + "".join(f"n{i},n{i * 7 % 50},0.{i % 10}\n" for i in range(50))
SIZES = {"n": 64, "m": 90, "rows": 5, "columns": 5, "scale": 5, "points": 50, "width": 8} | {
    "largest_degree": 9,
    "components": 20,
    "sizes": "6+4",
}
"""Values of the options that generators need."""


class Case(NamedTuple):
    """A command line that comes to its end, and the tasks whose progress it shows."""

    arguments: str
    tasks: tuple[str, ...] = ()
    output: str | None = None
    """The file that is written."""
    is_constant: bool = True
    """Whether it prints the same each time: no times, no free memory."""


def generator_case(name: str) -> Case:
    needed = [parameter.name for parameter in GENERATORS[name].parameters if parameter.required]
    options = " ".join(f"--{each.replace('_', '-')} {SIZES[each]}" for each in needed)
    command = f"generate {name.replace('_', '-')} {options} -o g.csv"
    return Case(command, ("writing g.csv",), "g.csv", is_constant=False)


CASES = {
    "components": Case(
        "components pairs.csv --verify -o out.parquet",
        ("reading", "labeling", "verifying", "writing", "counting"),
        "out.parquet",
        is_constant=False,
    ),
    "info": Case("info pairs.csv --header", ("counting", "counting degrees")),
    "convert": Case(
        "convert pairs.csv out.mtx --external-ids ranks", ("writing out.mtx",), "out.mtx", False
    ),
    "sweep": Case("sweep pairs.csv --weight score --at 0.2,0.5", ("reading", "counting")),
    "verify": Case("verify pairs.csv labels.csv", ("reading labels", "checking", "counting")),
    "diff": Case("diff labels.csv labels.csv"),
    "representatives": Case(
        "representatives pairs.csv --by score --id id_l --clusters labels.csv -o kept.csv",
        output="kept.csv",
    ),
    "why": Case("why pairs.csv n3 n21", ("reading", "looking for a path")),
    "explore": Case(
        "explore pairs.csv --weight score -o p.html",
        ("reading", "labeling", "reading links", "writing"),
        "p.html",
        is_constant=False,
    ),
    "label": Case(
        "label volume.npy -o labels.npy", ("labeling", "writing"), "labels.npy", is_constant=False
    ),
    "doctor": Case("doctor", is_constant=False),
    "demo": Case("demo", is_constant=False),
    "algorithms": Case("algorithms"),
    "generate": Case("generate --list"),
    "graphs": Case("graphs"),
    "graphs get": Case(
        "graphs get mine -o in",
        ("downloading mine", "counting mine", "finding components", "counting edges"),
        "in/g.egr",
    ),
    "graphs make": Case(
        "graphs make internet --scale 1/1000 -o i.el", ("writing i.el",), "i.el", False
    ),
} | {f"generate {name.replace('_', '-')}": generator_case(name) for name in GENERATORS}


def commands(command: object, path: tuple[str, ...] = ()) -> list[str]:
    """All commands of the app; those of other packages are tested there."""
    listed = command.list_commands(None) if hasattr(command, "list_commands") else []
    own = [name for name in listed if path or name not in {*COMMANDS_OF_OTHERS, *plugins()}]
    inner = []
    for name in own:
        inner += commands(command.get_command(None, name), (*path, name))
    return [" ".join(path), *inner] if path else inner


def test_every_command_has_a_case() -> None:
    assert sorted(CASES) == sorted(commands(typer.main.get_command(app)))


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory):
    """A graph that can be downloaded."""
    path = tmp_path_factory.mktemp("graph") / "g.egr"
    assert invoke("generate", "planted", "--sizes", "6+4", "-q", "-o", path).exit_code == 0
    with serve(**{"g.egr": path.read_bytes()}) as server:
        counts = {"vertices": 10, "edges": 16, "components": 2}
        yield {"address": f"{server.address}/g.egr", "counts": counts, "file": str(path)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pairs.csv").write_text(PAIRS)
    np.save(tmp_path / "volume.npy", np.indices((9, 20, 30)).sum(axis=0) % 5 > 0)
    assert invoke("components", tmp_path / "pairs.csv", "-q", "-o", tmp_path / "labels.csv")
    return tmp_path


def check(session: Session, case: Case, drawn: bool = True) -> None:
    """Checks that a command has ended well, and that its progress was drawn and removed."""
    assert session.code == 0, session.text
    assert "Traceback" not in session.text and "bug in skerry" not in session.text
    drawings = [part for part in re.split(r"[\r\n]", session.text) if part[:1] in [*SPINNER]]
    assert all(len(drawing) < session.columns for drawing in drawings)
    for task in case.tasks if drawn else ():
        name = task[: session.columns - 12]
        assert any(drawing[2:].startswith(name) for drawing in drawings), (task, drawings)
    assert bool(drawings) == (drawn and bool(case.tasks))
    assert all(len(line) <= session.columns for line in re.split(r"[\r\n]+", session.text))
    left = "\n".join(session.screen)
    assert not set(left) & {*SPINNER}, left


@pytest.mark.parametrize("terminal", TERMINALS)
def test_commands_end_in_a_terminal(terminals, folder, graph, terminal: str) -> None:
    columns, variables = TERMINALS[terminal]
    environment = {"TERM": "xterm-256color"} | variables
    more = {"folder": folder, "columns": columns, "graph": graph, "environment": environment}
    dumb = environment["TERM"] == "dumb"
    for command, case in CASES.items():
        if command.startswith("generate ") and command != "generate grid":
            continue  # these differ in nothing but what is written
        session = terminals.run(*case.arguments.split(), **more)
        check(session, case, drawn=not dumb)
        assert not (dumb and b"\x1b" in session.sent)
        assert not ("NO_COLOR" in variables and re.search(COLOR, session.sent))
        if case.output:
            (folder / case.output).unlink()


def test_progress_changes_nothing_that_is_written(
    terminals, folder, graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    for case in CASES.values():
        arguments = case.arguments.split()
        printed = folder / "printed"
        session = terminals.run(*arguments, folder=folder, graph=graph, stdout=str(printed))
        check(session, case)
        if "get" in arguments:
            assert (folder / "in/g.egr").read_bytes() == Path(graph["file"]).read_bytes()
            continue
        written = case.output and (folder / case.output).read_bytes()
        quiet = invoke(*arguments, *(["--quiet"] if case.output else []))
        assert quiet.exit_code == 0
        if case.output:
            assert (folder / case.output).read_bytes() == written
        elif case.is_constant:
            assert quiet.stdout == printed.read_text()


def test_data_on_standard_output_is_only_data(terminals, folder) -> None:
    printed = folder / "printed"
    arguments = ("components", "pairs.csv", "-o", "-")
    session = terminals.run(*arguments, folder=folder, stdout=str(printed))
    assert "reading" in session.text
    assert printed.read_text() == invoke("components", folder / "pairs.csv", "-q", "-o", "-").stdout


# The line itself, whatever the work is and however narrow the window.


def lines(width: int, plain: bool = False) -> list[str]:
    tasks = [
        Task("reading", 30, 100, 10**9, 10**12, began=0.0),
        Task("reading a very long name of a file.parquet", 130, 100, 5, 7, began=0.0),
        Task("labeling", began=0.0),
        Task("reading", 50, 100, 10**9, 50, (50, 10**9, 50), began=0.0),
        Task("\u5c71\u7530\u592a\u90ce.csv \x1b[2J", 1, 2, began=0.0),
    ]
    return [task.line(width, now, plain) for task in tasks for now in (0.0, 7.5, 1e5)]


@pytest.mark.parametrize("width", [0, 1, 5, 20, 39, 79, 199])
def test_a_line_fits_any_width(width: int) -> None:
    from rich.cells import cell_len

    assert all(cell_len(line) <= width for line in lines(width))
    assert all("\x1b" not in line for line in lines(width))
    if width >= 39:
        assert " 30%" in lines(width)[1] and "18 s left" in lines(width)[1]


def test_a_line_says_all_where_there_is_room() -> None:
    bar = "\u2501" * 6 + "\u2504" * 14
    assert (
        lines(79)[1][2:] == f"reading {bar}" + " " * 0 + "  30%  18 s left  133M edges/s  133 GB/s"
    )
    assert lines(79, plain=True)[1][0] in ASCII_SPINNER
    assert lines(79, plain=True)[1].isascii()


@pytest.mark.parametrize("packed", [bytes, gzip.compress])
def test_progress_counts_what_was_parsed_not_what_was_read_ahead(tmp_path, packed) -> None:
    content = b"src,dst\n" + b"".join(b"n%d,n%d\n" % (i, i * i) for i in range(20_000))
    path = tmp_path / ("pairs.csv" if packed is bytes else "pairs.csv.gz")
    path.write_bytes(packed(content))
    batches = list(open_edges(path, ReadOptions(block_bytes=1 << 15)).open(2))
    consumed = [batch.consumed for batch in batches]
    assert len(batches) > 5
    assert sum(consumed) == path.stat().st_size
    assert max(consumed) < path.stat().st_size / 2, consumed
