"""Bad values: of every option of every command, exit code 2; in the data, exit code 3."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer

from skerry.cli.app import app
from skerry.cli.errors import BUG, CODES, CODES_OF_ERRORS, exit_code
from skerry.errors import SkerryError
from support.cli import invoke

COMMON = {
    "ids": ["nonsense", ""],
    "keep": ["nonsense"],
    "labels": ["nonsense"],
    "on_null": ["nonsense"],
    "engine": ["nonsense"],
    "external_ids": ["nonsense"],
    "algorithm": ["nonsense", "", "ecl[jump=sideways]"],
    "device": ["nonsense", "", "cuda:", "cuda:x", "gpu"],
    "threads": ["0", "-1", "many", "1.5"],
    "num_vertices": ["-1", "x", "1e3", "9" * 25],
    "largest": ["0", "x"],
    "min_size": ["0", "x"],
    "max_size": ["0", "x"],
    "threshold": ["x", "nan", ""],
    "at": ["x", "nan", "inf", "1,,x"],
    "limit_memory": ["much", "", "0", "-1", "4X"],
    "checkpoint": ["", "file"],
    "spill": ["", "file", "not/there"],
    "picture": ["", "p.gif"],
    "connectivity": ["0", "3", "x"],
    "wrap": ["x", "2", "-3", ","],
    "values": ["nonsense"],
    "background": ["x", "nan", ""],
    "delta": ["x", "-1", "nan"],
    "dtype": ["nonsense", "float32"],
    "best": ["x"],  # without --records
    "master": ["x"],  # without --engine
    "state": ["x"],
    "file_format": ["nonsense", ""],
    "to": ["nonsense", ""],
    "delimiter": ["", "ab"],
    "output": [""],
    "sizes": [""],
    "previous": [""],
    "named_after": [""],
    "clusters": [""],
    "vertices": [""],
    "vertices_column": ["id"],  # without --vertices
    "source": ["left"],  # without --target
    "target": ["right"],
    "include": ["9", "x", ""],
    "paper": ["no such paper"],
    "scale": ["x", "0", "-1", "nan", ""],
    "seed": ["-1", "x", "9" * 25],
    "folder": ["file"],
    "_log": ["nonsense", ""],
}
"""Bad values of options that mean the same in every command."""
OWN = {
    ("graphs", "get", "source"): ["-1", "x", "9"],
    ("components", "records"): ["x"],  # without --best
}
"""Of options that are called like others. Typer refuses some, skerry the rest."""
OTHER_CODES = {("folder", "file"): 4}
"""An output that cannot be written there."""
OF_DATA = {"groups", "weight", "by", "id_column"}
"""They name columns: what a column is called is in the data."""

BEGIN = {
    "components": ["e.csv"],
    "info": ["e.csv"],
    "convert": ["e.csv", "out.csv"],
    "sweep": ["e.csv"],
    "why": ["e.csv", "1", "2"],
    "explore": ["e.csv"],
    "verify": ["e.csv", "l.csv"],
    "diff": ["l.csv", "l.csv"],
    "label": ["i.npy"],
    "representatives": ["l.csv"],
    "graphs make": ["internet"],
    "graphs get": ["internet"],
}
"""What a command needs beside the option that is bad."""
NEEDED = {
    "generate": ["-o", "g.csv"],
    "sweep": ["--at", "0.5"],
    "graphs make": ["-o", "m.csv"],
    "label": ["-o", "l.npy"],
    "representatives": ["--by", "component", "-o", "k.csv"],
}
BESIDE = {"spill": ["--limit-memory", "100G"], "keep": ["--threshold", "0.5"]}


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield path, command
    if hasattr(command, "list_commands"):
        context = typer.Context(command)
        for name in command.list_commands(context):
            if not path and name in ("bench", "report"):  # of another package
                continue
            yield from commands(command.get_command(context, name), (*path, name))


def options_with_values() -> Iterator[tuple[tuple[str, ...], str, list[str]]]:
    for path, command in commands(typer.main.get_command(app)):
        for each in command.params:
            if each.param_type_name == "option" and not each.is_flag and not each.count:
                yield path, each.name, [max(each.opts, key=len)]


CASES = [
    (path, name, option[0])
    for path, name, option in options_with_values()
    if name not in OF_DATA and name not in ("install_completion", "show_completion")
]


def bad_values(path: tuple[str, ...], name: str) -> list[str]:
    if path[:1] == ("generate",) and name not in ("output", "file_format", "threads", "_log"):
        return ["x", "-1", ""]  # a generator's own: numbers, or lists of them
    return OWN.get((*path, name), COMMON.get(name, []))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "e.csv").write_text("src,dst,weight\n1,2,0.5\n2,3,0.7\n")
    (tmp_path / "l.csv").write_text("id,component\n1,1\n2,1\n3,1\n")
    (tmp_path / "file").write_text("x")
    np.save(tmp_path / "i.npy", np.ones((3, 4)))
    return tmp_path


@pytest.mark.parametrize("command", sorted({path for path, _, _ in CASES}), ids=" ".join)
def test_a_bad_value_is_2(command: tuple[str, ...], folder: Path) -> None:
    before = sorted(folder.rglob("*"))
    name = " ".join(command)
    for path, parameter, option in CASES:
        if path != command:
            continue
        values = bad_values(path, parameter)
        assert values, f"skerry {name} {option}: name a bad value, or say that it is of the data"
        for value in values:
            needed = NEEDED.get(name, NEEDED["generate"] if command[0] == "generate" else [])
            needed = [] if needed[:1] in ([option], [option[1:3]]) else needed
            beside = [] if command == ("sweep",) else BESIDE.get(parameter, [])
            words = (*command, *BEGIN.get(name, []), *needed, *beside, option, value)
            if command[0] == "generate" and len(command) == 2:
                words = (*words, *required(command, parameter))
            done = invoke(*words)
            expected = OTHER_CODES.get((parameter, value), 2)
            assert done.exit_code == expected, (words, done.output)
            assert done.output.count("\n") == 1 or "Usage:" in done.output, done.output
    assert sorted(folder.rglob("*")) == before, "a command that is refused writes nothing"


def required(command: tuple[str, ...], bad: str) -> list[str]:
    """Good values of the parameters that a generator cannot do without."""
    from skerry.generators.table import GENERATORS

    generator = GENERATORS[command[1].replace("-", "_")]
    values = {"sizes": "3+4", "number": "0.5"}
    return [
        word
        for each in generator.parameters
        if each.required and each.name != bad
        for word in (f"--{each.name.replace('_', '-')}", values.get(each.kind, "5"))
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("components e.csv --device foo", "--device must be"),
        ("generate rmat --scale -1 -o g.csv", "--scale must be in 0..47, got -1"),
        ("graphs make foo -o g.csv", "no graph of a paper is called 'foo'"),
        ("graphs get foo", "no graph of a paper is called 'foo'"),
        ("generate foo", "No such command"),
        ("components e.csv --checkpoint file", "file: cannot hold a checkpoint"),
        ("components  -o l.csv", "the path is empty"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_was_3_is_2(words: str, message: str) -> None:
    done = invoke(*words.split(" "))
    assert done.exit_code == 2 and message in done.output, done.output


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("components e.csv --weight score --threshold 1", "src,dst,weight\n1,2,3\n"),
        ("components e.csv --threshold 1", "src,dst,score\n1,2,3\n"),
        ("components e.csv --groups k", "src,dst,score\n1,2,3\n"),
        ("components e.csv --source a --target b", "src,dst\n1,2\n"),
        ("components e.csv --num-vertices 2 --ids vertices", "src,dst\n1,2\n"),
        ("components e.csv --vertices none.csv", "src,dst\n1,2\n"),
        ("components e.csv --vertices l.csv --vertices-column x", "src,dst\n1,2\n"),
        ("components e.csv", "src,dst\n1\n"),
        ("components e.csv", "src,dst\n1,\n"),
        ("components e.csv", "x,y,z\n1,2,3\n"),
        ("convert e.csv out.mtx", "src,dst\na,b\n"),
        ("sweep e.csv --at 1", "src,dst,score\n1,2,3\n"),
        ("sweep e.csv --at 1", "src,dst,weight\n1,2,heavy\n"),
        ("verify e.csv none.csv", "src,dst\n1,2\n"),
        ("why e.csv 1 2", "src,dst\n1,2\n1,2,3\n"),
        ("components none.csv", ""),
    ],
)
def test_bad_data_is_3(words: str, text: str, folder: Path) -> None:
    (folder / "e.csv").write_text(text)
    done = invoke(*words.split())
    assert done.exit_code == 3, (words, done.output)
    assert not (folder / "out.mtx").exists()


def test_a_missing_column_of_weights_names_the_option(folder: Path) -> None:
    (folder / "e.csv").write_text("src,dst,score\n1,2,3\n")
    for words in (("components", "e.csv", "--threshold", "1"), ("sweep", "e.csv", "--at", "1")):
        line = invoke(*words).output
        assert "there is no column weight; there are: src, dst, score; --weight names" in line


def test_the_table_has_every_error_of_skerry() -> None:
    kinds = [kind for kind, _ in CODES_OF_ERRORS]
    for number, kind in enumerate(kinds):  # one that comes later would never be reached
        assert not any(issubclass(kind, earlier) for earlier in kinds[:number]), kind
    assert {code for _, code in CODES_OF_ERRORS} <= set(CODES)
    for kind in SkerryError.__subclasses__():
        assert exit_code(kind("x")) != BUG
    assert exit_code(ValueError("x")) == BUG
