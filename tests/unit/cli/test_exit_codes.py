"""Exit codes: each means one thing, and docs/options.md lists them all."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from skerry.cli.errors import CODES
from support.cli import invoke, run

ROOT = Path(__file__).parents[3]
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs signals and pipes of a shell")


@pytest.fixture
def edges(tmp_path: Path) -> Path:
    (tmp_path / "e.txt").write_text("1 2\n3 4\n")
    return tmp_path / "e.txt"


def test_the_documentation_lists_every_exit_code() -> None:
    text = (ROOT / "docs/options.md").read_text()
    table = text.partition("## Exit codes\n\n")[2].partition("\n\n")[0]
    listed = dict(re.findall(r"^\| (\d+) \| (.*) \|$", table, re.MULTILINE))
    assert {int(code): meaning for code, meaning in listed.items()} == CODES


def test_0_is_done(edges: Path) -> None:
    assert run("components", edges, "-q").returncode == 0


def test_1_is_wrong_labels(edges: Path) -> None:
    labels = edges.with_name("labels.csv")
    labels.write_text("id,component\n1,1\n2,1\n3,1\n4,1\n")
    assert run("verify", edges, labels).returncode == 1


def test_1_is_no_path(edges: Path) -> None:
    assert run("why", edges, "1", "3").returncode == 1
    assert run("why", edges, "1", "2").returncode == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("why", "e.txt", "1"),
        ("why", "e.txt", "1", "9"),
        ("components",),
        ("components", "e.txt", "--json", "-o", "-"),
        ("convert", "e.txt", "-"),
    ],
)
def test_2_is_usage(
    arguments: tuple[str, ...], edges: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(edges.parent)
    assert invoke(*arguments).exit_code == 2


def test_3_is_an_input_that_cannot_be_read(edges: Path) -> None:
    assert invoke("components", edges.with_name("none.txt")).exit_code == 3
    edges.write_text("1 x\n")
    assert invoke("components", edges).exit_code == 3
    edges.with_suffix(".parquet").write_bytes(b"PAR1")
    assert invoke("info", edges.with_suffix(".parquet")).exit_code == 3


def test_4_is_an_output_that_cannot_be_written(edges: Path) -> None:
    assert invoke("components", edges, "-o", edges.parent / "no/x.csv").exit_code == 4
    assert invoke("convert", edges, edges.parent / "no/x.csv").exit_code == 4
    assert invoke("convert", edges, edges.parent / "no/x.csv").exit_code == 4


def test_5_is_memory(edges: Path) -> None:
    options = ("--num-vertices", 10**9, "--limit-memory", "1M")
    assert invoke("components", edges, *options).exit_code == 5


def test_70_is_a_bug_in_skerry(edges: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise AttributeError("no such thing")

    monkeypatch.setattr("skerry.cli.components.connected_components", broken)
    quiet = invoke("components", edges)
    assert quiet.exit_code == 70
    assert "this is a bug in skerry: AttributeError: no such thing" in quiet.output
    assert "Traceback" not in quiet.output
    assert quiet.output.count("\n") == 1
    loud = invoke("-v", "components", edges)
    assert loud.exit_code == 70
    assert "Traceback" in loud.output


def test_an_error_of_a_module_is_a_bug_too() -> None:
    code = (
        "import skerry.cli, skerry.cli.app\n"
        "def broken(*_, **__): raise KeyError('x')\n"
        "skerry.cli.app.app = broken\n"
        "skerry.cli.main()\n"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 70
    assert "this is a bug in skerry: KeyError: 'x'" in done.stderr


GONE = (
    "--help",
    "components --help",
    "algorithms",
    "algorithms --json",
    "doctor",
    "demo",
    "graphs",
    "generate --list",
    "info e.txt",
    "components e.txt",
    "components e.txt --json",
    "components e.txt -o -",
    "convert e.txt - --to csv",
    "generate path --n 1e6 -o - --format csv",
)


@POSIX
@pytest.mark.parametrize("arguments", GONE)
def test_141_is_a_reader_that_has_gone(arguments: str, edges: Path) -> None:
    # A pipe whose reader has gone before anything is written.
    reader, writer = os.pipe()
    os.close(reader)
    done = run(
        *arguments.split(),
        cwd=edges.parent,
        capture_output=False,
        stdout=writer,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


@POSIX
def test_143_is_sigterm_which_leaves_nothing_incomplete(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "skerry", "generate", "path", "--n", "3e8", "-o", "x.csv.gz"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 60
        while not list(tmp_path.iterdir()) and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (143, "")
    assert list(tmp_path.iterdir()) == []
