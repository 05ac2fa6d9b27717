"""No output is an input: every command that reads files, every option that names an output."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
import typer

import skerry
import skerry.io
from skerry.cli.app import app
from skerry.errors import ArgumentError
from support.cli import invoke, refused

EDGES = "src,dst\n1,2\n3,4\n"

FILES = {
    ("components", "output"),
    ("components", "sizes"),
    ("components", "checkpoint"),
    ("convert", "output"),
    ("explore", "output"),
    ("diff", "output"),
    ("representatives", "output"),
    ("label", "output"),
    ("label", "picture"),
    ("label", "checkpoint"),
}
"""Commands that read files, and their parameters that name files to write."""
FOLDERS = {("components", "spill"), ("components", "state")}
"""The same of folders for many files. Files of ``--spill`` have no names."""
READ = {
    *("vertices", "inputs", "file", "graph", "edges", "labels", "previous", "named_after"),
    *("clusters", "records", "old", "new", "flag", "best", "image"),
}
"""Parameters that name files to read, and two that say "Write" and name none."""
NEW = {"generate", "graphs", "bench", "report"}
"""Commands that have no files to read, and those of the other package."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    for name in ("in/a.csv", "in/b.csv", "v.csv"):
        (tmp_path / name).write_text(EDGES if name.startswith("in") else "id\n7\n")
    (tmp_path / "soft.csv").symlink_to("in/b.csv")
    os.link(tmp_path / "in/b.csv", tmp_path / "hard.csv")
    (tmp_path / "loop").symlink_to("in", target_is_directory=True)
    return tmp_path


INPUTS = {
    "a file": ["in/b.csv"],
    "several files": ["in/a.csv", "in/b.csv"],
    "a folder": ["in"],
    "a pattern": ["in/*.csv"],
    "an address": ["file://{here}/in/b.csv"],
    "a link": ["soft.csv"],
    "a folder by a link": ["loop"],
}
OUTPUTS = ["in/b.csv", "./in/../in/b.csv", "soft.csv", "hard.csv", "loop/b.csv", "{here}/in/b.csv"]


@pytest.mark.parametrize("output", OUTPUTS)
def test_nor_by_a_result(output: str, folder: Path) -> None:
    output = output.format(here=folder)
    result = skerry.connected_components("in")
    for write in (
        result.write,
        pickle.loads(pickle.dumps(result)).write,
        lambda path: skerry.io.write_labels(result, path),
        lambda path: skerry.io.write_graph(skerry.io.read_edges("in"), path),
    ):
        with pytest.raises(ArgumentError, match=r"is an input.*, which writing would overwrite"):
            write(output)
    assert Path("in/b.csv").read_text() == EDGES
    result.write("in/new.csv")
    assert "files" not in result.plan.input.as_json()


@pytest.mark.parametrize("inputs", INPUTS)
@pytest.mark.parametrize("output", OUTPUTS)
def test_an_input_is_never_overwritten(inputs: str, output: str, folder: Path) -> None:
    inputs = [each.format(here=folder) for each in INPUTS[inputs]]
    output = output.format(here=folder)
    for command in (
        ["components", *inputs, "-o", output],
        ["components", *inputs, "--sizes", output],
        ["components", "in/a.csv", "--vertices", "hard.csv", "--vertices-column", "0", "-o", output]
        if inputs == ["in/b.csv"]
        else ["components", *inputs, "-q", "-o", output],
        ["convert", *inputs, output],
        ["explore", *inputs, "-o", output],
    ):
        assert "is an input" in refused(*command, code=2)
        assert (folder / "in/b.csv").read_text() == EDGES


def test_neither_is_a_list_of_vertices(folder: Path) -> None:
    Path("w.csv").symlink_to("v.csv")
    for output in ("v.csv", "w.csv"):
        for option in ("-o", "--sizes"):
            line = refused("components", "in", "--vertices", "v.csv", option, output, code=2)
            assert "is an input" in line
    assert (folder / "v.csv").read_text() == "id\n7\n"


@pytest.mark.usefixtures("folder")
def test_neither_are_earlier_clusters() -> None:
    table = "id,component\n1,1\n2,1\n"
    Path("day.csv").write_text(table)
    Path("link.csv").symlink_to("day.csv")
    skerry.connected_components("in").write("day.parquet")
    before = Path("day.parquet").read_bytes()
    for arguments in (
        ("diff", "day.parquet", "day.csv", "-o", "day.parquet"),
        ("representatives", "day.csv", "--by", "id", "-o", "link.csv"),
    ):
        line = refused(*arguments, code=2)
        assert "is an input, which --output would overwrite" in line or "is an input (" in line
    assert Path("day.csv").read_text() == table
    assert Path("day.parquet").read_bytes() == before


def test_nor_what_a_checkpoint_replaces(folder: Path) -> None:
    Path("c").mkdir()
    (folder / "c/checkpoint.skerry").write_text(EDGES)
    arguments = ("components", "c/checkpoint.skerry", "--format", "csv")
    line = refused(*arguments, "--checkpoint", "c", code=2)
    assert "is an input, which --checkpoint would overwrite" in line
    line = refused("components", "in", "--checkpoint", "c", "-o", "c/checkpoint.skerry")
    assert (folder / "c/checkpoint.skerry").read_text() == EDGES


@pytest.mark.usefixtures("folder")
def test_two_outputs_are_two_files() -> None:
    Path("in2").symlink_to(".", target_is_directory=True)
    for sizes in ("new.csv", "./new.csv", "in2/new.csv"):
        line = refused("components", "in", "-o", "new.csv", "--sizes", sizes, code=2)
        assert "--output and --sizes name the same file" in line
    assert not Path("new.csv").exists()
    assert invoke("components", "in", "-q", "-o", "new.csv", "--sizes", "s.csv").exit_code == 0
    again = invoke("components", "in", "-q", "-o", "new.csv", "--sizes", "s.csv")
    assert again.exit_code == 0, again.output


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
def test_nor_is_what_was_redirected(folder: Path) -> None:
    skerry = f"{sys.executable} -m skerry"
    for command in (
        f"{skerry} components in -o - >> in/b.csv",
        f"{skerry} components - -o in/b.csv < hard.csv",
        f"{skerry} components in/a.csv --vertices - -o v.csv < v.csv",
        f"{skerry} convert - soft.csv < in/b.csv",
    ):
        done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
        assert done.returncode == 2 and "is an input" in done.stderr, (command, done)
    assert (folder / "in/b.csv").read_text() == EDGES
    assert (folder / "v.csv").read_text() == "id\n7\n"


@pytest.mark.parametrize("state", ["in", "loop", "in/state", "."])
def test_the_state_of_a_cluster_has_its_own_folder(state: str, folder: Path) -> None:
    line = refused("components", "in", "--engine", "ray", "--state", state, code=2)
    assert "holds inputs" in line and "--state needs a folder of its own" in line
    assert sorted(each.name for each in (folder / "in").iterdir()) == ["a.csv", "b.csv"]


def test_addresses_are_compared() -> None:
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.pipe("/in/a.csv", EDGES.encode())
    for inputs in ("memory://in/a.csv", "memory://in", "memory://in/*.csv"):
        assert "is an input" in refused("components", inputs, "-o", "memory://in/a.csv", code=2)
    assert memory.cat("/in/a.csv") == EDGES.encode()


def test_every_option_that_names_an_output_is_known() -> None:
    """A new option is named here, and in the tests above, before it can write anything."""
    group = typer.main.get_command(app)
    written = {
        (name, parameter.name)
        for name in group.commands
        if name not in NEW
        for parameter in group.commands[name].params
        if parameter.name not in READ
        and (
            (parameter.metavar or "") in ("FILE", "DIR", "FOLDER", "OUTPUT")
            or "rite" in (getattr(parameter, "help", None) or "").split(" ")[0]
        )
    }
    assert written == FILES | FOLDERS
