"""Ids and names of files and columns that a terminal would obey: they are shown, and do nothing.

The bytes that each command prints are looked at, on a terminal (`support.terminals`) and in a pipe.
"""

from __future__ import annotations

import csv
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

import skerry
from skerry.printable import printable, printable_lines
from support.cli import invoke

if sys.platform == "win32":
    pytest.skip("needs terminals and names of files of Unix", allow_module_level=True)

HOSTILE = "a\x1b]0;pwned\x07\x9b2J\u202eb\rc\nskerry: d\u2066\x08"
"""The title of the window, an erased screen, letters from right to left, a second line."""
COLUMN = "id\x1b[31m"
WEIGHT = "w\x1b[2J\u202e"
HARMLESS = re.compile(r"\x1b\[[0-9;]*m")
"""Colors, which commands print themselves."""

COMMANDS = [
    ("components", "FILE"),
    ("-v", "components", "FILE", "--verify", "-o", "OUT"),
    ("-vv", "components", "FILE", "--largest", "3", "-q"),
    ("components", "FILE", "--json"),
    ("components", "FILE", "-o", "-"),
    ("components", "NONE"),
    ("components", "FILE", "--source", HOSTILE),
    ("components", "FILE", "-o", HOSTILE + "/x.csv"),
    ("components", "FILE", "--algorithm", HOSTILE),
    ("components", "FILE", "--labels", HOSTILE),
    ("components", "FILE", f"--{HOSTILE}"),
    ("explore", "FILE", "-o", HOSTILE + ".html", "--include", HOSTILE),
    ("explore", "FILE", "-o", HOSTILE + ".html", "--include", HOSTILE + "x"),
    ("info", "FILE"),
    ("info", "FILE", "--json"),
    ("why", "FILE", HOSTILE, "x"),
    ("why", "FILE", HOSTILE, "far"),
    ("why", "FILE", HOSTILE, "none"),
    ("why", "FILE", HOSTILE, "x", "--json", "--weight", WEIGHT),
    ("sweep", "FILE", "--at", "0.2", "--weight", WEIGHT),
    ("sweep", "FILE", "--at", "0.2", "--weight", WEIGHT, "--json"),
    ("sweep", "FILE", "--at", HOSTILE),
    ("verify", "FILE", "LABELS"),
    ("verify", "FILE", "WRONG"),
    ("convert", "FILE", "OUT"),
    ("convert", "FILE", HOSTILE),
    ("convert", "FILE", "-", "--to", "csv"),
    ("generate", "path", "--n", "9", "-o", "OUT"),
    ("generate", "path", "--n", HOSTILE, "-o", "OUT"),
    ("generate", HOSTILE),
    ("graphs", "get", HOSTILE),
    ("graphs", "--paper", HOSTILE),
    ("algorithms", HOSTILE),
    (HOSTILE,),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    rows = [(COLUMN, "b", WEIGHT), (HOSTILE, "x", 0.5), ("x", "y\x1b[A", "inf"), ("far", "z", 1)]
    labels = [("id", "component"), *((each, "1") for each in (HOSTILE, "x", "y\x1b[A"))]
    for name, lines in {
        "FILE": rows,
        "LABELS": [*labels, ("far", "2"), ("z", "2")],
        "WRONG": [*labels, ("far", "3"), ("z", "2")],
    }.items():
        with (folder / f"{name}{HOSTILE}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, quoting=csv.QUOTE_MINIMAL).writerows(lines)
    return folder


def arguments_of(command: tuple[str, ...]) -> list[str]:
    files = ("FILE", "NONE", "LABELS", "WRONG", "OUT")
    named = [f"{each}{HOSTILE}.csv" if each in files else each for each in command]
    columns = ["--source", COLUMN, "--target", "b", "--header"]
    commands = ("info", "why", "sweep", "verify", "convert", "explore")
    takes = command[0] in commands or "components" in command
    return [*named, *(columns if takes and "--source" not in command else [])]


def acting(text: str, lines: bool = True) -> set[str]:
    """The characters that a terminal would obey, or that hide others."""
    text = HARMLESS.sub("", text)
    controls = {each for each in text if each < " " or "\x7f" <= each <= "\x9f"}
    return (controls | set(text) & set("\u202e\u2066\u2028")) - set("\n" if lines else "")


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: printable(" ".join(command)))
def test_nothing_that_acts_is_printed(terminals, folder, monkeypatch, command) -> None:
    monkeypatch.chdir(folder)
    arguments = arguments_of(command)
    result = invoke(*arguments)
    data = command[-1] == "-" or command[-2:] == ("--to", "csv")
    printed = result.stderr if data else result.output
    assert result.exit_code in (0, 1, 2, 3, 4), (result.output, result.exception)
    if not result.output.startswith("Usage: "):  # typer's, for wrong options: `main` has none
        assert not acting(printed), printed
        assert "\nskerry: d" not in printed, "a name begins a line of its own"
    session = terminals.run(*arguments, folder=folder)
    assert session.code == result.exit_code, session.text
    drawn = session.text.replace("\r\n", "\n").replace("\r", "")
    assert not acting(drawn), session.sent
    assert data or "\nskerry: d" not in drawn
    if "--json" in command:
        json.loads(result.stdout, parse_constant=pytest.fail)


def test_json_has_no_infinite_numbers(folder, monkeypatch) -> None:
    monkeypatch.chdir(folder)
    command = ("why", "FILE", HOSTILE, "y\x1b[A", "--json", "--weight", WEIGHT)
    report = json.loads(invoke(*arguments_of(command)).stdout, parse_constant=pytest.fail)
    assert [link["weight"] for link in report["path"]] == [0.5, "Infinity"]
    assert report["from"] == HOSTILE and report["path"][0]["source"] == HOSTILE


def test_names_that_are_no_utf8(terminals, tmp_path) -> None:
    (tmp_path / "b\udcff.txt").write_text("1 2\n")
    session = terminals.run("components", "b\udcff.txt", folder=tmp_path)
    assert session.code == 0 and "b\\udcff.txt" in session.text


@pytest.mark.parametrize("id", ["urn:key:1", "[red]x[/red]", ":warning:", "[/]", "a\\nb"])
def test_ids_are_neither_emoji_nor_markup(terminals, tmp_path, id: str) -> None:
    name = f"{id.replace('/', '')}.csv"
    (tmp_path / name).write_text(f"src,dst\n{id},x\n")
    for command in (["components", name], ["why", name, id, "x"], ["info", name]):
        session = terminals.run(*command, folder=tmp_path)
        assert session.code == 0
        assert (name if command[0] == "info" else id) in session.text


def test_a_notebook_shows_ids_and_does_not_obey_them() -> None:
    result = skerry.connected_components([("<b>\u202e\x1b[2J", "x"), ("y", "z")])
    page = result._repr_html_()
    tags: set[str] = set()
    reader = HTMLParser()
    reader.handle_starttag = lambda tag, _: tags.add(tag)
    reader.feed(page)
    assert not acting(page) and tags <= {"table", "caption", "tr", "th", "td"}


OTHER_SCRIPTS = [
    "\u5c71\u7530\u3000\u592a\u90ce",
    "\U0001f469\u200d\U0001f4bb",
    "n\u00e9\u00a0e",
    "\u0645\u06cc\u200c\u062e",
]


@pytest.mark.parametrize("text", ["kim", *OTHER_SCRIPTS])
def test_letters_of_all_languages_are_shown_as_they_are(text: str) -> None:
    assert printable(text) == text


def test_every_character_that_acts_is_escaped() -> None:
    acts = [*range(32), *range(0x7F, 0xA0), 0x61C, 0x200B, 0x2028, 0x2029, 0xFEFF, 0xD800, 0xE0041]
    acts += [0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2060, 0x2070)]
    escaped = {code: printable(chr(code)) for code in acts if code != 0x2065}  # not assigned
    assert all(re.fullmatch(r"\\[xuUnrt][0-9a-f]*", each) for each in escaped.values()), escaped
    assert printable_lines("a\nb\x1b") == "a\nb\\x1b"
