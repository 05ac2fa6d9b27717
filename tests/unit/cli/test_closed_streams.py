"""Standard streams that are closed (``>&-``): one line and an exit code, and files stay right."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from support.cli import run

if sys.platform == "win32":
    pytest.skip("needs terminals of Unix", allow_module_level=True)

PAIRS = "src,dst\nkim,lee\nlee,ann\nbo,al\n"
LABELS = 'id,component\n"al","al"\n"ann","ann"\n"bo","al"\n"kim","ann"\n"lee","ann"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pairs.csv").write_text(PAIRS)
    (tmp_path / "wrong.csv").write_text(LABELS.replace('"bo","al"', '"bo","ann"'))
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        "components pairs.csv",
        "components pairs.csv --json",
        "components pairs.csv -q -o -",
        "convert pairs.csv - --to csv -q",
        "why pairs.csv kim lee",
        "algorithms",
        "--help",
        "--version",
    ],
)
def test_closed_output_is_an_output_error(terminals, folder, command: str) -> None:
    session = terminals.run(*command.split(), folder=folder, closed=["stdout"], eager=False)
    assert session.code == 4
    assert session.screen == ["skerry: standard output: Bad file descriptor", ""]


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("components pairs.csv -v", 0),
        ("components none.csv", 3),
        ("components --nonsense", 2),
        ("verify pairs.csv wrong.csv", 1),
        ("why pairs.csv kim bo", 1),
    ],
)
def test_closed_errors_change_no_exit_code(terminals, folder, command: str, code: int) -> None:
    printed = {"stdout": str(folder / "printed")}
    session = terminals.run(*command.split(), folder=folder, closed=["stderr"], **printed)
    assert (session.code, session.sent) == (code, b"")


@pytest.mark.parametrize("closed", [["stdout"], ["stderr"], ["stdin", "stdout", "stderr"]])
def test_what_is_printed_does_not_go_into_a_file(terminals, folder, closed: list[str]) -> None:
    arguments = ("-v", "components", "pairs.csv", "-o", "out.csv")
    for quiet in ([], ["-q"]):
        session = terminals.run(*arguments, *quiet, folder=folder, closed=closed)
        assert session.code == (4 if "stdout" in closed and not quiet else 0)
        assert (folder / "out.csv").read_text() == LABELS


def test_closed_input_cannot_be_read(terminals, folder) -> None:
    session = terminals.run("components", "-", folder=folder, closed=["stdin"])
    assert session.code == 3
    assert "skerry: standard input" in session.text and "Traceback" not in session.text


def test_a_shell_closes_them(folder) -> None:
    script = f"{sys.executable} -m skerry components {folder}/pairs.csv >&-"
    options = {"capture_output": True, "text": True, "timeout": 100}
    done = subprocess.run(["sh", "-c", script], **options, check=False)
    assert done.returncode == 4
    assert done.stderr == "skerry: standard output: Bad file descriptor\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device without room")
def test_errors_that_cannot_be_written_change_no_exit_code(folder) -> None:
    with Path("/dev/full").open("w") as full:
        options = {"capture_output": False, "stdout": subprocess.DEVNULL, "stderr": full}
        assert run("-v", "components", folder / "none.csv", **options).returncode == 3
