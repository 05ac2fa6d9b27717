"""Messages of the library, as commands show them: with the options of the command that runs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

import skerry
from skerry.cli.app import app
from skerry.cli.wording import (
    ARGUMENTS,
    LABELS_FILE,
    OPTIONS,
    VERTICES_FILE,
    as_options,
    spoken,
)
from skerry.errors import InputError
from support.cli import invoke, ok, refused
from support.damage import damaged, suffix_of
from support.python_spelling import ARGUMENTS_OF_PYTHON, python_spelling
from support.small_files import SMALL_FILES

PACKAGE = Path(skerry.__file__).parent
FOR_CALLERS = {"union_find.py"}
"""Files whose texts no command shows."""


@pytest.mark.parametrize(
    ("python", "shell"),
    [
        ('say format="csv"', "say --format csv"),
        ("source= and target= are for tables", "--source and --target are for tables"),
        ("num_vertices=7, but", "--num-vertices 7, but"),
        ('use device="cpu"', "use --device cpu"),
        ('external_ids="ranks" or external_ids=', "--external-ids ranks or --external-ids"),
        ("limit=4,096 of 10", "--limit-memory 4,096 of 10"),
        ("limit= is ignored", "--limit-memory is ignored"),
        ("limit must be a number of bytes", "--limit-memory must be a number of bytes"),
        ("num_vertices must be in 0..2**59", "--num-vertices must be in 0..2**59"),
        ('ids must be "auto"', '--ids must be "auto"'),
        ("ids must be integers", "ids must be integers"),
        ("header=True", "--header"),
        ("header=False, then", "--no-header, then"),
        ("ids_as_text=True reads them", "--ids-as-text reads them"),
        ("min_size=2 and drop_singletons=True", "--min-size 2 and --drop-singletons"),
        ('format="csv" or "tsv" reads words', "--format csv or tsv reads words"),
        ('source=("a", "b") and target=(0, 1)', "--source a,b and --target 0,1"),
        ("source='first name': no", '--source "first name": no'),
        ("symmetric=True, statistics=True", "symmetric, statistics"),
        ("ids_as_text=False, threads=None", "no --ids-as-text, no --threads"),
        ("a.format=b and x_ids=3", "a.format=b and x_ids=3"),
        ("file?ids=me.csv: no", "file?ids=me.csv: no"),
        ("data/source=3/part-0.parquet: no", "data/source=3/part-0.parquet: no"),
        ("source=3/part-0.parquet: no", "source=3/part-0.parquet: no"),
        ("road:width=5,keep=0.69", "road:width=5,keep=0.69"),
        ('needs "src"=... no', 'needs "src"=... no'),
    ],
)
def test_messages_speak_of_options(python: str, shell: str) -> None:
    assert as_options(python) == shell
    assert as_options(shell) == shell


def test_every_option_that_a_message_may_name_exists() -> None:
    text = " ".join(ok(name, "--help") for name in ("components", "convert"))
    for words in OPTIONS.values():
        for option in filter(None, (words.text, words.off)):
            assert f"{option} " in text, option


def test_every_argument_has_words_of_the_command_line() -> None:
    """An argument that is added to the library has an option, or is listed as having none."""
    assert set(ARGUMENTS) >= ARGUMENTS_OF_PYTHON


# All messages, as they stand in the sources


def texts_of(source: str) -> Iterator[tuple[int, str]]:
    """The texts of a module that are no docstrings, with something in place of their values."""
    tree = ast.parse(source)
    parts = {id(part) for node in ast.walk(tree) for part in getattr(node, "values", ())}
    parts |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if id(node) in parts:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
        elif isinstance(node, ast.JoinedStr):
            yield node.lineno, re.sub("\0(?==)", "source", "".join(map(_part, node.values)))


def _part(part: ast.expr) -> str:
    if isinstance(part, ast.Constant):
        return str(part.value)
    assert isinstance(part, ast.FormattedValue)
    if part.conversion == ord("r"):
        return "'some text'"
    return "1,000" if part.format_spec else "\0"


def messages() -> Iterator[tuple[str, str]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.name not in FOR_CALLERS:
            for line, text in texts_of(path.read_text()):
                if python_spelling(text) and not re.match(r"[A-Z]\w+\(", text):  # a repr
                    yield f"{path.name}:{line}", text


def commands() -> Iterator[typer.Context]:
    group = typer.main.get_command(app)
    context = typer.Context(group)
    for name in ("components", "info", "convert", "verify", "demo", "doctor"):
        command = group.get_command(context, name)  # type: ignore[attr-defined]
        yield typer.Context(command, info_name=name, parent=context)


def untranslated(texts: Iterator[tuple[str, str]]) -> list[str]:
    """Texts that some command would show with an argument as Python spells it."""
    found = []
    contexts = list(commands())
    for where, text in texts:
        for context in contexts:
            for role in (None, VERTICES_FILE, LABELS_FILE):
                with context:
                    shown = as_options(text, role)
                if python_spelling(shown):
                    found.append(f"{where}: {shown}")
    return found


def test_no_message_of_the_library_is_shown_as_python_spells_it() -> None:
    texts = list(messages())
    assert len(texts) > 50  # they are found at all
    assert untranslated(iter(texts)) == []


def test_the_guard_sees_messages_that_would_go_out_as_python_spells_them() -> None:
    """It is fed wrong ones: a value that no shell has, and an argument without words."""
    source = (
        'def f(n, name):\n    raise E(f"{n} edges: use device=gpu")\n'
        'A = f"say {name}=numpy"\nB = "dtype=np.int64"\nC = "fine: threads=2"\n'
    )
    found = untranslated(
        (str(line), text) for line, text in texts_of(source) if python_spelling(text)
    )
    assert {each.split(":")[0] for each in found} == {"2", "3", "4"}


# What commands show


def test_an_option_of_another_command_is_shown_with_its_command() -> None:
    for context in commands():
        with context:
            shown = as_options('pass ids="external" or external_ids="ranks"')
        own = context.info_name in ("components", "verify")
        assert ("--ids external (of skerry components)" in shown) == (not own), context.info_name
        ranks = "--external-ids ranks (of skerry convert)"
        assert (ranks in shown) == (context.info_name != "convert")


def test_messages_about_the_vertices_file_name_its_own_options(tmp_path: Path) -> None:
    edges, vertices = tmp_path / "edges.csv", tmp_path / "v.csv"
    edges.write_text("src,dst\n1,2\n")
    vertices.write_text("x\ny\n")
    line = refused("components", edges, "--vertices", vertices)
    assert "--vertices-header or --no-vertices-header" in line
    plain = tmp_path / "v.txt"
    plain.write_text("1 2\n")
    line = refused("components", edges, "--vertices", plain, "--vertices-column", "z")
    assert "--vertices-column" in line and "--source" not in line, line


def test_messages_about_the_labels_file_name_no_option_that_it_has_not(tmp_path: Path) -> None:
    edges, labels = tmp_path / "edges.csv", tmp_path / "labels.csv"
    edges.write_text("src,dst\n1,2\n")
    labels.write_text("id,component\n1,1\n,1\n")
    line = refused("verify", edges, labels)
    assert "labels.csv" in line and "--" not in line, line


def test_errors_inside_of_a_role_name_its_options() -> None:
    with pytest.raises(InputError, match=r"^say --vertices-header$"), spoken(VERTICES_FILE):
        raise InputError("say header=True")
    with pytest.raises(KeyError), spoken(VERTICES_FILE):
        raise KeyError


def test_a_memory_limit_below_one_byte_is_refused_in_words_of_the_command(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("1 2\n")
    line = refused("components", tmp_path / "a.txt", "--limit-memory", "0.5")
    assert "--limit-memory must be a number of bytes" in line


def test_notes_of_the_plan_name_options(tmp_path: Path) -> None:
    edges, vertices = tmp_path / "edges.csv", tmp_path / "v.csv"
    edges.write_text("src,dst\n1,2\n")
    vertices.write_text("id,x\n7,1\n,2\n")
    for extra in ([], ["--json"], ["-v"]):
        said = ok("components", edges, "--vertices", vertices, "--on-null", "drop", *extra)
        assert "left out of --vertices: 1 null" in said, said


@pytest.mark.parametrize("name", SMALL_FILES)
def test_damaged_files_are_refused_in_words_of_the_command(name: str, tmp_path: Path) -> None:
    """`invoke` itself looks for arguments of Python in all that is printed."""
    path = tmp_path / f"file{suffix_of(name)}"
    for data in list(damaged(SMALL_FILES[name], 6, seed=4))[2:]:
        path.write_bytes(data)
        invoke("components", path, "--format", name, "--threads", "1")
    for options in (
        *(("--source", "first name", "--target", "b"), ("--source", "a"), ("--delimiter", "ab")),
        *(("--ids", "external"), ("--ids-as-text",), ("--threshold", "1"), ("--on-null", "drop")),
        *(("--header",), ("--num-vertices", "1"), ("--algorithm", "ecl", "--limit-memory", "1G")),
    ):
        path.write_bytes(SMALL_FILES[name])
        invoke("components", path, *options, "--threads", "1")
